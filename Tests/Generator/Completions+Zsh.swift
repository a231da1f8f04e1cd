import Core

extension Completions {
  /// The script for zsh, for a directory in `fpath`.
  static func zsh(_ page: CommandPage) -> String {
    let all = page.rows.flatMap { specs(of: $0, page) } + [operands(of: page)]
    return """
      #compdef \(page.name)
      \(heading(page, .zsh))
      \(page.rows.map { members(of: $0, page) }.joined())\
      _arguments -s -S : \\
        \(all.joined(separator: " \\\n  "))

      """
  }

  private static func specs(of row: OptionRow, _ page: CommandPage) -> [String] {
    let text = "[" + escaped(row.caption) + "]"
    guard let placeholder = row.placeholder else { return flag(row, text, page) }
    let value = ":\(escaped(placeholder)):\(action(of: row, page))"
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

  private static func action(of row: OptionRow, _ page: CommandPage) -> String {
    let plain =
      switch row.hint {
      case .file, .newFile: "_files"
      case .words(let words):
        row.takesAtFile
          ? "compadd -- " + words().joined(separator: " ")
          : "(" + words().joined(separator: " ") + ")"
      case .lists, .configuration: function(row, page)
      case .variable(let name): "{[[ -n $\(name) ]] && compadd -- $\(name)}"
      case .any, .id, nil: " "
      }
    guard row.takesAtFile else { return plain }
    let others = plain == " " ? "" : "; else \(plain)"
    return "{if compset -P \"(|*=)@\"; then _files\(others); fi}"
  }

  private static func function(_ row: OptionRow, _ page: CommandPage) -> String {
    "_\(page.name)_\(row.name)"
  }

  /// The function that completes a word and the words behind commas that go with it, or the names
  /// of files in a folder.
  private static func members(of row: OptionRow, _ page: CommandPage) -> String {
    switch row.hint {
    case .configuration(let folder):
      return """
        \(function(row, page))() {
          compadd -- help ${XDG_CONFIG_HOME:-$HOME/.config}/\(folder)/*.json(N:t:r)
          _files
        }

        """
    case .lists(let entries):
      let branches = entries.filter { !$0.members.isEmpty }.map { word, members in
        "    (\(word)[,=]*) words=(\(members.joined(separator: " "))) ;;\n"
      }
      return """
        \(function(row, page))() {
          local -a words
          case $PREFIX in
        \(branches.joined())  esac
          if compset -P "*,"; then
            compadd -S "" -- $words
          else
            compadd -- \(entries.map(\.word).joined(separator: " "))
          fi
        }

        """
    default: return ""
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
