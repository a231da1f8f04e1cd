# Completes oresp-send in fish. Made from the option table.
function __oresp_send_files
    set -l word (string replace -r -- '^(--[^=]*=|-[a-zA-Z])' '' (commandline -ct))
    set -l start (string match -r -- '^(?:[^@]*=)?@' $word)
    or return
    set -l name (string sub -s (math 1 + (string length -- $start)) -- $word)
    for file in $name*
        test -d $file; and set file $file/
        echo $start$file
    end
end
function __oresp_send_tool
    set -l word (string replace -r -- '^(--[^=]*=|-[a-zA-Z])' '' (commandline -ct))
    set -l start (string match -r -- '^.*,' $word)
    or set start ''
    set -l words
    switch $word
        case 'web_search,*' 'web_search=*'
            set words domains= block= live size= sources country= city=
        case 'file_search,*' 'file_search=*'
            set words stores= max= filter= score=
        case 'code_interpreter,*' 'code_interpreter=*'
            set words container= files= memory= offline domains=
        case 'image_generation,*' 'image_generation=*'
            set words quality= size= format= partial=
        case 'mcp,*' 'mcp=*'
            set words label= url= connector= description= allow= approval= auth-env= auth-file= header-env=
        case 'shell,*' 'shell=*'
            set words container= hosted local files= memory= offline domains=
        case 'function,*' 'function=*'
            set words name= parameters= description= strict
        case 'custom,*' 'custom=*'
            set words name= description= lark= regex=
        case '*,*'
        return
        case '*'
            set words web_search file_search code_interpreter image_generation mcp shell computer function custom apply_patch help
    end
    printf '%s\n' $start$words
end
function __oresp_send_preset
    set -q XDG_CONFIG_HOME; or set -l XDG_CONFIG_HOME $HOME/.config
    for file in $XDG_CONFIG_HOME/oresp/presets/*.json
        string replace -r -- '.*/(.*)\.json' '$1' $file
    end
end
complete -c oresp-send -f
# Request
complete -c oresp-send -s m -l model -r -f -a '$ORESP_MODEL' -d 'Choose the model (default: ORESP_MODEL)'
complete -c oresp-send -s n -l dry-run -d 'Print the request body; send nothing'
complete -c oresp-send -l no-dry-run -d 'turn --dry-run off'
complete -c oresp-send -s b -l body -r -F -d 'Start from the request body in FILE (-: stdin)'
complete -c oresp-send -l stream -d 'Ask for a stream of events (default)'
complete -c oresp-send -l no-stream -d 'turn --stream off'
complete -c oresp-send -l api -r -f -a 'responses chat' -d 'Choose the API: responses (default) or chat'
# Prompt, files and items
complete -c oresp-send -s f -l file -r -F -d 'Send FILE, too: a path, a URL, a file id, or -'
complete -c oresp-send -l items -r -F -d 'Send the input items in FILE before the prompt'
complete -c oresp-send -l previous -r -f -a '(__oresp_send_files)' -d 'Continue the response ID, or the one in @FILE'
complete -c oresp-send -l outputs -r -F -d 'Send the outputs of calls in FILE, one a line'
# Parameters
complete -c oresp-send -s s -l instructions -r -f -a '(__oresp_send_files)' -d 'Set the instructions (system prompt), or @FILE'
complete -c oresp-send -l effort -r -f -a 'none minimal low medium high xhigh max' -d 'Set the reasoning effort'
complete -c oresp-send -l summary -r -f -a 'auto concise detailed' -d 'Ask for a summary of the reasoning'
complete -c oresp-send -l verbosity -r -f -a 'low medium high' -d 'Set how long the answer is'
complete -c oresp-send -l max-output-tokens -r -f -d 'Limit the answer, with its reasoning, to N tokens'
complete -c oresp-send -l max-tool-calls -r -f -d 'Limit the calls of the server\'s tools to N in all'
complete -c oresp-send -l temperature -r -f -d 'Set the sampling temperature, 0 to 2'
complete -c oresp-send -l top-p -r -f -d 'Sample from the likeliest tokens up to N, 0 to 1'
complete -c oresp-send -l top-logprobs -r -f -d 'Return the N likeliest tokens at each place'
complete -c oresp-send -l parallel-tool-calls -d 'Let the model call several tools at once'
complete -c oresp-send -l no-parallel-tool-calls -d 'turn --parallel-tool-calls off'
complete -c oresp-send -l truncation -r -f -a 'auto disabled' -d 'Set what is done about too long an input'
complete -c oresp-send -l service-tier -r -f -a 'auto default flex scale priority fast ultrafast' -d 'Choose the service tier'
complete -c oresp-send -l store -d 'Let the server keep the response'
complete -c oresp-send -l no-store -d 'turn --store off'
complete -c oresp-send -l background -d 'Create the response in the background'
complete -c oresp-send -l no-background -d 'turn --background off'
complete -c oresp-send -l conversation -r -f -d 'Continue the conversation ID, and add to it'
complete -c oresp-send -l safety-identifier -r -f -d 'Identify the end user, by a hash'
complete -c oresp-send -l prompt-cache-key -r -f -d 'Send requests with the same KEY to the same cache'
complete -c oresp-send -l metadata -r -f -d 'Store KEY and VALUE with the response; repeatable'
complete -c oresp-send -l template -r -f -d 'Use the stored prompt template ID'
complete -c oresp-send -l include -r -f -a 'file_search_call action sources input_image computer_call_output output code_interpreter_call outputs reasoning encrypted_content output_text logprobs file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs' -d 'Ask for more in the answer; repeatable'
# Tools and the form of the answer
complete -c oresp-send -s t -l tool -r -f -a '(__oresp_send_tool) (__oresp_send_files)' -d 'Let the model use a tool, such as web_search'
complete -c oresp-send -l tool-choice -r -f -a 'none auto required function= custom= mcp= allowed= web_search file_search code_interpreter image_generation shell computer apply_patch' -d 'Set which tool the model must call, if any'
complete -c oresp-send -s S -l schema -r -F -d 'Ask for JSON that meets the JSON Schema in FILE'
complete -c oresp-send -l json -d 'Ask for JSON of any form'
complete -c oresp-send -l no-json -d 'turn --json off'
# Presets and members
complete -c oresp-send -s P -l preset -r -F -a 'help (__oresp_send_preset)' -d 'Start from the preset NAME, or a file; repeatable'
complete -c oresp-send -l set -r -f -a '(__oresp_send_files)' -d 'Set the member at PATH to JSON; repeatable'
complete -c oresp-send -l set-str -r -f -a '(__oresp_send_files)' -d 'Set the member at PATH to a text; repeatable'
complete -c oresp-send -l unset -r -f -d 'Remove the member at PATH; repeatable'
# Responses that go on
complete -c oresp-send -l get -r -f -a '(__oresp_send_files)' -d 'Print the response ID, or the one in @FILE'
complete -c oresp-send -l cancel -r -f -d 'Cancel the background response ID'
complete -c oresp-send -l delete -r -f -d 'Delete the response ID from the server'
complete -c oresp-send -l compact -d 'Compact the input, and print the result'
complete -c oresp-send -l no-compact -d 'turn --compact off'
complete -c oresp-send -l count-tokens -d 'Print how many tokens the input has'
complete -c oresp-send -l no-count-tokens -d 'turn --count-tokens off'
complete -c oresp-send -l resume -r -f -a '(__oresp_send_files)' -d 'Resume the stream of response ID, or of @FILE'
complete -c oresp-send -l wait -f -d 'Wait until the response has ended, and print it'
# Other endpoints
complete -c oresp-send -l path -r -f -d 'Call the endpoint PATH, such as /files or /models'
complete -c oresp-send -s X -l request -r -f -a 'GET POST DELETE PUT PATCH' -d 'Use METHOD (default GET, or POST with a body)'
complete -c oresp-send -s F -l form -r -f -a '(__oresp_send_files)' -d 'Add a field or a file to a form; repeatable'
complete -c oresp-send -l pages -d 'Print the items of all pages of a list'
complete -c oresp-send -l no-pages -d 'turn --pages off'
# Many requests
complete -c oresp-send -l batch -F -d 'Send each line of FILE, a prompt or a request'
complete -c oresp-send -s j -l jobs -r -f -d 'Send N requests at once (default 8)'
complete -c oresp-send -l rate -r -f -d 'Start at most N requests per s, min or h'
complete -c oresp-send -s k -l keep-order -d 'Print the answers in the order of the input'
complete -c oresp-send -l no-keep-order -d 'turn --keep-order off'
complete -c oresp-send -l done -r -F -d 'Skip the requests that FILE has answers to'
complete -c oresp-send -l events -d 'Print the events of all requests, each tagged'
complete -c oresp-send -l no-events -d 'turn --events off'
complete -c oresp-send -l custom-id -r -f -d 'With -n, print the line ID of a batch'
# Without sending
complete -c oresp-send -l rehearse -f -a 'completed failed incomplete refusal cancelled cut error call json http-401 http-429 http-500 slow (__oresp_send_files)' -d 'Send nothing; play a made-up answer, or @FILE'
# Server and key
complete -c oresp-send -l provider -r -f -a 'openai azure anthropic bedrock databricks deepseek gemini groq huggingface litellm llama.cpp lmstudio ollama openrouter perplexity transformers vllm xai' -d 'Choose the server by NAME (default openai)'
complete -c oresp-send -l api-key-file -r -F -d 'Read the API key from FILE'
complete -c oresp-send -l api-key-cmd -r -f -d 'Run COMMAND, and read the API key from its output'
complete -c oresp-send -s H -l header -r -f -a '(__oresp_send_files)' -d 'Add the header LINE, \'Name: value\'; repeatable'
complete -c oresp-send -l insecure-http -d 'Allow a key over plain http:// to other machines'
complete -c oresp-send -l no-insecure-http -d 'turn --insecure-http off'
# A record of the run
complete -c oresp-send -l log -r -F -d 'Append a line about the run to FILE, as JSON'
# Retries, timeouts and connection
complete -c oresp-send -l retry -r -f -d 'Retry up to N times (default 2)'
complete -c oresp-send -l cacert -r -F -d 'Trust the certificate authorities in FILE (PEM)'
complete -c oresp-send -l cert -r -F -d 'Use the client certificate in FILE (PEM)'
complete -c oresp-send -l key -r -F -d 'Read the key of --cert from FILE (PEM)'
complete -c oresp-send -l connect-timeout -r -f -d 'Wait at most SECONDS to connect (default 10)'
complete -c oresp-send -l idle-timeout -r -f -d 'Give up a stream silent for SECONDS (default 300)'
complete -c oresp-send -l max-time -r -f -d 'Limit the whole run to SECONDS (default no limit)'
complete -c oresp-send -l proxy -r -f -d 'Use the proxy at URL'
complete -c oresp-send -l unix-socket -r -F -d 'Connect to the Unix socket at PATH'
complete -c oresp-send -l http1.1 -d 'Use HTTP/1.1 only'
complete -c oresp-send -l no-http1.1 -d 'turn --http1.1 off'
# General
complete -c oresp-send -s q -l quiet -d 'Report errors only'
complete -c oresp-send -l no-quiet -d 'turn --quiet off'
complete -c oresp-send -s v -l verbose -d 'Report what was done, too'
complete -c oresp-send -l no-verbose -d 'turn --verbose off'
complete -c oresp-send -l sanitize -d 'Show control characters in a harmless form'
complete -c oresp-send -l no-sanitize -d 'turn --sanitize off'
complete -c oresp-send -l notices -r -f -a 'text json none' -d 'Print notices as text (default), json or none'
complete -c oresp-send -s h -l help -f -a 'all' -d 'Print this help (=all: all options, =NAME: one)'
complete -c oresp-send -s V -l version -d 'Print the version'
