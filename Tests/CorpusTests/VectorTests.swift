import Core
import Foundation
import TestSupport
import Testing

/// A case of `sse/vectors.ndjson`.
struct Vector {
  struct Event: Equatable {
    var event: String
    var data: [UInt8]
    var id: String

    /// By bytes: text that is canonically equal is not the same text.
    static func == (left: Self, right: Self) -> Bool {
      Array(left.event.utf8) == Array(right.event.utf8) && left.data == right.data
        && Array(left.id.utf8) == Array(right.id.utf8)
    }
  }

  var id = ""
  var input: [UInt8] = []
  var chunks: [Int] = []
  var events: [Event] = []
  /// For each event, after how many bytes it must be known.
  var known: [Int]?
  var retry: Int?
  var lastID = ""
  var isDiscarded = false
  var flushed: Event?

  init(_ object: [String: Any]) throws {
    id = try #require(object["id"] as? String)
    if let base64 = object["input_b64"] as? String {
      input = Array(try #require(Data(base64Encoded: base64)))
    }
    for part in object["input_repeat"] as? [[String: Any]] ?? [] {
      let bytes = Array(try #require(Data(base64Encoded: part["b64"] as? String ?? "")))
      for _ in 0..<(part["times"] as? Int ?? 0) { input += bytes }
    }
    chunks = object["chunks"] as? [Int] ?? []
    events = try (object["events"] as? [[String: Any]] ?? []).map(Self.event)
    known = object["at"] as? [Int]
    if let text = object["retry"] as? String {
      #expect(!text.isEmpty)
      retry = JSONNumber.largest
    } else {
      retry = object["retry"] as? Int
    }
    lastID = object["last_id"] as? String ?? ""
    isDiscarded = object["end"] as? String == "discarded"
    flushed = try (object["flush"] as? [String: Any]).map(Self.event)
  }

  private static func event(_ object: [String: Any]) throws -> Event {
    var data = Array((object["data"] as? String ?? "").utf8)
    for part in object["data_repeat"] as? [[String: Any]] ?? [] {
      let text = Array((part["text"] as? String ?? "").utf8)
      for _ in 0..<(part["times"] as? Int ?? 0) { data += text }
    }
    return Event(
      event: try #require(object["event"] as? String), data: data,
      id: try #require(object["id"] as? String))
  }

  static func all() throws -> [Vector] {
    let text = try String(contentsOf: Corpus.url("sse/vectors.ndjson"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try Vector(try #require(object as? [String: Any]))
    }
  }
}

/// What the decoder makes of an input that comes in chunks.
struct Parsed: Equatable {
  var events: [Vector.Event] = []
  /// After how many bytes each event came out.
  var known: [Int] = []
  var retry: Int?
  var lastID: [UInt8] = []
  var isDiscarded = false
  var flushed: Vector.Event?

  init(_ chunks: [[UInt8]]) {
    var decoder = EventStreamDecoder()
    var input = InputBuffer()
    var count = 0
    for chunk in chunks {
      input.append(chunk.span)
      count += chunk.count
      while let found = decoder.next(&input) {
        guard case .event = found else { continue }
        events.append(Self.event(decoder, input))
        known.append(count)
      }
    }
    isDiscarded = decoder.hasRest(input)
    lastID = Self.repaired(decoder.lastID)
    retry = decoder.retry
    if isDiscarded, let found = decoder.flush(&input), case .event = found {
      flushed = Self.event(decoder, input)
    }
  }

  static func event(
    _ decoder: borrowing EventStreamDecoder, _ input: borrowing InputBuffer
  ) -> Vector.Event {
    let (name, data) = (decoder.name, decoder.data)
    return Vector.Event(
      event: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
      data: repaired(data), id: String(decoding: decoder.lastID, as: UTF8.self))
  }

  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    UTF8Repair.append(bytes.span, to: &output)
    return output
  }
}

@Suite struct VectorTests {
  private static func cuts(
    _ vector: Vector, using generator: inout SeededGenerator
  ) -> [[[UInt8]]] {
    var cuts = vector.input.count <= 2000 ? splits(of: vector.input) : [[vector.input]]
    var start = 0
    var given: [[UInt8]] = []
    for length in vector.chunks {
      given.append(Array(vector.input[start..<start + length]))
      start += length
    }
    if start == vector.input.count, !given.isEmpty { cuts.append(given) }
    for count in [1, 3, 10, 50] {
      cuts.append(randomCuts(of: vector.input, count, using: &generator))
    }
    return cuts
  }

  @Test func `every vector holds, however its bytes are cut`() throws {
    var generator = SeededGenerator()
    let vectors = try Vector.all()
    #expect(vectors.count >= 261)
    for vector in vectors {
      for chunks in Self.cuts(vector, using: &generator) {
        let parsed = Parsed(chunks)
        let place = "\(vector.id), cut as \(chunks.count) chunks, seed \(generator.seed)"
        #expect(parsed.events == vector.events, "\(place)")
        #expect(parsed.retry == vector.retry, "\(place)")
        #expect(parsed.lastID == Array(vector.lastID.utf8), "\(place)")
        #expect(parsed.isDiscarded == vector.isDiscarded, "\(place)")
        if let flushed = vector.flushed { #expect(parsed.flushed == flushed, "\(place)") }
      }
    }
  }

  @Test func `each event is out as soon as the byte that ends it is in`() throws {
    for vector in try Vector.all() {
      guard let known = vector.known else { continue }
      let parsed = Parsed(vector.input.map { [$0] })
      #expect(parsed.known == known, "\(vector.id)")
    }
  }
}
