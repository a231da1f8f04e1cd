import Foundation
import ProcessSupport
import Testing

/// What `oresp-send` makes of an answer that is none, or breaks off: an `error` event on standard
/// output, a message on stderr, and a status that every stage behind it reaches too.
struct SenderFailureTests {
  /// A server's refusal, and the status that it comes to.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: Answer
    let status: Int32
    /// What is told of it on stderr and in the error event; without a message of the server's, its
    /// HTTP status.
    let message: String

    init(_ http: Int, _ body: String, _ message: String?, type: String? = nil, _ status: Int32) {
      testDescription = "\(http) \(body.prefix(40).debugDescription)"
      answer = .body(body, status: http, type: type ?? "application/json")
      (self.message, self.status) = (message ?? String(http), status)
    }
  }

  private static func body(_ code: String, type: String, _ message: String) -> String {
    #"{"error":{"message":"\#(message)","type":"\#(type)","param":null,"code":"\#(code)"}}"#
  }

  static let refusals: [Refusal] = [
    Refusal(
      400, body("unknown_parameter", type: "invalid_request_error", "No such parameter."),
      "No such parameter.", 4),
    Refusal(
      401, body("invalid_api_key", type: "invalid_request_error", "Bad key: \\\"sk\\\"."),
      "Bad key: \"sk\".", 4),
    Refusal(
      404, body("model_not_found", type: "invalid_request_error", "No such model."),
      "No such model.", 4),
    Refusal(
      429, body("rate_limit_exceeded", type: "rate_limit_error", "Too fast."), "Too fast.", 5),
    Refusal(
      429, body("insufficient_quota", type: "insufficient_quota", "Pay first."), "Pay first.", 4),
    Refusal(500, "<html>\n<h1>Oh no</h1>\n</html>\n", nil, type: "text/html", 5),
    Refusal(502, "", nil, type: "text/plain", 5),
    Refusal(503, body("server_is_overloaded", type: "server_error", "Busy."), "Busy.", 5),
    Refusal(400, "\u{0}\u{1}\"\\ no JSON", nil, type: "text/plain", 4),
    Refusal(422, #"{"detail":"Field required"}"#, "Field required", 4),
  ]

  /// Expects one whole `error` event in `stream`, and gives it.
  private func soleError(in stream: [UInt8]) throws -> [String: Any] {
    let all = events(of: stream)
    #expect(all.count == 1)
    let event = try #require(all.first)
    #expect(event["type"] as? String == "error")
    #expect((event["oresp"] as? [String: Any])?["synthetic"] as? Bool == true)
    return event
  }

  @Test(arguments: refusals)
  func `a refusal is one error event`(refusal: Refusal) throws {
    let run = try Sender(refusal.answer).run()
    #expect(run.outcome == .exited(refusal.status))
    #expect(run.errors.hasPrefix("oresp-send: "))
    #expect(Finished.lines(run.errors).count == 1)
    #expect(run.errors.contains(refusal.message))
    let event = try soleError(in: run.output)
    let strings = Self.strings(in: event)
    #expect(strings.contains { $0.contains(refusal.message) }, "\(event)")
  }

  /// All strings in a JSON value, and all numbers.
  private static func strings(in value: Any) -> [String] {
    switch value {
    case let object as [String: Any]: object.values.flatMap(strings)
    case let array as [Any]: array.flatMap(strings)
    case let string as String: [string]
    case let number as Int: [String(number)]
    default: []
    }
  }

  @Test(arguments: refusals)
  func `every stage knows of a refusal`(refusal: Refusal) throws {
    let (finished, statuses) = try Sender(refusal.answer).pipeline()
    #expect(statuses == Array(repeating: refusal.status, count: 4))
    #expect(finished.text == "")
  }

  /// What comes with status 200 and is no API's, and what is told of it.
  private static let foreign = [
    ("text/plain; charset=utf-8", "Ollama is running", "a text, not JSON: Ollama is running"),
    ("text/plain", "It works.\n\nReally.\n", "a text, not JSON: It works. Really."),
    (
      "text/html", "<!doctype html>\n<html><title>Sign in</title></html>",
      "a web page, not JSON: <!doctype html> <html><title>Sign in</title></html> ("
    ),
  ]

  @Test(arguments: foreign)
  func `an answer that is no API's is refused for good`(
    type: String, body: String, told: String
  ) throws {
    let sender = try Sender(.body(body, type: type))
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains(told), "\(run.errors)")
    let url = "\(sender.server.baseURL)/responses"
    #expect(run.errors.hasSuffix("; check OPENAI_BASE_URL; the request went to \(url)\n"))
    #expect(Finished.lines(run.errors).count == 1)
    _ = try soleError(in: run.output)
    #expect(try sender.pipeline().statuses == [4, 4, 4, 4])
  }

  @Test func `a document that is asked for is JSON`() throws {
    var sender = try Sender(.body("Not here", type: "text/plain"))
    sender.arguments = ["--get", "resp_1"]
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("a text, not JSON: Not here"))
  }

  @Test func `what is not there is told with the URL that was asked, without its query`() throws {
    var sender = try Sender(.body("{}", status: 404))
    sender.environment["OPENAI_BASE_URL"] = sender.server.baseURL + "?code=secret"
    let run = try sender.run()
    let place = "the request went to \(sender.server.baseURL)/responses\n"
    #expect(run.errors.hasSuffix("; or check OPENAI_BASE_URL: " + place))
    sender.arguments = ["--get", "resp_1"]
    sender.environment["OPENAI_BASE_URL"] = nil
    sender.environment["OLLAMA_BASE_URL"] = sender.server.baseURL
    sender.environment["ORESP_PROVIDER"] = "ollama"
    #expect(try sender.run().errors.contains("check what was asked for and OLLAMA_BASE_URL; "))
  }

  @Test(arguments: [0, 1, 300, 700, 1500, SampleStream.bytes.count - 10], [true, false])
  func `a stream that is cut ends with an error event`(place: Int, isChunked: Bool) throws {
    let sending: Sending = isChunked ? .cut(after: place) : .cutShortOfLength(after: place)
    let sender = try Sender(.stream(SampleStream.bytes, sending))
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(run.errors.hasPrefix("oresp-send: "))
    let whole = Array(
      blocks(of: Array(SampleStream.bytes.prefix(place))).filter(Self.isWhole).joined())
    #expect(run.output.starts(with: whole))
    #expect(events(of: run.output).last?["type"] as? String == "error")
    let (_, statuses) = try sender.pipeline()
    #expect(statuses == [5, 5, 5, 5])
  }

  @Test(arguments: [300, 700, 1500])
  func `the events before a cut come out whole and no half one`(place: Int) throws {
    let sender = try Sender(.stream(SampleStream.bytes, .cut(after: place)))
    let run = try ToolProcess.bash(
      "oresp-send \"$@\" 2>/dev/null | oresp-sse", sender.arguments, environment: sender.environment
    )
    let before = blocks(of: Array(SampleStream.bytes.prefix(place))).filter(Self.isWhole).count
    #expect(run.lines.count == before + 1)
    #expect(Array(run.lines.prefix(before)) == Array(SampleStream.events.prefix(before)))
    #expect(json(run.lines.last ?? "")["type"] as? String == "error")
  }

  private static func isWhole(_ block: [UInt8]) -> Bool { block.suffix(2) == [10, 10] }

  @Test func `a stream that ends before the response did is status 5`() throws {
    let bytes = Array(SampleStream.stream(Array(SampleStream.events.prefix(6))).utf8)
    for sending in [Sending.inOnePiece, .chunked, .untilClose] {
      let sender = try Sender(.stream(bytes, sending))
      #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
    }
  }

  @Test func `a server that is not there is status 5`() throws {
    let port = try RefusingPort()
    var sender = try Sender(.body(""))
    sender.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:\(port.number)/v1"
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(run.errors.hasPrefix("oresp-send: "))
    _ = try soleError(in: run.output)
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
    withExtendedLifetime(port) {}
  }

  @Test func `what is for good is not tried again`() throws {
    for refusal in Self.refusals where refusal.status == 4 {
      var sender = try Sender(refusal.answer)
      sender.arguments = ["-m", "gpt-5", "Hello"]
      #expect(try sender.run().outcome == .exited(4))
      #expect(sender.server.requests.count == 1)
    }
  }

  @Test func `a stream that has begun is not asked for again`() throws {
    var sender = try Sender(.stream(SampleStream.bytes, .cut(after: 1500)))
    sender.arguments = ["-m", "gpt-5", "Hello"]
    #expect(try sender.run().outcome == .exited(5))
    #expect(sender.server.requests.count == 1)
  }
}
