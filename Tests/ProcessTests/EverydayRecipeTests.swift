import Foundation
import ProcessSupport
import Testing

/// The README's recipes for everyday work, run as they stand there.
@Suite(.waiting) struct EverydayRecipeTests {
  @Test(arguments: first + questions + loops + reports)
  func `a recipe does what it says`(recipe: Recipe) throws { try recipe.expect() }

  @Test func `each block of the README is run by a test`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let tests = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for (heading, blocks) in try Recipe.blocks where !blocks.isEmpty {
      #expect(tests.contains("\"\(heading)\""), "no test runs what stands under \(heading)")
    }
  }

  @Test func `what is installed is where it is looked for, and is uninstalled`() throws {
    let folder = try TemporaryFolder()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let script = """
      cd '\(folder.path)' && mkdir .build && ln -s '\(Tools.folder)' .build/release
      ln -s '\(root)'/{man,completions} . && prefix=$PWD/here PATH=$PWD/here/bin:/usr/bin:/bin
      \(try Recipe.script("Install"))
      ls "$prefix"/share/man/man1/oresp-text.1 "$prefix"/share/man/man7/oresp.7
      command -v oresp-{send,sse,events,text} && oresp-send --rehearse | oresp-text | head -c 4
      echo; (cd "$prefix/share" && ls bash-completion/completions zsh/* fish/*)
      \(try Recipe.script("Install", 1))
      find "$prefix" ! -type d
      """
    let run = try ToolProcess.bash(script)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let tools = ["oresp-send", "oresp-sse", "oresp-events", "oresp-text"]
    let pages = ["man1/oresp-text.1", "man7/oresp.7"].map { "share/man/" + $0 }
    let sorted = tools.sorted()
    let lists =
      sorted.map { $0 + ".bash" } + ["", "fish/vendor_completions.d:"]
      + sorted.map { $0 + ".fish" } + ["", "zsh/site-functions:"] + sorted.map { "_" + $0 }
    #expect(
      Finished.lines(run.text)
        == pages.map { folder.path + "/here/" + $0 } + tools.map { folder.path + "/here/bin/" + $0 }
        + ["This", "bash-completion/completions:"] + lists)
  }

  @Test func `a run is drawn as text and as a picture`() throws {
    let folder = try TemporaryFolder()
    let server = try RecipeServer(key: Sender.key, [])
    let recipe = Recipe(heading: "Where did the time go?", environment: Self.rehearsal)
    let run = try recipe.run(in: folder, asking: server)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(run.text.hasPrefix("resp_rehearsal, gpt-5.2, completed in "))
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
      setup: #"printf '\x89PNG\r\n\x1a\n' >chart.png"#, key: "sk-your-key",
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
            "What is new in Swift?",
            #","tools":[{"type":"web_search"}],"reasoning":{"effort":"low"}"#),
          Recipe.says("Much.")),
      ], prints: "Air.\nThey do.\nMuch.\n"),
    Recipe(
      heading: "First real answer", block: 1, setup: "ask() { oresp-send -n \"$@\"; }",
      prints: ["openai/gpt-5-mini", "gpt-oss:20b", "local"].map {
        #"{"model":"\#($0)","input":"Why is the sky blue?","stream":true}"# + "\n"
      }.joined()),
  ]

  private static let notes = Recipe.text("Go.\n", name: "plan.md")

  private static let questions = [
    Recipe(
      heading: "Explain a diff", setup: "git init -q && echo one >a && git add a",
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "What does this change, and what could it break?",
            files: [
              Recipe.text(
                """
                diff --git a/a b/a
                new file mode 100644
                index 0000000..5626abf
                --- /dev/null
                +++ b/a
                @@ -0,0 +1 @@
                +one

                """)
            ], #","instructions":"You review code. Be brief.""#), Recipe.says("Nothing."))
      ], prints: "Nothing.\n"),
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
      heading: "Lock, log and retry", files: ["notes.md": "Go.\n"],
      rows: [
        .init(
          "POST /responses",
          Recipe.asks(
            "Summarize it in three sentences.", files: [Recipe.text("Go.\n", name: "notes.md")]),
          .body("{}", status: 503, headers: [("retry-after-ms", "1")]), Recipe.says("Go. Go. Go."))
      ], writes: ["summary.txt": "Go. Go. Go.\n"]),
    Recipe(
      heading: "Lock, log and retry", setup: "exec 8>>summary.lock; flock 8",
      arguments: []),
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
      environment: ["ORESP_REHEARSE": "refusal"], tells: "oresp-text: the model refused", status: 7),
    Recipe(
      heading: "Chat in a few lines", input: "Hello.\nWhy?\n",
      rows: [
        .init("POST /responses", Recipe.asks("Hello."), Recipe.says("Hi.")),
        .init(
          "POST /responses", Recipe.asks("Why?", #","previous_response_id":"resp_1""#),
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

  private static let reports = [
    Recipe(
      heading: "The text now, the progress on stderr", environment: rehearsal, prints: rehearsed,
      tells: "oresp-events: done in "),
    Recipe(
      heading: "What the tools did, by jq", environment: rehearsal,
      prints: "web_search_call\tcompleted\thow to rehearse a request\n"),
    Recipe(heading: "Record a run and replay it", environment: rehearsal, prints: rehearsed),
    Recipe(
      heading: "Split by type, work on one part, join",
      setup: "oresp-send --rehearse | oresp-sse >run.ndjson", prints: rehearsed),
    Recipe(
      heading: "A bibliography", environment: rehearsal,
      prints: """
        - [Zeichen – 文字](https://example.com/characters?lang=de)
        - [Rehearsing](https://example.org/rehearsal)

        """),
    Recipe(
      heading: "Is the cache working?",
      setup:
        "mkdir answers && oresp-send --rehearse >answers/1.sse && sed s/resp_rehearsal/resp_other/g answers/1.sse >answers/2.sse",
      prints: "0 % of the input\n"),
    Recipe(
      heading: "Use another client",
      rows: [
        .init(
          "POST /responses", .json(#"{"model":"m","input":"Why?","stream":true}"#),
          Recipe.says("So."))
      ], prints: "So.\n"),
    Recipe(
      heading: "A vector store from a folder",
      setup: "mkdir notes && echo One. >notes/1.md && echo Two. >notes/2.md",
      rows: [
        .init(
          "POST /files", .form(["purpose=assistants", "file@1.md:text/markdown=One.\n"]),
          #"{"id":"file-1","object":"file"}"#),
        .init(
          "POST /files", .form(["purpose=assistants", "file@2.md:text/markdown=Two.\n"]),
          #"{"id":"file-2","object":"file"}"#),
        .init(
          "POST /vector_stores", .json(#"{"name":"notes","file_ids":["file-1","file-2"]}"#),
          #"{"id":"vs_1","object":"vector_store","status":"completed"}"#),
        .init(
          "POST /responses",
          Recipe.asks(
            "What was decided?",
            #","tools":[{"type":"file_search","vector_store_ids":["vs_1"]}]"#),
          Recipe.says("Much.")),
      ], prints: "Much.\n"),
  ]
}
