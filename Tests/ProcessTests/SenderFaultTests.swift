import Foundation
import ProcessSupport
import Testing

/// Answers that are sent in ways that a client does not expect.
struct SenderFaultTests {
  private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    try ToolProcess.run("gzip", ["-c"], input: .bytes(bytes)).output
  }

  private func compressed(_ bytes: [UInt8], cut: Int = 0) throws -> Answer {
    var answer = Answer.stream(Array(try gzip(bytes).dropLast(cut)), .inChunks(of: 50))
    answer.headers.append(("Content-Encoding", "gzip"))
    return answer
  }

  @Test(arguments: [([], "identity"), (["--compressed"], "gzip")])
  func `a compressed answer is unpacked, asked for or not`(
    options: [String], asked: String
  ) throws {
    var sender = try Sender(try compressed(SampleStream.bytes))
    sender.arguments = options + sender.arguments
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let request = try #require(sender.server.requests.first)
    #expect(request["Accept-Encoding"]?.contains(asked) == true)
    #expect(try sender.pipeline().statuses == [0, 0, 0, 0])
  }

  @Test func `a compressed answer that is cut is status 5`() throws {
    let sender = try Sender(try compressed(SampleStream.bytes, cut: 60))
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
  }

  @Test func `an answer that is not compressed as it says is status 5`() throws {
    var answer = Answer.stream(SampleStream.bytes)
    answer.headers.append(("Content-Encoding", "gzip"))
    let sender = try Sender(answer)
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
  }

  @Test(arguments: ["text/plain", "application/json", "application/octet-stream", "text/html", ""])
  func `a stream counts whatever its type is called`(type: String) throws {
    var answer = Answer.stream(SampleStream.bytes)
    answer.headers = [("Content-Type", type)]
    let run = try Sender(answer).run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
  }

  @Test func `headers up to a limit are taken, and beyond it status 5`() throws {
    for (size, statuses) in [(60_000, [Int32](repeating: 0, count: 4)), (2_000_000, [5, 5, 5, 5])] {
      var answer = Answer.stream(SampleStream.bytes)
      answer.headers.append(("X-Large", String(repeating: "x", count: size)))
      #expect(try Sender(answer).pipeline().statuses == statuses)
    }
  }

  @Test func `many headers are status 5 or taken, and no more`() throws {
    var answer = Answer.stream(SampleStream.bytes)
    for number in 0..<3000 { answer.headers.append(("X-\(number)", "x")) }
    let (finished, statuses) = try Sender(answer).pipeline()
    #expect(statuses == [0, 0, 0, 0])
    #expect(finished.text == SampleStream.text)
  }

  @Test func `an answer that is no HTTP is status 5`() throws {
    let listener = try ToolProcess(
      "socat", ["-d", "-d", "TCP-LISTEN:0,bind=127.0.0.1,fork", "SYSTEM:echo hello"])
    let mark = "listening on AF=2 127.0.0.1:"
    let told = listener.errors { $0.contains(mark) && $0.hasSuffix("\n") }
    let port = try #require(told.components(separatedBy: mark).last?.prefix { $0.isNumber })
    var sender = try Sender(.body(""))
    sender.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:\(port)/v1"
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
  }

  @Test func `a stalled stream ends when the server was silent too long`() throws {
    let gate = Gate()
    var sender = try Sender(.stream(SampleStream.bytes, .held(after: 700, gate)))
    sender.arguments.append("--idle-timeout=0.3")
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
    gate.open()
  }

  @Test func `an error in the midst of a refusal leaves the refusal`() throws {
    var answer = Answer.body(#"{"error":{"code":"invalid_api_key"#, status: 401)
    answer.contentLength = 1000
    answer.steps.append(.cut)
    let run = try Sender(answer).run()
    #expect(run.outcome == .exited(4))
    #expect(events(of: run.output).count == 1)
  }
}
