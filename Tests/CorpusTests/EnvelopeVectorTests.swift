import Core
import TestSupport
import Testing
import oresp_sse

@Suite struct EnvelopeVectorTests {
  private static func envelope(_ chunks: [[UInt8]]) -> String {
    var settings = SSETool.Settings()
    settings.isEnvelope = true
    return feed(EnvelopeFilter(settings), chunks).output
  }

  private static func stream(from lines: String) -> String {
    var settings = SSETool.Settings()
    (settings.isEnvelope, settings.isReverse) = (true, true)
    let pipe = EventPipe(
      EnvelopeEncodeFilter(settings), reading: settings.reading, needing: .objectsUnlessEmpty)
    return feed(pipe, [Array(lines.utf8)]).output
  }

  /// The events and the last reconnection time that lines of envelopes tell.
  private static func read(_ lines: String) -> (events: [Vector.Event], retry: Int?) {
    var retry: Int?
    // Not by Foundation, which drops U+FEFF from the start of a string.
    let events = lines.split(separator: "\n").map { line in
      let bytes = Array(line.utf8)
      func text(_ name: StaticString) -> [UInt8] {
        JSONChildren.value(of: name, in: bytes.span).map {
          JSONString.decoded(bytes.span.extracting($0))
        } ?? []
      }
      if let value = JSONChildren.value(of: "retry", in: bytes.span) {
        retry = JSONNumber.integer(bytes.span.extracting(value))
      }
      return Vector.Event(
        event: String(decoding: text("event"), as: UTF8.self), data: text("data"),
        id: String(decoding: text("id"), as: UTF8.self))
    }
    return (events, retry)
  }

  @Test func `envelopes hold exactly the events of every vector`() throws {
    var generator = SeededGenerator()
    for vector in try Vector.all() {
      let bytewise = vector.input.count < 2000 ? [vector.input.map { [$0] }] : []
      let cuts = [[vector.input], randomCuts(of: vector.input, 5, using: &generator)] + bytewise
      for chunks in cuts {
        let (events, retry) = Self.read(Self.envelope(chunks))
        #expect(events == vector.events, "\(vector.id), seed \(generator.seed)")
        // A time that comes behind the last event has no line to stand on.
        if let retry { #expect(retry == vector.retry || vector.retry != nil, "\(vector.id)") }
      }
    }
  }

  @Test func `what was parsed is written back and parses to the same`() throws {
    for vector in try Vector.all() {
      let lines = Self.envelope([vector.input])
      let again = Self.envelope([Array(Self.stream(from: lines).utf8)])
      #expect(Array(again.utf8) == Array(lines.utf8), "\(vector.id)")
    }
  }
}
