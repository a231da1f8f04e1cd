import Testing

@testable import oresp_send

@Suite struct SendParameterTests {
  private static let files = SendCommand(files: ["rules.txt": "Be brief.\n"])

  @Test(
    arguments: [
      (["-s", "Be brief."], #"{"instructions":"Be brief."}"#),
      (["--instructions=@rules.txt"], #"{"instructions":"Be brief."}"#),
      (["-s", "@@here"], #"{"instructions":"@here"}"#), (["-s", ""], #"{"instructions":""}"#),
      (["--effort=high"], #"{"reasoning":{"effort":"high"}}"#),
      (["--summary=auto", "--effort=low"], #"{"reasoning":{"summary":"auto","effort":"low"}}"#),
      (["--verbosity", "low"], #"{"text":{"verbosity":"low"}}"#),
      (["--max-output-tokens=16"], #"{"max_output_tokens":16}"#),
      (["--max-tool-calls=3"], #"{"max_tool_calls":3}"#),
      (["--temperature=0.70"], #"{"temperature":0.70}"#),
      (["--temperature=2"], #"{"temperature":2}"#), (["--top-p=1e-1"], #"{"top_p":1e-1}"#),
      (["--top-logprobs=20"], #"{"top_logprobs":20}"#),
      (["--parallel-tool-calls"], #"{"parallel_tool_calls":true}"#),
      (["--no-parallel-tool-calls"], #"{"parallel_tool_calls":false}"#),
      (["--truncation=auto"], #"{"truncation":"auto"}"#),
      (["--service-tier=flex"], #"{"service_tier":"flex"}"#),
      (["--store"], #"{"store":true}"#), (["--store", "--no-store"], #"{"store":false}"#),
      (["--conversation=conv_1"], #"{"conversation":"conv_1"}"#),
      (["--safety-identifier=u"], #"{"safety_identifier":"u"}"#),
      (["--prompt-cache-key=k"], #"{"prompt_cache_key":"k"}"#),
      (["--json"], #"{"text":{"format":{"type":"json_object"}}}"#),
      (
        ["--metadata=a=b=c", "--metadata", "d=", "--metadata=a=é"],
        #"{"metadata":{"a":"é","d":""}}"#
      ),
      (["--template=p_1"], #"{"prompt":{"id":"p_1"}}"#),
      (
        ["--set-str=prompt.variables.a=@rules.txt", "--template=p_1@2"],
        #"{"prompt":{"id":"p_1","version":"2","variables":{"a":"Be brief.\n"}}}"#
      ),
      (["--template=p_1@2", "--template=p_3"], #"{"prompt":{"id":"p_3"}}"#),
    ] as [([String], String)])
  func `an option sets its parameter, as it was typed`(
    arguments: [String], body: String
  ) throws {
    #expect(try Self.files.rest(arguments) == body)
    #expect(try Self.files.hints(arguments) == [])
  }

  @Test(arguments: [
    (["sources"], ["web_search_call.action.sources"]),
    (
      ["logprobs,encrypted_content"],
      ["message.output_text.logprobs", "reasoning.encrypted_content"]
    ),
    (["reasoning", "reasoning.encrypted_content"], ["reasoning.encrypted_content"]),
    (["web_search_call.results"], ["web_search_call.results"]),
    (
      ["input_image", "outputs"],
      ["message.input_image.image_url", "code_interpreter_call.outputs"]
    ),
    (["new_call.parts"], ["new_call.parts"]),
  ])
  func `what to include is a value or a part of one alone`(
    words: [String], values: [String]
  ) throws {
    let list = values.map { "\"\($0)\"" }.joined(separator: ",")
    let made = try SendCommand().rest(words.map { "--include=\($0)" })
    #expect(made == "{\"include\":[\(list)]}")
  }

  @Test(arguments: [
    (["--effort=xhigh"], []),
    (
      ["--effort=xhig"],
      ["--effort: xhig is not documented, and passed on as it is; did you mean xhigh?"]
    ),
    (
      ["--service-tier=turbo-9", "--summary=auto"],
      ["--service-tier: turbo-9 is not documented, and passed on as it is"]
    ),
    (
      ["--include=source"],
      ["--include: source is not documented, and passed on as it is; did you mean sources?"]
    ),
    (
      ["--tool-choice=atuo"],
      ["--tool-choice: atuo is not documented, and passed on as it is; did you mean auto?"]
    ),
    (["--tool-choice=function=f", "--tool-choice=mcp=l/n"], []),
    (
      ["--include=results"], ["--include: results is not documented, and passed on as it is"]
    ),
    (
      ["-f", "https://x/a.png;detail=hihg"],
      ["-f: detail: hihg is not documented, and passed on as it is; did you mean high?"]
    ),
    (
      ["-t", "image_generation,quality=hihg,size=3x4"],
      [
        "--tool: image_generation: quality: hihg is not documented, and passed on as it is; "
          + "did you mean high?"
      ]
    ),
  ])
  func `a value that may be new is passed on and told`(
    arguments: [String], hints: [String]
  ) throws {
    #expect(try SendCommand().hints(arguments) == hints)
    let made = try SendCommand().body(["-m", "m", "hi"] + arguments)
    #expect(
      hints.allSatisfy { hint in
        made.contains(String(hint.split(separator: " ")[hint.hasPrefix("--tool:") ? 3 : 1]))
      })
  }

  @Test(arguments: [
    (["--max-output-tokens=016"], "--max-output-tokens: expected a whole number, got 016"),
    (["--max-tool-calls=1.0"], "--max-tool-calls: expected a whole number, got 1.0"),
    (["--top-logprobs=-"], "--top-logprobs: expected a whole number, got -"),
    (["--temperature=.5"], "--temperature: expected a number such as 0.5, got .5"),
    (["--temperature=nan"], "--temperature: expected a number such as 0.5, got nan"),
    (["--top-p=true"], "--top-p: expected a number such as 0.5, got true"),
    (
      ["--tool-choice=x=y"],
      "--tool-choice: expected function=NAME, custom=NAME, mcp=LABEL[/NAME], allowed=..., got x=y"
    ),
    (["--effort="], "--effort: expected a value"),
    (["--conversation="], "--conversation: expected ID or @FILE"),
    (["--include=sources,"], "--include: expected a value"),
    (["--metadata=a"], "--metadata: expected KEY=VALUE, got a"),
    (["--metadata==a"], "--metadata: expected KEY=VALUE, got =a"),
    (["--template=@2"], "--template: expected ID or ID@VERSION, got @2"),
    (["--template=p@"], "--template: expected ID or ID@VERSION, got p@"),
    (["-s", "@"], "-s: expected the name of a file after @"),
    (["-s", "@none"], "none: errno 2"),
    (
      ["--conversation=c", "--set-str=previous_response_id=r"],
      "--conversation and a previous_response_id exclude each other"
    ),
    (
      ["--previous=r", "--set-str=conversation=c"],
      "--previous and a conversation exclude each other"
    ),
    (["--json", "-S", "s"], "--json and -S exclude each other"),
    (
      ["-s", "@-", "-"],
      "standard input can be read only once, and several name it: -s, -"
    ),
    (
      ["--set=a=@-", "--set-str=b=@-"],
      "standard input can be read only once, and several name it: --set, --set-str"
    ),
  ])
  func `a value that is not of its type is refused`(arguments: [String], why: String) {
    #expect(SendCommand(stdin: "x").refusal(arguments) == why)
  }

  @Test(arguments: [
    ("--max-output-tokens=0", #""max_output_tokens":0"#),
    ("--max-tool-calls=-1", #""max_tool_calls":-1"#),
    ("--top-logprobs=99999999999999999999", #""top_logprobs":99999999999999999999"#),
    ("--temperature=2.10", #""temperature":2.10"#), ("--top-p=-1e9", #""top_p":-1e9"#),
    (
      "--metadata=\(String(repeating: "k", count: 65))=",
      "\(String(repeating: "k", count: 65))\":\"\""
    ),
    ("--include=results", #""include":["results"]"#),
    ("--tool-choice=new_tool", #""tool_choice":{"type":"new_tool"}"#),
    (
      "--tool=file_search=v,max=51,score=-1",
      #""max_num_results":51,"ranking_options":{"score_threshold":-1}"#
    ),
  ])
  func `what a server may take is sent as it is`(argument: String, made: String) throws {
    let command = SendCommand(files: ["s": #"{"type":"object"}"#])
    #expect(try command.body(["-m", "m", "hi", "-S", "s", argument]).contains(made))
  }

  @Test func `members have one order, however the options stand`() throws {
    let arguments = [
      "--metadata=a=b", "--store", "--include=sources", "--top-p=1",
      "--max-output-tokens=20", "--verbosity=low", "--effort=low", "--tool-choice=auto", "-t",
      "computer", "hi", "-s", "x", "-m", "m", "--set=unknown=1",
    ]
    let order = [
      "model", "instructions", "input", "tools", "tool_choice", "reasoning", "text",
      "max_output_tokens", "top_p", "include", "store", "metadata", "stream", "unknown",
    ]
    for shift in 0..<arguments.count where arguments[shift].hasPrefix("-") {
      let turned = Array(arguments[shift...] + arguments[..<shift])
      let body = try SendCommand().builder(turned).builder.build()
      #expect(body.members.map(\.name) == order)
    }
  }
}
