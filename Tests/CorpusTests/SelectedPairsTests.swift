import Foundation
import ProcessSupport
import TestSupport
import Testing
import oresp_events
import oresp_text

/// Two recordings that were selected by type stand one behind the other: all modes make the same of
/// them as of each alone.
@Suite struct SelectedPairsTests {
  private static let modes = [["--items"], ["-R", "--partial"], ["--usage"], ["--stats"]]

  /// What was selected of a recording, and what comes of that alone.
  private struct Selected {
    let path: String
    let lines: String
    let text: String
    let counts: [Int]
    /// The numbers, the ids and the kinds and places of whole values.
    var numbers: [Int] = []
    var ids: Set<String> = []
    var wholes: [String] = []

    init?(_ path: String, _ selection: [String]) throws {
      let bytes = try Recording(path).bytes
      let lines = try EventsTool.command.run(["-q"] + selection, input: bytes).output.text
      self.path = path
      self.lines = lines
      guard lines.contains("\"type\"") else { return nil }
      text = try SelectedPairsTests.text(of: lines)
      counts = try SelectedPairsTests.modes.map { try SelectedPairsTests.count($0, lines) }
      for line in Finished.lines(lines) {
        let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let event = parsed as? [String: Any] ?? [:]
        let type = event["type"] as? String ?? ""
        if let number = event["sequence_number"] as? Int, number > 0 { numbers.append(number) }
        let objects = [event["item"], event["response"]].compactMap { $0 as? [String: Any] }
        ids.formUnion((objects.map { $0["id"] } + [event["item_id"]]).compactMap { $0 as? String })
        guard type.hasSuffix(".done") || type.hasSuffix(".added") else { continue }
        let places = ["output_index", "content_index", "summary_index"]
          .map { event[$0] as? Int ?? -1 }
        wholes.append("\(type) \(places)")
      }
    }

    /// Whether something says that `next` is another response: a number that falls, or a whole
    /// value that came already.
    func isTold(from next: Selected) -> Bool {
      guard ids.isDisjoint(with: next.ids), counts[2] == 1 else { return false }
      if let first = numbers.first, let last = numbers.last, let number = next.numbers.first,
        number <= first || number < last
      {
        return true
      }
      return next.wholes.first.map { wholes.contains($0) } ?? false
    }
  }

  private static func text(of lines: String) throws -> String {
    try TextTool.command.run(["-q"], input: Array(lines.utf8)).output.text
  }

  /// The number of lines that `oresp-events` prints, but for what it says on ends.
  private static func count(_ mode: [String], _ lines: String) throws -> Int {
    let run = try EventsTool.command.run(["-q"] + mode, input: Array(lines.utf8))
    return Finished.lines(run.output.text).count { !$0.contains("\"oresp.end\"") }
  }

  @Test(arguments: [
    ["-t", "output_text.done"], ["-t", "output_text.delta"], ["-t", "*.delta", "-t", "*.done"],
    ["-t", "*.done"], ["-t", "output_item.done"], ["-t", "*.done", "-t", "completed"],
    ["-T", "response.created", "-T", "response.completed"],
  ])
  func `two answers that were selected by type are two`(selection: [String]) throws {
    let paths = Corpus.files("streams", ".sse", ".ndjson")
    let parts = try paths.compactMap { try Selected($0, selection) }
    var generator = SeededGenerator()
    var told = 0
    while told < 40 {
      guard let one = parts.randomElement(using: &generator),
        let other = parts.randomElement(using: &generator)
      else { break }
      guard one.isTold(from: other) else { continue }
      told += 1
      let both = one.lines + other.lines
      let how = "\(one.path), \(other.path), seed \(generator.seed)"
      #expect(try Self.text(of: both) == one.text + other.text, "\(how)")
      let counts = try Self.modes.map { try Self.count($0, both) }
      #expect(counts == zip(one.counts, other.counts).map(+), "\(how)")
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
