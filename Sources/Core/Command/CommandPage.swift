/// What is told of a tool, apart from what it does.
package struct CommandPage: Sendable {
  package let name: String
  /// What it does, in half a sentence.
  package let summary: String
  /// What it takes behind the options, such as `[FILE ...]`.
  package let operands: String
  /// Whether the operands are files.
  package let takesFiles: Bool
  /// The options by the headings that they stand under, in the order of the tool's list.
  package let groups: [(title: String, rows: [OptionRow])]

  package var rows: [OptionRow] { groups.flatMap(\.rows) }

  package static let version = "0.1.0"

  /// What `--version` prints.
  var versionLine: String { "\(name) (oresp) \(Self.version)\n" }

  static func groups(of rows: [OptionRow]) -> [(title: String, rows: [OptionRow])] {
    var groups: [(title: String, rows: [OptionRow])] = []
    for row in rows {
      if let index = groups.firstIndex(where: { $0.title == row.group }) {
        groups[index].rows.append(row)
      } else {
        groups.append((row.group, [row]))
      }
    }
    return groups
  }

  /// The options that the parser itself knows.
  package static let builtIn = [
    OptionRow(name: "help", short: "h", argument: .none, help: "Print this help.", detail: ""),
    OptionRow(
      name: "version", short: "V", argument: .none, help: "Print the version.", detail: ""),
  ]
}

extension CommandPage {
  /// What `--help` prints.
  package var help: String {
    var text = "Usage: \(name) [OPTION]..." + (operands.isEmpty ? "" : " \(operands)") + "\n"
    text += Self.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", indent: 0) + "\n"
    for (title, rows) in groups {
      text += "\n\(title):\n"
      for row in rows { text += Self.line(of: row) }
    }
    return text + "\nThe manual, \(name)(1), says more.\n"
  }

  private static let column = 28

  private static func line(of row: OptionRow) -> String {
    var head = row.short.map { "  -\($0), " } ?? "      "
    head += "--" + row.name
    if let placeholder = row.placeholder {
      head += row.isOptional ? "[=\(placeholder)]" : "=\(placeholder)"
    }
    let help = wrap(row.help, indent: column)
    guard head.count < column - 1 else { return head + "\n" + help }
    return head + help.dropFirst(head.count)
  }

  /// `text` in lines of at most 79 columns, each behind `indent` spaces.
  private static func wrap(_ text: some StringProtocol, indent: Int) -> String {
    var lines = [String(repeating: " ", count: indent)]
    for word in text.split(separator: " ") {
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
