import Core
import TestSupport
import Testing

/// Writes what is known of each event: its place, its type, its members and where they are found.
private struct MembersFilter: EventFilter {
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    let name = event.typeName.map { String(decoding: line.extracting($0)) } ?? "-"
    let place = event.place
    output.bytes.append("\(place.line) \(place.byte) \(event.inputEnd) \(name)")
    output.bytes.append(event.type == nil ? "?" : "")
    event.members.each(in: line) { name, value in
      output.bytes.append(" \(String(decoding: name))=\(String(decoding: value))")
    }
    for name in ["type", "sequence_number", "delta", "item_id", "oresp"] as [StaticString] {
      let value = event.value(of: name, in: line).map { String(decoding: line.extracting($0)) }
      output.bytes.append(" \(value ?? "-")")
    }
    for name in ["item", "own"] as [StaticString] {
      let id = event.value(of: name, "id", in: line).map { String(decoding: line.extracting($0)) }
      output.bytes.append(" \(id ?? "-")")
    }
    output.append(line: line)
  }

  mutating func finish(into output: inout Output) {}
}

/// Events that repeat the one before but for what they add.
@Suite struct ContinuationTests {
  /// The members of an event, with its type or behind it.
  private static let firsts = [
    #""sequence_number":1,"delta":"a""#, #""sequence_number":9,"delta":" words","padding":"Rk""#,
    #""sequence_number":1e2,"delta":null"#, #""sequence_number":1"#,
    #""item_id":"m1","delta":"x","oresp":{"at":1767225600.250001,"n":1}"#,
    #""delta":"x","list":[1.5,-12]"#, #""delta":"x","item":{"id":1}"#,
    #""d\u0065lta":"x","delta":"y""#, #""delta":"x","type":"ping""#,
    #""type":"response.output_text.delta","delta":"x""#,
    #""delta":"","own":{"id":2},"item":{"x":1,"id":5}"#,
    #""sequence_number":9,"type":"response.output_text.delta","delta":"x""#,
  ]

  /// The same of the event behind it, in place of its first or all of its members.
  private static let nexts = [
    #""sequence_number":2,"delta":"b""#, #""sequence_number":12,"delta":"""#,
    #""sequence_number":0,"delta":"longer than sixteen bytes""#,
    #""sequence_number":1,"delta":"\u00e9\n\\ \"é東""#,
    #""sequence_number":3,"delta":"a","padding":"x""#, #""sequence_number":4,"delta" : "a""#,
    #""sequence_number":"5","delta":"a""#, #""sequence_number":null,"delta":"a""#,
    #""sequence_number":-1,"delta":"a""#, #""sequence_number":1.5,"delta":"a""#,
    #""sequence_number":1e3,"delta":"a""#, #""sequence_number":6,"delta":{"a":[]}"#,
    #""sequence_number":6,"delta":7"#, #""sequence_number":6,"delta":"a","delta":"b""#,
    #""item_id":"m22","delta":"x","oresp":{"at":1767225600.3,"n":1}"#,
    #""item_id":"m1","delta":"","oresp":{"at":1767225601.000000,"n":2}"#,
    #""item_id":"m1","delta":"x","oresp":{"at":1767225600.250001,"n":12}"#,
    #""item_id":"m1","delta":"x","oresp":{"at":-1767225600.250001,"n":01}"#,
    #""delta":"xy","list":[1.7,-13]"#, #""delta":"x","list":[1.5,-02]"#,
    #""delta":"xyz","item":{"id":1}"#, #""delta":"x","item":{"id":12}"#,
    // Here `own` begins where `item` did.
    #""delta":"1234567890123456","own":{"id":2},"item":{"x":1,"id":5}"#,
    #""d\u0065lta":"xyz","delta":"y""#, #""delta":"xyz","type":"pong""#,
    #""type":"response.refusal.delta","delta":"x""#, #""type":"response.output_t","delta":"x""#,
    #""sequence_number":10,"type":"response.output_text.delta","delta":"xyz""#,
    // No JSON.
    #""sequence_number":01,"delta":"a""#, #""sequence_number":-,"delta":"a""#,
    #""sequence_number":,"delta":"a""#, #""sequence_number":1x,"delta":"a""#,
    #""sequence_number":7,"delta":"a"#, #""sequence_number":7,"delta":"a\x""#,
    #""sequence_number":7,"delta":"a\"#, #""sequence_number":7,"delta":a""#,
    #""sequence_number":7,"delta":"a"}"#, #""sequence_number":7,"delta":"#,
    "\"sequence_number\":7,\"delta\":\"\t\"", "\"sequence_number\":7,\"delta\":\"\u{0}\"",
    "\"sequence_number\":7,\n\"delta\":\"a\"", "\"sequence_number\":7,\"delta\":\"\u{FF}\"",
    "\"sequence_number\":7,\"delta\":\"\u{F0}\u{90}\"",
  ]

  /// What stands before an event and behind it.
  private static let frames = [
    ("event: x\ndata: ", "\n\n"), ("data: ", "\n"), ("data: ", "\r\n\r\n"),
    ("id: 1\ndata: ", "\n\n"), ("", "\n"), ("", "\r\n"), ("", "\n\n"), ("", ""), (" ", " \n"),
  ]

  @Test(arguments: firsts)
  func `an event that repeats the one before is read as if it came alone`(first: String) {
    for next in Self.nexts + [first] {
      for (start, end) in Self.frames {
        let text = [first, next, next, first, first].map { members in
          let hasType = members.contains("\"type\":\"response")
          let type = hasType ? "" : "\"type\":\"response.output_text.delta\","
          return "\(start){\(type)\(members)}\(end)"
        }.joined()
        // As Latin-1, which makes some of it no UTF-8.
        for stream in [
          Array(text.utf8), text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
        ] {
          for limit in [0, 70] {
            var settings = EventReader.Settings()
            settings.limit = limit
            let make = {
              EventPipe(MembersFilter(), reading: settings, needing: .objectsUnlessEmpty)
            }
            // Of bytes that come one by one none before are there to be compared with.
            let alone = feed(make(), stream.map { [$0] })
            #expect(feed(make(), [stream]) == alone, "\(text.debugDescription)")
            let cut = stream.count * 2 / 5
            let parts = [Array(stream[..<cut]), Array(stream[cut...])]
            #expect(feed(make(), parts) == alone, "\(text.debugDescription)")
          }
        }
      }
    }
  }

  /// The lanes of the events of two responses, without those whose delta is `text`; the event
  /// `other` comes from elsewhere, before the last.
  private static func lanes(
    leavingOut text: StaticString, judging other: String? = nil
  ) -> [Int] {
    let lines = [
      #"{"type":"response.created","response":{"id":"a"}}"#,
      #"{"type":"response.output_item.added","item":{"id":"m1"}}"#,
      #"{"type":"response.created","response":{"id":"b"}}"#,
      #"{"type":"response.output_item.added","item":{"id":"m2"}}"#,
      #"{"type":"response.output_text.delta","item_id":"m1","delta":"1"}"#,
      #"{"type":"response.output_text.delta","item_id":"m2","delta":"x"}"#,
      #"{"type":"response.output_text.delta","item_id":"m2","delta":"2"}"#,
      #"{"type":"response.output_text.delta","item_id":"m2","delta":"3"}"#,
    ]
    var feed = EventFeed(sorting: .handlingAll)
    var input = InputBuffer()
    var output = Output()
    var lanes: [Int] = []
    func give(_ lines: ArraySlice<String>) {
      input.append(Array((lines.joined(separator: "\n") + "\n").utf8).span)
      feed.each(
        in: &input, isEnd: false, into: &output,
        gate: { event, line, _ in
          let delta = event.value(of: "delta", in: line)
          return delta.map { line.extracting($0).equals(text) } == true ? .drop : .open
        },
        { event, _, _ in lanes.append(event.slot) })
    }
    give(lines.prefix(7))
    if let other {
      let line = Array(other.utf8)
      var event = Event(of: line.span)
      feed.judge(&event, line.span, into: &output) { event, _, _ in lanes.append(event.slot) }
    }
    give(lines.suffix(1))
    return lanes
  }

  @Test func `a continuation is of the response of the event before it`() {
    #expect(Self.lanes(leavingOut: "") == [0, 0, 1, 1, 0, 1, 1, 1])
  }

  @Test func `a continuation of an event that was left out is placed by its own members`() {
    #expect(Self.lanes(leavingOut: "\"x\"") == [0, 0, 1, 1, 0, 1, 1])
  }

  @Test func `a continuation behind an event from elsewhere is placed by its own members`() {
    let other = #"{"type":"response.output_text.delta","item_id":"m1","delta":"4"}"#
    #expect(Self.lanes(leavingOut: "", judging: other) == [0, 0, 1, 1, 0, 1, 1, 0, 1])
  }
}
