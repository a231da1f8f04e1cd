import Foundation
import ProcessSupport
import Testing

/// `oresp-send` with a loopback server as the one it talks to.
struct Sender {
  /// JSON may spell it with escapes.
  static let key: String = {
    let key = "sk-loopback/0123456789+abcdef="
    Secret.watch(key) { Issue.record("\($0)") }
    return key
  }()

  static let question = ["Hello"]

  let server: LoopbackServer
  /// Asks once; what is tried again has tests of its own.
  var arguments = ["--retry=0"] + Self.question
  var environment: [String: String]

  init(_ server: LoopbackServer) {
    self.server = server
    environment = [
      "OPENAI_BASE_URL": server.baseURL, "OPENAI_API_KEY": Self.key, "ORESP_MODEL": "gpt-5",
    ]
  }

  init(_ answers: Answer...) throws {
    self.init(try LoopbackServer { answers[min($0.number, answers.count - 1)] })
  }

  func run(input: ToolProcess.Input = .nothing) throws -> Finished {
    // Nobody else may hold the server, which ends with its last owner.
    try withExtendedLifetime(server) { try start(input: input).finish() }
  }

  func start(input: ToolProcess.Input = .nothing) throws -> ToolProcess {
    try ToolProcess("oresp-send", arguments, input: input, environment: environment)
  }

  /// Runs the sender and all filters behind it.
  func pipeline() throws -> (finished: Finished, statuses: [Int32]) {
    try withExtendedLifetime(server) {
      try ToolProcess.pipeline(
        ["oresp-send \"$@\""] + filters, arguments, environment: environment)
    }
  }
}

extension LoopbackServer {
  /// What has every connection of a process, to whatever host, come to this server.
  var asProxy: [String: String] {
    let url = "http://127.0.0.1:\(port)"
    return ["http_proxy": url, "https_proxy": url, "all_proxy": url, "no_proxy": ""]
  }
}

/// The events of an event stream, as JSON; one that is no JSON is empty. Every block
/// but a mark of what was told must have the form in which OpenAI sends it.
func events(of stream: [UInt8]) -> [[String: Any]] {
  blocks(of: stream).filter { !$0.starts(with: ": oresp told=".utf8) }.map { block in
    let lines = Finished.lines(String(decoding: block, as: UTF8.self))
    guard lines.count == 3, lines[0].hasPrefix("event: "), lines[1].hasPrefix("data: ") else {
      return [:]
    }
    let event = json(String(lines[1].dropFirst(6)))
    return event["type"] as? String == String(lines[0].dropFirst(7)) ? event : [:]
  }
}

/// A JSON object; empty when `text` is none.
func json(_ text: String) -> [String: Any] {
  (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
}

/// `text` with a word in place of the seconds before each retry, which differ from run to run.
func withoutWaits(_ text: String) -> String {
  text.replacing(/again in [0-9.]+ s/, with: "again in TIME s")
}
