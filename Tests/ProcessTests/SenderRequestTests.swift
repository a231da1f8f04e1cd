import Foundation
import ProcessSupport
import Testing

/// What `oresp-send` sends, and what it takes from where.
struct SenderRequestTests {
  private func sender() throws -> Sender { try Sender(.stream(SampleStream.bytes)) }

  @Test func `a prompt becomes a streaming request`() throws {
    var sender = try sender()
    let prompt = "Grüße \"an\" alle\\ 👋🏽\n\u{7}"
    sender.arguments = ["-m", "gpt-5", prompt]
    #expect(try sender.run().outcome == .exited(0))
    let request = try #require(sender.server.requests.first)
    #expect(sender.server.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/responses")
    #expect(request["Content-Type"]?.hasPrefix("application/json") == true)
    #expect(request["Authorization"] == "Bearer " + Sender.key)
    #expect(Set(request.json.keys) == ["model", "input", "stream"])
    #expect(request.json["model"] as? String == "gpt-5")
    #expect(request.json["input"] as? String == prompt)
    #expect(request.json["stream"] as? Bool == true)
  }

  @Test(arguments: [nil, ""])
  func `without a key none is sent to this machine`(key: String?) throws {
    var sender = try sender()
    sender.environment["OPENAI_API_KEY"] = key
    #expect(try sender.run().outcome == .exited(0))
    #expect(sender.server.requests.count == 1)
    #expect(sender.server.requests.first?["Authorization"] == nil)
  }

  @Test(arguments: ["", "/", "/v1", "/v1/", "/openai/v1"])
  func `the path is added to the path of the base URL`(path: String) throws {
    var sender = try sender()
    sender.environment["OPENAI_BASE_URL"] = "http://localhost:\(sender.server.port)\(path)"
    #expect(try sender.run().outcome == .exited(0))
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    #expect(sender.server.requests.map(\.target) == [base + "/responses"])
  }

  @Test func `the environment has a default model`() throws {
    var sender = try sender()
    sender.environment["ORESP_MODEL"] = "from-environment"
    sender.arguments = ["Hello"]
    #expect(try sender.run().outcome == .exited(0))
    sender.arguments = ["-m", "from-option", "Hello"]
    #expect(try sender.run().outcome == .exited(0))
    let models = sender.server.requests.map { $0.json["model"] as? String }
    #expect(models == ["from-environment", "from-option"])
  }

  @Test(arguments: [["-m", "gpt-5"], ["-m", "gpt-5", "-"]])
  func `the prompt can come on standard input`(arguments: [String]) throws {
    var sender = try sender()
    sender.arguments = arguments
    #expect(try sender.run(input: .text("Hello from a pipe")).outcome == .exited(0))
    #expect(sender.server.requests.map { $0.json["input"] as? String } == ["Hello from a pipe"])
  }

  @Test func `a model that nobody names is status 2`() throws {
    var sender = try sender()
    sender.arguments = ["Hello"]
    sender.environment["ORESP_MODEL"] = nil
    let run = try sender.run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: "))
    #expect(run.errors.contains("model"))
    #expect(run.text == "")
    #expect(sender.server.requests.isEmpty)
  }

  @Test(arguments: [
    (nil, nil), (nil, ""), ("https://api.example.invalid/v1", nil),
    ("http://192.0.2.1/v1", Sender.key), ("http://api.example.invalid/v1", Sender.key),
    ("http://127.0.0.1.example.invalid/v1", Sender.key),
    ("http://localhost.example.invalid/v1", Sender.key),
    ("http://localhost@api.example.invalid/v1", Sender.key),
  ])
  func `a key is needed elsewhere and never sent in the clear`(base: String?, key: String?) throws {
    var sender = try sender()
    sender.environment = sender.server.asProxy
    sender.environment["OPENAI_BASE_URL"] = base
    sender.environment["OPENAI_API_KEY"] = key
    let run = try sender.run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: "))
    let isAboutTheURL = base?.contains("@") == true
    #expect(run.errors.lowercased().contains(isAboutTheURL ? "openai_base_url" : "key"))
    #expect(run.text == "")
    #expect(sender.server.requests.isEmpty)
  }
}
