import Core

extension Completions {
  /// The script for bash. It needs no other file. Where a file can stand it finds nothing, by which
  /// readline's own completion of file names takes over, with its quoting.
  static func bash(_ page: CommandPage) -> String {
    let function = "_" + String(page.name.map { $0 == "-" ? "_" : $0 })
    return """
      \(heading(page, .bash))
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} prefix='' i
        COMPREPLY=()
        # Behind -- all are operands.
        for ((i = 1; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} == -- ]]; then
            \(page.takesFiles ? "return" : noFiles + "\n      return")
          fi
        done
        # --name=value is three words, or one where COMP_WORDBREAKS has no =.
        if [[ $word == = ]]; then
          option+='=' word=''
        elif [[ $option == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}=
        elif [[ $word == --*=* ]]; then
          option=${word%%=*}= prefix=${word%%=*}= word=${word#*=}
        fi
        case $option in
      \(page.rows.map(values).joined())    *)
            if [[ $word == -* ]]; then
              COMPREPLY=($(compgen -W '
      \(words(of: page))
              ' -- "$word"))
              if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
                compopt -o nospace 2>/dev/null
              fi
      \(page.takesFiles ? "" : "      else\n        \(noFiles)\n")      fi
            ;;
        esac
      }
      complete -o default -F \(function) \(page.name)

      """
  }

  private static let noFiles = "compopt +o default 2>/dev/null"

  /// The branch that completes the value of an option.
  private static func values(of row: OptionRow) -> String {
    guard let hint = row.hint else { return "" }
    let apart = row.isOptional ? [] : row.short.map { ["-\($0)"] } ?? []
    let names = apart + (row.isOptional ? [] : ["--\(row.name)"]) + ["--\(row.name)="]
    let branch = "    \(names.joined(separator: " | ")))"
    switch hint {
    case .file: return "\(branch) ;;\n"
    case .any: return "\(branch) \(noFiles) ;;\n"
    case .oneOf(let words):
      return """
        \(branch)
              \(noFiles)
              COMPREPLY=($(compgen -P "$prefix" -W '
        \(lines(words))
              ' -- "$word"))
              ;;

        """
    }
  }

  /// All options, one row of the table a line.
  private static func words(of page: CommandPage) -> String {
    let lines = page.rows.map { row in
      let names = [
        row.short.map { "-\($0)" }, "--\(row.name)", row.isOptional ? "--\(row.name)=" : nil,
        row.opposite.map { "--" + $0 },
      ]
      return names.compactMap { $0 }.joined(separator: " ")
    }
    return lines.map { "          " + $0 }.joined(separator: "\n")
  }

  /// `words` in lines of no more than 100 columns.
  private static func lines(_ words: [String]) -> String {
    var lines = [""]
    for word in words {
      if lines[lines.count - 1].count + word.count > 88 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.map { "          " + $0 }.joined(separator: "\n")
  }
}
