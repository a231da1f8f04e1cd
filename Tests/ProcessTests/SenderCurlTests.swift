import Foundation
import ProcessSupport
import Testing

/// The curl command that `oresp-send --curl` prints, run by a shell.
@Suite(.enabled(if: Tools.path(of: "curl") != nil, "curl is not installed"))
struct SenderCurlTests {
  private static let prompts = [
    "Hello", "it's \"quoted\" $HOME `id` \\ %s\n\t!", "こんにちは 👋🏽", "@file", "<<END\nEND\n$(id)",
    String(repeating: "long ", count: 60_000),
  ]

  @Test(arguments: prompts) func `curl sends the same request`(prompt: String) throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.environment["OPENAI_ORG_ID"] = "org"
    let folder = try TemporaryFolder()
    let body = try folder.file("body", #"{"input":"# + Self.json(prompt) + "}")
    sender.arguments = ["-m", "gpt-5", "-b", body, "--header", "X-Odd: it's $x"]
    #expect(try sender.run().outcome == .exited(0))
    sender.arguments.append("--curl")
    let shown = try sender.run()
    #expect(shown.outcome == .exited(0) && shown.errors == "")
    #expect(sender.server.requests.count == 1)
    #expect(!shown.text.contains(Sender.key) && shown.text.contains("$OPENAI_API_KEY"))
    for shell in ["sh", "bash"] {
      let script = try folder.file("script", shown.text)
      let run = try ToolProcess.run(shell, [script], environment: sender.environment)
      #expect(run.text == SampleStream.stream && run.errors == "")
      let requests = sender.server.requests
      let (ours, theirs) = (requests[0], try #require(requests.last))
      #expect(theirs.target == ours.target && theirs.method == ours.method)
      #expect(theirs.body == ours.body)
      #expect(Self.lines(theirs) == Self.lines(ours))
    }
    #expect(sender.server.requests.count == 3)
  }

  @Test func `curl has the key in no argument`() throws {
    let gate = Gate()
    // One of its own: other tests have theirs in a command that they run just now.
    let key = "sk-curl-0123456789abcdef"
    var sender = try Sender(.stream(SampleStream.bytes, .held(after: 300, gate)))
    sender.environment["OPENAI_API_KEY"] = key
    sender.arguments.append("--curl")
    let folder = try TemporaryFolder()
    let script = try folder.file("script", try sender.run().text)
    let process = try ToolProcess("sh", [script], environment: sender.environment)
    #expect(process.output { !$0.isEmpty } != "")
    #if os(Linux)
      let arguments = try ToolProcess.bash(
        "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")
      #expect(arguments.text.contains("--data-binary @-"))
      #expect(!arguments.text.contains(key))
    #endif
    gate.open()
    _ = process.finish()
    #expect(sender.server.requests.first?["Authorization"] == "Bearer " + key)
  }

  @Test func `a secret of a tool is neither shown nor logged`() throws {
    let folder = try TemporaryFolder()
    let (token, log) = (try folder.file("token", "mcp-token-0123456789"), folder.path + "/log")
    let secrets = try folder.file(
      "secrets", #"[{"domain":"a.example","name":"A","value":"domain-token-0123"}]"#)
    let body = #"{"error":{"code":"x","message":"No mcp-token-0123456789, domain-token-0123"}}"#
    var sender = try Sender(.body(body, status: 400))
    sender.arguments += [
      "-t", "mcp=lab@https://mcp.example/,auth-file=\(token)",
      "-t", "code_interpreter,domain-secrets=\(secrets)", "--log", log, "-v", "--curl",
    ]
    let shown = try sender.run()
    #expect(shown.outcome == .exited(0) && shown.text.contains("https://mcp.example/"))
    #expect(shown.errors.contains("is a secret, and left out"))
    sender.arguments.removeLast()
    let run = try sender.run()
    #expect(run.outcome == .exited(4) && run.errors.contains("No [key], [key]"))
    #expect(String(decoding: sender.server.requests[0].body, as: UTF8.self).contains("mcp-token"))
    let told = shown.text + shown.errors + run.text + run.errors
    #expect(!told.contains("-token"))
    #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("-token"))
  }

  @Test func `a secret of a tool is not shown for another endpoint either`() throws {
    let folder = try TemporaryFolder()
    let token = try folder.file("token", "mcp-token-0123456789")
    var sender = try Sender(.body("{}"))
    sender.arguments = [
      "--curl", "--path=/prompts", "-t", "mcp=lab@https://mcp.example/,auth-file=\(token)",
    ]
    let shown = try sender.run()
    #expect(shown.outcome == .exited(0) && shown.text.contains("https://mcp.example/"))
    #expect(shown.errors.contains("is a secret, and left out"))
    #expect(!shown.text.contains("mcp-token"))
  }

  @Test func `curl sends the files, too`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("data.bin", (0..<100_000).map { UInt8($0 & 0xFF) })
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.arguments += ["-f", file, "--as", "file"]
    #expect(try sender.run().outcome == .exited(0))
    sender.arguments.append("--curl")
    let script = try folder.file("script", try sender.run().text)
    let run = try ToolProcess.run("sh", [script], environment: sender.environment)
    #expect(run.text == SampleStream.stream && run.errors == "")
    let requests = sender.server.requests
    #expect(requests.count == 2 && requests[0].body == requests[1].body)
    #expect(requests[0].body.count > 133_000)
  }

  @Test func `the command needs no key, and shows none where none would be sent`() throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.arguments.append("--curl")
    sender.environment["OPENAI_API_KEY"] = nil
    #expect(try !sender.run().text.contains("Authorization"))
    sender.environment["OPENAI_BASE_URL"] = "https://api.example.invalid/v1"
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("\nAuthorization: Bearer $OPENAI_API_KEY\n"))
    #expect(sender.server.requests.isEmpty)
  }

  @Test(arguments: ["-n", "--rehearse"])
  func `the command is shown alone`(other: String) throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.arguments += ["--curl", other]
    let run = try sender.run()
    #expect(run.outcome == .exited(2) && run.text == "")
    #expect(run.errors.hasPrefix("oresp-send: --curl and \(other) exclude each other\n"))
  }

  private static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\n": json += "\\n"
      case "\t": json += "\\t"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  private static func lines(_ request: LoopbackServer.Request) -> [String] {
    request.headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
  }
}
