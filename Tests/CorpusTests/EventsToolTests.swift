import Foundation
import ProcessSupport
import Testing

/// What `oresp-events` makes of streams that real servers sent, against what Foundation reads.
@Suite struct EventsToolTests {
  private static let streams = Corpus.eventStreams + Corpus.eventLines

  private static func object(_ line: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }

  /// An event as Foundation reads it, and the type of the item that it belongs to.
  private struct Read {
    var line: String
    var event: [String: Any]
    var itemType: String?

    var index: Int? { event["output_index"] as? Int }
    var itemID: String? {
      ((event["item"] as? [String: Any])?["id"] ?? event["item_id"]) as? String
    }
  }

  private static func read(_ recording: Recording) throws -> [Read] {
    var types: [Int: String] = [:]
    return try recording.events.map { line in
      var read = Read(line: line, event: try object(line))
      if read.event["type"] as? String == "response.created" { types = [:] }
      if let item = read.event["item"] as? [String: Any], let index = read.index {
        types[index] = item["type"] as? String
      }
      read.itemType = read.index.flatMap { types[$0] }
      // One that names no item is about one of the kind that its type names.
      let words = (read.event["type"] as? String ?? "").split(separator: ".").map(String.init)
      if read.index == nil, read.itemID == nil, words.count == 3 {
        let isText = ["output_text", "content_part", "refusal"].contains(words[1])
        let kind = isText ? "message" : words[1]
        if types.values.contains(kind) { read.itemType = kind }
      }
      return read
    }
  }

  private static func expect(
    _ recording: Recording, _ arguments: [String], _ expected: [String]
  ) throws {
    let run = try ToolProcess.run("oresp-events", arguments + [recording.file])
    #expect(run.lines == expected, "\(arguments)")
  }

  @Test(arguments: streams.filter { $0.hasPrefix("streams/") })
  func `usage has what the terminal event says`(path: String) throws {
    let recording = try Recording(path)
    let events = recording.events
    let ends = ["response.completed", "response.incomplete", "response.failed"]
    let responses = try events.map(Self.object).filter {
      ends.contains($0["type"] as? String ?? "")
    }.map { $0["response"] as? [String: Any] ?? [:] }
    let run = try ToolProcess.run("oresp-events", ["--usage", recording.file])
    #expect(run.lines.count == responses.count)
    for (line, response) in zip(run.lines, responses) {
      let told = try Self.object(line)
      for (name, source) in [
        ("usage", "usage"), ("response_id", "id"), ("model", "model"), ("status", "status"),
      ] {
        let expected = response[source] as? NSObject ?? NSNull()
        #expect(told[name] as? NSObject == expected, "\(name)")
      }
      // Numbers keep their spelling.
      let usage = line.components(separatedBy: "\"usage\":")[1].dropLast()
      #expect(usage == "null" || events.contains { $0.contains(usage) })
    }
  }

  @Test(arguments: streams)
  func `a count is what a reader counts`(path: String) throws {
    let recording = try Recording(path)
    var counts: [String: Int] = [:]
    for line in recording.events {
      counts[try Self.object(line)["type"] as? String ?? "", default: 0] += 1
    }
    for (type, count) in counts {
      try Self.expect(recording, ["-c", "-t", type], [String(count)])
    }
    let stats = try ToolProcess.run("oresp-events", ["--stats", recording.file]).lines
    var told: [String: Int] = [:]
    for line in stats {
      let types = try Self.object(line)["types"] as? [String: Int] ?? [:]
      told.merge(types) { $0 + $1 }
    }
    #expect(told == counts)
  }

  @Test(arguments: streams)
  func `selecting by place is what a reader selects`(path: String) throws {
    let recording = try Recording(path)
    let events = try Self.read(recording)
    for index in Set(events.compactMap(\.index)) {
      let expected = events.filter { $0.index == index }.map(\.line)
      try Self.expect(recording, ["--exact", "--index", String(index)], expected)
    }
    for type in Set(events.compactMap(\.itemType)) {
      let expected = events.filter { $0.itemType == type }.map(\.line)
      try Self.expect(recording, ["--exact", "--item-type", type], expected)
    }
    // One server gives each event another name for its item: some of them are enough.
    for id in Set(events.compactMap(\.itemID)).sorted().prefix(5) {
      let expected = events.filter { $0.itemID == id }.map(\.line)
      try Self.expect(recording, ["--exact", "--item", id], expected)
    }
  }

  @Test(arguments: streams)
  func `selecting by number is what a reader selects`(path: String) throws {
    let recording = try Recording(path)
    let expected = try Self.read(recording).filter { read in
      (read.event["sequence_number"] as? Int).map { $0 > 2 && $0 < 7 } ?? false
    }.map(\.line)
    try Self.expect(recording, ["--exact", "--after=2", "--before=7"], expected)
  }

  @Test(arguments: streams)
  func `a later tool reaches the same verdict from the ends`(path: String) throws {
    let recording = try Recording(path)
    let run = try ToolProcess.bash(
      "oresp-events -k -m 0 \"$1\" | oresp-events >/dev/null", [recording.file])
    #expect(run.outcome == .exited(Recording.status(of: path)))
    #expect(run.text == "")
  }
}
