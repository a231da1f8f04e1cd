# Completes oresp-send in bash. Made from the option table.
_oresp_send() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} prefix='' i
  COMPREPLY=()
  # Behind -- all are operands.
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      compopt +o default 2>/dev/null
      return
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
    -m | --model | --model=) compopt +o default 2>/dev/null ;;
    -b | --body | --body=) ;;
    -f | --file | --file=) ;;
    --files0-from | --files0-from=) ;;
    --as | --as=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          auto text image file
      ' -- "$word"))
      ;;
    --detail | --detail=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          auto low high original
      ' -- "$word"))
      ;;
    --max-file | --max-file=) compopt +o default 2>/dev/null ;;
    --role | --role=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          user developer system assistant
      ' -- "$word"))
      ;;
    --items | --items=) ;;
    --previous | --previous=) compopt +o default 2>/dev/null ;;
    --tool-output | --tool-output=) compopt +o default 2>/dev/null ;;
    --custom-tool-output | --custom-tool-output=) compopt +o default 2>/dev/null ;;
    --outputs | --outputs=) ;;
    --cacert | --cacert=) ;;
    --connect-timeout | --connect-timeout=) compopt +o default 2>/dev/null ;;
    --idle-timeout | --idle-timeout=) compopt +o default 2>/dev/null ;;
    --max-time | --max-time=) compopt +o default 2>/dev/null ;;
    --rehearse=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          completed failed incomplete refusal cut error http-401 http-429 slow
      ' -- "$word"))
      ;;
    --notices | --notices=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          text json none
      ' -- "$word"))
      ;;
    *)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W '
          -m --model
          -b --body
          --stream --no-stream
          -n --dry-run --no-dry-run
          -f --file
          --files0-from
          --as
          --detail
          --max-file
          --role
          --items
          --previous
          --tool-output
          --custom-tool-output
          --outputs
          --cacert
          --connect-timeout
          --idle-timeout
          --max-time
          --rehearse --rehearse=
          -q --quiet --no-quiet
          -v --verbose --no-verbose
          --notices
          -h --help
          -V --version
        ' -- "$word"))
        if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
          compopt -o nospace 2>/dev/null
        fi
      else
        compopt +o default 2>/dev/null
      fi
      ;;
  esac
}
complete -o default -F _oresp_send oresp-send
