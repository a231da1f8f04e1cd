import Core
import TestSupport
import Testing

@testable import oresp_events

private let created =
  #"{"type":"response.created","response":{"id":"r1","model":"m","status":"in_progress","usage":null}}"#
private let usage = #"{"output_tokens":1.0,"x": [1e3],"input_tokens":2}"#
private let completed =
  #"{"response":{"usage": \#(usage), "model":"m-2","id":"r\u0031"},"type":"response.completed"}"#
private let error = #"{"type":"error","code":"server_error","message":"m"}"#

@Suite struct UsageFilterTests {
  @Test(
    arguments: [
      ([], []),
      (
        [created, completed],
        [#"{"response_id":"r\u0031","model":"m-2","status":"completed","usage":\#(usage)}"#]
      ),
      ([created], [#"{"response_id":"r1","model":"m","status":"incomplete","usage":null}"#]),
      (
        [created, created, completed],
        [
          #"{"response_id":"r1","model":"m","status":"incomplete","usage":null}"#,
          #"{"response_id":"r\u0031","model":"m-2","status":"completed","usage":\#(usage)}"#,
        ]
      ),
      ([error], [#"{"response_id":null,"model":null,"status":"failed","usage":null}"#]),
      (
        [created, error, #"{"type":"response.failed","response":{"id":"r1"}}"#],
        [#"{"response_id":"r1","model":"m","status":"failed","usage":null}"#]
      ),
      (
        [#"{"type":"response.done","response":{"status":"cancelled"}}"#, #"{"type":"keepalive"}"#],
        [#"{"response_id":null,"model":null,"status":"cancelled","usage":null}"#]
      ),
      (
        [#"{"object":"response","status":"incomplete","usage":{}}"#],
        [#"{"response_id":null,"model":null,"status":"incomplete","usage":{}}"#]
      ),
    ] as [([String], [String])])
  func `each response has a line of its usage`(lines: [String], expected: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    for chunks in cuts(of: Array(text.utf8)) {
      let pipe = EventPipe(
        UsageFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
      #expect(feed(pipe, chunks).output == expected.map { $0 + "\n" }.joined())
    }
  }

  @Test func `a broken terminal event is told, and ends nothing`() {
    let broken = #"{"type":"response.completed","response":{"usage":{"a":01}}}"#
    let text = [created, broken].joined(separator: "\n") + "\n"
    let pipe = EventPipe(
      UsageFilter(), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
    let line = #"{"response_id":"r1","model":"m","status":"incomplete","usage":null}"# + "\n"
    let notices = [
      "in: line 2, byte \(created.utf8.count + 1): not JSON: expected a comma or }",
      "the stream ended before the response did",
    ]
    #expect(feed(pipe, [Array(text.utf8)]) == Outcome(line, .temporary, notices))
  }
}
