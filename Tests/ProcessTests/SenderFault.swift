import Foundation
import ProcessSupport
import Testing

/// A fault on the way to an answer, or in it, and all that is known of `oresp-send` then.
struct SenderFault: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What the server answers each request with.
  let answer: Answer
  /// What it does with each connection instead, before anything is asked.
  let steps: [Answer.Step]?
  var options: [String] = []
  let status: Int32
  /// What is told, a line each, without the name of the tool; an ellipsis stands for the words of
  /// another program.
  let told: [String]
  /// How many events of the sample stream come out; an `error` event follows, unless the status is
  /// 0.
  let events: Int
  let requests: Int

  init(
    _ name: String, _ answer: Answer = Answer(), onConnection steps: [Answer.Step]? = nil,
    _ options: [String] = [], status: Int32 = 5, told: [String], events: Int = 0,
    requests: Int? = nil
  ) {
    (testDescription, self.answer, self.steps, self.options) = (name, answer, steps, options)
    (self.status, self.told, self.events) = (status, told, events)
    self.requests = requests ?? told.count
  }

  /// One that is tried again once, and told as `message` with `rest` behind it.
  init(
    _ name: String, _ answer: Answer = Answer(), onConnection steps: [Answer.Step]? = nil,
    _ options: [String] = [], twice message: String, code: String = "connection_lost",
    _ rest: String = "; try again"
  ) {
    self.init(
      name, answer, onConnection: steps, options,
      told: ["\(message); trying again in TIME s", "error: \(code): \(message)\(rest)"])
  }

  /// Where the first `count` events of the sample stream end.
  static func end(of count: Int) -> Int {
    SampleStream.stream(Array(SampleStream.events.prefix(count))).utf8.count
  }

  /// Runs the sender, and expects all that is known. What came before the fault is on standard
  /// output, whole and once; no stage behind it takes the answer for a whole
  /// one; nothing is left of temporary files; and nobody is shown the key that the server repeats.
  func expect(scheme: String = "http") throws {
    var answer = answer
    answer.headers += Self.echoes
    let server = try steps.map { try LoopbackServer(onConnection: $0) } ?? LoopbackServer(answer)
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    var sender = Sender(server)
    sender.environment["OPENAI_BASE_URL"] = "\(scheme)://127.0.0.1:\(server.port)/v1"
    sender.arguments =
      ["--retry=1", "--log", log] + options + Sender.question
    let run = try sender.run()
    #expect(run.outcome == .exited(status))
    let lines = Finished.lines(withoutWaits(run.errors)).map {
      $0.replacingOccurrences(of: "port \(server.port)", with: "port PORT")
    }
    #expect(
      lines.count == told.count && zip(lines, told).allSatisfy(Self.meets), "\(lines), not \(told)")
    #expect(server.requests.count == requests)
    let passed = SampleStream.stream(Array(SampleStream.events.prefix(events)))
    try #require(run.text.hasPrefix(passed), "\(run.text)")
    let rest = ProcessTests.events(of: Array(run.output.dropFirst(passed.utf8.count)))
    #expect(rest.map { $0["type"] as? String } == (status == 0 ? [] : ["error"]))
    #expect(json(try String(contentsOfFile: log, encoding: .utf8))["exit"] as? Int32 == status)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["log"])
    let later = try ToolProcess.run("oresp-text", ["-q"], input: .bytes(run.output))
    #expect(later.outcome == .exited(status))
  }

  /// Whether `line` is what is `told`.
  static func meets(_ line: String, _ told: String) -> Bool {
    let parts = "oresp-send: \(told)".components(separatedBy: "…")
    return parts.count == 1
      ? line == parts[0] : line.hasPrefix(parts[0]) && line.hasSuffix(parts[1])
  }

  /// Headers in which a server repeats the key.
  static let echoes = [
    (name: "X-Echo", value: "a \(Sender.key) b"),
    (name: "Set-Cookie", value: "session=\(Sender.key)"),
  ]
}

extension Answer {
  /// An answer that is sent as it stands, its head too.
  static func raw(_ text: String, _ steps: Step...) -> Answer {
    Answer(framing: .raw, steps: (text.isEmpty ? [] : [.send(Array(text.utf8))]) + steps)
  }

  /// An event stream in chunks, of which so many bytes come before `steps`.
  static func part(_ count: Int, _ steps: Step...) -> Answer { part(count, steps: steps) }

  static func part(_ count: Int, steps: [Step]) -> Answer {
    var answer = Answer.stream(SampleStream.bytes)
    answer.steps = [.send(Array(SampleStream.bytes.prefix(count)))] + steps
    return answer
  }
}
