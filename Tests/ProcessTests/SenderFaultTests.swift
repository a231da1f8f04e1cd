import Foundation
import ProcessSupport
import Testing

/// Faults on the way to an answer and in it, and answers that are sent in ways that a client does
/// not expect.
@Suite(.waiting) struct SenderFaultTests {
  @Test(arguments: SenderFault.losses + SenderFault.stalls + SenderFault.oddities)
  func `a fault is reported once, and the bytes before it are out`(fault: SenderFault) throws {
    try fault.expect(scheme: fault.steps == nil ? "http" : "https")
  }

  @Test func `of options that were not given none is advised`() throws {
    var answer = Answer.stream(SampleStream.bytes)
    answer.headers.append(("Content-Encoding", "gzip"))
    try SenderFault(
      "not compressed as it says", answer, [],
      told: ["error: transport_failed: … (HTTP 200); try again"]
    ).expect()
  }

  @Test(arguments: [[], ["--proxy=http://127.0.0.1:PORT"]])
  func `a connection that is refused is told with its port`(options: [String]) throws {
    let advice = "check OPENAI_BASE_URL and the network"
    let port = try RefusingPort()
    var sender = try Sender(.body(""))
    sender.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:\(port.number)/v1"
    sender.arguments += options.map { $0.replacingOccurrences(of: "PORT", with: "\(port.number)") }
    let run = try sender.run()
    let told = "error: connection_failed: … port \(port.number): Connection refused; \(advice)"
    #expect(Finished.lines(run.errors).map { SenderFault.meets($0, told) } == [true])
    #expect(run.outcome == .exited(5))
    withExtendedLifetime(port) {}
  }

  static let canHideNetwork = (try? ToolProcess.run("unshare", ["-rn", "true"]))?.status == 0

  @Test(.needs(canHideNetwork, "there are no network namespaces"))
  func `a name that is not found is tried again`() throws {
    var sender = try Sender(.body(""))
    sender.environment["OPENAI_BASE_URL"] = "https://api.example.invalid/v1"
    let run = try ToolProcess.run(
      "unshare", ["-rn", "oresp-send", "--retry=1"] + Sender.question,
      environment: sender.environment)
    let told = [
      "…; trying again in TIME s",
      "error: name_not_resolved: …; check OPENAI_BASE_URL and the network",
    ]
    let lines = Finished.lines(withoutWaits(run.errors))
    #expect(lines.count == 2 && zip(lines, told).allSatisfy(SenderFault.meets), "\(lines)")
    #expect(run.outcome == .exited(5))
  }

  @Test(arguments: ["sleep 4", "read -N 300 text; sleep 4"])
  func `the time of the run ends a write that nobody reads`(reader: String) throws {
    let block = Array(SampleStream.block(SampleStream.events[3]).utf8)
    let start = Array(SampleStream.block(SampleStream.events[0]).utf8)
    var sender = try Sender(Answer(framing: .chunked, steps: [.send(start), .sendForever(block)]))
    sender.arguments = ["--max-time=2"] + sender.arguments
    let script = "{ oresp-send \"$@\"; echo $? >&2; } | { \(reader); }"
    let process = try ToolProcess(
      "bash", ["-c", script, "bash"] + sender.arguments, environment: sender.environment)
    let told = process.errors { $0.hasSuffix("5\n") }
    let why = "nobody reads it, and the time limit of 2 seconds is over"
    #expect(told == "oresp-send: stdout: \(why)\n5\n")
  }

  private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    try ToolProcess.run("gzip", ["-c"], input: .bytes(bytes)).output
  }

  private func compressed(_ bytes: [UInt8], cut: Int = 0) throws -> Answer {
    var answer = Answer.stream(Array(try gzip(bytes).dropLast(cut)), .inChunks(of: 50))
    answer.headers.append(("Content-Encoding", "gzip"))
    return answer
  }

  @Test func `a compressed answer is unpacked, though none was asked for`() throws {
    let sender = try Sender(try compressed(SampleStream.bytes))
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let request = try #require(sender.server.requests.first)
    #expect(request["Accept-Encoding"] == "identity")
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

  @Test func `an error in the midst of a refusal leaves the refusal`() throws {
    var answer = Answer.body(#"{"error":{"code":"invalid_api_key"#, status: 401)
    answer.contentLength = 1000
    answer.steps.append(.cut)
    let run = try Sender(answer).run()
    #expect(run.outcome == .exited(4))
    #expect(events(of: run.output).count == 1)
  }
}
