import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The recipes for everyday work, run as they stand in the README and in oresp-recipes(7).
@Suite(.waiting) struct EverydayRecipeTests {
  @Test(arguments: first + questions + loops + reports + looks)
  func `a recipe does what it says`(recipe: Recipe) throws { try recipe.expect() }

  @Test func `each recipe is run by a test`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let tests = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for (heading, blocks) in try Recipe.blocks where !blocks.isEmpty {
      #expect(tests.contains("\"\(heading)\""), "no test runs what stands under \(heading)")
    }
  }

  @Test func `a run is drawn as text and as a picture`() throws {
    let folder = try TemporaryFolder()
    let server = try RecipeServer(key: Sender.key, [])
    let recipe = Recipe(heading: "Where the time went", environment: Self.rehearsal)
    let run = try recipe.run(in: folder, asking: server)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(run.text.hasPrefix("resp_rehearsal_"))
    #expect(run.text.contains(", gpt-5.2, completed in "))
    let picture = try String(contentsOfFile: folder.path + "/run.svg", encoding: .utf8)
    #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
  }

  private static let rehearsal = ["ORESP_REHEARSE": "completed"]
  private static let rehearsed = """
    This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal)).

    It has a “naïve” café, 東京 and a 🚆 in it ([example.com](https://example.com/characters?lang=de)), as answers do.

    """

  private static let first = [
    Recipe(
      heading: "First real answer", files: ["report.pdf": "%PDF-1.4\n"],
      setup: #"printf '\x89PNG\r\n\x1a\n' >chart.png; "# + "git init -q; echo one >a; git add -N a",
      key: "sk-your-key",
      rows: [
        .init("POST /responses", Recipe.asks("Why is the sky blue?"), Recipe.says("Air.")),
        .init(
          "POST /responses",
          Recipe.asks(
            "Do the two agree?",
            files: [
              #"{"type":"input_file","filename":"report.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjQK"}"#,
              #"{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo=","detail":"auto"}"#,
            ]), Recipe.says("They do.")),
        .init(
          "POST /responses",
          Recipe.asks(
            "What could this break?", files: [Recipe.text(newFile)],
            #","instructions":"You review code.""#),
          Recipe.says("Nothing.")),
      ], prints: "Air.\nThey do.\nNothing.\n"),
    Recipe(
      heading: "First real answer", block: 1, setup: "ask() { oresp-send -n \"$@\"; }",
      prints: ["openai/gpt-5-mini", "local"].map {
        #"{"model":"\#($0)","input":"Why is the sky blue?","stream":true}"# + "\n"
      }.joined()),
  ]

  /// What `git diff` prints of a file `a` that is new.
  private static let newFile = """
    diff --git a/a b/a
    new file mode 100644
    index 0000000..5626abf
    --- /dev/null
    +++ b/a
    @@ -0,0 +1 @@
    +one

    """

  private static let notes = Recipe.text("Go.\n", name: "plan.md")

  private static let questions = [
    Recipe(
      heading: "A digest by cron that mails only on trouble", files: ["app.log": "1 INFO up\n"]),
    Recipe(
      heading: "A digest by cron that mails only on trouble",
      files: ["app.log": "1 INFO up\n2 ERROR disk\n"],
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "Which of these need a person, and why?", files: [Recipe.text("2 ERROR disk\n")]),
          Recipe.says("The disk."))
      ], writes: ["digest.txt": "The disk.\n"]),
    Recipe(
      heading: "A digest by cron that mails only on trouble", files: ["app.log": "2 ERROR disk\n"],
      environment: ["ORESP_REHEARSE": "http-401"],
      tells: "oresp-send: error: invalid_api_key: ", status: 4),
    Recipe(
      heading: "Lock, log, retry and alert", files: ["notes.md": "Go.\n"],
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "Summarize it in three sentences.", files: [Recipe.text("Go.\n", name: "notes.md")]),
          .body("{}", status: 503, headers: [("retry-after-ms", "1")]), Recipe.says("Go. Go. Go."))
      ], writes: ["summary.txt": "Go. Go. Go.\n"]),
    Recipe(heading: "Lock, log, retry and alert", setup: "exec 8>>summary.lock; flock 8"),
    Recipe(
      heading: "Lock, log, retry and alert", files: ["notes.md": "Go.\n"],
      setup: #"mail() { echo "$@"; head -n 1 | cut -d : -f 1,2; }"#,
      environment: ["ORESP_REHEARSE": "refusal"],
      prints: "-s no summary you@example.org\noresp-send: ORESP_REHEARSE=refusal\n"),
    Recipe(
      heading: "Compare models", arguments: ["-- why?"],
      rows: [("gpt-5.2", "So."), ("gpt-5-mini", "Thus.")].map { model, text in
        .init(
          "POST /responses",
          .json(#"{"model":"\#(model)","input":"-- why?","stream":true}"#),
          Recipe.says(text))
      }, prints: "== gpt-5.2 ==\nSo.\n== gpt-5-mini ==\nThus.\n"),
    Recipe(
      heading: "Fan out over a list", files: ["cities.txt": "Rome\n\nLe Havre\nYork/England\n"],
      rows: [
        .init("POST /responses", Recipe.asks("Name one sight of Rome."), Recipe.says("A wall.")),
        .init(
          "POST /responses", Recipe.asks("Name one sight of Le Havre."), Recipe.says("A tower.")),
        .init(
          "POST /responses", Recipe.asks("Name one sight of York/England."), Recipe.says("A gate.")),
      ],
      writes: [
        "Rome.txt": "A wall.\n", "Le Havre.txt": "A tower.\n", "York_England.txt": "A gate.\n",
      ]),
    Recipe(
      heading: "Structured extraction",
      files: [
        "invoice.txt": "Invoice 7: 12.50\n",
        "invoice.schema.json":
          #"{"type":"object","properties":{"number":{"type":"integer"},"total":{"type":"number"}},"#
          + #""required":["number","total"],"additionalProperties":false}"#,
      ], environment: ["ORESP_REHEARSE": "json"], prints: "1\t1\n"),
    gate(says: #"{\"ok\":true,\"why\":\"All.\"}"#),
    gate(says: #"{\"ok\":false,\"why\":\"None.\"}"#, tells: "None.", status: 1),
    Recipe(
      heading: "A gate in CI", setup: gitHistory, environment: ["ORESP_REHEARSE": "incomplete"],
      tells: "oresp-send: the response is incomplete", status: 6),
    Recipe(
      heading: "Images to files",
      rows: [
        .init(
          "POST /responses",
          Recipe.asks("Draw a red barn.", #","tools":[{"type":"image_generation"}]"#),
          Recipe.answers(
            #"{"id":"ig_1","type":"image_generation_call","status":"completed","result":"iVBORw0KGgo="}"#
          ))
      ], prints: "pictures/ig_1.png\n"),
  ]

  private static func gate(says: String, tells: String = "", status: Int32 = 0) -> Recipe {
    let diff = """
      diff --git a/a b/a
      index 5626abf..f719efd 100644
      --- a/a
      +++ b/a
      @@ -1 +1 @@
      -one
      +two

      """
    let schema =
      #"{"type":"object","properties":{"ok":{"type":"boolean"},"why":{"type":"string"}},"#
      + #""required":["ok","why"],"additionalProperties":false}"#
    return Recipe(
      heading: "A gate in CI", setup: gitHistory,
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "Does each new function have a test?", files: [Recipe.text(diff)],
            #","text":{"format":{"type":"json_schema","name":"answer","strict":true,"schema":\#(schema)}}"#
          ), Recipe.says(says))
      ], tells: tells, status: status)
  }

  private static let gitHistory =
    "git init -q && git config user.name n && git config user.email e@example.org"
    + " && echo one >a && git add a && git commit -qm one && echo two >a && git commit -qam two"

  private static let loops = [
    Recipe(
      heading: "Retry temporary failures", files: ["plan.md": "Go.\n"],
      rows: [
        .init(
          "POST /responses", Recipe.asks("What is wrong with it?", files: [notes]),
          .stream(
            Array(SampleStream.stream(Array(SampleStream.events[..<4])).utf8), .untilClose),
          Recipe.says("It is short."))
      ], writes: ["answer.txt": "It is short.\n"]),
    Recipe(
      heading: "Retry temporary failures", files: ["plan.md": "Go.\n"],
      environment: ["ORESP_REHEARSE": "refusal"], tells: "oresp-send: the model refused", status: 7),
    Recipe(
      heading: "Chat in a few lines", files: ["typed": "Hello.\n--why?\n"], setup: "exec <typed",
      rows: [
        .init("POST /responses", Recipe.asks("Hello."), Recipe.says("Hi.")),
        .init(
          "POST /responses", Recipe.asks("--why?", #","previous_response_id":"resp_1""#),
          Recipe.says("So.")),
      ], prints: "Hi.\nSo.\n", status: 0),
    Recipe(
      heading: "Approve the calls of an MCP server", arguments: ["Roll 2d6."], input: "y\n",
      rows: [
        .init(
          "POST /responses", Recipe.asks("Roll 2d6.", dice),
          Recipe.answers(
            #"{"id":"mcpr_1","type":"mcp_approval_request","server_label":"dice","name":"roll","arguments":"{\"n\":2}"}"#
          )),
        .init(
          "POST /responses",
          .json(
            #"{"model":"gpt-5.2","previous_response_id":"resp_1","stream":true,"input":["#
              + #"{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}]"#
              + dice + "}"), Recipe.says("Seven.")),
      ], prints: "Seven.\n", tells: #"["dice","roll","{\"n\":2}"]"#),
  ]

  private static let dice =
    #","tools":[{"type":"mcp","server_label":"dice","server_url":"https://dice.example.org/mcp","#
    + #""require_approval":"always"}]"#

  /// Two answers that were kept.
  private static let answers =
    "mkdir answers && oresp-send --rehearse | sed s/_rehearsal_[0-9a-f]*/_rehearsal/g >answers/1.sse && sed s/resp_rehearsal/resp_other/g answers/1.sse >answers/2.sse"

  private static let looks = [
    Recipe(
      heading: "Write a file only when the answer is whole", files: ["notes.md": "Go.\n"],
      rows: [
        .init(
          "POST /responses",
          Recipe.asks("Sum it up.", files: [Recipe.text("Go.\n", name: "notes.md")]),
          Recipe.says("Go."))
      ], writes: ["summary.txt": "Go.\n"]),
    Recipe(
      heading: "Write a file only when the answer is whole",
      files: ["notes.md": "Go.\n", "summary.txt": "Old.\n"],
      environment: ["ORESP_REHEARSE": "incomplete"], writes: ["summary.txt": "Old.\n"],
      tells: "oresp-send: the response is incomplete", status: 6),
    Recipe(
      heading: "Answer a call of a function",
      files: ["tools.json": #"{"tools":[{"type":"function","name":"temperature"}]}"#],
      rows: [
        .init(
          "POST /responses",
          .json(
            #"{"tools":[{"type":"function","name":"temperature"}],"model":"gpt-5.2","stream":true,"#
              + #""input":"What is 19 + 23?"}"#),
          Recipe.answers(
            #"{"id":"fc_1","type":"function_call","status":"completed","call_id":"c1","name":"temperature","arguments":"{}"}"#
          )),
        .init(
          "POST /responses",
          .json(
            #"{"tools":[{"type":"function","name":"temperature"}],"model":"gpt-5.2","stream":true,"#
              + #""previous_response_id":"resp_1","input":[{"type":"function_call_output","#
              + #""call_id":"c1","output":"42"}]}"#), Recipe.says("It is.")),
      ], prints: "It is.\n"),
    Recipe(
      heading: "Work on a list while it is written",
      files: ["items.schema.json": #"{"type":"object"}"#],
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "Name ten rivers.",
            #","text":{"format":{"type":"json_schema","name":"items","schema":{"type":"object"},"strict":true}}"#
          ), Recipe.says(#"{\"items\":[{\"name\":\"Rhine\"},{\"name\":\"Po\"}]}"#))
      ], prints: "Rhine\nPo\n"),
    Recipe(
      heading: "What your runs cost", environment: rehearsal,
      prints: rehearsed
        + #"{"total":{"responses":1,"unknown":0,"input_tokens":312,"cached_tokens":0,"#
        + #""output_tokens":64,"reasoning_tokens":0,"cost":0.00103}}"# + "\n"),
    Recipe(
      heading: "Propose a commit message", files: ["message": "# Changes:\n"],
      setup: "git init -q && echo one >a && git add a", arguments: ["message"],
      rows: [
        .init(
          "POST /responses",
          Recipe.asksOnly(newFile, #","instructions":"Write a commit message.""#),
          Recipe.says("Add a."))
      ], writes: ["message": "Add a.\n# Changes:\n"]),
    Recipe(
      heading: "Propose a commit message", files: ["message": "Mine.\n"],
      arguments: ["message", "message"], writes: ["message": "Mine.\n"]),
    Recipe(
      heading: "Pick an answer with fzf", setup: answers + "; fzf() { sort | tail -n 1; }",
      prints: rehearsed.replacing("))", with: "))[1]", maxReplacements: 1)
        .replacing("lang=de))", with: "lang=de))[2]")
        + "\n[1] Rehearsing <https://example.org/rehearsal>\n"
        + "[2] Zeichen – 文字 <https://example.com/characters?lang=de>\n"),
    Recipe(
      heading: "Cost by day and model",
      files: ["prices.json": #"{"gpt-5.2":{"input":1,"output":2}}"#], setup: answers,
      prints: "2026-01-01\tgpt-5.2\t2\t0.00088\n"),
    Recipe(
      heading: "The thoughts of a local model",
      rows: [
        .init(
          "POST /responses", Recipe.asks("Why is the sky blue?"),
          Recipe.says(#"<think>\nAir?\n</think>\n\nAir."#))
      ], prints: "Air.\n"),
    Recipe(
      heading: "A second model when the first fails", arguments: ["--why?"],
      rows: [
        .init(
          "POST /responses", .json(#"{"model":"gpt-5.2","input":"--why?","stream":true}"#),
          .body("{}", status: 503, headers: [("retry-after-ms", "1")])),
        .init(
          "POST /responses", .json(#"{"model":"gpt-5-mini","input":"--why?","stream":true}"#),
          Recipe.says("So.")),
      ], writes: ["answer.txt": "So.\n"],
      tells: "oresp-send: HTTP 503 (model gpt-5.2); trying again"),
    Recipe(
      heading: "A second model when the first fails", arguments: ["Why?"],
      environment: ["ORESP_REHEARSE": "refusal"], tells: "oresp-send: the model refused", status: 7),
    Recipe(
      heading: "A table of tokens", setup: answers,
      writes: [
        "usage.csv": """
        "resp_rehearsal","gpt-5.2",312,64
        "resp_other","gpt-5.2",312,64

        """
      ]),
  ]

  @Test func `questions become answers in their order, with the number of each`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("questions.txt", "Why?\n\nHow?")
    let asked = { (text: String) in
      RecipeServer.Row(
        "POST /responses", .json(#"{"model":"gpt-5.2","input":"\#(text)"}"#),
        SampleStream.response(
          "completed",
          output:
            #"{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"So: \#(text)","annotations":[]}]}"#
        ))
    }
    let server = try RecipeServer(key: Sender.key, [asked("Why?"), asked("How?")])
    let run = try Recipe(heading: "Ask many questions, 16 at a time")
      .run(in: folder, asking: server)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let lines = Finished.lines(run.text)
    #expect(lines.filter { $0 != "" } == ["== 1 ==", "So: Why?", "== 3 ==", "So: How?"])
    #expect(server.isAskedInFull)
  }

  @Test func `two models stand side by side, in the text and in the figures`() throws {
    let models = ["gpt-5.2", "gpt-5-mini"]
    let rows = zip(models, ["So.", "Thus."]).map { model, text in
      RecipeServer.Row(
        "POST /responses", .json(#"{"model":"\#(model)","input":"Why?","stream":true}"#),
        Recipe.says(text))
    }
    let server = try RecipeServer(key: Sender.key, rows)
    let run = try Recipe(heading: "Compare models", block: 1, arguments: ["Why?"])
      .run(in: TemporaryFolder(), asking: server)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(server.isAskedInFull)
    let lines = run.lines
    #expect(lines.first?.split(whereSeparator: \.isWhitespace) == ["So.", "Thus."])
    for model in models {
      #expect(lines.contains { $0.hasPrefix("\(model), resp_") }, "\(run.text)")
    }
    let figures = lines.suffix(2).map { $0.split(separator: "\t").prefix(2).map(String.init) }
    #expect(figures == models.map { [$0, "completed"] })
  }

  @Test func `recordings of many hosts stand in the order of their times`() throws {
    let folder = try TemporaryFolder()
    let events = { (id: String, from: Int) in
      SampleStream.events.map { $0.replacing("resp_1", with: id) }.enumerated().map {
        "\($1.dropLast()),\"oresp\":{\"request\":\"\(id)\",\"at\":\(from + 2 * $0)}}\n"
      }.joined()
    }
    _ = try folder.file("one.ndjson", events("resp_a", 100))
    _ = try folder.file("two.ndjson", events("resp_b", 101))
    let run = try Recipe(heading: "Join the recordings of many hosts")
      .run(in: folder, asking: RecipeServer(key: Sender.key, []))
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(Finished.lines(run.text).count == 2)
    let times = try String(contentsOfFile: folder.path + "/all.ndjson", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: #""at":"#)[1].dropLast(2) }
    #expect(times == times.sorted() && times.count == 2 * SampleStream.events.count)
  }

  @Test func `a rule of make asks until its file is there`() throws {
    let page = Manual(name: "oresp-recipes", section: 7)
    let block = try #require(try page.blocks.first { $0.heading == "A rule of make" })
    let rule = block.lines.joined(separator: "\n")
    let folder = try TemporaryFolder()
    _ = try folder.file("Makefile", rule + "\n")
    _ = try folder.file("a.md", "Go.\n")
    let run = try ToolProcess.bash(
      """
      cd '\(folder.path)'; ORESP_REHEARSE=cut make -s a.txt; echo "$?"; ls
      ORESP_REHEARSE=completed make -s a.txt; echo "$?"; ls; make -q a.txt; echo "$?"
      """, environment: ["ORESP_MODEL": "gpt-5.2"])
    #expect(run.text == "2\nMakefile\na.md\n0\nMakefile\na.md\na.txt\n0\n")
  }

  @Test func `the units of systemd are sound`() throws {
    let folder = try TemporaryFolder()
    let script = try Recipe.script("A systemd timer")
    let run = try ToolProcess.bash(
      """
      HOME='\(folder.path)'; export XDG_RUNTIME_DIR=$HOME; mkdir -p "$HOME/digest"; \(script)
      cd "$HOME/.config/systemd/user" && ls
      type -P systemd-analyze >/dev/null || exit 0
      systemd-analyze --user verify ./digest.service ./digest.timer
      """)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(run.text == "digest.service\ndigest.timer\n")
    #expect(run.errors == "")
  }

  /// The server of tmux is one of its own, and ends with it; a client needs a terminal, and so does
  /// not attach here.
  @Test func `a dashboard has three panes`() throws {
    let folder = try TemporaryFolder()
    let script = try Recipe.script("A dashboard in tmux")
    let run = try ToolProcess.bash(
      """
      type -P tmux >/dev/null || exit 0
      cd '\(folder.path)'; export TMUX_TMPDIR=$PWD ORESP_REHEARSE=completed
      tmux() { case $1 in attach) ;; *) command tmux -f /dev/null "$@" ;; esac; }
      trap 'tmux kill-server' EXIT
      \(script)
      for i in $(seq 200)
      do tmux capture-pane -pJS - -t oresp:0.1 | grep -q rehearsal && break; sleep 0.05
      done
      tmux list-panes -t oresp | wc -l
      tmux capture-pane -pJS - -t oresp:0.1 | grep -o 'is a rehearsal'
      """, environment: ["HOME": folder.path, "ORESP_MODEL": "gpt-5.2"])
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(["", "3\nis a rehearsal\n"].contains(run.text))
  }

  private static let reports = [
    Recipe(
      heading: "The text, the progress and the sources, each in its place", environment: rehearsal,
      prints: rehearsed,
      writes: [
        "sources.txt": """
        [1] Rehearsing <https://example.org/rehearsal>
        [2] Zeichen – 文字 <https://example.com/characters?lang=de>

        """
      ],
      tells: "oresp-events: done in "),
    Recipe(
      heading: "What the tools did, by jq", environment: rehearsal,
      prints: "web_search_call\tcompleted\thow to rehearse a request\n"),
    Recipe(
      heading: "Record a run, replay it, count its events by type, and see where the time went",
      environment: rehearsal,
      prints: rehearsed + """
        {
          "response.created": 1,
          "response.in_progress": 1,
          "response.completed": 1,
          "response.output_item.added": 2,
          "response.output_item.done": 2,
          "response.content_part.added": 1,
          "response.content_part.done": 1,
          "response.output_text.delta": 19,
          "response.output_text.done": 1,
          "response.output_text.annotation.added": 2,
          "response.web_search_call.in_progress": 1,
          "response.web_search_call.searching": 1,
          "response.web_search_call.completed": 1
        }

        """),
    Recipe(
      heading: "Search the web, and list the sources", environment: rehearsal,
      prints: """
        This answer is a rehearsal: no model was asked for it ([example.org](https://example.org/rehearsal))[1].

        It has a “naïve” café, 東京 and a 🚆 in it ([example.com](https://example.com/characters?lang=de))[2], as answers do.

        [1] Rehearsing <https://example.org/rehearsal>
        [2] Zeichen – 文字 <https://example.com/characters?lang=de>

        """),
    Recipe(
      heading: "A bibliography", environment: rehearsal,
      prints: """
        - [Zeichen – 文字](https://example.com/characters?lang=de)
        - [Rehearsing](https://example.org/rehearsal)

        """),
    Recipe(
      heading: "Status, text and sources, each in its own place", environment: rehearsal,
      writes: ["answer.md": rehearsed]),
    Recipe(
      heading: "Use another client",
      rows: [
        .init(
          "POST /responses", .json(#"{"model":"m","input":"Why?","stream":true}"#),
          Recipe.says("So."))
      ], prints: "So.\n"),
    Recipe(
      heading: "A vector store from a folder",
      setup: "sleep() { :; }; mkdir notes; echo One. >notes/1.md; echo Two. >notes/2.md",
      rows: [
        .init(
          "POST /files", .form(["purpose=assistants", "file@1.md:text/markdown=One.\n"]),
          #"{"id":"file-1","object":"file"}"#),
        .init(
          "POST /files", .form(["purpose=assistants", "file@2.md:text/markdown=Two.\n"]),
          #"{"id":"file-2","object":"file"}"#),
        .init(
          "POST /vector_stores", .json(#"{"name":"notes","file_ids":["file-1","file-2"]}"#),
          #"{"id":"vs_1","object":"vector_store","status":"in_progress"}"#),
        .init(
          "GET /vector_stores/vs_1", .none, #"{"id":"vs_1","status":"in_progress"}"#,
          #"{"id":"vs_1","status":"completed"}"#),
        .init(
          "POST /responses",
          Recipe.asks(
            "What was decided?",
            #","tools":[{"type":"file_search","vector_store_ids":["vs_1"]}]"#),
          Recipe.says("Much.")),
      ], prints: "Much.\n"),
  ]
}
