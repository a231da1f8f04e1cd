import Core

extension Completions {
  /// The script for zsh, for a directory in `fpath`.
  static func zsh(_ page: CommandPage) -> String {
    let all = page.rows.flatMap { specs(of: $0, page) } + [operands(of: page)]
    return """
      #compdef \(page.name)
      \(heading(page, .zsh))
      _arguments -s -S : \\
        \(all.joined(separator: " \\\n  "))

      """
  }

  private static func specs(of row: OptionRow, _ page: CommandPage) -> [String] {
    let text = "[" + escaped(row.caption) + "]"
    guard let placeholder = row.placeholder else { return flag(row, text, page) }
    let value = ":\(escaped(placeholder)):\(action(of: row))"
    let mark = row.isOptional ? "-" : "+"
    let short = row.short.map { [quoted("*-\($0)\(mark)\(text)\(value)")] } ?? []
    if row.isOptional { return short + [quoted("*--\(row.name)=-\(text):\(value)")] }
    return short + [quoted("*--\(row.name)=\(text)\(value)")]
  }

  private static func flag(_ row: OptionRow, _ text: String, _ page: CommandPage) -> [String] {
    let names = (row.short.map { ["-\($0)"] } ?? []) + ["--\(row.name)"]
    let opposite = row.opposite.map { "--" + $0 }
    let others = opposite.map { names + [$0] } ?? ["-", "*"]
    let excluded = "(" + others.joined(separator: " ") + ")"
    var specs = names.map { quoted(excluded + $0 + text) }
    if let opposite { specs.append(quoted("\(excluded)\(opposite)[turn --\(row.name) off]")) }
    return specs
  }

  private static func action(of row: OptionRow) -> String {
    switch row.hint {
    case .file: "_files"
    case .oneOf(let words): "(" + words.joined(separator: " ") + ")"
    case .any, nil: " "
    }
  }

  private static func operands(of page: CommandPage) -> String {
    page.takesFiles ? "'*:file:_files'" : "'*: : '"
  }

  private static func escaped(_ text: String) -> String {
    text.map { "\\[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
