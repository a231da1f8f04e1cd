import Core
import Foundation
import TestSupport
import Testing
import oresp_events

private func merge(_ inputs: [String]) -> Outcome {
  feed(
    RelayPipe(SelectFilter(EventsTool.Settings()), merges: true, speed: nil), inputs: inputs)
}

private func read(_ name: String) throws -> String {
  try String(contentsOf: Corpus.url("streams/" + name), encoding: .utf8)
}

@Suite struct MergeCorpusTests {
  /// The streams that number their events, and hold one response.
  private static let names: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: Corpus.url("streams").path)
    let kept = (all ?? []).filter { $0.hasSuffix(".sse") || $0.hasSuffix(".ndjson") }
    return kept.filter { !$0.contains("2025-05-emoji") && !$0.contains("four-responses") }.sorted()
  }()

  @Test(arguments: names) func `a stream that was cut and resumed comes out whole`(
    name: String
  ) throws {
    let text = try read(name)
    let whole = merge([text])
    let lines = whole.output.split(separator: "\n").map(String.init)
    let known = Set(lines)
    let bytes = Array(text.utf8)
    var generator = SeededGenerator()
    for _ in 0..<12 {
      let cut = Int.random(in: 0..<bytes.count, using: &generator)
      let head = String(decoding: bytes[..<cut], as: UTF8.self)
      let had = merge([head]).output.split(separator: "\n").filter { known.contains(String($0)) }
      // Which event it was that was cut off is not known before the first number.
      guard had.count < lines.count, had.count > 0 || lines[0].contains("response.created")
      else { continue }
      let start = Int.random(in: 0...had.count, using: &generator)
      let tail = lines[start...].map { $0 + "\n" }.joined()
      let outcome = merge([head, tail])
      let place = "cut at \(cut), resumed at \(start), seed \(generator.seed)"
      #expect(outcome.output == whole.output, "\(place)")
      #expect(outcome.status == whole.status, "\(place): \(outcome.notices)")
    }
  }

  @Test func `a background response and its resumption are one`() throws {
    let head = try read("openai-background-queued.sse")
    let tail = try read("openai-background-resumed.sse")
    #expect(merge([head, tail]) == merge([head]))
    let begun = head.components(separatedBy: "\n\n").prefix(3).joined(separator: "\n\n")
    #expect(merge([begun, tail]).output == merge([head]).output)
    #expect(merge([begun, tail]).status == .completed)
  }

  @Test func `responses in a row keep their own numbers`() throws {
    let text = try read("openai-four-responses-in-a-row.ndjson")
    #expect(merge([text]).output == text + (text.hasSuffix("\n") ? "" : "\n"))
    #expect(merge([text, text]).output == merge([text]).output)
  }
}
