import Foundation
import ProcessSupport
import Testing

/// The advice in messages on wrong command lines, followed as it stands.
@Suite(.waiting) struct AdviceTests {
  /// A wrong command line, the words of its message that are typed next, and what comes of them.
  struct Row: Sendable, CustomTestStringConvertible {
    let wrong: String
    let advice: String
    /// What a reader types in place of a word of the advice.
    var words: [String: String] = [:]
    /// What stands before and behind the advice when it is typed.
    var before = ""
    var behind = ""
    /// What the output begins with.
    let prints: String

    var testDescription: String { wrong }
  }

  @Test(arguments: rows) func `advice that is followed does what was meant`(row: Row) throws {
    let folder = try TemporaryFolder()
    for (name, text) in Self.files { _ = try folder.file(name, text) }
    let environment = [
      "ORESP_REHEARSE": "completed", "ORESP_MODEL": "m", "OPENAI_API_KEY": Sender.key,
    ]
    func run(_ script: String) throws -> Finished {
      try ToolProcess.bash("cd '\(folder.path)'; \(script)", environment: environment)
    }
    let wrong = try run(Self.setup + row.wrong)
    let told = wrong.errors + wrong.text.replacing("\n", with: " ")
    #expect(told.contains(row.advice), "\(told)")
    var typed = row.advice
    for (word, value) in row.words { typed = typed.replacing(word, with: value) }
    let right = try run(row.before + typed + row.behind)
    #expect(right.outcome == .exited(0), "\(right.errors)")
    #expect(right.text.hasPrefix(row.prints), "\(right.text)\(right.errors)")
  }

  private static let setup =
    #"oresp-send Hi >run.sse 2>/dev/null; printf '\x89PNG\r\n\x1a\n' >photo.png; "#

  private static let files = [
    "chat.sse":
      #"{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"#
      + #""message":{"role":"assistant","content":"So."},"finish_reason":"stop"}]}"#,
    "tools.json": #"[{"type":"web_search"}]"#,
    "schema.json": #"{"type":"object","properties":{}}"#, "lines.txt": "Yes\n",
    "prompts.jsonl": #"{"prompt":"Why?"}"#, "key": "OPENAI_API_KEY=sk-12345678\n",
  ]

  private static let rows =
    ["text", "events", "sse"].map { tool in
      Row(
        wrong: "oresp-\(tool) -f run.sse", advice: "tail -n +1 -f FILE | oresp-\(tool) --until-end",
        words: ["FILE": "run.sse"],
        prints: tool == "text" ? "This answer is a rehearsal" : #"{"type":"response.created""#)
    } + [
      Row(
        wrong: "oresp-send --batch 'Translate:' <lines.txt", advice: "-s TEXT",
        words: ["TEXT": "'Translate:'"], before: "oresp-send -n --batch ", behind: " <lines.txt",
        prints:
          #"{"custom_id":"1","method":"POST","url":"/v1/responses","body":{"model":"m","#
          + #""input":"Yes","instructions":"Translate:"}}"#),
      Row(
        wrong: "oresp-send -n --batch prompts.jsonl",
        advice: #"{"custom_id":"1","body":{"input":"Why?"}}"#, before: "echo '",
        behind: "' | oresp-send --batch",
        prints: #"{"id":"batch_req_1","custom_id":"1","response":{"status_code":200"#),
      Row(
        wrong: "oresp-send -i photo.png Hi", advice: "-f FILE", words: ["FILE": "photo.png"],
        before: "oresp-send -n ", behind: " Hi", prints: #"{"model":"m","input":[{"type":"message""#
      ),
      Row(
        wrong: "oresp-send --api=chat --previous resp_1 Hi", advice: "oresp-events --items",
        behind: " chat.sse >talk && oresp-send -n --api=chat --items talk Hi",
        prints:
          #"{"model":"m","messages":[{"role":"assistant","content":"So."},{"role":"user","content":"Hi"}]"#
      ),
      Row(
        wrong: "oresp-send --api=chat --previous resp_1 Hi", advice: "--items FILE",
        words: ["FILE": "talk"],
        before: "oresp-events --items chat.sse >talk; oresp-send -n --api=chat ", behind: " Hi",
        prints:
          #"{"model":"m","messages":[{"role":"assistant","content":"So."},{"role":"user","content":"Hi"}]"#
      ),
      Row(
        wrong: "ORESP_REHEARSE= oresp-send --provider azure Hi",
        advice: "AZURE_OPENAI_ENDPOINT", before: "unset ORESP_MODEL; ",
        behind: "=http://127.0.0.1:9 AZURE_OPENAI_DEPLOYMENT=d oresp-send -n --provider azure Hi",
        prints: #"{"model":"d","input":"Hi","stream":true}"#),
      Row(
        wrong: "oresp-send --curl", advice: "oresp-send -n ... | curl --json @- URL",
        words: ["...": "Hi", "URL": "''"], before: "curl() { echo \"$1 $2\"; cat; }; ",
        prints: "--json @-\n" + #"{"model":"m","input":"Hi","stream":true}"#),
      Row(
        wrong: "oresp-send --help=curl", advice: "oresp-send -n ... | curl --json @- URL",
        words: ["...": "Hi", "URL": "''"], before: "curl() { cat; }; ",
        prints: #"{"model":"m","input":"Hi","stream":true}"#),
      Row(
        wrong: "oresp-send --detail=low -f photo.png Hi", advice: "-f 'FILE;detail=LEVEL'",
        words: ["FILE": "photo.png", "LEVEL": "low"], before: "oresp-send -n ",
        behind: " Hi | grep -o detail...low.", prints: #""detail":"low""#.dropFirst().description),
      Row(
        wrong: "oresp-send --strict -S schema.json Hi",
        advice: "--set text.format.strict=false",
        before: "oresp-send -n -S schema.json ", behind: " Hi | jq -c .text.format.strict",
        prints: "false\n"),
      Row(
        wrong: "oresp-send --embeddings Hi",
        advice: "oresp-send --path /embeddings -m MODEL --set-str input=TEXT",
        words: ["TEXT": "Hi"], behind: " -n", prints: #"{"model":"MODEL","input":"Hi"}"#),
      Row(
        wrong: "oresp-send --speech Hi",
        advice:
          "oresp-send --path /audio/speech -m MODEL --set-str voice=alloy --set-str input=TEXT >FILE",
        words: ["TEXT": "Hi", "FILE": "made"], behind: " -n; cat made",
        prints: #"{"model":"MODEL","voice":"alloy","input":"Hi"}"#),
      Row(
        wrong: "oresp-events --pretty run.sse", advice: "oresp-events --exact ... | jq .",
        words: ["...": "-t completed run.sse"], prints: "{\n  \"type\": \"response.completed\","),
      Row(
        wrong: "oresp-events --csv run.sse",
        advice: "oresp-events --usage | jq -r '[.model, .usage.total_tokens] | @csv'",
        words: ["--usage": "--usage run.sse"], prints: "\"m\",376\n"),
      Row(
        wrong: "ORESP_REHEARSE= oresp-send --api-key-file key Hi",
        advice: "expected the key alone, without OPENAI_API_KEY= in front",
        words: ["expected the key alone, without OPENAI_API_KEY= in front": "sed s/.*=//"],
        behind: " key", prints: "sk-12345678\n"),
      Row(
        wrong: "oresp-send -n \u{2013}m gpt-5 'Why?'", advice: "put -- before a word",
        words: ["put -- before a word": "--"], before: "oresp-send -n ",
        behind: " '\u{2013}m gpt-5'", prints: #"{"model":"m","input":"–m gpt-5","stream":true}"#),
      Row(
        wrong: "oresp-send -b tools.json Hi", advice: "-t @FILE", words: ["FILE": "tools.json"],
        before: "oresp-send -n ", behind: " Hi",
        prints: #"{"model":"m","tools":[{"type":"web_search"}]"#),
      Row(
        wrong:
          "ORESP_REHEARSE= ORESP_MODEL= AZURE_OPENAI_ENDPOINT=http://127.0.0.1:9 oresp-send -n"
          + " --provider azure Hi", advice: "AZURE_OPENAI_DEPLOYMENT",
        before: "unset ORESP_MODEL; ",
        behind: "=d AZURE_OPENAI_ENDPOINT=http://127.0.0.1:9 oresp-send -n --provider azure Hi",
        prints: #"{"model":"d","input":"Hi","stream":true}"#),
      Row(
        wrong: "oresp-send -n -t file_search Hi", advice: "-t file_search=vs_1",
        before: "oresp-send -n ", behind: " Hi",
        prints: #"{"model":"m","tools":[{"type":"file_search","vector_store_ids":["#),
      Row(
        wrong: "oresp-send -n -t add Hi", advice: "function=add", before: "oresp-send -n -t ",
        behind: " Hi",
        prints: #"{"model":"m","tools":[{"type":"function","name":"add""#),
      Row(
        wrong: "oresp-send -n -t mcp Hi", advice: "-t mcp=docs@https://mcp.example.com",
        before: "oresp-send -n ", behind: " Hi",
        prints: #"{"model":"m","tools":[{"type":"mcp","server_label":"docs","#),
    ]

  @Test func `https to a server that speaks http is told`() throws {
    let script = """
      import socket
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      client = server.accept()[0]
      client.recv(65536)
      client.sendall(b"HTTP/1.1 400 Bad Request\\r\\n\\r\\n")
      client.recv(65536)
      """
    let server = try ToolProcess("python3", ["-c", script])
    let port = try #require(Int(server.output { $0.hasSuffix("\n") }.dropLast()))
    var sender = try Sender(.body(""))
    sender.environment["OPENAI_BASE_URL"] = "https://127.0.0.1:\(port)/v1"
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(
      run.errors.contains("the server does not speak TLS")
        && run.errors.hasSuffix("; check OPENAI_BASE_URL: the server may speak http:// there\n"),
      "\(run.errors)")
  }
}
