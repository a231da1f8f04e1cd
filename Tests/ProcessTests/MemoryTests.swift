import Foundation
import ProcessSupport
import Testing

#if os(Linux)
  /// How much memory the sender takes however much a server sends. `ORESP_MEGABYTES` has the servers send so much, in place of what is enough to show
  /// it: who held it would have more than `budget`.
  @Suite(.waiting, .needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
  struct MemoryTests {
    private static let megabytes =
      ProcessInfo.processInfo.environment["ORESP_MEGABYTES"].flatMap { Int($0) } ?? 20

    /// What is enough for events of a kilobyte, in KiB.
    private static let budget = 32 << 10

    private static let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    private static let comments = Array(String(repeating: ": ping\n\n", count: 1 << 17).utf8)
    private static let events = Array(
      String(repeating: #"data: {"type":"x"}"# + "\n\n", count: 1 << 16).utf8)

    /// What a server sends: a start, and a piece behind it again and again.
    struct Shape: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let start: String
      let piece: [UInt8]
      let options: [String]

      init(_ name: String, _ start: String, _ piece: [UInt8], _ options: String...) {
        (testDescription, self.start, self.piece, self.options) = (name, start, piece, options)
      }
    }

    private static let shapes: [Shape] = [
      Shape("events", "", events), Shape("comments", "", comments),
      Shape("a document of another endpoint", #"{"data":[""#, piece, "--path=/files"),
      Shape("a gzip bomb", "", comments, "--retry=0"),
    ]

    @Test(arguments: shapes)
    func `the sender holds no more than an event`(shape: Shape) throws {
      let gate = Gate()
      let isPacked = shape.testDescription == "a gzip bomb"
      let isStream = shape.options.isEmpty || isPacked
      let type = isStream ? "text/event-stream" : "application/json"
      var pieces = [Array(shape.start.utf8)]
      pieces += Array(repeating: shape.piece, count: Self.megabytes)
      if isPacked {
        let bytes = pieces.reduce(into: []) { $0 += $1 }
        pieces = [try ToolProcess.run("gzip", [], input: .bytes(bytes)).output]
      }
      let steps = pieces.map(Answer.Step.send) + [Answer.Step.wait(gate)]
      var answer = Answer(headers: [("Content-Type", type)], framing: .chunked, steps: steps)
      if isPacked { answer.headers.append(("Content-Encoding", "gzip")) }
      let sender = try Sender(answer)
      let isOther = shape.options.first?.hasPrefix("--path") == true
      let arguments = ["--retry=0"] + shape.options + (isOther ? [] : Sender.question)
      let process = try ToolProcess(
        "bash", ["-c", "exec oresp-send \"$@\" >/dev/null", "bash"] + arguments,
        environment: sender.environment)
      // All is sent and taken when the sender does nothing more.
      var (last, still) = (-1, 0)
      while still < 4, kill(process.processID, 0) == 0 {
        let now = Self.ticks(process.processID)
        still = gate.isAwaited && now == last ? still + 1 : 0
        last = now
        usleep(50_000)
      }
      let peak = try process.peakKibibytes()
      print("\(shape.testDescription): \(peak) KiB")
      #expect(peak < Self.budget)
      kill(process.processID, SIGKILL)
      _ = process.finish()
      gate.open()
    }

    /// The time that a process has used so far.
    private static func ticks(_ process: Int32) -> Int {
      let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let fields = (text ?? "").split(separator: " ").dropFirst(13).prefix(2)
      return fields.compactMap { Int($0) }.reduce(0, +)
    }
  }
#endif
