import Foundation
import Testing

@testable import Core
@testable import oresp_send

@Suite struct SendToolTests {
  private static let command = SendCommand(
    stdin: #"{"type":"piped"}"#,
    files: [
      "whole.json":
        #"{"name":"plus","description":"Adds.","parameters":{"type":"object"},"strict":true}"#,
      "chat.json": #"{"type":"function","function":{"name":"now","schema":{}}}"#,
      "bare.json": #"{"type":"function","name":"n","description":"d"}"#,
      "p.json": "{\"type\":\"object\",\n\"properties\":{}}\n", "g.lark": "start: \"a\"\n",
      "one.json": #" {"type":"x","n":1.0} "#, "two.json": #"[{"type":"x"}, {"type":"y"}]"#,
      "none.json": "[]", "bad.json": #"[{"type":"x"},{"name":"y"}]"#, "token": "tok\r\n",
      "secrets.json": #"[{"domain":"d","name":"n","value":"v"}]"#,
      "stores.json": #"{"object":"list","data":[{"id":"vs_1","object":"vector_store"},"#
        + #"{"id":"vs_2","object":"vector_store"}]}"#,
      "batch.json":
        #"{"id":"vsfb_1","object":"vector_store.files_batch","vector_store_id":"vs_3"}"#,
      "ran.sse": #"data: {"type":"response.completed","response":{"id":"r","output":["#
        + #"{"type":"code_interpreter_call","id":"ci","container_id":"cntr_1"},"#
        + #"{"type":"message","id":"m"}]}}"# + "\n\n",
      "up.json": #"{"id":"file-1","object":"file"}"#,
    ], environment: ["TOKEN": "tok", "VALUE": "val"])

  @Test(
    arguments: [
      ("web_search", #"{"type":"web_search"}"#),
      (
        "web_search,domains=a.de;b.de,size=low",
        #"{"type":"web_search","filters":{"allowed_domains":["a.de","b.de"]},"#
          + #""search_context_size":"low"}"#
      ),
      (
        "web_search,country=DE,city=St. Goar\\, am Rhein,block=x.de,live=false,domains=a,domains=b",
        #"{"type":"web_search","filters":{"allowed_domains":["a","b"],"#
          + #""blocked_domains":["x.de"]},"external_web_access":false,"user_location":"#
          + #"{"type":"approximate","country":"DE","city":"St. Goar, am Rhein"}}"#
      ),
      (
        "web_search_2025_08_26,filters.allowed_domains=a,excluded_domains=b",
        #"{"type":"web_search_2025_08_26","filters":{"allowed_domains":["a"]},"#
          + #""excluded_domains":["b"]}"#
      ),
      (
        "web_search_preview,content=text;image,region=Hessen",
        #"{"type":"web_search_preview","search_content_types":["text","image"],"#
          + #""user_location":{"type":"approximate","region":"Hessen"}}"#
      ),
      ("file_search=vs_1", #"{"type":"file_search","vector_store_ids":["vs_1"]}"#),
      (
        "file_search=vs_1,vs_2;vs_3,max=50,score=0.50",
        #"{"type":"file_search","vector_store_ids":["vs_1","vs_2","vs_3"],"#
          + #""max_num_results":50,"ranking_options":{"score_threshold":0.50}}"#
      ),
      (
        #"file_search,stores=vs_1,filter={"type":"eq","key":"k","value":"v;w"},text-weight=1,"#
          + "embedding-weight=0.3,ranker=auto",
        #"{"type":"file_search","vector_store_ids":["vs_1"],"filters":"#
          + #"{"type":"eq","key":"k","value":"v;w"},"ranking_options":{"ranker":"auto","#
          + #""hybrid_search":{"embedding_weight":0.3,"text_weight":1}}}"#
      ),
      ("code_interpreter", #"{"type":"code_interpreter","container":{"type":"auto"}}"#),
      ("code_interpreter=cntr_1", #"{"type":"code_interpreter","container":"cntr_1"}"#),
      (
        "code_interpreter,memory=4g,files=file-1;file-2",
        #"{"type":"code_interpreter","container":{"type":"auto","file_ids":["file-1","file-2"],"#
          + #""memory_limit":"4g"}}"#
      ),
      (
        "code_interpreter,offline,callers=direct;programmatic",
        #"{"type":"code_interpreter","container":{"type":"auto","network_policy":"#
          + #"{"type":"disabled"}},"allowed_callers":["direct","programmatic"]}"#
      ),
      (
        "code_interpreter,domains=a,domain-secrets=secrets.json",
        #"{"type":"code_interpreter","container":{"type":"auto","network_policy":"#
          + #"{"type":"allowlist","allowed_domains":["a"],"#
          + #""domain_secrets":[{"domain":"d","name":"n","value":"v"}]}}}"#
      ),
      (
        "image_generation,size=1024x1536,quality=low,format=webp,compression=0,partial=3,"
          + "background=auto,moderation=low,fidelity=high,mask=file-1,action=edit,model=gpt-image-2",
        #"{"type":"image_generation","model":"gpt-image-2","quality":"low","size":"1024x1536","#
          + #""output_format":"webp","output_compression":0,"moderation":"low","#
          + #""background":"auto","input_fidelity":"high","input_image_mask":{"file_id":"file-1"},"#
          + #""partial_images":3,"action":"edit"}"#
      ),
      (
        "mcp=docs@https://x.example/mcp?a=b,allow=find;read,approval=never",
        #"{"type":"mcp","server_label":"docs","server_url":"https://x.example/mcp?a=b","#
          + #""allowed_tools":["find","read"],"require_approval":"never"}"#
      ),
      (
        "mcp=mail,connector=connector_gmail,allow-read-only,allow-names=a,trust=b,ask-read-only,"
          + "description=Mail,defer",
        #"{"type":"mcp","server_label":"mail","connector_id":"connector_gmail","#
          + #""server_description":"Mail","allowed_tools":{"tool_names":["a"],"read_only":true},"#
          + #""require_approval":{"always":{"read_only":true},"never":{"tool_names":["b"]}},"#
          + #""defer_loading":true}"#
      ),
      (
        "mcp=d,tunnel=tunnel_1,auth-env=TOKEN,header-env=X-A:VALUE,header-env=X-B:TOKEN",
        #"{"type":"mcp","server_label":"d","tunnel_id":"tunnel_1","authorization":"tok","#
          + #""headers":{"X-A":"val","X-B":"tok"}}"#
      ),
      (
        "mcp=d@https://x,auth-file=token",
        #"{"type":"mcp","server_label":"d","server_url":"https://x","authorization":"tok"}"#
      ),
      (
        "function=add@p.json,strict,description=@g.lark",
        #"{"type":"function","name":"add","parameters":{"type":"object","properties":{}},"#
          + #""description":"start: \"a\"\n","strict":true}"#
      ),
      (
        "function=now,strict=false,async",
        #"{"type":"function","name":"now","strict":false,"async":true,"parameters":null}"#
      ),
      (
        "function=now,output=@p.json",
        #"{"type":"function","name":"now","output_schema":{"type":"object","properties":{}},"#
          + #""parameters":null,"strict":null}"#
      ),
      ("custom=run", #"{"type":"custom","name":"run"}"#),
      (
        "custom=run,text,defer,description=Runs",
        #"{"type":"custom","name":"run","description":"Runs","format":{"type":"text"},"#
          + #""defer_loading":true}"#
      ),
      (
        "custom=run,lark=@g.lark",
        #"{"type":"custom","name":"run","format":{"type":"grammar","syntax":"lark","#
          + #""definition":"start: \"a\"\n"}}"#
      ),
      (
        #"custom=run,regex=\d{1\,2};a"#,
        #"{"type":"custom","name":"run","format":{"type":"grammar","syntax":"regex","#
          + #""definition":"\\d{1,2};a"}}"#
      ),
      ("shell", #"{"type":"shell"}"#),
      ("shell,local", #"{"type":"shell","environment":{"type":"local"}}"#),
      (
        "shell=cntr_1",
        #"{"type":"shell","environment":{"type":"container_reference","container_id":"cntr_1"}}"#
      ),
      (
        "shell,hosted,skills=s_1;s_2@7,offline",
        #"{"type":"shell","environment":{"type":"container_auto","network_policy":"#
          + #"{"type":"disabled"},"skills":[{"type":"skill_reference","skill_id":"s_1"},"#
          + #"{"type":"skill_reference","skill_id":"s_2","version":"7"}]}}"#
      ),
      (
        "shell,local-skills=@none.json",
        #"{"type":"shell","environment":{"type":"local","skills":[]}}"#
      ),
      ("local_shell", #"{"type":"local_shell"}"#),
      ("apply_patch,callers=direct", #"{"type":"apply_patch","allowed_callers":["direct"]}"#),
      ("computer", #"{"type":"computer"}"#),
      (
        "computer_use_preview=browser,height=768,width=1024",
        #"{"type":"computer_use_preview","environment":"browser","display_width":1024,"#
          + #""display_height":768}"#
      ),
      (
        "tool_search,execution=client,parameters=@p.json",
        #"{"type":"tool_search","execution":"client","#
          + #""parameters":{"type":"object","properties":{}}}"#
      ),
      (
        "namespace=crm,description=Customers,tools=@two.json",
        #"{"type":"namespace","name":"crm","description":"Customers","#
          + #""tools":[{"type":"x"}, {"type":"y"}]}"#
      ),
      ("programmatic_tool_calling", #"{"type":"programmatic_tool_calling"}"#),
      (
        "web_search,return_token_budget=8000,size=low,a.b=true,c=word,d=,e=-1x,f=null",
        #"{"type":"web_search","search_context_size":"low","return_token_budget":8000,"#
          + #""a":{"b":true},"c":"word","d":"","e":"-1x","f":null}"#
      ),
      (
        #"computer,a:="1",b:={"c":[1,2]},d=@token"#,
        #"{"type":"computer","a":"1","b":{"c":[1,2]},"d":"tok\r\n"}"#
      ),
      (
        #"web_search,filters:={"allowed_domains":["a"]},size:=null"#,
        #"{"type":"web_search","search_context_size":null,"filters":{"allowed_domains":["a"]}}"#
      ),
      (
        "function=add@whole.json",
        #"{"type":"function","name":"add","description":"Adds.","parameters":{"type":"object"},"#
          + #""strict":true}"#
      ),
      (
        "function=@whole.json,strict=false,description=More",
        #"{"type":"function","name":"plus","parameters":{"type":"object"},"description":"More","#
          + #""strict":false}"#
      ),
      (
        "function=@chat.json",
        #"{"type":"function","name":"now","parameters":{},"strict":null}"#
      ),
      (
        "function=then@bare.json",
        #"{"type":"function","name":"then","description":"d","parameters":null,"strict":null}"#
      ),
      ("file_search=@stores.json", #"{"type":"file_search","vector_store_ids":["vs_1","vs_2"]}"#),
      ("file_search=@batch.json", #"{"type":"file_search","vector_store_ids":["vs_3"]}"#),
      ("code_interpreter=@ran.sse", #"{"type":"code_interpreter","container":"cntr_1"}"#),
      (
        "code_interpreter,files=@up.json",
        #"{"type":"code_interpreter","container":{"type":"auto","file_ids":["file-1"]}}"#
      ),
      ("x_search", #"{"type":"x_search"}"#), ("code_execution", #"{"type":"code_execution"}"#),
      (
        "collections_search=col_1,col_2,max=3",
        #"{"type":"collections_search","collection_ids":["col_1","col_2"],"max_num_results":3}"#
      ),
      ("attachment_search", #"{"type":"attachment_search"}"#),
      (
        "openrouter:web_search,engine=exa,max=5,domains=a.org;b.org",
        #"{"type":"openrouter:web_search","parameters":{"engine":"exa","max_results":5,"#
          + #""allowed_domains":["a.org","b.org"]}}"#
      ),
      (
        "openrouter:web_fetch,max=2,tokens=100",
        #"{"type":"openrouter:web_fetch","parameters":{"max_uses":2,"max_content_tokens":100}}"#
      ),
      (
        "openrouter:datetime,timezone=Europe/Berlin",
        #"{"type":"openrouter:datetime","parameters":{"timezone":"Europe/Berlin"}}"#
      ),
      (
        "openrouter:image_generation,ratio=16:9",
        #"{"type":"openrouter:image_generation","parameters":{"aspect_ratio":"16:9"}}"#
      ),
      (#"{"type":"new","n":1.50}"#, #"{"type":"new","n":1.50}"#),
      (#" [ {"type":"a"} ,{"type":"b"}]"#, ""),
      (#"[ {"type":"a"} ,{"type":"b"}]"#, #"{"type":"a"},{"type":"b"}"#),
      ("@one.json", #"{"type":"x","n":1.0}"#), ("@two.json", #"{"type":"x"},{"type":"y"}"#),
      ("@none.json", ""), ("@-", #"{"type":"piped"}"#),
    ] as [(String, String)])
  func `a short form is a tool`(form: String, tool: String) throws {
    guard !form.hasPrefix(" ") else {
      #expect(Self.command.refusal(["-t", form]).contains("unknown tool"))
      return
    }
    #expect(try Self.command.rest(["-t", form]) == "{\"tools\":[\(tool)]}")
  }

  @Test func `all tools are in the request, in place of those before`() throws {
    let command = SendCommand(files: ["b": #"{"tools":[{"type":"old"}]}"#])
    let made = try command.rest(["-b", "b", "-t", "computer", "-t", "shell"])
    #expect(made == #"{"tools":[{"type":"computer"},{"type":"shell"}]}"#)
    let added = try command.rest(["-b", "b", "--set", #"tools[+]={"type":"new"}"#])
    #expect(added == #"{"tools":[{"type":"old"},{"type":"new"}]}"#)
  }

  private static let secret =
    "a secret is not for the command line: see SECRETS in oresp-tools(7)"

  private static let webSearch =
    " (domains, block, live, size, sources, country, region, city, timezone, "
    + "allowed_domains, excluded_domains, enable_image_understanding)"

  private static let wrong: [(String, String)] = [
    (
      "web_serch",
      "unknown tool web_serch; did you mean web_search? (-t help lists them; "
        + "others go as JSON or @FILE)"
    ),
    ("zzz", "unknown tool zzz (-t help lists them; others go as JSON or @FILE)"),
    ("", "unknown tool  (-t help lists them; others go as JSON or @FILE)"),
    ("web_search=x", "web_search: takes no value after =; its options follow a comma"),
    ("computer,x", "computer: takes no options, got x"),
    ("apply_patch,caller", "apply_patch: unknown option caller; did you mean callers? (callers)"),
    ("web_search,a=1,a=2", "web_search: a: a is given twice"),
    (
      "web_search,size=low,search_context_size:=1", "web_search: search_context_size is given twice"
    ),
    ("web_search,a:=b", "web_search: a: line 1, column 1: not JSON: expected a value"),
    ("web_search,:=1", "web_search: unknown option \(webSearch)"),
    ("tool_search,", "tool_search: unknown option  (execution, description, parameters)"),
    ("web_search,size", "web_search: size needs a value: low|medium|high"),
    ("web_search,size=low,size=high", "web_search: size is given twice"),
    ("web_search,domains=a;;b", "web_search: domains: expected words with ; between, got a;;b"),
    ("web_search,live=no", "web_search: live: expected true or false, got no"),
    ("file_search", "file_search: needs stores, the stores: file_search=ID[,ID...]"),
    ("file_search=", "file_search: stores: expected words with ; between, got "),
    ("file_search=v,max=x", "file_search: max: expected a whole number, got x"),
    (
      "file_search=v,text-weight=1", "file_search: embedding-weight and text-weight need each other"
    ),
    (
      "file_search=v,filter={",
      "file_search: filter: line 1, column 2: not JSON: the value does not end"
    ),
    (
      "code_interpreter=c,files=f",
      "code_interpreter: container.type: container is a string, "
        + "not an object"
    ),
    (
      "code_interpreter,offline,domains=a",
      "code_interpreter: domains: does not go together with "
        + "offline"
    ),
    ("code_interpreter,offline=1", "code_interpreter: offline takes no value"),
    ("mcp=docs", "mcp: needs one of url, connector, tunnel"),
    ("mcp=docs@https://x,tunnel=t", "mcp: needs one of url, connector, tunnel"),
    (
      "mcp=docs@x.example",
      "mcp: url: expected a URL that begins with https:// or http://, "
        + "got x.example"
    ),
    ("mcp=@https://x", "mcp: label: expected a value"),
    (
      "mcp=d@https://x,auth-env=NONE",
      "mcp: auth-env: the environment variable NONE is unset or "
        + "empty"
    ),
    ("mcp=d@https://x,header-env=A", "mcp: header-env: expected NAME:VARIABLE, got A"),
    ("mcp=d@https://x,auth=tok", "mcp: \(secret)"),
    ("mcp=d@https://x,access_token=tok", "mcp: \(secret)"),
    ("mcp=d@https://x,headers.X=tok", "mcp: \(secret)"),
    (
      #"code_interpreter,container:={"network_policy":{"domain_secrets":[1]}}"#,
      "code_interpreter: \(secret)"
    ),
    (
      "mcp=d@https://x,auth-env=TOKEN,auth-file=token",
      "mcp: auth-file: does not go together with auth-env"
    ),
    (
      "mcp=d@https://x,header-env=A:TOKEN,header-env=A:VALUE",
      "mcp: header-env: headers.A is given twice"
    ),
    (
      "mcp=d@https://x,allow=a,allow-read-only",
      "mcp: allowed_tools.read_only: allowed_tools is an array, not an object"
    ),
    ("function=@p.json", "function: needs name, its name: function=NAME[@FILE]"),
    ("function=", "function: name: expected a value"),
    ("function", "function: needs name, its name: function=NAME[@FILE]"),
    ("custom=c,text,lark=x", "custom: lark: does not go together with text"),
    ("shell=c,skills=s", "shell: skills: does not go together with container"),
    (
      "computer_use_preview=mac,width=9",
      "computer_use_preview: needs height, in pixels: "
        + "computer_use_preview=ENVIRONMENT"
    ),
    (
      "namespace=n,tools=@two.json",
      "namespace: needs description, what it is for: "
        + "namespace=NAME"
    ),
    ("{}", "line 1, column 1: a tool has a type"),
    ("[1]", "line 1, column 2: expected a JSON object"),
    ("{", "line 1, column 2: not JSON: the value does not end"),
    (
      #"{"type":"mcp","authorization":"tok"}"#,
      secret
    ),
    ("@", "expected the name of a file after @"),
  ]

  @Test(arguments: wrong)
  func `a short form that is wrong is told with its place`(form: String, why: String) {
    #expect(Self.command.refusal(["--tool", form]) == "--tool: " + why)
  }

  @Test(arguments: [
    ("web_search,return_token_budget=8000", "web_search: return_token_budget", ""),
    ("web_search,domain=a.de", "web_search: domain", "; did you mean domains?"),
    ("computer,a.b:={}", "computer: a.b", ""),
  ])
  func `a member that may be new is passed on and told`(
    form: String, place: String, near: String
  ) throws {
    let told = ["--tool: \(place) is not documented, and passed on as it is\(near)"]
    #expect(try Self.command.hints(["-t", form]) == told)
  }

  @Test func `a file that is wrong is told by its name`() {
    let none = "up.json: no id of a vector store in it (2)"
    #expect(Self.command.refusal(["-t", "file_search=@up.json"]) == none)
    let two = "-t: file_search: stores: expected ids or one @FILE, got @up.json;vs_1"
    #expect(Self.command.refusal(["-t", "file_search=@up.json,vs_1"]) == two)
    let why = Self.command.refusal(["-t", "@bad.json"])
    #expect(why == "bad.json: line 1, column 15: a tool has a type (2)")
    #expect(Self.command.refusal(["-t", "function=f@none"]) == "none: errno 2")
    #expect(
      Self.command.refusal(["-t", "function=f@g.lark"]).hasPrefix(
        "g.lark: line 1, column 1: not JSON: "))
  }

  @Test func `what came as a secret is sent, and not shown`() throws {
    let arguments = [
      "-m", "m", "hi", "-t", "mcp=a@https://x,auth-env=TOKEN,header-env=X:VALUE", "-t", "computer",
      "-t", "mcp=b@https://x,auth-file=token", "-t", "code_interpreter,domain-secrets=secrets.json",
      "--set-str", "tools[1].authorization=@token", "--unset", "tools[0].server_label",
    ]
    let body = try Self.command.builder(arguments).builder.build()
    let sent = String(decoding: body.bytes, as: UTF8.self)
    #expect(sent.components(separatedBy: #""authorization":"tok""#).count == 4)
    let (shown, hidden) = body.shown
    let text = String(decoding: shown.bytes, as: UTF8.self)
    for secret in ["tok", "val", #""value":"v""#] {
      #expect(sent.contains(secret) && !text.contains(secret))
    }
    #expect(
      hidden == [
        "tools[0].headers.X", "tools[0].authorization", "tools[1].authorization",
        "tools[2].authorization", "tools[3].container.network_policy.domain_secrets",
      ])
  }

  @Test func `a body of one's own is shown as it is`() throws {
    let given = #"{"tools":[{"type":"mcp","authorization":"mine"}],"model":"m","stream":true}"#
    let body = try SendCommand(files: ["b": given]).builder(["-b", "b"]).builder.build()
    #expect(body.shown.body.bytes == Array(given.utf8))
  }

  @Test(
    arguments: [
      ("none", #""none""#), ("auto", #""auto""#), ("required", #""required""#),
      ("function=add", #"{"type":"function","name":"add"}"#),
      ("custom=run", #"{"type":"custom","name":"run"}"#),
      ("mcp=docs", #"{"type":"mcp","server_label":"docs"}"#),
      ("mcp=docs/find", #"{"type":"mcp","server_label":"docs","name":"find"}"#),
      ("file_search", #"{"type":"file_search"}"#), ("shell", #"{"type":"shell"}"#),
      (
        "allowed=add;mcp=docs;web_search;custom=run",
        #"{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"add"},"#
          + #"{"type":"mcp","server_label":"docs"},{"type":"web_search"},"#
          + #"{"type":"custom","name":"run"}]}"#
      ),
      (
        "allowed=add,required",
        #"{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"add"}]}"#
      ),
      (#"{"type":"new"}"#, #"{"type":"new"}"#),
    ] as [(String, String)])
  func `a choice of tools is read`(text: String, choice: String) throws {
    #expect(
      try Self.command.rest(["--tool-choice", text]) == "{\"tool_choice\":\(choice)}")
  }

  @Test(arguments: [
    ("function=", "expected a name after function="), ("tool=x", "got tool=x"),
    ("allowed=a,some", "expected auto or required after the list, got some"),
    ("allowed=", "expected a name after function="), ("{", "not JSON: the value does not end"),
    ("", "expected a value"),
  ])
  func `a choice that is none is refused`(text: String, why: String) {
    let told = Self.command.refusal(["--tool-choice", text])
    #expect(told.hasPrefix("--tool-choice: ") && told.hasSuffix(why))
  }
}
