import Core

extension Completions {
  /// The script for fish.
  static func fish(_ page: CommandPage) -> String {
    let start = "complete -c \(page.name)"
    var lines = [heading(page, .fish)]
    if !page.takesFiles { lines.append(start + " -f") }
    for (title, rows) in page.groups {
      lines.append("# \(title)")
      lines += rows.flatMap { commands(for: $0, page) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func commands(for row: OptionRow, _ page: CommandPage) -> [String] {
    let start = "complete -c \(page.name)"
    let short = row.short.map { " -s \($0)" } ?? ""
    let names = "\(short) -l \(row.name)"
    let own = start + names + value(of: row) + " -d " + quoted(row.caption)
    let opposite = row.opposite.map { "\(start) -l \($0) -d 'turn --\(row.name) off'" }
    return [own] + (opposite.map { [$0] } ?? [])
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
