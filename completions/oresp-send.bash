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
    --api-key-file | --api-key-file=) ;;
    --api-key-cmd | --api-key-cmd=) compopt +o default 2>/dev/null ;;
    -H | --header | --header=) compopt +o default 2>/dev/null ;;
    --tee | --tee=) ;;
    -D | --dump-header | --dump-header=) ;;
    --log | --log=) ;;
    --retry | --retry=) compopt +o default 2>/dev/null ;;
    --retry-delay | --retry-delay=) compopt +o default 2>/dev/null ;;
    --retry-max-time | --retry-max-time=) compopt +o default 2>/dev/null ;;
    --cacert | --cacert=) ;;
    --connect-timeout | --connect-timeout=) compopt +o default 2>/dev/null ;;
    --idle-timeout | --idle-timeout=) compopt +o default 2>/dev/null ;;
    --max-time | --max-time=) compopt +o default 2>/dev/null ;;
    --proxy | --proxy=) compopt +o default 2>/dev/null ;;
    --unix-socket | --unix-socket=) ;;
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
          --curl --no-curl
          --api-key-file
          --api-key-cmd
          -H --header
          --insecure-http --no-insecure-http
          --tee
          -D --dump-header
          --log
          --retry
          --retry-delay
          --retry-max-time
          --cacert
          --connect-timeout
          --idle-timeout
          --max-time
          --proxy
          --unix-socket
          --http1.1 --no-http1.1
          --compressed --no-compressed
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
