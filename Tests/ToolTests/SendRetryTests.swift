import Core
import Testing
import oresp_send

/// A transport that gives one answer after another, and counts.
private final class Script: Transport {
  enum Answer {
    case refuse(Int, String)
    case stream(String)
    /// A stream that breaks off behind what there is of it.
    case broken(String?)
  }

  private let answers: [Answer]
  private(set) var count = 0

  init(_ answers: [Answer]) { self.answers = answers }

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    defer { count += 1 }
    switch answers[min(count, answers.count - 1)] {
    case .refuse(let status, let body):
      receiver.begin(ReplyHead(status: status, headers: [("x-request-id", "req_\(count)")]))
      for byte in body.utf8 { _ = try receiver.take([byte].span) }
      return nil
    case .stream(let body):
      receiver.begin(ReplyHead(status: 200))
      for byte in body.utf8 { _ = try receiver.take([byte].span) }
      return nil
    case .broken(let body):
      if let body {
        receiver.begin(ReplyHead(status: 200))
        for byte in body.utf8 { _ = try receiver.take([byte].span) }
      }
      return TransportFault("connection_lost", "reset", advice: "try again")
    }
  }
}

/// Keeps what is passed on.
private final class Kept: ReplyReceiver {
  var heads: [Int] = []
  var body: [UInt8] = []
  var isClosed = false

  func begin(_ head: ReplyHead) { heads.append(head.status) }

  func flush() {}

  func take(_ bytes: Span<UInt8>) -> Bool {
    body.append(copying: bytes)
    return true
  }
}

@Suite struct SendRetryTests {
  private static let request = HTTPRequest(
    url: "http://localhost/", headers: [], body: BodyContent(), isLocal: true)

  /// What came of `answers`: how many were asked for, what was passed on, and what was told.
  private func run(
    _ answers: [Script.Answer], _ kept: Kept = Kept(), closesInWait: Bool = false
  ) throws(Failure) -> (count: Int, fault: String?, told: [String], waits: [Int]) {
    let script = Script(answers)
    var clock = 0
    var waits: [Int] = []
    var told: [String] = []
    let world = RetryingTransport<Script>.World(
      steadyMilliseconds: { clock }, epochSeconds: { 0 },
      pause: {
        clock += $0
        kept.isClosed = closesInWait
      },
      random: {
        waits.append($0.upperBound)
        return $0.upperBound
      })
    let transport = RetryingTransport(script, RetryPolicy(RetrySettings()), world) {
      told.append($0.message)
    }
    let fault = try transport.send(Self.request, to: kept)
    return (script.count, fault?.code, told, waits)
  }

  @Test func `of refusals that pass nothing is passed on`() throws {
    let kept = Kept()
    let busy = #"{"error":{"code":"slow_down","message":"Busy."}}"#
    let outcome = try run([.refuse(429, busy), .refuse(500, "<html>"), .stream("data")], kept)
    #expect(outcome.count == 3)
    #expect(kept.heads == [200])
    #expect(String(decoding: kept.body, as: UTF8.self) == "data")
    #expect(
      outcome.told == [
        "HTTP 429, request req_0: slow_down: Busy.; trying again in 0.5 s",
        "HTTP 500, request req_1; trying again in 1 s",
      ])
    #expect(outcome.waits == [500, 1000])
  }

  @Test func `the last refusal is passed on whole`() throws {
    let kept = Kept()
    let outcome = try run([.refuse(503, "one"), .refuse(502, "two"), .refuse(500, "three")], kept)
    #expect(outcome.count == 3)
    #expect(kept.heads == [500])
    #expect(String(decoding: kept.body, as: UTF8.self) == "three")
    #expect(outcome.told.count == 2)
  }

  @Test func `what is for good is passed on at once`() throws {
    let kept = Kept()
    let outcome = try run([.refuse(400, "no")], kept)
    #expect(outcome.count == 1 && outcome.told.isEmpty && outcome.waits.isEmpty)
    #expect(kept.heads == [400])
  }

  @Test(arguments: [(nil, 3), ("", 3), ("d", 1), ("data: {}\n\n", 1)] as [(String?, Int)])
  func `an answer that has begun is not asked for again`(body: String?, count: Int) throws {
    let kept = Kept()
    let outcome = try run([.broken(body)], kept)
    #expect(outcome.count == count)
    #expect(outcome.fault == "connection_lost")
    #expect(kept.heads == (body == nil ? [] : [200]))
    #expect(String(decoding: kept.body, as: UTF8.self) == body ?? "")
  }

  @Test func `a reader that leaves ends the wait`() {
    #expect(throws: Failure.self) { try run([.refuse(500, "")], closesInWait: true) }
  }
}
