import Foundation
import TestSupport
import Testing

@testable import Core

/// Whose the events of recordings are, alone, one behind another, cut, selected and dealt out.
@Suite struct ResponsesCorpusTests {
  /// Recordings that begin with their beginning, each with its lines and their responses.
  private static let recordings: [(path: String, lines: [[UInt8]], responses: [Int])] =
    (Corpus.eventStreams + Corpus.eventLines + Corpus.files("streams/more", ".sse", ".ndjson"))
    .compactMap { path in
      guard let bytes = try? Recording(path).bytes else { return nil }
      var lines: [[UInt8]] = []
      EventFeed.all(in: bytes, sorting: .handlingAll) { event, line in
        if event.typeName != nil { lines.append([UInt8](copying: line)) }
      }
      let isWhole = lines.first.map { Event(of: $0.span).type == EventType("response.created") }
      guard isWhole == true else { return nil }
      return (path, lines, place(lines).responses)
    }

  private static func place(
    _ lines: [[UInt8]], takesShortCut: Bool = true
  ) -> (responses: [Int], items: [Int], reports: Int) {
    var responses = Responses()
    responses.takesShortCut = takesShortCut
    responses.needsItems = true
    var closed = 0
    var numbers: [Int] = []
    var items: [Int] = []
    for line in lines {
      var event = Event(of: line.span)
      if !responses.placeUsual(
        &event, line.span, numbered: event.sequenceNumber(in: line.span))
      {
        responses.placeByRules(&event, line.span)
        closed += responses.closed.count
      }
      numbers.append(event.response?.number ?? 0)
      items.append(event.item)
    }
    responses.finish()
    closed += responses.closed.count
    #expect(closed == responses.count, "each response is closed once")
    return (numbers, items, responses.takeReports().count)
  }

  @Test func `there are recordings, and nearly all have one response`() {
    #expect(Self.recordings.count > 20)
    let several = Self.recordings.filter { ($0.responses.max() ?? 0) != 1 }.map(\.path)
    #expect(several.count <= Self.recordings.count / 20, "\(several)")
  }

  @Test func `a recording behind another, whole or cut, has its own responses`() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let pair = Self.pair(&random)
      let cut =
        Bool.random(using: &random) ? pair.0.lines.count : pair.0.lines.indices.random(&random)
      let placed = Self.place(Array(pair.0.lines.prefix(cut)) + pair.1.lines)
      let former = pair.0.responses.prefix(cut).max() ?? 0
      let wanted = pair.0.responses.prefix(cut) + pair.1.responses.map { $0 == 0 ? 0 : $0 + former }
      #expect(
        placed.responses == Array(wanted),
        "\(pair.0.path) up to \(cut), \(pair.1.path), seed \(random.seed)")
    }
  }

  @Test func `the short cut of the usual event gives what the rules give`() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let pair = Self.pair(&random)
      let cut = pair.0.lines.indices.random(&random)
      var lines = Array(pair.0.lines.prefix(cut)) + pair.1.lines
      // By turns, out of order and twice, too.
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        lines.insert(
          lines[lines.indices.random(&random)], at: lines.indices.random(&random))
      }
      // Of several tags.
      for index in lines.indices where Bool.random(using: &random) {
        lines[index] = Self.tagged(lines[index], index.isMultiple(of: 3) ? "a" : "b")
      }
      let short = Self.place(lines)
      let long = Self.place(lines, takesShortCut: false)
      #expect(
        short == long, "\(pair.0.path) up to \(cut), \(pair.1.path), seed \(random.seed)")
    }
  }

  @Test func `two tagged recordings by turns have the responses of each`() {
    var random = SeededGenerator()
    for _ in 0..<100 {
      let pair = Self.pair(&random)
      var lines: [[UInt8]] = []
      var wanted: [(tag: Int, response: Int)] = []
      var left = (pair.0.lines[...], pair.1.lines[...])
      while !left.0.isEmpty || !left.1.isEmpty {
        let isFirst = left.1.isEmpty || !left.0.isEmpty && Bool.random(using: &random)
        guard let line = isFirst ? left.0.popFirst() : left.1.popFirst() else { break }
        let at = isFirst ? left.0.startIndex - 1 : left.1.startIndex - 1
        wanted.append((isFirst ? 1 : 2, (isFirst ? pair.0 : pair.1).responses[at]))
        lines.append(Self.tagged(line, isFirst ? "a" : "b"))
      }
      // The numbers of two tags differ, and go with the responses of each.
      var numbers: [Int: Int] = [:]
      for (got, want) in zip(Self.place(lines).responses, wanted) where want.response > 0 {
        let key = want.tag * 1000 + want.response
        #expect(
          numbers[key, default: got] == got, "\(pair.0.path), \(pair.1.path), seed \(random.seed)")
        numbers[key] = got
      }
      #expect(Set(numbers.values).count == numbers.count)
    }
  }

  private static func pair(
    _ random: inout SeededGenerator
  ) -> (
    (path: String, lines: [[UInt8]], responses: [Int]),
    (path: String, lines: [[UInt8]], responses: [Int])
  ) {
    (recordings[recordings.indices.random(&random)], recordings[recordings.indices.random(&random)])
  }

  private static func tagged(_ line: [UInt8], _ tag: String) -> [UInt8] {
    Array(line.dropLast()) + Array(#","oresp":{"request":"\#(tag)"}}"#.utf8)
  }
}

extension Range<Int> {
  fileprivate func random(_ random: inout SeededGenerator) -> Int {
    randomElement(using: &random) ?? lowerBound
  }
}
