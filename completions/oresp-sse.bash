# Completes oresp-sse in bash. Made from the option table.
_oresp_sse() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} prefix='' i
  COMPREPLY=()
  # Behind -- all are operands.
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      return
    fi
  done
  # Behind @ stands a file.
  if [[ $2 == *@* ]]; then
    local IFS=$'
'
    COMPREPLY=($(compgen -P "${2%%@*}@" -f -- "${2#*@}"))
    compopt -o filenames 2>/dev/null
    return
  fi
  # one:other is three words, or one where COMP_WORDBREAKS has no colon.
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
    --tag | --tag=) compopt +o default 2>/dev/null ;;
    --from | --from=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          chat events
      ' -- "$word"))
      ;;
    --until-end=) compopt +o default 2>/dev/null ;;
    --notices | --notices=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          text json none
      ' -- "$word"))
      ;;
    --help=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          all
      ' -- "$word"))
      ;;
    *)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W '
          -r --reverse --no-reverse
          --done --no-done
          --stamp --no-stamp
          --tag
          --number --no-number
          --envelope --no-envelope
          --from
          --until-end --until-end=
          --check --no-check
          -q --quiet --no-quiet
          -v --verbose --no-verbose
          --sanitize --no-sanitize
          --notices
          -h --help --help=
          -V --version
        ' -- "$word"))
        if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
          compopt -o nospace 2>/dev/null
        fi
      fi
      ;;
  esac
  COMPREPLY=("${COMPREPLY[@]#"$colon"}")
}
complete -o default -F _oresp_sse oresp-sse
