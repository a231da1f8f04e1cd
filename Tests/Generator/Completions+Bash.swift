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
        # Behind @ stands a file.
        if [[ $2 == *@* ]]; then
          local IFS=$'\n'
          COMPREPLY=($(compgen -P "${2%%@*}@" -f -- "${2#*@}"))
          compopt -o filenames 2>/dev/null
          return
        fi
      \(page.rows.map(members).joined())  # one:other is three words, or one where COMP_WORDBREAKS has no colon.
        local at=$COMP_CWORD colon=''
        if [[ $word == : ]]; then
          ((at -= 1))
          colon=$option: word=$option:
        elif [[ $option == : ]]; then
          ((at -= 2))
          colon=${COMP_WORDS[at]}: word=${COMP_WORDS[at]}:$word
        fi
        option=${COMP_WORDS[at - 1]}
        # The same holds of --name=value.
        if [[ $word == = ]]; then
          option+='=' word=''
        elif [[ $option == = ]]; then
          option=${COMP_WORDS[at - 2]}=
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
        COMPREPLY=("${COMPREPLY[@]#"$colon"}")
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
    case .file, .newFile: return "\(branch) ;;\n"
    case .any, .id: return "\(branch) \(noFiles) ;;\n"
    case .words(let words):
      guard let inFull = row.typesInFull else { return list("'\n\(lines(words()))\n      '") }
      return """
        \(branch)
              \(noFiles)
              i='
        \(lines(words()))
              '
              [[ $word == response.* ]] && i='
        \(lines(inFull))
              '
              COMPREPLY=($(compgen -P "$prefix" -W "$i" -- "$word"))
              ;;

        """
    case .lists(let entries): return list("'\n\(lines(entries.map(\.word)))\n      '")
    case .variable(let name): return list("\"$\(name)\"")
    case .configuration(let folder):
      return """
        \(branch)
              i=$(cd "${XDG_CONFIG_HOME:-$HOME/.config}/\(folder)" 2>/dev/null && compgen -G '*.json')
              COMPREPLY=($(compgen -P "$prefix" -W "help ${i//.json}" -- "$word"))
              ;;

        """
    }
    func list(_ words: String) -> String {
      """
      \(branch)
            \(noFiles)
            COMPREPLY=($(compgen -P "$prefix" -W \(words) -- "$word"))
            ;;

      """
    }
  }

  /// What completes the words behind commas in the value of an option.
  private static func members(of row: OptionRow) -> String {
    guard case .lists(let entries) = row.hint else { return "" }
    let short = row.short.map { "-\($0)[[:space:]]*|" } ?? ""
    let branches = entries.filter { !$0.members.isEmpty }.map { word, members in
      "      \(word))\n        i='\n\(lines(members))\n        '\n        ;;\n"
    }
    return """
        # Behind a comma stands what goes with the first word.
        local seen='[[:space:]](\(short)--\(row.name)[[:space:]=]+)([a-z_:]+)[^[:space:]]*,([^[:space:],=]*)$'
        if [[ ${COMP_LINE:0:COMP_POINT} =~ $seen ]]; then
          i=''
          case ${BASH_REMATCH[2]} in
      \(branches.joined())    esac
          COMPREPLY=($(compgen -P "${word%"${BASH_REMATCH[3]}"}" -W "$i" -- "${BASH_REMATCH[3]}"))
          compopt +o default -o nospace 2>/dev/null
          return
        fi

      """
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
