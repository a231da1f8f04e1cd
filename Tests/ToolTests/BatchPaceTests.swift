import Core
import Foundation
import ProcessSupport
import Testing

@testable import Core
@testable import oresp_send

/// A server with a clock of its own, which goes on when the batch waits.
private final class Script: Carrier {
  /// What is answered to an attempt at a request, and after how many milliseconds.
  struct Answer {
    var status = 200
    var headers: [(String, String)] = []
    /// The body of a refusal.
    var body = "{}"
    var after = 10
  }

  private(set) var time = 0
  /// What came, and when.
  private(set) var starts: [(name: String, time: Int)] = []
  private var attempts: [String: Int] = [:]
  private var running: [(number: Int, end: Int)] = []
  private let answer: (_ name: String, _ attempt: Int, _ time: Int) -> Answer

  init(_ answer: @escaping (String, Int, Int) -> Answer) { self.answer = answer }

  var world: World {
    World(
      steadyMilliseconds: { self.time }, epochSeconds: { 0 }, random: { $0.upperBound })
  }

  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure) {
    let name = request.text("input")
    starts.append((name, time))
    attempts[name, default: 0] += 1
    let answer = answer(name, attempts[name] ?? 0, time)
    receiver.begin(ReplyHead(status: answer.status, headers: answer.headers))
    let body =
      answer.status == 200
      ? #"{"id":"r","object":"response","status":"completed","output":[]}"# : answer.body
    _ = try receiver.receive(Array(body.utf8).span)
    running.append((number, time + answer.after))
  }

  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) -> [Ended] {
    let next = running.map(\.end).min() ?? .max
    time = max(time, min(next, time + milliseconds))
    let ended = running.filter { $0.end <= time }
    running.removeAll { $0.end <= time }
    return ended.map { ($0.number, nil) }
  }
}

/// How a batch paces its requests, with a clock that is played.
@Suite struct BatchPaceTests {
  /// Sends requests called `names` to `script`. Returns the status, and the names of the answers in
  /// their order.
  private func run(
    _ names: String, _ script: Script, _ change: (inout SendSettings) -> Void = { _ in }
  ) throws -> (status: Core.ExitStatus, answers: String, told: [String]) {
    var settings = SendSettings()
    settings.batch.isOn = true
    change(&settings)
    let folder = try TemporaryFolder()
    let requests = names.map { #"{"custom_id":"\#($0)","body":{"input":"\#($0)"}}"# + "\n" }
    let jobs = try folder.file("jobs", requests.joined())
    let files = try ["in", "out", "err"].map { name in
      try FileHandle(forUpdating: URL(fileURLWithPath: try folder.file(name, "")))
    }
    let numbers = files.map(\.fileDescriptor)
    let streams = Streams(input: numbers[0], output: numbers[1], errors: numbers[2]) { _ in nil }
    let notifier = Notifier(tool: "oresp-send", settings: settings.notices, streams)
    let output = try BatchOutput(
      notifier, Redaction([]), nil, keepsOrder: settings.batch.keepsOrder)
    let source = try BatchSource([jobs], for: "/responses", open: notifier.open)
    let total = settings.transport.totalMilliseconds
    let policy = RetryPolicy(settings.retry)
    let batch = Batch(
      source, settings.batch, ReplyPlan(isOfBatch: true), by: script, policy, script.world,
      within: total, to: output
    ) { line in
      let request = HTTPRequest(
        url: "http://localhost/v1/responses", headers: [], body: [UInt8](line.body),
        isLocal: true)
      return (request, Redaction([]))
    }
    let status = try withExtendedLifetime(files) { try batch.run() }
    func lines(_ file: String) throws -> [String] {
      try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
    let answers = try lines("out").map {
      JSONChildren.text(of: "custom_id", in: Array($0.utf8).span)
    }
    return (status, answers.joined(), try lines("err").map { String($0.dropFirst(12)) })
  }

  @Test func `starts are spaced by the rate, attempts that are repeated among them`() throws {
    let script = Script { name, attempt, _ in
      Script.Answer(status: name == "a" && attempt == 1 ? 500 : 200)
    }
    let run = try run("abcd", script) { settings in
      settings.batch.spacing = 300_000
    }
    #expect(run.status == .completed)
    #expect(script.starts.map(\.time) == [0, 300, 600, 900, 1200])
    #expect(script.starts.map(\.name).joined() == "abacd")
  }

  @Test(
    arguments: [
      (429, [], #"{"error":{"message":"Please try again in 6.4s."}}"#, [0, 6410, 6420]),
      (503, [("retry-after", "9")], "{}", [0, 9010, 9020]),
      // What is refused for good holds nothing, whatever it says.
      (404, [("retry-after", "300")], "{}", [0, 10]),
      (400, [("retry-after", "9")], "{}", [0, 10]),
      (
        429, [],
        #"{"error":{"message":"Request too large: Limit 9, Requested 10. Try again in 9s"}}"#,
        [0, 10]
      ),
    ] as [(Int, [(String, String)], String, [Int])])
  func `only a refusal that is to be tried again holds the others`(
    status: Int, headers: [(String, String)], body: String, times: [Int]
  ) throws {
    let script = Script { name, attempt, _ in
      name == "a" && attempt == 1
        ? Script.Answer(status: status, headers: headers, body: body) : Script.Answer()
    }
    let run = try run("ab", script) { $0.batch.jobs = 1 }
    #expect(script.starts.map(\.time) == times)
    #expect(run.status == (times.count == 2 ? .refusedForGood : .completed))
  }

  @Test func `a limit that lets some through is no failure of the others`() throws {
    var (minute, passed) = (-1, 0)
    let script = Script { _, _, time in
      if time / 60_000 > minute { (minute, passed) = (time / 60_000, 0) }
      passed += 1
      let wait = [("retry-after", "\(60 - time / 1000 % 60)")]
      // What is answered takes longer than what is refused.
      return passed <= 2
        ? Script.Answer(after: 900) : Script.Answer(status: 429, headers: wait, after: 1)
    }
    let run = try run("abcdefghijkl", script)
    #expect(run.status == .completed && run.answers.count == 12)
    #expect(script.time < 6 * 60_000)
  }

  @Test func `a limit that lets nothing through is one`() throws {
    let script = Script { _, _, _ in Script.Answer(status: 429) }
    let run = try run("abc", script)
    #expect(run.status == .temporary && script.starts.count == 9)
  }

  @Test(arguments: [
    (401, [], "HTTP 401"),
    (429, [("retry-after", "600")], "HTTP 429"),
  ])
  func `what is so for all stops the batch`(
    status: Int, headers: [(String, String)], told: String
  ) throws {
    let script = Script { name, _, _ in
      name == "b" ? Script.Answer(status: status, headers: headers) : Script.Answer()
    }
    let run = try run("abcdef", script) { $0.batch.jobs = 1 }
    #expect(run.status == (status == 401 ? .refusedForGood : .temporary))
    #expect(run.answers == "ab")
    #expect(run.told.contains("no more requests are sent: " + told))
  }

  @Test func `in order, few wait for one that is slow`() throws {
    let script = Script { name, _, _ in Script.Answer(after: name == "a" ? 5000 : 10) }
    let names = "abcdefghijklmnopqrstuvwxyz"
    let run = try run(names, script) { settings in
      settings.batch.jobs = 2
      settings.batch.keepsOrder = true
    }
    #expect(run.status == .completed && run.answers == names)
    #expect(script.starts.count { $0.time < 5000 } == 8)
    let other = try self.run(names, Script { _, _, _ in Script.Answer() }) { $0.batch.jobs = 2 }
    #expect(other.answers.count == names.count)
  }

  @Test func `no wait that a server asks for is longer than the time for all`() throws {
    // The answer to the first request comes after two seconds of three.
    let script = Script { name, _, _ in
      name == "a"
        ? Script.Answer(after: 2000)
        : Script.Answer(status: 429, headers: [("retry-after", "2.9")], after: 1)
    }
    let run = try run("abc", script) { settings in
      settings.batch.jobs = 1
      settings.transport.totalMilliseconds = 3000
    }
    #expect(run.status == .temporary && run.answers == "ab")
    #expect(script.time == 3000)
  }

  @Test func `a request that waits for its turn ends with the time for all`() throws {
    // The second attempt at `a` is due while the pause that `b` was told still lasts.
    let script = Script { name, attempt, _ in
      let wait = name == "a" ? "2" : "9"
      return name == "c" || attempt > 1
        ? Script.Answer() : Script.Answer(status: 429, headers: [("retry-after", wait)], after: 1)
    }
    let run = try run("ab", script) { settings in
      settings.batch.jobs = 2
      settings.transport.totalMilliseconds = 3000
    }
    #expect(run.status == .temporary && script.time < 3500)
  }

  @Test func `the time for all is the time for all`() throws {
    let script = Script { _, _, _ in Script.Answer(after: 400) }
    let run = try run("abcdefgh", script) { settings in
      settings.batch.jobs = 1
      settings.transport.totalMilliseconds = 1000
    }
    #expect(run.status == .temporary && run.answers == "abc")
    #expect(
      run.told == [
        "no more requests are sent: --max-time is over",
        "8 requests: 3 completed, 5 not sent",
      ])
  }
}
