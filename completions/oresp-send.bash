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
  # Behind @ stands a file.
  if [[ $2 == *@* ]]; then
    local IFS=$'
'
    COMPREPLY=($(compgen -P "${2%%@*}@" -f -- "${2#*@}"))
    compopt -o filenames 2>/dev/null
    return
  fi
  # Behind a comma stands what goes with the first word.
  local seen='[[:space:]](-t[[:space:]]*|--tool[[:space:]=]+)([a-z_:]+)[^[:space:]]*,([^[:space:],=]*)$'
  if [[ ${COMP_LINE:0:COMP_POINT} =~ $seen ]]; then
    i=''
    case ${BASH_REMATCH[2]} in
      web_search)
        i='
          domains= block= live size= sources country= city=
        '
        ;;
      file_search)
        i='
          stores= max= filter= score=
        '
        ;;
      code_interpreter)
        i='
          container= files= memory= offline domains=
        '
        ;;
      image_generation)
        i='
          quality= size= format= partial=
        '
        ;;
      mcp)
        i='
          label= url= connector= description= allow= approval= auth-env= auth-file= header-env=
        '
        ;;
      shell)
        i='
          container= hosted local files= memory= offline domains=
        '
        ;;
      function)
        i='
          name= parameters= description= strict
        '
        ;;
      custom)
        i='
          name= description= lark= regex=
        '
        ;;
    esac
    COMPREPLY=($(compgen -P "${word%"${BASH_REMATCH[3]}"}" -W "$i" -- "${BASH_REMATCH[3]}"))
    compopt +o default -o nospace 2>/dev/null
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
    -m | --model | --model=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W "$ORESP_MODEL" -- "$word"))
      ;;
    -b | --body | --body=) ;;
    --api | --api=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          responses chat
      ' -- "$word"))
      ;;
    -f | --file | --file=) ;;
    --items | --items=) ;;
    --previous | --previous=) compopt +o default 2>/dev/null ;;
    --outputs | --outputs=) ;;
    -s | --instructions | --instructions=) compopt +o default 2>/dev/null ;;
    --effort | --effort=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          none minimal low medium high xhigh max
      ' -- "$word"))
      ;;
    --summary | --summary=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          auto concise detailed
      ' -- "$word"))
      ;;
    --verbosity | --verbosity=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          low medium high
      ' -- "$word"))
      ;;
    --max-output-tokens | --max-output-tokens=) compopt +o default 2>/dev/null ;;
    --max-tool-calls | --max-tool-calls=) compopt +o default 2>/dev/null ;;
    --temperature | --temperature=) compopt +o default 2>/dev/null ;;
    --top-p | --top-p=) compopt +o default 2>/dev/null ;;
    --top-logprobs | --top-logprobs=) compopt +o default 2>/dev/null ;;
    --truncation | --truncation=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          auto disabled
      ' -- "$word"))
      ;;
    --service-tier | --service-tier=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          auto default flex scale priority fast ultrafast
      ' -- "$word"))
      ;;
    --conversation | --conversation=) compopt +o default 2>/dev/null ;;
    --safety-identifier | --safety-identifier=) compopt +o default 2>/dev/null ;;
    --prompt-cache-key | --prompt-cache-key=) compopt +o default 2>/dev/null ;;
    --metadata | --metadata=) compopt +o default 2>/dev/null ;;
    --template | --template=) compopt +o default 2>/dev/null ;;
    --include | --include=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          file_search_call action sources input_image computer_call_output output
          code_interpreter_call outputs reasoning encrypted_content output_text logprobs
          file_search_call.results web_search_call.results web_search_call.action.sources
          message.input_image.image_url computer_call_output.output.image_url
          code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs
      ' -- "$word"))
      ;;
    -t | --tool | --tool=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          web_search file_search code_interpreter image_generation mcp shell computer function
          custom apply_patch help
      ' -- "$word"))
      ;;
    --tool-choice | --tool-choice=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          none auto required function= custom= mcp= allowed= web_search file_search
          code_interpreter image_generation shell computer apply_patch
      ' -- "$word"))
      ;;
    -S | --schema | --schema=) ;;
    -P | --preset | --preset=)
      i=$(cd "${XDG_CONFIG_HOME:-$HOME/.config}/oresp/presets" 2>/dev/null && compgen -G '*.json')
      COMPREPLY=($(compgen -P "$prefix" -W "help ${i//.json}" -- "$word"))
      ;;
    --set | --set=) compopt +o default 2>/dev/null ;;
    --set-str | --set-str=) compopt +o default 2>/dev/null ;;
    --unset | --unset=) compopt +o default 2>/dev/null ;;
    --get | --get=) compopt +o default 2>/dev/null ;;
    --cancel | --cancel=) compopt +o default 2>/dev/null ;;
    --delete | --delete=) compopt +o default 2>/dev/null ;;
    --resume | --resume=) compopt +o default 2>/dev/null ;;
    --wait=) compopt +o default 2>/dev/null ;;
    --path | --path=) compopt +o default 2>/dev/null ;;
    -X | --request | --request=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          GET POST DELETE PUT PATCH
      ' -- "$word"))
      ;;
    -F | --form | --form=) compopt +o default 2>/dev/null ;;
    --batch=) ;;
    -j | --jobs | --jobs=) compopt +o default 2>/dev/null ;;
    --rate | --rate=) compopt +o default 2>/dev/null ;;
    --done | --done=) ;;
    --custom-id | --custom-id=) compopt +o default 2>/dev/null ;;
    --rehearse=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          completed failed incomplete refusal cancelled cut error call json http-401 http-429
          http-500 slow
      ' -- "$word"))
      ;;
    --provider | --provider=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          openai azure anthropic bedrock databricks deepseek gemini groq huggingface litellm
          llama.cpp lmstudio ollama openrouter perplexity transformers vllm xai
      ' -- "$word"))
      ;;
    --api-key-file | --api-key-file=) ;;
    --api-key-cmd | --api-key-cmd=) compopt +o default 2>/dev/null ;;
    -H | --header | --header=) compopt +o default 2>/dev/null ;;
    --log | --log=) ;;
    --retry | --retry=) compopt +o default 2>/dev/null ;;
    --cacert | --cacert=) ;;
    --cert | --cert=) ;;
    --key | --key=) ;;
    --connect-timeout | --connect-timeout=) compopt +o default 2>/dev/null ;;
    --idle-timeout | --idle-timeout=) compopt +o default 2>/dev/null ;;
    --max-time | --max-time=) compopt +o default 2>/dev/null ;;
    --proxy | --proxy=) compopt +o default 2>/dev/null ;;
    --unix-socket | --unix-socket=) ;;
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
          -m --model
          -n --dry-run --no-dry-run
          -b --body
          --stream --no-stream
          --api
          -f --file
          --items
          --previous
          --outputs
          -s --instructions
          --effort
          --summary
          --verbosity
          --max-output-tokens
          --max-tool-calls
          --temperature
          --top-p
          --top-logprobs
          --parallel-tool-calls --no-parallel-tool-calls
          --truncation
          --service-tier
          --store --no-store
          --background --no-background
          --conversation
          --safety-identifier
          --prompt-cache-key
          --metadata
          --template
          --include
          -t --tool
          --tool-choice
          -S --schema
          --json --no-json
          -P --preset
          --set
          --set-str
          --unset
          --get
          --cancel
          --delete
          --compact --no-compact
          --count-tokens --no-count-tokens
          --resume
          --wait --wait=
          --path
          -X --request
          -F --form
          --pages --no-pages
          --batch --batch=
          -j --jobs
          --rate
          -k --keep-order --no-keep-order
          --done
          --events --no-events
          --custom-id
          --rehearse --rehearse=
          --provider
          --api-key-file
          --api-key-cmd
          -H --header
          --insecure-http --no-insecure-http
          --log
          --retry
          --cacert
          --cert
          --key
          --connect-timeout
          --idle-timeout
          --max-time
          --proxy
          --unix-socket
          --http1.1 --no-http1.1
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
      else
        compopt +o default 2>/dev/null
      fi
      ;;
  esac
  COMPREPLY=("${COMPREPLY[@]#"$colon"}")
}
complete -o default -F _oresp_send oresp-send
