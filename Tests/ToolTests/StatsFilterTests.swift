import Core
import TestSupport
import Testing

@testable import oresp_events

private let stamped = [
  #"{"type":"response.created","sequence_number":0,"response":{"id":"r"},"oresp":{"at":1000.5}}"#,
  #"{"type":"response.output_item.added","sequence_number":1,"output_index":1,"item":{"type":"message"},"oresp":{"at":1001.000001}}"#,
  #"{"type":"response.output_text.delta","sequence_number":2,"oresp":{"at":1003.25}}"#,
  #"{"type":"acme:x"}"#, #"{"n":1}"#,
  #"{"type":"response.output_item.done","output_index":1,"item":{"type":"message"},"oresp":{"at":1003.2500009}}"#,
  #"{"type":"response.completed","sequence_number":9,"response":{"usage":{"output_tokens":10}},"oresp":{"at":1003.5}}"#,
]
private let figures =
  #"{"response_id":"r","model":null,"status":"completed","events":7,"bytes":\#(stamped.reduce(0) { $0 + $1.utf8.count }),"#
  + #""types":{"response.created":1,"response.completed":1,"response.output_item.added":1,"response.output_item.done":1,"response.output_text.delta":1,"":1,"acme:x":1},"#
  + #""first_event_at":1000.5,"first_text_seconds":2.75,"seconds":3,"#
  + #""longest_gap":{"seconds":2.249999,"after":1,"before":2},"output_tokens":10,"tokens_per_second":3.333}"#

private func empty(_ start: String, _ events: String) -> String {
  #"{\#(start),\#(events),"first_event_at":null,"first_text_seconds":null,"seconds":null,"longest_gap":null,"output_tokens":null,"tokens_per_second":null}"#
}

private let keepalive = #"{"type":"keepalive"}"#
private let created = #"{"type":"response.created","response":{"id":"s"}}"#
private let createdCounts =
  #""events":1,"bytes":49,"types":{"response.created":1}"#

@Suite struct StatsFilterTests {
  @Test(
    arguments: [
      ([], []), (stamped, [figures]), (stamped + stamped, [figures, figures]),
      (
        [created, created],
        Array(
          repeating: empty(#""response_id":"s","model":null,"status":"incomplete""#, createdCounts),
          count: 2)
      ),
      (
        // A line of the sender's log.
        [
          #"{"response_id":"l","response_model":"m","response_status":"completed","usage":{"output_tokens":10},"elapsed_seconds":2.5,"verdict":"completed"}"#,
          #"{"http_status":500,"elapsed_seconds":2.5,"verdict":"temporary"}"#,
        ],
        [
          #"{"response_id":"l","model":"m","status":"completed","events":0,"bytes":0,"types":{},"first_event_at":null,"first_text_seconds":null,"seconds":2.5,"longest_gap":null,"output_tokens":10,"tokens_per_second":4}"#
        ]
      ),
      (stamped + [keepalive], [figures]),
    ] as [([String], [String])])
  func `each response has a line of its figures`(lines: [String], expected: [String]) {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    var generator = SeededGenerator(seed: 1)
    let cuts = (0..<20).map { randomCuts(of: bytes, $0, using: &generator) }
    for chunks in cuts + [bytes.map { [$0] }] {
      let pipe = EventPipe(
        StatsFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
      #expect(feed(pipe, chunks).output == expected.map { $0 + "\n" }.joined())
    }
  }

  @Test func `a clock that was set back gives no times`() {
    let text = [1005, 1000, 1002].map { #"{"type":"response.x","oresp":{"at":\#($0)}}"# }
      .joined(separator: "\n")
    let pipe = EventPipe(
      StatsFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
    let output = feed(pipe, [Array(text.utf8)]).output
    #expect(output.contains(#""seconds":null,"longest_gap":{"seconds":2,"after":null"#))
  }

  @Test func `names that are not known have a bound`() {
    let text = (0..<1005).map { #"{"type":"response.x\#($0)"}"# }.joined(separator: "\n")
    let pipe = EventPipe(
      StatsFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
    #expect(feed(pipe, [Array(text.utf8)]).output.contains(#""oresp.other":5,"#))
  }

  @Test func `a broken event is told and counted`() {
    let text = "{\"type\":\"response.x\"}\n{\"type\":\"x\",\"a\":tru}\n"
    let pipe = EventPipe(
      StatsFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
    let outcome = feed(pipe, [Array(text.utf8)])
    #expect(outcome.output.contains(#""types":{"oresp.unparsed":1,"response.x":1}"#))
    #expect(
      outcome.notices == [
        "in: line 2, byte 22: not JSON: expected true, false or null",
        "no event has a time: oresp-sse --stamp adds times while a stream comes in",
      ])
    #expect(outcome.status == .badInput)
  }
}
