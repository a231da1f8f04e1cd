/// Data that a server sends in place of an event, so that the connection stays alive: nothing,
/// `null`, a word such as `ping` or `[HEARTBEAT]`, a comment such as `: PROCESSING`, or a time such
/// as `2026-01-01 00:00:00+00:00`.
package enum Heartbeat {
  /// The longest heartbeat in bytes.
  private static let longest = 64

  /// Whether `data` is a heartbeat, white space and quotes around it aside.
  package static func isOne(_ data: Span<UInt8>) -> Bool {
    var text = data.extracting(data.trimmed())
    if isBetween(ASCII.quote, ASCII.quote, text) { text = text.extracting(1..<text.count - 1) }
    // A colon begins a comment of the event stream that came as its data.
    if text.isEmpty || text[0] == ASCII.colon { return true }
    guard text.count <= longest else { return false }
    if isTime(text) { return true }
    return isBetween(ASCII.openBracket, ASCII.closeBracket, text)
      ? isWord(text.extracting(1..<text.count - 1)) : isWord(text)
  }

  private static func isBetween(_ first: UInt8, _ last: UInt8, _ text: Span<UInt8>) -> Bool {
    text.count > 1 && text[0] == first && text[text.count - 1] == last
  }

  /// Whether `text` begins with a letter and has neither white space nor a mark of JSON or HTML.
  private static func isWord(_ text: Span<UInt8>) -> Bool {
    guard ASCII.isLetter(text.byte(at: 0)) else { return false }
    for index in text.indices {
      let byte = text[index]
      if byte <= ASCII.space || "{}[]\"<>,".utf8.contains(byte) { return false }
    }
    return true
  }

  private static func isTime(_ text: Span<UInt8>) -> Bool {
    for index in text.indices
    where !ASCII.isDigit(text[index]) && !"-:.+TZ ".utf8.contains(text[index]) {
      return false
    }
    return true
  }
}
