import Core

/// Writes JSON anew with other line breaks between its tokens, each of which stays as it was spelled.
enum JSONLayout {
  /// Deeper levels than this stand no further in.
  private static let mostIndented = 256

  /// `text`, one JSON value, as one line: without line breaks and the white space about them.
  static func line(_ text: [UInt8]) -> [UInt8] {
    text.span.endOfLine(from: 0) < text.count ? laid(text, isPretty: false) : text
  }

  /// `text`, one JSON value, with a line for each member and each element, as `jq .` prints it.
  static func pretty(_ text: [UInt8]) -> [UInt8] { laid(text, isPretty: true) }

  private static func laid(_ text: [UInt8], isPretty: Bool) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var (index, depth) = (0, 0)
    func breakLine() {
      guard isPretty else { return }
      output.append(ASCII.lf)
      output += repeatElement(ASCII.space, count: 2 * min(depth, mostIndented))
    }
    while index < text.count {
      let byte = text[index]
      let start = index
      index += 1
      switch byte {
      case ASCII.quote:
        index = endOfString(text, from: index)
        output += text[start..<index]
      case ASCII.openBrace, ASCII.openBracket:
        output.append(byte)
        depth += 1
        let next = text[index...].firstIndex { !ASCII.isSpace($0) } ?? text.count
        if next < text.count, text[next] != byte + 2 { breakLine() }
      case ASCII.closeBrace, ASCII.closeBracket:
        depth = max(0, depth - 1)
        if let last = output.last, last != byte - 2 { breakLine() }
        output.append(byte)
      case ASCII.comma:
        output.append(byte)
        breakLine()
      case ASCII.colon:
        output.append(byte)
        if isPretty { output.append(ASCII.space) }
      case _ where ASCII.isSpace(byte):
        index = text[index...].firstIndex { !ASCII.isSpace($0) } ?? text.count
        let run = text[start..<index]
        if !isPretty, !run.contains(ASCII.lf), !run.contains(ASCII.cr) { output += run }
      default: output.append(byte)
      }
    }
    return output
  }

  /// Where the string ends, after its quote, whose text goes on at `start`.
  private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
    let bytes = text.span
    var index = start
    while true {
      index = bytes.endOfStringRun(from: index)
      guard index < text.count, text[index] != ASCII.quote else { break }
      // A backslash takes the next byte with it.
      index += text[index] == ASCII.backslash ? 2 : 1
    }
    return min(index + 1, text.count)
  }
}
