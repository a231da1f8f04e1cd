import Core

/// Cuts what people type for one option into its parts.
enum Typed {
  /// The words of `text` between `separator`s. A backslash before one makes it plain, and so does
  /// JSON: an object or array behind `=` is whole.
  static func words(of text: String, at separator: Unicode.Scalar) -> [String] {
    let (bytes, separator) = (Array(text.utf8), UInt8(ascii: separator))
    var words: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      if bytes[start] == separator {
        words.append([])
        continue
      }
      var taken = bytes[start]
      if taken == ASCII.backslash, index < bytes.count, bytes[index] == separator {
        taken = separator
        index += 1
      }
      words[words.count - 1].append(taken)
      if taken == UInt8(ascii: "="), let end = endOfContainer(bytes, at: index) {
        words[words.count - 1] += bytes[index..<end]
        index = end
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the JSON object or array at `start` ends; `nil` when none is there.
  private static func endOfContainer(_ bytes: [UInt8], at start: Int) -> Int? {
    guard start < bytes.count, [ASCII.openBrace, ASCII.openBracket].contains(bytes[start]) else {
      return nil
    }
    return JSONChildren.endOfValue(bytes.span, at: start)
  }

  /// What stands before and behind the first `separator` of `text`.
  static func parts(
    of text: String, at separator: Character
  ) -> (before: String, behind: String?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
