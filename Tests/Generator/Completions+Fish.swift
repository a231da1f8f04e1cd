import Core

extension Completions {
  /// The script for fish.
  static func fish(_ page: CommandPage) -> String {
    let start = "complete -c \(page.name)"
    var lines = [heading(page, .fish)]
    if page.rows.contains(where: \.takesAtFile) { lines.append(files(page)) }
    lines += page.rows.compactMap { members(of: $0, page) }
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
    let own = start + names + value(of: row, page) + " -d " + quoted(row.caption)
    let opposite = row.opposite.map { "\(start) -l \($0) -d 'turn --\(row.name) off'" }
    return [own] + (opposite.map { [$0] } ?? [])
  }

  /// What fish is told of the option's value; one that must be there can stand apart from the name.
  private static func value(of row: OptionRow, _ page: CommandPage) -> String {
    let needed = row.isOptional ? "" : " -r"
    let files = row.takesAtFile ? ["(\(function(page, "files")))"] : []
    let words: [String]
    switch row.hint {
    case nil: return ""
    case .file, .newFile: return needed + " -F"
    case .configuration: return needed + " -F -a " + quoted("help (\(function(page, row.name)))")
    case .any, .id: words = files
    case .words(let listed): words = listed() + files
    case .lists: words = ["(\(function(page, row.name)))"] + files
    case .variable(let name): words = ["$" + name]
    }
    return needed + " -f" + (words.isEmpty ? "" : " -a " + quoted(words.joined(separator: " ")))
  }

  private static func function(_ page: CommandPage, _ name: String) -> String {
    "__" + (page.name + "_" + name).map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// What is typed for a value so far.
  private static let typed = "(string replace -r -- '^(--[^=]*=|-[a-zA-Z])' '' (commandline -ct))"

  /// The function that completes a file behind `@`.
  private static func files(_ page: CommandPage) -> String {
    """
    function \(function(page, "files"))
        set -l word \(typed)
        set -l start (string match -r -- '^(?:[^@]*=)?@' $word)
        or return
        set -l name (string sub -s (math 1 + (string length -- $start)) -- $word)
        for file in $name*
            test -d $file; and set file $file/
            echo $start$file
        end
    end
    """
  }

  /// The function that completes a word and the words behind commas that go with it, or the names
  /// of files in a folder.
  private static func members(of row: OptionRow, _ page: CommandPage) -> String? {
    switch row.hint {
    case .configuration(let folder):
      return """
        function \(function(page, row.name))
            set -q XDG_CONFIG_HOME; or set -l XDG_CONFIG_HOME $HOME/.config
            for file in $XDG_CONFIG_HOME/\(folder)/*.json
                string replace -r -- '.*/(.*)\\.json' '$1' $file
            end
        end
        """
    case .lists(let entries):
      let branches = entries.filter { !$0.members.isEmpty }.map { word, members in
        "        case '\(word),*' '\(word)=*'\n            set words \(members.joined(separator: " "))\n"
      }
      return """
        function \(function(page, row.name))
            set -l word \(typed)
            set -l start (string match -r -- '^.*,' $word)
            or set start ''
            set -l words
            switch $word
        \(branches.joined())        case '*,*'
                return
                case '*'
                    set words \(entries.map(\.word).joined(separator: " "))
            end
            printf '%s\\n' $start$words
        end
        """
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
