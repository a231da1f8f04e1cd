import Core

/// Writes JSON anew without the line breaks between its tokens, each of which stays as it was spelled.
enum JSONLayout {
  /// `text`, one JSON value, as one line: without line breaks and the white space about them.
  static func line(_ text: [UInt8]) -> [UInt8] {
    guard text.span.endOfLine(from: 0) < text.count else { return text }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let start = index
      if text[index] == ASCII.quote {
        index = JSONString.end(of: text.span, from: index + 1) ?? text.count
      } else if ASCII.isSpace(text[index]) {
        index = text[index...].firstIndex { !ASCII.isSpace($0) } ?? text.count
        if text[start..<index].contains(where: { $0 == ASCII.lf || $0 == ASCII.cr }) { continue }
      } else {
        index += 1
      }
      output += text[start..<index]
    }
    return output
  }
}
