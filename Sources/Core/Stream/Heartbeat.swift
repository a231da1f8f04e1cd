/// Data that a server sends in place of an event, so that the connection stays alive: nothing,
/// `null`, a word such as `ping` or `[HEARTBEAT]`, a comment such as `: PROCESSING`, or a time such
/// as `2026-01-01 00:00:00+00:00`.
package enum Heartbeat {
  /// The longest heartbeat in bytes.
  private static let longest = 64

  /// Whether `data` is a heartbeat, white space around it aside.
  package static func isOne(_ data: Span<UInt8>) -> Bool {
    let text = data.extracting(data.trimmed())
    if text.isEmpty || isComment(text) { return true }
    guard text.count <= longest, text[0] != ASCII.openBrace else { return false }
    if isWord(text) || isTime(text) { return true }
    guard text.count >= 2 else { return false }
    let inner = text.extracting(1..<text.count - 1)
    switch (text[0], text[text.count - 1]) {
    case (ASCII.quote, ASCII.quote):
      return inner.isEmpty || isWord(inner) || isTime(inner) || isComment(inner)
    case (ASCII.openBracket, ASCII.closeBracket): return isWord(inner)
    default: return false
    }
  }

  /// Whether `text` is a comment of the event stream that came as its data.
  private static func isComment(_ text: Span<UInt8>) -> Bool { text.byte(at: 0) == ASCII.colon }

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
