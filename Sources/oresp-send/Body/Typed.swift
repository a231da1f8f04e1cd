import Core

/// Cuts the value of an option into its parts.
enum Typed {
  /// The words of `text` between `separator`s. One behind a backslash separates nothing, and
  /// neither does one in a JSON object or array behind `=`.
  static func words(of text: String, at separator: Unicode.Scalar) -> [String] {
    let bytes = Array(text.utf8)
    let separator = UInt8(ascii: separator)
    var words: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      if bytes[start] == separator {
        words.append([])
        continue
      }
      var byte = bytes[start]
      if byte == ASCII.backslash, index < bytes.count, bytes[index] == separator {
        byte = separator
        index += 1
      }
      words[words.count - 1].append(byte)
      if byte == UInt8(ascii: "="), index < bytes.count,
        [ASCII.openBrace, ASCII.openBracket].contains(bytes[index]),
        let end = JSONChildren.endOfValue(bytes.span, at: index)
      {
        words[words.count - 1] += bytes[index..<end]
        index = end
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text before the first `separator`, and the text behind it; `nil` without a separator.
  static func parts(
    of text: String, at separator: Unicode.Scalar
  ) -> (before: String, behind: String?) {
    guard let (before, behind) = text[...].cut(at: String(separator)) else { return (text, nil) }
    return (String(before), String(behind))
  }
}
