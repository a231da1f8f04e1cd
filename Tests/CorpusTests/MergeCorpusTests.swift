import Core
import Foundation
import TestSupport
import Testing
import oresp_events
import oresp_sse

private func merge(_ files: [String], _ arguments: String...) throws -> CommandRun {
  let option = arguments.isEmpty ? ["--merge"] : arguments
  return try CommandRun(EventsTool.command, option, on: files.map(\.utf8))
}

private func text(_ lines: some Sequence<String>) -> String {
  lines.map { $0 + "\n" }.joined()
}

@Suite struct MergeCorpusTests {
  /// The streams that number their events.
  private static let numbered = (Corpus.eventStreams + Corpus.eventLines).filter { path in
    guard let lines = try? Recording(path).events else { return false }
    return lines.allSatisfy { $0.contains("\"sequence_number\":") }
  }

  @Test(arguments: numbered)
  func `a stream that was dealt out to several files comes out whole`(path: String) throws {
    let lines = try Recording(path).events
    let whole = try merge([text(lines)])
    #expect(whole.output == text(lines))
    // Where two files have the next number, one of another response may come first.
    let isSeveral = path.contains("four-responses")
    var generator = SeededGenerator()
    for index in 0..<5 * 7 {
      let (partition, count) = (Partition.allCases[index % 5], 2 + index / 5)
      let parts = partition.parts(of: lines, count, using: &generator)
      let run = try merge(parts.map(text))
      let how = "by \(partition) to \(count), seed \(generator.seed): \(run.errors)"
      if isSeveral, run.output != whole.output {
        #expect(Set(run.output.split(separator: "\n").map(String.init)) == Set(lines), "\(how)")
      } else {
        #expect(run.output == whole.output && run.status == whole.status, "\(how)")
      }
    }
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `a stream whose lines are numbered comes out whole from any split`(path: String) throws {
    let bytes = try Recording(path).bytes
    let made = try CommandRun(SSETool.command, ["-q", "--number"], on: [bytes]).output
    let lines = made.split(separator: "\n").map(String.init)
    let status = try merge([made]).status
    var generator = SeededGenerator()
    for index in 0..<5 * 7 {
      let (partition, count) = (Partition.allCases[index % 5], 2 + index / 5)
      let run = try merge(partition.parts(of: lines, count, using: &generator).map(text))
      let how = "by \(partition) to \(count), seed \(generator.seed): \(run.errors)"
      #expect(run.output == text(lines) && run.status == status, "\(how)")
    }
  }

  @Test(arguments: numbered) func `a stream that was cut and resumed comes out whole`(
    path: String
  ) throws {
    let recording = try Recording(path)
    let lines = recording.events
    let whole = try merge([text(lines)])
    let known = Set(lines)
    var generator = SeededGenerator()
    for _ in 0..<3 {
      let cut = Int.random(in: 0..<recording.bytes.count, using: &generator)
      let head = String(decoding: recording.bytes[..<cut], as: UTF8.self)
      let had = try merge([head]).output.split(separator: "\n").count { known.contains(String($0)) }
      guard had < lines.count else { continue }
      let start = Int.random(in: 0...had, using: &generator)
      let run = try merge([head, text(lines[start...])].shuffled(using: &generator))
      let place = "cut at \(cut), resumed at \(start), seed \(generator.seed): \(run.errors)"
      #expect(run.output == whole.output && run.status == whole.status, "\(place)")
    }
  }

  @Test func `a background response and its resumption are one`() throws {
    let head = try String(
      contentsOf: Corpus.url("streams/openai-background-queued.sse"), encoding: .utf8)
    let tail = try String(
      contentsOf: Corpus.url("streams/openai-background-resumed.sse"), encoding: .utf8)
    #expect(try merge([head, tail]) == merge([head]))
    let begun = head.components(separatedBy: "\n\n").prefix(3).joined(separator: "\n\n")
    #expect(try merge([begun, tail]).output == merge([head]).output)
    #expect(try merge([begun, tail]).status == 0)
  }
}
