import Core
import Foundation
import TestSupport
import Testing
import oresp_events

private func run(_ arguments: [String], _ lines: [String]) throws -> CommandRun {
  try CommandRun(EventsTool.command, arguments, on: [lines.map { $0 + "\n" }.joined().utf8])
}

/// The lines of `streams`, each in order, and dealt at random.
private func mixed(_ streams: [[String]], _ generator: inout SeededGenerator) -> [String] {
  var left = streams.map { $0[...] }
  var lines: [String] = []
  while let stream = left.indices.filter({ !left[$0].isEmpty }).randomElement(using: &generator) {
    lines.append(left[stream].removeFirst())
  }
  return lines
}

@Suite struct LanesCorpusTests {
  private static let streams: [[String]] = (Corpus.eventStreams + Corpus.eventLines)
    .compactMap { try? Recording($0).events }
    .filter { lines in
      lines.count { $0.contains("\"response.created\"") } == 1
        && lines.allSatisfy { $0.hasPrefix("{") && !$0.contains("\"oresp\"") }
    }

  /// Streams of which every event tells its response or its item, no two tell the same, and the end
  /// tells all items again.
  private static let told: [[String]] = {
    var known: Set<String> = []
    return streams.filter { lines in
      let events = lines.compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let responses = Set(
        events.compactMap { ($0["response"] as? [String: Any])?["id"] as? String })
      let items = events.compactMap {
        $0["item_id"] as? String ?? ($0["item"] as? [String: Any])?["id"] as? String
      }
      let opened = Set(
        events.filter { ($0["type"] as? String ?? "").hasSuffix("item.added") }
          .compactMap { ($0["item"] as? [String: Any])?["id"] as? String })
      let last = events.last?["response"] as? [String: Any]
      let output = Set(
        (last?["output"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String })
      let isReported =
        output.isSuperset(of: items)
        && events.allSatisfy {
          $0["response"] != nil || $0["item"] != nil || $0["item_id"] != nil
        }
      let ids = responses.union(items)
      guard responses.count == 1, isReported, opened.isSuperset(of: items),
        known.isDisjoint(with: ids)
      else { return false }
      known.formUnion(ids)
      return true
    }
  }()

  @Test(arguments: [["-R"], ["--items"], ["--calls"], ["--usage"], ["--citations"]])
  func `responses of two writers come out as each alone`(arguments: [String]) throws {
    #expect(Self.told.count > 10)
    var generator = SeededGenerator()
    for start in stride(from: 0, to: Self.told.count - 1, by: 2) {
      let streams = [Self.told[start], Self.told[start + 1]]
      let alone = try streams.map { try run(arguments, $0) }
      let both = try run(arguments, mixed(streams, &generator))
      let lines = alone.flatMap { $0.output.split(separator: "\n") }
      // An event that opens an item names no response: where it may be of either, that is told.
      if both.errors.contains(where: { $0.contains("share this stream") }) {
        #expect(both.status >= 3, "\(start), \(generator.seed)")
        continue
      }
      let isSame = both.output.split(separator: "\n").sorted() == lines.sorted()
      #expect(isSame && both.status == alone.map(\.status).max(), "\(start), \(generator.seed)")
    }
  }

  @Test(arguments: [["-R"], ["--items"], ["--stats"], ["--usage"], ["--check"]])
  func `responses with tags come out as each alone`(arguments: [String]) throws {
    var generator = SeededGenerator()
    for start in stride(from: 0, to: Self.streams.count - 2, by: 3) {
      let streams: [[String]] = Self.streams[start..<start + 3].enumerated().map { tag, lines in
        lines.map { "\($0.dropLast()),\"oresp\":{\"request\":\"\(tag)\"}}" }
      }
      let alone = try streams.map { try run(arguments, $0) }
      let both = try run(arguments, mixed(streams, &generator))
      // A finding begins with its line.
      func lines(_ run: CommandRun) -> [Substring] {
        run.output.split(separator: "\n").map {
          arguments == ["--check"] ? $0.drop { $0 != ":" } : $0
        }
      }
      let isSame = lines(both).sorted() == alone.flatMap(lines).sorted()
      // That no event has a time is said of the whole input.
      func errors(_ run: CommandRun) -> Int { run.errors.count { !$0.contains("has a time") } }
      let isChecked = errors(both) == alone.reduce(0) { $0 + errors($1) }
      let how = "\(start), \(generator.seed): \(both.errors) \(alone.map(\.errors))"
      #expect(isSame && isChecked && both.status == alone.map(\.status).max(), "\(how)")
    }
  }
}
