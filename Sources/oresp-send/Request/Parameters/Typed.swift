/// Cuts what people type for one option into its parts.
enum Typed {
  /// The words of `text` between `separator`s; a backslash makes the character behind it a plain
  /// one, and stays when it stands before another separator's character or a letter.
  static func words(of text: String, at separator: Character) -> [String] {
    var words = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        if character != separator { words[words.count - 1].append("\\") }
        words[words.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == separator {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    if isEscaped { words[words.count - 1].append("\\") }
    return words
  }

  /// What stands before and behind the first `separator` of `text`.
  static func parts(
    of text: String, at separator: Character
  ) -> (before: String, behind: String?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
