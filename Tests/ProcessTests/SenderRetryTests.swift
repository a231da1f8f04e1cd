import Foundation
import ProcessSupport
import Testing

/// When `oresp-send` asks again, and what is seen of it.
@Suite(.waiting) struct SenderRetryTests {
  private static let good = Answer.stream(SampleStream.bytes)

  private static func busy(_ status: Int, after: String? = "0") -> Answer {
    let wait = after.map { [("Retry-After", $0)] } ?? []
    return .body(
      #"{"error":{"code":"slow_down","message":"Busy."}}"#, status: status,
      headers: wait + [("x-request-id", "req_busy")])
  }

  private func sender(_ answers: [Answer], _ options: String...) throws -> Sender {
    var sender = Sender(try LoopbackServer { answers[min($0.number, answers.count - 1)] })
    sender.arguments = options + Sender.question
    return sender
  }

  @Test(arguments: [408, 409, 429, 500, 502, 503, 529])
  func `a refusal that passes is followed by the answer alone`(status: Int) throws {
    let sender = try sender([Self.busy(status), Self.good])
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let origin = "HTTP \(status), request req_busy"
    #expect(run.errors == "oresp-send: \(origin): slow_down: Busy.; trying again in 0 s\n")
    let requests = sender.server.requests
    #expect(requests.count == 2)
    #expect(requests[0].body == requests[1].body && !requests[0].body.isEmpty)
    #expect(requests.allSatisfy { $0["Authorization"] == "Bearer " + Sender.key })
  }

  @Test func `a file goes along with each attempt`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("data.bin", (0..<100_000).map { UInt8($0 & 0xFF) })
    let sender = try sender([Self.busy(503), Self.good], "-f", file + ";type=file")
    #expect(try sender.run().outcome == .exited(0))
    let requests = sender.server.requests
    #expect(requests.count == 2 && requests[0].body == requests[1].body)
    #expect(requests[0].body.count > 133_000)
  }

  @Test func `scripts are told of each attempt`() throws {
    let sender = try sender([Self.busy(503), Self.busy(429), Self.good], "--notices=json")
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    let notices = Finished.lines(run.errors).map(json)
    #expect(notices.map { $0["type"] as? String } == ["oresp.retry", "oresp.retry"])
    #expect(notices.map { $0["attempt"] as? Int } == [1, 2])
    #expect(notices.map { $0["http_status"] as? Int } == [503, 429])
    #expect(notices.map { $0["delay_seconds"] as? Double } == [0, 0])
    #expect(notices.map { $0["code"] as? String } == ["slow_down", "slow_down"])
  }

  @Test func `the last refusal is the answer`() throws {
    let sender = try sender([Self.busy(500), Self.busy(503)])
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(sender.server.requests.count == 3)
    let all = events(of: run.output)
    #expect(all.count == 1)
    #expect(all.first?["status"] as? Int == 503)
    let told = Finished.lines(run.errors)
    #expect(told.count == 3)
    #expect(told.last?.contains("(HTTP 503, request req_busy); try again later") == true)
  }

  @Test(arguments: SenderFailureTests.refusals)
  func `only what may pass is asked again`(refusal: SenderFailureTests.Refusal) throws {
    let sender = try sender([refusal.answer], "--retry=1", "-q")
    let run = try sender.run()
    #expect(run.outcome == .exited(refusal.status))
    #expect(events(of: run.output).count == 1)
    #expect(Finished.lines(run.errors).count == 1)
    #expect(sender.server.requests.count == (refusal.status == 5 ? 2 : 1))
  }

  @Test func `without retries there is one request`() throws {
    let sender = try sender([Self.busy(503), Self.good], "--retry", "0")
    #expect(try sender.run().outcome == .exited(5))
    #expect(sender.server.requests.count == 1)
  }

  @Test func `a connection that is refused is tried again`() throws {
    let port = try RefusingPort()
    var sender = try sender([Self.good])
    sender.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:\(port.number)/v1"
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    let told = Finished.lines(withoutWaits(run.errors))
    #expect(told.count == 3)
    #expect(told.filter { $0.hasSuffix("; trying again in TIME s") }.count == 2)
    withExtendedLifetime(port) {}
  }

  @Test(arguments: [Sending.cut(after: 0), .cutShortOfLength(after: 0)])
  func `a connection that is lost before the answer began is tried again`(
    sending: Sending
  ) throws {
    let lost = Answer.stream(SampleStream.bytes, sending)
    let sender = try sender([lost, Self.good])
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    #expect(sender.server.requests.count == 2)
  }

  @Test(arguments: [10, 300])
  func `a stream that stalls is not asked for again, wherever it does`(count: Int) throws {
    let gate = Gate()
    let stalled = Answer.stream(SampleStream.bytes, .held(after: count, gate))
    let sender = try sender([stalled, Self.good], "--idle-timeout=0.3")
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(run.errors.contains("nothing came from the server for 0.3 seconds"))
    #expect(sender.server.requests.count == 1)
    gate.open()
  }

  @Test func `a server that asks for too long a wait is not asked again`() throws {
    let sender = try sender([Self.busy(429, after: "3600"), Self.good])
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(sender.server.requests.count == 1)
    #expect(Finished.lines(run.errors).count == 1)
  }

  @Test func `a limit of the whole time keeps a wait from beginning`() throws {
    let sender = try sender([Self.busy(503, after: "60"), Self.good], "--max-time=20")
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(sender.server.requests.count == 1)
    #expect(run.errors.hasSuffix("; not retried: --max-time would be over\n"))
  }

  @Test func `a silent server is given up when the whole time is over`() throws {
    let gate = Gate()
    let silent = Answer.stream(SampleStream.bytes, .held(after: 0, gate))
    let sender = try sender([silent], "--max-time=0.5")
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(run.errors.contains("--max-time"))
    #expect(sender.server.requests.count == 1)
    gate.open()
  }

  @Test(arguments: [
    "--retry=-1", "--retry=x", "--retry=1001",
  ])
  func `a number that is none is status 2`(option: String) throws {
    let sender = try sender([Self.good], option)
    let run = try sender.run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: \(option.prefix { $0 != "=" }): expected a number"))
    #expect(sender.server.requests.isEmpty)
  }
}
