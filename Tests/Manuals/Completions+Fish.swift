import Core

extension Completions {
  /// The script for fish.
  static func fish(_ page: CommandPage) -> String {
    let start = "complete -c \(page.name)"
    var lines = [heading(page, .fish)]
    if !page.takesFiles { lines.append(start + " -f") }
    for row in page.rows {
      let short = row.short.map { " -s \($0)" } ?? ""
      let names = "\(short) -l \(row.name)"
      lines.append(start + names + value(of: row) + " -d " + quoted(row.caption))
      guard let opposite = page.takingBack(row) else { continue }
      lines.append("\(start) -l \(opposite) -d 'take --\(row.name) back'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What fish is told of the option's value; one that must be there can stand apart from the name.
  private static func value(of row: OptionRow) -> String {
    let needed = row.isOptional ? "" : " -r"
    return switch row.hint {
    case nil: ""
    case .file: "\(needed) -F"
    case .any: "\(needed) -f"
    case .oneOf(let words): "\(needed) -f -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
