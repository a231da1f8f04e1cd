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
