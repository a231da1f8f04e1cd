import Foundation
import ProcessSupport
import Testing

/// The log that `oresp-send` writes beside its answer.
struct SenderCopyTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/file" }

  init() throws { folder = try TemporaryFolder() }

  private func sender(_ answers: Answer..., options: [String]) throws -> Sender {
    var sender = Sender(try LoopbackServer { answers[min($0.number, answers.count - 1)] })
    sender.arguments = options + Sender.question
    return sender
  }

  private func written() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  private func logged() throws -> [[String: Any]] {
    try Finished.lines(try written()).map { line in
      let object = json(line)
      try #require(!object.isEmpty, "\(line)")
      return object
    }
  }

  private static let headers = [("x-request-id", "req_1"), ("openai-processing-ms", "120")]

  @Test func `the log tells of a run`() throws {
    var answer = Answer.stream(SampleStream.bytes)
    answer.headers += Self.headers
    var sender = try sender(answer, options: ["--log", file])
    sender.environment["OPENAI_BASE_URL"] = sender.server.baseURL + "?secret=word"
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.errors == "")
    let text = try written()
    for hidden in [Sender.key, "Hello", "secret", "Grüße", "Welt"] {
      #expect(!text.contains(hidden))
    }
    let entry = try #require(try logged().first)
    #expect((entry["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    #expect(entry["method"] as? String == "POST")
    #expect(entry["url"] as? String == sender.server.baseURL + "/responses")
    #expect(entry["model"] as? String == "gpt-5")
    #expect(entry["stream"] as? Bool == true)
    #expect(entry["request_bytes"] as? Int == sender.server.requests[0].body.count)
    #expect(entry["http_status"] as? Int == 200)
    #expect(entry["http_version"] as? String == "1.1")
    #expect(entry["request_id"] as? String == "req_1")
    #expect(entry["processing_seconds"] as? Double == 0.12)
    #expect(entry["response_id"] as? String == "resp_1")
    #expect(entry["response_status"] as? String == "completed")
    #expect(entry["output_bytes"] as? Int == SampleStream.bytes.count)
    #expect((entry["retries"] as? [Any])?.isEmpty == true)
    let seconds = try #require(entry["seconds"] as? [String: Any])
    #expect(seconds["tls"] is NSNull)
    let first = try #require(seconds["first_byte"] as? Double)
    let total = try #require(seconds["total"] as? Double)
    #expect(first > 0 && first <= total)
    #expect(entry["exit"] as? Int == 0)
    #expect(entry["verdict"] as? String == "completed")
    #expect(entry["retryable"] as? Bool == false)
    #expect(entry["message"] is NSNull)
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "-1", "1e400", "",
  ])
  func `numbers beyond all measure are left out of the log`(number: String) throws {
    let names = [
      "openai-processing-ms", "x-ratelimit-limit-requests", "x-ratelimit-remaining-tokens",
      "x-ratelimit-reset-requests", "retry-after-ms", "retry-after",
    ]
    let body = #"{"error":{"code":\#(number.isEmpty ? "null" : number),"message":"m"},"status":1}"#
    for status in [200, 429] {
      var answer = Answer.body(body, status: status)
      answer.headers += names.map { ($0, number) }
      let sender = try sender(answer, options: ["--log", file, "--retry=1"])
      guard case .exited = try sender.run().outcome else {
        Issue.record("\(number) ends the process")
        continue
      }
    }
    #expect(try logged().count == 2)
    #expect(try logged().allSatisfy { ($0["processing_seconds"] as? Double ?? 0) < 1e16 })
  }

  @Test func `no file has the key that a server repeats`() throws {
    let key = Sender.key
    let error = Answer.body(
      #"{"error":{"message":"No \#(key).","code":"invalid_api_key"}}"#, status: 401)
    let stream = Answer.stream(SampleStream.bytes, .cut(after: 700))
    var redirect = Answer.body("", status: 307)
    redirect.headers.append(("Location", "http://other.invalid/?k=\(key)"))
    for var answer in [error, stream, redirect] {
      answer.headers += [("x-request-id", key), ("X-Other", "a \(key)\(key) b")]
      let sender = try sender(answer, options: ["--retry=0", "--log", file])
      let run = try sender.run()
      #expect(run.text.contains("[key]") && !(run.text + run.errors).contains(key))
      #expect(try !written().contains(key))
    }
  }

  @Test func `the words of a refusal are not logged`() throws {
    let part = #"{"type":"refusal","refusal":"Secret reasons."}"#
    let item = #"{"type":"message","role":"assistant","content":[\#(part)]}"#
    let body = #"{"id":"resp_3","object":"response","status":"completed","output":[\#(item)]}"#
    let sender = try sender(.body(body), options: ["--no-stream", "--log", file])
    let run = try sender.run()
    #expect(run.outcome == .exited(7) && run.errors.contains("Secret reasons."))
    let entry = try #require(try logged().first)
    #expect(entry["verdict"] as? String == "refusal")
    #expect(entry["message"] as? String == "the model refused")
    #expect(try !written().contains("Secret reasons."))
  }

  @Test func `the log tells of usage`() throws {
    let usage = #""usage": {"input_tokens":3,"output_tokens":4}"#
    let body = #"{"id":"resp_2","object":"response","status":"completed","output":[],\#(usage)}"#
    let sender = try sender(.body(body), options: ["--no-stream", "--log", file])
    #expect(try sender.run().outcome == .exited(0))
    let entry = try #require(try logged().first)
    #expect(entry["stream"] as? Bool == false)
    #expect(entry["usage"] as? [String: Int] == ["input_tokens": 3, "output_tokens": 4])
    #expect(entry["response_id"] as? String == "resp_2")
  }

  @Test func `the log tells of failures and further attempts`() throws {
    let busy = Answer.body(
      #"{"error":{"code":"slow_down"}}"#, status: 429,
      headers: [("Retry-After", "0"), ("x-request-id", "req_1")])
    let bad = Answer.body(
      #"{"error":{"code":"invalid_api_key","message":"Not \#(Sender.key)"}}"#, status: 401)
    let sender = try sender(busy, bad, options: ["--log", file])
    #expect(try sender.run().outcome == .exited(4))
    let entry = try #require(try logged().first)
    let retry = try #require((entry["retries"] as? [[String: Any]])?.first)
    #expect(retry["http_status"] as? Int == 429 && retry["request_id"] as? String == "req_1")
    #expect(retry["code"] as? String == "slow_down" && retry["attempt"] as? Int == 1)
    #expect(retry["delay_seconds"] as? Double == 0)
    #expect(entry["http_status"] as? Int == 401)
    #expect(entry["exit"] as? Int == 4 && entry["verdict"] as? String == "refused")
    #expect((entry["message"] as? String)?.contains("Not [key]") == true)
    #expect(!(try written()).contains(Sender.key))
  }

  @Test func `the log tells of a server that is not there`() throws {
    let port = try RefusingPort()
    var sender = try sender(.body(""), options: ["--retry=0", "--log", file])
    sender.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:\(port.number)/v1"
    #expect(try sender.run().outcome == .exited(5))
    let entry = try #require(try logged().first)
    #expect(entry["http_status"] is NSNull)
    #expect(entry["exit"] as? Int == 5 && entry["retryable"] as? Bool == true)
    withExtendedLifetime(port) {}
  }

  @Test func `the log tells of a reader that left, and of a signal`() throws {
    let start = Array(SampleStream.events[..<3].map(SampleStream.block).joined().utf8)
    let block = Array(SampleStream.block(SampleStream.events[3]).utf8)
    let slow = [[Answer.Step]](repeating: [.pause(milliseconds: 20), .send(block)], count: 1000)
    let sender = try sender(
      Answer(framing: .chunked, steps: [.send(start), .sendForever(block)]),
      Answer(framing: .chunked, steps: [.send(start)] + slow.joined()),
      Answer(framing: .chunked, steps: [.send(SampleStream.bytes), .wait(Gate())]),
      options: ["--log", file])
    for _ in 0..<2 {
      _ = try ToolProcess.bash(
        "oresp-send \"$@\" | head -n 1", sender.arguments, environment: sender.environment)
    }
    let process = try sender.start()
    #expect(process.output { !$0.isEmpty } != "")
    kill(process.processID, SIGTERM)
    #expect(process.finish().outcome == .killed(signal: SIGTERM))
    let entries = try logged()
    #expect(entries.map { $0["exit"] as? Int } == [141, 141, 143])
    #expect(entries.allSatisfy { $0["verdict"] as? String == "interrupted" })
    #expect(entries.allSatisfy { $0["response_id"] as? String == "resp_1" })
  }

  @Test func `twenty runs share one log`() throws {
    let server = try LoopbackServer { request in
      var answer = Answer.stream(SampleStream.bytes)
      answer.headers.append(("x-request-id", "req_\(request.number)"))
      return answer
    }
    var sender = Sender(server)
    sender.arguments = ["--log", file] + sender.arguments
    let processes = try (0..<20).map { _ in try sender.start() }
    for process in processes { #expect(process.finish().outcome == .exited(0)) }
    let ids = try logged().map { $0["request_id"] as? String ?? "" }
    #expect(ids.count == 20)
    #expect(Set(ids) == Set((0..<20).map { "req_\($0)" }))
  }

  @Test func `a log that cannot be written is status 2 before anything is sent`() throws {
    for path in [folder.path + "/none/file", folder.path] {
      let sender = try sender(.stream(SampleStream.bytes), options: ["--log", path])
      let run = try sender.run()
      #expect(run.outcome == .exited(2))
      #expect(run.errors.contains(path))
      #expect(sender.server.requests.isEmpty)
    }
    let run = try sender(.stream(SampleStream.bytes), options: ["--log", "-"]).run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: --log: standard output is the answer's"))
  }

  #if os(Linux)
    @Test func `a full disk is told and costs no answer`() throws {
      let run = try sender(.stream(SampleStream.bytes), options: ["--log", "/dev/full"]).run()
      #expect(run.outcome == .exited(2))
      #expect(run.text == SampleStream.stream)
      #expect(run.errors == "oresp-send: --log: /dev/full: No space left on device\n")
    }
  #endif
}
