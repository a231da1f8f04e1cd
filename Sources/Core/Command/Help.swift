/// What is told of a tool, apart from what it does: help, manual and completions are made from it.
package struct CommandPage: Sendable {
  package let name: String
  /// What it does, in half a sentence.
  package let summary: String
  /// What it takes behind the options, such as `[FILE ...]`.
  package let operands: String
  /// Whether the operands are files.
  package let takesFiles: Bool
  /// A command line for what the tool is mostly used for.
  let example: String
  /// The options, in the order of the tool's list.
  let options: [OptionRow]
  /// The names of the options that `--help` shows.
  package let usual: [String]
  /// What other programs call what this tool can do.
  package let elsewhere: [NameElsewhere]

  /// The options in the order in which they are shown.
  package var rows: [OptionRow] { groups.flatMap(\.rows) }

  /// What `--version` prints.
  var versionLine: String { "\(name) (oresp) \(Self.version)\n" }

  /// The options by the headings that they stand under. Made when it is asked for, as a run that
  /// prints no help needs none.
  package var groups: [(title: String, rows: [OptionRow])] {
    var groups: [(title: String, rows: [OptionRow])] = []
    for row in options {
      if let index = groups.firstIndex(where: { $0.title == row.group }) {
        groups[index].rows.append(row)
      } else {
        groups.append((row.group, [row]))
      }
    }
    return groups
  }

  /// The options that the parser itself knows.
  static let builtIn = [
    OptionRow(
      name: "help", short: "h", help: "Print this help (=all: all options, =NAME: one).",
      detail: """
        `NAME` is an option (without its dashes, if you like), the beginning of some, or a word
        to look for in all help texts.
        """, placeholder: "NAME", hint: .oneOf(["all"]), isOptional: true),
    OptionRow(name: "version", short: "V", help: "Print the version.", detail: ""),
  ]
}

extension CommandPage {
  /// What `--help` prints: the usual options, or what `topic` asks for, which is `all`, an option,
  /// the beginning of some, or a word in their texts.
  package func help(on topic: String?) throws(Failure) -> String {
    let start =
      "Usage: \(name) [OPTION]... \(operands)\n"
      + Self.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", indent: 0)
    guard let topic else {
      let shown = usual + Self.builtIn.map(\.name)
      return start + "Example: \(example)\n\n" + list(gap: "") { shown.contains($0.name) }
        + "\n--help=all lists all options, --help=NAME explains one; see \(name)(1).\n"
    }
    if topic == "all" {
      return start + "\n" + list { _ in true } + "\n--help=NAME explains one; see \(name)(1).\n"
    }
    let word = topic.drop { $0 == "-" }
    if let row = named(word) { return inFull(row) }
    let option = (word.count == 1 ? "-" : "--") + word
    if let advice = advice(on: option) { return "There is no \(option); \(advice).\n" }
    let found = matches(word)
    guard !found.isEmpty else { throw unknown(option) }
    return found.count == 1
      ? inFull(found[0]) : list { row in found.contains { $0.name == row.name } }
  }

  /// Whether `word` stands for an option, or for all.
  func hasTopic(_ word: String) -> Bool { word == "all" || named(word.drop { $0 == "-" }) != nil }

  private func named(_ word: Substring) -> OptionRow? {
    rows.first { row in
      row.short.map { word == "\($0)" } == true || row.spellings.contains { $0 == word }
    }
  }

  /// The options that begin with `word`, or else those in whose texts it stands.
  private func matches(_ word: Substring) -> [OptionRow] {
    let begun = rows.filter { $0.spellings.contains { $0.hasPrefix(word) } }
    guard begun.isEmpty, word.count > 2 else { return begun }
    return rows.filter { row in
      [row.name, row.help, row.detail, row.values ?? ""].contains {
        $0.lowercased().contains(word.lowercased())
      }
    }
  }

  /// The options that `isShown`, each on a line, under their headings.
  private func list(gap: String = "\n", where isShown: (OptionRow) -> Bool) -> String {
    let parts = groups.compactMap { title, rows -> String? in
      let rows = rows.filter(isShown)
      return rows.isEmpty ? nil : "\(title):\n" + rows.map(Self.line).joined()
    }
    return parts.joined(separator: gap)
  }

  package static let column = 29

  private static func line(of row: OptionRow) -> String { entry(row.head([row.name]), row.help) }

  /// `head`, and from `column` on `text`, in lines of at most 79 columns.
  package static func entry(_ head: String, _ text: String, column: Int = column) -> String {
    let text = wrap(text, indent: column)
    guard head.count < column - 1 else { return head + "\n" + text }
    return head + text.dropFirst(head.count)
  }

  /// All that is known of an option.
  private func inFull(_ row: OptionRow) -> String {
    var text = row.head(row.spellings) + "\n" + Self.wrap(row.help, indent: 8)
    if !row.detail.isEmpty { text += Self.wrap(plain(row.detail), indent: 8) }
    return text + (row.values.map { Self.wrap($0, indent: 8) } ?? "")
  }

  /// `text` without its marks: what it has in backquotes to be typed as it stands is in quotes.
  private func plain(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      if index % 2 == 0 { return String(part) }
      if part.hasPrefix("Sx ") { return "\(part.dropFirst(3)) in \(name)(1)" }
      let isBare = part.hasPrefix("-") || part.hasSuffix(")") || part == part.uppercased()
      return isBare ? String(part) : "'\(part)'"
    }.joined()
  }

  /// `text` in lines of at most 79 columns, each behind `indent` spaces.
  private static func wrap(_ text: some StringProtocol, indent: Int) -> String {
    var lines = [String(repeating: " ", count: indent)]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      if last.count + word.count > 78, last.count > indent {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] += (last.count > indent ? " " : "") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension OptionRow {
  /// A sentence on the words that may stand for the value, unless the other texts have them.
  package var values: String? {
    guard case .words(let made) = hint, case let words = made(), words.count < 40,
      !words.allSatisfy({ (help + detail).contains($0) })
    else { return nil }
    return "Values: \(words.joined(separator: ", "))."
  }

  /// The option as `names` are typed, with what stands for its value.
  fileprivate func head(_ names: [String]) -> String {
    let value = placeholder.map { isOptional ? "[=\($0)]" : "=\($0)" } ?? ""
    return (short.map { "  -\($0), " } ?? "      ")
      + names.map { "--" + $0 }.joined(separator: ", ")
      + value
  }
}
