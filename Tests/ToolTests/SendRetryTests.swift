import Core
import Testing

import class ProcessSupport.TemporaryFolder

@testable import Core
@testable import oresp_send

/// A carrier that gives one answer after another, and counts; its clock goes on when a job waits.
private final class Script: Carrier {
  enum Answer {
    case refuse(Int, String)
    case stream(String)
    /// A stream that breaks off behind what there is of it.
    case broken(String?)
    /// One without a head.
    case headless(String)
  }

  private let answers: [Answer]
  private(set) var count = 0
  private(set) var time = 0
  private var ended: [Ended] = []

  init(_ answers: [Answer]) { self.answers = answers }

  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure) {
    ended.append((number, try answer(receiver)))
  }

  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) -> [Ended] {
    if ended.isEmpty { time += milliseconds }
    defer { ended = [] }
    return ended
  }

  private func answer(_ receiver: any ReplyReceiver) throws(Failure) -> TransportFault? {
    defer { count += 1 }
    switch answers[min(count, answers.count - 1)] {
    case .refuse(let status, let body):
      receiver.begin(ReplyHead(status: status, headers: [("x-request-id", "req_\(count)")]))
      for byte in body.utf8 { _ = try receiver.receive([byte].span) }
      return nil
    case .stream(let body):
      receiver.begin(ReplyHead(status: 200))
      for byte in body.utf8 { _ = try receiver.receive([byte].span) }
      return nil
    case .broken(let body):
      if let body {
        receiver.begin(ReplyHead(status: 200))
        for byte in body.utf8 { _ = try receiver.receive([byte].span) }
      }
      return TransportFault(.connectionLost, "reset", advice: "try again")
    case .headless(let body):
      for byte in body.utf8 { _ = try receiver.receive([byte].span) }
      return TransportFault(.connectionLost, "reset", advice: "try again")
    }
  }
}

/// Keeps what is passed on.
private final class Kept: ReplySink {
  var isClosed = false
  let marking: NoticeSettings? = nil
  private(set) var text = ""
  private(set) var notices: [String] = []
  private(set) var retries: [String] = []

  func write(_ output: inout Output) {
    text += String(decoding: output.bytes, as: UTF8.self)
    notices += output.notices.filter { $0.kind != .retry }.map(\.message)
    retries += output.notices.filter { $0.kind == .retry }.map(\.message)
    output = Output()
  }

  func end(_ reply: Reply) -> Core.ExitStatus { .completed }

  func giveUp(after failure: Failure) {}
}

/// Takes nothing the first time.
private final class Full: ReplySink {
  let marking: NoticeSettings? = nil
  let isClosed = false
  private var isFull = true

  func write(_ output: inout Output) throws(Failure) {
    defer { isFull = false }
    if isFull { throw .file(name: "full", errno: 28) }
    output.bytes = []
  }

  func end(_ reply: Reply) -> Core.ExitStatus { .completed }

  func giveUp(after failure: Failure) {}
}

/// The log of a job.
private struct Log {
  private let folder: TemporaryFolder
  let log: RunLog

  init(of request: HTTPRequest) throws {
    folder = try TemporaryFolder()
    let streams = Streams(input: 0, output: 1, errors: 2) { _ in nil }
    let notifier = Notifier(tool: "oresp-send", settings: NoticeSettings(), streams)
    log = RunLog(in: try LogFile(folder.path + "/log", notifier), request, Redaction([]))
  }

  /// The member called `name` of its line, if that is a number.
  func number(_ name: StaticString) throws -> Int? {
    let line = try Descriptor(reading: folder.path + "/log").readAll()
    return JSONChildren.integer(of: name, in: line.span)
  }
}

@Suite struct SendRetryTests {
  @Test func `bytes count as written once the output has taken them`() throws {
    let log = try Log(of: Self.request)
    let job = Job(
      Self.request, Reply(Redaction([])), to: Full(), notingIn: log.log,
      RetryPolicy(RetrySettings()), World())
    job.begin(ReplyHead(status: 200))
    _ = try job.receive(Array(Self.stream.utf8).span)
    #expect(throws: Failure.self) { try job.flush() }
    try job.flush()
    try log.log.end(exit: 0)
    #expect(try log.number("output_bytes") == Self.stream.utf8.count)
  }

  private static let stream =
    #"data: {"type":"response.queued","response":{"id":"r"}}"# + "\n\n"
    + #"data: {"type":"response.completed","response":{"id":"r"}}"# + "\n\n"

  private static let request = HTTPRequest(
    url: "http://localhost/", headers: [], body: [], isLocal: true)

  /// What came of some answers.
  private struct Story {
    /// How many were asked for.
    var count = 0
    var told: [String] = []
    var waits: [Int] = []
    /// The status and text of what was passed on, and what is reported of it.
    var status: Int?
    var text = ""
    var notices: [String] = []
  }

  private func run(
    _ answers: [Script.Answer], closesInWait: Bool = false
  ) throws -> Story {
    let (kept, script) = (Kept(), Script(answers))
    let log = try Log(of: Self.request)
    var waits: [Int] = []
    let world = World(
      steadyMilliseconds: { script.time }, epochSeconds: { 0 },
      random: {
        waits.append($0.upperBound)
        kept.isClosed = closesInWait
        return $0.upperBound
      })
    let job = Job(
      Self.request, Reply(Redaction([])), to: kept, notingIn: log.log,
      RetryPolicy(RetrySettings()), world)
    try Run(OneJob(job), by: script, world).run()
    #expect(script.time == waits.reduce(0, +))
    return Story(
      count: script.count, told: kept.retries, waits: waits, status: try log.number("http_status"),
      text: kept.text,
      notices: kept.notices)
  }

  @Test func `of refusals that pass nothing is passed on`() throws {
    let busy = #"{"error":{"code":"slow_down","message":"Busy."}}"#
    let outcome = try run([.refuse(429, busy), .refuse(500, "<html>"), .stream(Self.stream)])
    #expect(outcome.count == 3)
    #expect(outcome.status == 200 && outcome.text == Self.stream)
    #expect(
      outcome.told == [
        "HTTP 429, request req_0: slow_down: Busy.; trying again in 0.5 s",
        "HTTP 500, request req_1; trying again in 1 s",
      ])
    #expect(outcome.waits == [500, 1000])
  }

  @Test func `the last refusal is passed on whole`() throws {
    let outcome = try run([.refuse(503, "one"), .refuse(502, "two"), .refuse(500, "three")])
    #expect(outcome.count == 3)
    #expect(outcome.status == 500 && outcome.text.contains("HTTP 500: three"))
    #expect(!outcome.text.contains("one") && !outcome.text.contains("two"))
    #expect(outcome.told.count == 2)
  }

  @Test func `what is for good is passed on at once`() throws {
    let outcome = try run([.refuse(400, "no")])
    #expect(outcome.count == 1 && outcome.told.isEmpty && outcome.waits.isEmpty)
    #expect(outcome.status == 400)
  }

  @Test(arguments: [(nil, 3), ("", 3), ("d", 1), (Self.stream, 1)] as [(String?, Int)])
  func `an answer that has begun is not asked for again`(body: String?, count: Int) throws {
    let outcome = try run([.broken(body)])
    #expect(outcome.count == count)
    #expect(outcome.notices.contains { $0.contains("reset") })
    #expect(outcome.status == (body == nil ? nil : 200))
    #expect(outcome.text.hasPrefix(body == Self.stream ? Self.stream : "event: error\n"))
  }

  @Test func `a request is not sent again once a byte was passed on, whatever the head`() throws {
    let outcome = try run([.headless(Self.stream)])
    #expect(outcome.count == 1 && outcome.text.hasPrefix(Self.stream))
  }

  @Test(arguments: [
    ("insufficient_quota", 1), ("rate_limit_exceeded", 3),
  ])
  func `an error that comes as an event stream is read`(code: String, count: Int) throws {
    let error = #"data: {"error": {"message": "M.", "type": "t", "code": "\#(code)"}}"#
    let end = "\n\ndata: [DONE]\n\n"
    for body in [error + end, ": ping\n\n" + error, "event: error\r\n" + error + "\r\n\r\n"] {
      let outcome = try run([.refuse(429, body)])
      #expect(outcome.count == count)
      let event = #"{"type":"error","error":{"message": "M.", "type": "t", "code": "\#(code)"}"#
      #expect(outcome.text.hasPrefix("event: error\ndata: " + event + #","status":429,"#))
      #expect(outcome.told.allSatisfy { $0.contains(code + ": M.") })
    }
  }

  @Test func `a failed response is an error, too`() throws {
    let error = #"{"code":"insufficient_quota","message":"Pay."}"#
    let body =
      "data: {\"type\":\"response.created\",\"response\":{\"error\":null}}\n\n"
      + #"data: {"type":"response.failed","response":{"status":"failed","error":\#(error)}}"#
    let outcome = try run([.refuse(500, body + "\n\n")])
    #expect(outcome.count == 1)
    #expect(outcome.text.contains(#"{"type":"error","error":\#(error),"status":500,"#))
  }

  @Test func `a reader that leaves ends the wait`() {
    #expect(throws: Failure.self) { try run([.refuse(500, "")], closesInWait: true) }
  }
}
