import Core
import TestSupport
import Testing

/// Several responses in one stream come out as each does alone.
@Suite struct InterleavingTests {
  /// What tells the responses apart.
  enum Mark: CaseIterable, Sendable {
    /// The tag of `oresp-sse --tag`, or the lane of a WebSocket; all else is the same.
    case tag, lane
    /// The ids of responses and items, and numbers that begin elsewhere in each.
    case numbers
    /// The ids alone.
    case ids

    /// The lines of `events` as those of response `number`.
    func lines(_ events: [String], _ number: Int) -> [String] {
      let own = events.map { event in
        ["\"r\"", "\"i\""].reduce(event) { $0.replacing($1, with: "\($1.dropLast())\(number)\"") }
      }
      let first = self == .numbers ? 100 * number : 0
      return (self == .ids || self == .numbers ? own : events).enumerated().map { place, event in
        let mark =
          switch self {
          case .tag: #","oresp":{"request":"\#(number)"}"#
          case .lane: #","stream_id":"\#(number)""#
          case .numbers, .ids: ""
          }
        return "\(event.dropLast()),\"sequence_number\":\(first + place)\(mark)}"
      }
    }
  }

  /// The lines of `streams`, each in order, dealt at random.
  private static func dealt(
    _ streams: [[String]], using generator: inout SeededGenerator
  ) -> [String] {
    var left = streams.map { $0[...] }
    var lines: [String] = []
    while let next = left.indices.filter({ !left[$0].isEmpty }).randomElement(using: &generator) {
      lines.append(left[next].removeFirst())
    }
    return lines
  }

  private static func run(
    _ mode: String, _ lines: [String]
  ) throws -> (lines: [String], status: Int32, errors: String) {
    let input = lines.map { $0 + "\n" }.joined()
    let run = try CommandRow.run(["oresp-events", mode], input: Array(input.utf8))
    let output = String(decoding: run.output, as: UTF8.self)
    return (output.split(separator: "\n").map(String.init).sorted(), run.status, run.errors)
  }

  @Test(arguments: ["-R", "--items", "--usage", "--stats", "--check"], Mark.allCases)
  func `responses come out of a mixed stream as each alone`(mode: String, mark: Mark) throws {
    var generator = SeededGenerator()
    for _ in 0..<4 {
      // Of the events inside a shell call none names the item.
      let all = LintStreams.all.filter { mark != .ids || $0 != LintStreams.shell }
      let streams = (1...(mark == .ids ? 2 : 3)).map { number in
        mark.lines(all.randomElement(using: &generator) ?? [], number)
      }
      let alone = try streams.map { try Self.run(mode, $0) }
      let mixed = try Self.run(mode, Self.dealt(streams, using: &generator))
      // An event that names neither its response nor its item may be of another: told.
      let told = ["share this stream", "came too late", "comes twice"]
      if mark == .ids || mark == .numbers, told.contains(where: mixed.errors.contains) { continue }
      let isSame = mixed.lines == alone.flatMap(\.lines).sorted()
      #expect(isSame && mixed.status == alone.map(\.status).max(), "seed \(generator.seed)")
    }
  }
}
