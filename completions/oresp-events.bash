# Completes oresp-events in bash. Made from the option table.
_oresp_events() {
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
    -t | --type | --type=)
      compopt +o default 2>/dev/null
      i='
          created queued in_progress completed failed incomplete error output_item.added
          output_item.done content_part.added content_part.done output_text.delta output_text.done
          output_text.annotation.added refusal.delta refusal.done reasoning_text.delta
          reasoning_text.done reasoning_summary_part.added reasoning_summary_part.done
          reasoning_summary_text.delta reasoning_summary_text.done function_call_arguments.delta
          function_call_arguments.done custom_tool_call_input.delta custom_tool_call_input.done
          mcp_call_arguments.delta mcp_call_arguments.done mcp_call.in_progress mcp_call.completed
          mcp_call.failed mcp_list_tools.in_progress mcp_list_tools.completed mcp_list_tools.failed
          file_search_call.in_progress file_search_call.searching file_search_call.completed
          web_search_call.in_progress web_search_call.searching web_search_call.completed
          code_interpreter_call.in_progress code_interpreter_call.interpreting
          code_interpreter_call.completed code_interpreter_call_code.delta
          code_interpreter_call_code.done image_generation_call.in_progress
          image_generation_call.generating image_generation_call.partial_image
          image_generation_call.completed audio.delta audio.done audio.transcript.delta
          audio.transcript.done shell_call_command.added shell_call_command.delta
          shell_call_command.done shell_call_output_content.delta shell_call_output_content.done
          compaction.compacting steer.accepted steer.pending steer.failed inject.created
          inject.failed create steer inject transcript.text.delta transcript.text.segment
          transcript.text.done speech.audio.delta speech.audio.done image_generation.partial_image
          image_edit.partial_image image_generation.completed image_edit.completed reasoning.delta
          reasoning.done
      '
      [[ $word == response.* ]] && i='
          response.created response.queued response.in_progress response.completed response.failed
          response.incomplete response.error response.output_item.added response.output_item.done
          response.content_part.added response.content_part.done response.output_text.delta
          response.output_text.done response.output_text.annotation.added response.refusal.delta
          response.refusal.done response.reasoning_text.delta response.reasoning_text.done
          response.reasoning_summary_part.added response.reasoning_summary_part.done
          response.reasoning_summary_text.delta response.reasoning_summary_text.done
          response.function_call_arguments.delta response.function_call_arguments.done
          response.custom_tool_call_input.delta response.custom_tool_call_input.done
          response.mcp_call_arguments.delta response.mcp_call_arguments.done
          response.mcp_call.in_progress response.mcp_call.completed response.mcp_call.failed
          response.mcp_list_tools.in_progress response.mcp_list_tools.completed
          response.mcp_list_tools.failed response.file_search_call.in_progress
          response.file_search_call.searching response.file_search_call.completed
          response.web_search_call.in_progress response.web_search_call.searching
          response.web_search_call.completed response.code_interpreter_call.in_progress
          response.code_interpreter_call.interpreting response.code_interpreter_call.completed
          response.code_interpreter_call_code.delta response.code_interpreter_call_code.done
          response.image_generation_call.in_progress response.image_generation_call.generating
          response.image_generation_call.partial_image response.image_generation_call.completed
          response.audio.delta response.audio.done response.audio.transcript.delta
          response.audio.transcript.done response.shell_call_command.added
          response.shell_call_command.delta response.shell_call_command.done
          response.shell_call_output_content.delta response.shell_call_output_content.done
          response.compaction.compacting response.steer.accepted response.steer.pending
          response.steer.failed response.inject.created response.inject.failed response.create
          response.steer response.inject response.reasoning.delta response.reasoning.done
      '
      COMPREPLY=($(compgen -P "$prefix" -W "$i" -- "$word"))
      ;;
    -T | --type-not | --type-not=)
      compopt +o default 2>/dev/null
      i='
          created queued in_progress completed failed incomplete error output_item.added
          output_item.done content_part.added content_part.done output_text.delta output_text.done
          output_text.annotation.added refusal.delta refusal.done reasoning_text.delta
          reasoning_text.done reasoning_summary_part.added reasoning_summary_part.done
          reasoning_summary_text.delta reasoning_summary_text.done function_call_arguments.delta
          function_call_arguments.done custom_tool_call_input.delta custom_tool_call_input.done
          mcp_call_arguments.delta mcp_call_arguments.done mcp_call.in_progress mcp_call.completed
          mcp_call.failed mcp_list_tools.in_progress mcp_list_tools.completed mcp_list_tools.failed
          file_search_call.in_progress file_search_call.searching file_search_call.completed
          web_search_call.in_progress web_search_call.searching web_search_call.completed
          code_interpreter_call.in_progress code_interpreter_call.interpreting
          code_interpreter_call.completed code_interpreter_call_code.delta
          code_interpreter_call_code.done image_generation_call.in_progress
          image_generation_call.generating image_generation_call.partial_image
          image_generation_call.completed audio.delta audio.done audio.transcript.delta
          audio.transcript.done shell_call_command.added shell_call_command.delta
          shell_call_command.done shell_call_output_content.delta shell_call_output_content.done
          compaction.compacting steer.accepted steer.pending steer.failed inject.created
          inject.failed create steer inject transcript.text.delta transcript.text.segment
          transcript.text.done speech.audio.delta speech.audio.done image_generation.partial_image
          image_edit.partial_image image_generation.completed image_edit.completed reasoning.delta
          reasoning.done
      '
      [[ $word == response.* ]] && i='
          response.created response.queued response.in_progress response.completed response.failed
          response.incomplete response.error response.output_item.added response.output_item.done
          response.content_part.added response.content_part.done response.output_text.delta
          response.output_text.done response.output_text.annotation.added response.refusal.delta
          response.refusal.done response.reasoning_text.delta response.reasoning_text.done
          response.reasoning_summary_part.added response.reasoning_summary_part.done
          response.reasoning_summary_text.delta response.reasoning_summary_text.done
          response.function_call_arguments.delta response.function_call_arguments.done
          response.custom_tool_call_input.delta response.custom_tool_call_input.done
          response.mcp_call_arguments.delta response.mcp_call_arguments.done
          response.mcp_call.in_progress response.mcp_call.completed response.mcp_call.failed
          response.mcp_list_tools.in_progress response.mcp_list_tools.completed
          response.mcp_list_tools.failed response.file_search_call.in_progress
          response.file_search_call.searching response.file_search_call.completed
          response.web_search_call.in_progress response.web_search_call.searching
          response.web_search_call.completed response.code_interpreter_call.in_progress
          response.code_interpreter_call.interpreting response.code_interpreter_call.completed
          response.code_interpreter_call_code.delta response.code_interpreter_call_code.done
          response.image_generation_call.in_progress response.image_generation_call.generating
          response.image_generation_call.partial_image response.image_generation_call.completed
          response.audio.delta response.audio.done response.audio.transcript.delta
          response.audio.transcript.done response.shell_call_command.added
          response.shell_call_command.delta response.shell_call_command.done
          response.shell_call_output_content.delta response.shell_call_output_content.done
          response.compaction.compacting response.steer.accepted response.steer.pending
          response.steer.failed response.inject.created response.inject.failed response.create
          response.steer response.inject response.reasoning.delta response.reasoning.done
      '
      COMPREPLY=($(compgen -P "$prefix" -W "$i" -- "$word"))
      ;;
    --item | --item=) compopt +o default 2>/dev/null ;;
    --item-type | --item-type=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          message reasoning function_call custom_tool_call mcp_call mcp_approval_request
          mcp_list_tools shell_call shell_call_output local_shell_call local_shell_call_output
          apply_patch_call apply_patch_call_output computer_call web_search_call file_search_call
          code_interpreter_call image_generation_call tool_search_call tool_search_output program
          program_output function_call_output custom_tool_call_output multi_agent_call
          multi_agent_call_output bash web_fetch datetime compaction additional_tools
      ' -- "$word"))
      ;;
    --index | --index=) compopt +o default 2>/dev/null ;;
    --after | --after=) compopt +o default 2>/dev/null ;;
    --before | --before=) compopt +o default 2>/dev/null ;;
    --request | --request=) compopt +o default 2>/dev/null ;;
    --response-id | --response-id=) compopt +o default 2>/dev/null ;;
    --nth | --nth=) compopt +o default 2>/dev/null ;;
    --split | --split=) ;;
    -m | --max-count | --max-count=) compopt +o default 2>/dev/null ;;
    --calls=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          all pending
      ' -- "$word"))
      ;;
    --prices | --prices=) ;;
    --timeline=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          ascii svg
      ' -- "$word"))
      ;;
    --check=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          default strict openresponses json strict,json openresponses,json
      ' -- "$word"))
      ;;
    --until-end=) compopt +o default 2>/dev/null ;;
    --status=)
      compopt +o default 2>/dev/null
      COMPREPLY=($(compgen -P "$prefix" -W '
          plain json
      ' -- "$word"))
      ;;
    --pace=) compopt +o default 2>/dev/null ;;
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
          -t --type
          -T --type-not
          --item
          --item-type
          --index
          --after
          --before
          --request
          --response-id
          --nth
          --exact --no-exact
          --split
          --force --no-force
          -m --max-count
          -c --count --no-count
          -e --exit-status --no-exit-status
          -k --keep-ends --no-keep-ends
          -R --response --no-response
          --partial --no-partial
          --items --no-items
          --calls --calls=
          --citations --no-citations
          --usage --no-usage
          --cost --no-cost
          --prices
          --stats --no-stats
          --timeline --timeline=
          --check --check=
          --types --no-types
          --until-end --until-end=
          --status --status=
          --pace --pace=
          --merge --no-merge
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
complete -o default -F _oresp_events oresp-events
