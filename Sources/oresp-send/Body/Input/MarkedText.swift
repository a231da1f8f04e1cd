import Core

/// A text with values behind it, as curl spells them: `a.bin;type=text/csv;filename=b.csv`. A text
/// in double quotes may contain such marks; a backslash there makes the next character plain.
struct MarkedText {
  let text: String
  /// The last value of each mark, by its name.
  private(set) var values: [String: String] = [:]

  /// Reads `given`; `;NAME=` marks a value for each of `names`.
  init(_ given: Substring, _ names: [String]) {
    let marks = names.map { ";\($0)=" }
    var rest = given
    text = Self.word(&rest, marks)
    while let (name, mark) = zip(names, marks).first(where: { Self.begins(rest, with: $0.1) }) {
      rest = Substring(rest.utf8.dropFirst(mark.utf8.count))
      values[name] = Self.word(&rest, marks)
    }
  }

  private static func begins(_ text: Substring, with mark: String) -> Bool {
    text.utf8.starts(with: mark.utf8)
  }

  /// Takes the text before the next mark, or in quotes, from the front of `rest`, which then begins
  /// with a mark or is empty.
  private static func word(_ rest: inout Substring, _ marks: [String]) -> String {
    if let (word, behind) = quoted(rest),
      behind.isEmpty || marks.contains(where: { begins(behind, with: $0) })
    {
      rest = behind
      return word
    }
    let words = marks.compactMap { rest.cut(at: $0)?.before } + [rest]
    let word = words.min { $0.utf8.count < $1.utf8.count } ?? rest
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// The text in the quotes at the start of `text`, and the rest after them; `nil` without quotes.
  private static func quoted(_ text: Substring) -> (word: String, behind: Substring)? {
    var rest = text.unicodeScalars
    guard rest.popFirst() == "\"" else { return nil }
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return (String(word), Substring(rest)) }
      word.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    return nil
  }
}
