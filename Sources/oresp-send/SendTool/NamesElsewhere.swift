import Core

extension SendTool {
  /// Options of curl, llm and the official command line, each with this tool's own way to do it.
  static let elsewhere = request + answer + server

  private static let request: [NameElsewhere] = [
    .init(
      "--system --system-prompt --sytem --sys --developer --sf",
      "-s TEXT (--instructions) is the system prompt"),
    .init(
      "--input --message --messages -p -g", "the prompt stands after the options"),
    .init(
      "--max-tokens --max-completion-tokens -M", "--max-output-tokens N limits the answer"),
    .init(
      "--image --images --attachment --attachments --attach -a --at --pdf --audio --fragment",
      "-f FILE sends a file, an image or a URL"),
    .init("-i", "-f FILE sends a file or an image; -v shows the headers of the answer"),
    .init("--detail", "-f 'FILE;detail=LEVEL' sends an image: auto, low, high or original"),
    .init(
      "--strict --no-strict",
      "a schema is strict as it is; --set text.format.strict=false leaves the model free"),
    .init(
      "--upload --upload-file", "--path /files -F purpose=user_data -F file=@FILE uploads a file"),
    .init(
      "--data --data-raw --data-binary --data-ascii -d --payload",
      "-b FILE or -b '{...}' sends a body"),
    .init(
      "--continue -c --session --last --previous-response-id --previous_response_id --cid",
      "--previous ID or --previous @FILE continues a response, --conversation ID a conversation"),
    .init("--model-name --model-id", "-m MODEL names the model"),
    .init("--chat", "--api=chat asks for Chat Completions; --previous ID continues a response"),
    .init(
      "--prompt", "the prompt stands after the options; --template ID uses a stored one"),
    .init(
      "--param --var",
      "--set-str prompt.variables.NAME=VALUE sets a variable of --template, --set PATH=JSON any"
        + " member"),
    .init(
      "--tools --functions --function --web-search --search --mcp -T --code-interpreter",
      "-t TOOL lets the model use a tool, and -t help lists them"),
    .init(
      "--option --extra-body --extra",
      "--temperature and others have their own options, --set PATH=JSON sets any member"),
    .init(
      "--stop --seed --frequency-penalty --presence-penalty --logit-bias",
      "the Responses API has no such parameter; --set PATH=JSON sends it all the same"),
    .init(
      "--n --choices",
      "one request is one answer; with --api=chat, --set n=N asks for N of them"),
    .init(
      "--budget --max-cost",
      "--max-output-tokens N limits the answer, --max-tool-calls N the calls of built-in tools;"
        + " oresp-events --cost prints what it cost"),
    .init("--logprobs", "--include=logprobs asks for them, --top-logprobs N for N of them"),
    .init("--reasoning --reasoning-effort --thinking --think", "--effort LEVEL sets it"),
    .init("--reasoning-summary", "--summary KIND asks for one"),
  ]

  private static let answer: [NameElsewhere] = [
    .init(
      "--format --output-format --response-format --text-format",
      "-S FILE or --json asks for JSON; oresp-text prints the text of the answer"),
    .init(
      "--json-schema --schema-file", "-S FILE asks for JSON that meets the schema in FILE"),
    .init(
      "--raw --raw-output --text --plain --markdown --no-buffer -N",
      "the answer is printed raw as it comes; oresp-text prints its text"),
    .init(
      "--compressed", "answers are asked for uncompressed, so that each event comes at once"),
    .init(
      "--range -r",
      "--resume ID:NUMBER goes on with a --background response behind event NUMBER"),
    .init("--extract --xl -x", "oresp-text -x prints the code blocks; --proxy URL sets a proxy"),
    .init("--silent", "-q reports errors only"),
    .init(
      "--footnotes --sources --citations",
      "-t web_search searches, and oresp-text -c footnotes lists the sources"),
    .init("--wrap --width", "oresp-send ... | oresp-text | fmt -s -w 80 breaks long lines"),
    .init("--svg --timeline", "oresp-events --timeline=svg draws a recorded answer"),
    .init(
      "--progress --progress-bar -#",
      "--batch shows its progress on a terminal, oresp-events --status the progress of an answer"),
    .init(
      "--time --timing --timings",
      "--log FILE has the times of each run, oresp-sse --stamp adds the time of each event"),
    .init(
      "--replay --playback",
      "--rehearse=@FILE plays a recording; oresp-events --pace FILE plays it with its timing"),
    .init("--usage --cost -u", "oresp-events --usage and --cost read the answer"),
    .init("--transform --jq", "oresp-events -R prints the response for jq"),
    .init(
      "--show-headers --dump-header --head -I -D",
      "-v shows the headers of the answer, and --log FILE has what they say"),
    .init(
      "-o --output --out --output-file",
      ">FILE keeps the answer however it ends; | oresp-text -o FILE writes its text once it is whole"
    ),
    .init("--tee", "oresp-send ... | tee FILE | oresp-text keeps the answer in FILE, too"),
    .init("--write-out -w", "--log FILE has the status, ids and times"),
    .init("--no-log --logging --database", "nothing is logged without --log FILE"),
    .init(
      "--save --save-template",
      "oresp-send -n ... | jq 'del(.input)' >NAME.json makes a preset for -P NAME.json"),
    .init(
      "--fail --fail-with-body --show-error",
      "a failure is always reported, and sets the exit status"),
  ]

  private static let server: [NameElsewhere] = [
    .init(
      "--curl --as-curl", "oresp-send -n ... | curl --json @- URL sends a request by curl"),
    .init(
      "--embeddings --embed --embedding",
      "oresp-send --path /embeddings -m MODEL --set-str input=TEXT asks for them"),
    .init(
      "--speech --tts --voice",
      "oresp-send --path /audio/speech -m MODEL --set-str voice=alloy --set-str input=TEXT >FILE"
        + " makes it"),
    .init(
      "--api-key --apikey --token --auth --bearer --oauth2-bearer --openai-api-key --azure-ad-token",
      "a key comes from OPENAI_API_KEY, --api-key-file FILE or --api-key-cmd COMMAND"),
    .init("--user", "--safety-identifier ID names the end user; --api-key-file FILE has the key"),
    .init(
      "--url --base-url --api-base --api-url --host --server",
      "--provider NAME or OPENAI_BASE_URL in the environment says which server is asked"),
    .init("--endpoint", "--path PATH calls another endpoint; OPENAI_BASE_URL names the server"),
    .init("--models --list-models", "--path /models lists the models"),
    .init(
      "--list",
      "--path /models lists the models, --provider=help the servers, -t help the tools, -P help"
        + " your presets"),
    .init(
      "--organization --org --project",
      "OPENAI_ORG_ID and OPENAI_PROJECT_ID in the environment name them"),
    .init(
      "--api-version --deployment --azure --azure-endpoint",
      "--provider azure reads AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_DEPLOYMENT and OPENAI_API_VERSION"
    ),
    .init(
      "--timeout --read-timeout",
      "--max-time SECONDS limits the run, --idle-timeout SECONDS a silence of the server"),
    .init(
      "--retries --max-retries --retry-all-errors --retry-connrefused --retry-delay",
      "--retry N retries temporary failures, each after the wait that the server names or a short one"
    ),
    .init(
      "--lines --prompts --prompts-file", "--batch FILE sends a request for each line of FILE"),
    .init(
      "--checkpoint --state --state-file",
      "with --batch, --done FILE names the results that are there, and only the rest is sent"),
    .init(
      "--concurrency --parallel --max-concurrency --workers",
      "-j N sends N requests of a --batch at once"),
    .init(
      "--noproxy --no-proxy", "no_proxy in the environment names the hosts that need no proxy"),
    .init("--method", "-X METHOD goes with --path"),
    .init("--user-agent -A", "-H 'User-Agent: NAME' sets it"),
    .init("--cookie", "-H @FILE reads headers that are secret from a file"),
    .init(
      "--insecure --no-verify --skip-verify",
      "certificates are always checked; --cacert FILE trusts one of your own"),
    .init(
      "--location -L --max-redirs", "no redirect is followed; its target is reported, status 4"),
  ]
}
