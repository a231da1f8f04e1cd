/// A tool as its help, manual and completions show it.
package struct CommandPage: Sendable {
  package let name: String
  /// Its purpose, in half a sentence.
  package let summary: String
  /// The operands behind the options, such as `[FILE]...`.
  package let operands: String
  /// Whether the operands are files.
  package let takesFiles: Bool
  /// A command line for the most frequent use.
  let example: String
  /// The options, in the order of the tool's list.
  let options: [OptionRow]
  /// The names of the options that `--help` shows.
  package let usual: [String]
  /// Options of other programs, each with the way to do the same here.
  package let elsewhere: [NameElsewhere]

  /// The options in the order in which they are shown.
  package var rows: [OptionRow] { groups.flatMap(\.rows) }

  /// The output of `--version`.
  var versionLine: String { "\(name) (oresp) \(Self.version)\n" }

  /// The options, grouped by their headings.
  package var groups: [(title: String, rows: [OptionRow])] {
    var titles: [String] = []
    for row in options where !titles.contains(row.group) { titles.append(row.group) }
    return titles.map { title in (title, options.filter { $0.group == title }) }
  }

  /// The options of the parser itself.
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

/// The text of `--help`.
struct Help {
  let page: CommandPage
  let layout: TextLayout

  /// The usual options, or the help on `topic`, which is `all`, an option, the beginning of some,
  /// or a word in their texts.
  func text(on topic: String?) throws(Failure) -> String {
    guard let topic else {
      let shown = page.usual + CommandPage.builtIn.map(\.name)
      return start + example + "\n" + list(gap: "") { shown.contains($0.name) }
        + end("--help=all lists all options, --help=NAME explains one")
    }
    if topic == "all" {
      return start + "\n" + list { _ in true } + end("--help=NAME explains one")
    }
    let word = topic.drop { $0 == "-" }
    if let row = page.row(of: word) { return inFull(row) }
    let option = (word.count == 1 ? "-" : "--") + word
    if let advice = page.advice(on: option) {
      return layout.wrap("There is no \(option); \(advice).")
    }
    let found = page.matches(word)
    guard !found.isEmpty else {
      let names = hint(for: String(word), among: page.rows.flatMap(\.spellings))
      throw .usage(
        "--help: expected all, an option, the beginning of one, or a word in the help texts,"
          + " got \(topic)\(names)")
    }
    return found.count == 1
      ? inFull(found[0]) : list { row in found.contains { $0.name == row.name } }
  }

  private var start: String {
    let summary = page.summary.prefix(1).uppercased() + page.summary.dropFirst()
    return "Usage: \(page.name) [OPTION]... \(page.operands)\n" + layout.wrap(summary + ".")
  }

  /// The example, on two lines if it does not fit on one.
  private var example: String {
    let line = "Example: \(page.example)\n"
    return line.count <= layout.columns + 1 ? line : line.replacing(" | ", with: " |\n  ")
  }

  private func end(_ text: String) -> String { "\n" + layout.wrap("\(text); see \(page.name)(1).") }

  /// The options that `isShown` accepts, each on a line, under their headings.
  private func list(gap: String = "\n", where isShown: (OptionRow) -> Bool) -> String {
    let parts = page.groups.compactMap { title, rows -> String? in
      let rows = rows.filter(isShown)
      return rows.isEmpty ? nil : "\(title):\n" + rows.map(line).joined()
    }
    return parts.joined(separator: gap)
  }

  private func line(of row: OptionRow) -> String {
    layout.entry(row.head([row.name]), row.help)
  }

  /// All texts of an option.
  private func inFull(_ row: OptionRow) -> String {
    let texts = [row.help, plain(row.detail), row.values ?? ""].filter { !$0.isEmpty }
    return row.head(row.spellings) + "\n" + texts.map { layout.wrap($0, indent: 8) }.joined()
  }

  /// `text` without its marks: text in backquotes that is to be typed as it is gets quotes.
  private func plain(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      if index % 2 == 0 { return String(part) }
      let words = part.split(whereSeparator: \.isWhitespace)
      if words.first == "Sx" {
        return words.dropFirst().joined(separator: " ") + " in \(page.name)(1)"
      }
      let isBare = part.hasPrefix("-") || part.hasSuffix(")") || part == part.uppercased()
      return isBare ? String(part) : "'\(part)'"
    }.joined()
  }
}

extension CommandPage {
  /// Whether `word` stands for an option, or for all.
  func hasTopic(_ word: String) -> Bool { word == "all" || row(of: word.drop { $0 == "-" }) != nil }

  fileprivate func row(of word: Substring) -> OptionRow? {
    rows.first { row in
      row.short.map { word == "\($0)" } == true || row.spellings.contains { $0 == word }
    }
  }

  /// The options that begin with `word`, or else those in whose texts it stands.
  fileprivate func matches(_ word: Substring) -> [OptionRow] {
    let begun = rows.filter { $0.spellings.contains { $0.hasPrefix(word) } }
    guard begun.isEmpty, word.count > 2 else { return begun }
    return rows.filter { row in
      [row.name, row.help, row.detail, row.values ?? ""].contains {
        $0.lowercased().contains(word.lowercased())
      }
    }
  }
}

extension OptionRow {
  /// A sentence that lists the words of the value, unless the other texts have them.
  package var values: String? {
    guard case .words(let made) = hint, case let words = made(), words.count < 40,
      !words.allSatisfy({ (help + detail).contains($0) })
    else { return nil }
    return "Values: \(words.joined(separator: ", "))."
  }

  /// The option as it is typed, by `names`, with the name of its value.
  fileprivate func head(_ names: [String]) -> String {
    let value = placeholder.map { isOptional ? "[=\($0)]" : "=\($0)" } ?? ""
    return (short.map { "  -\($0), " } ?? "      ")
      + names.map { "--" + $0 }.joined(separator: ", ")
      + value
  }
}
