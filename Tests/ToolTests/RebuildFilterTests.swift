import Core
import TestSupport
import Testing
import oresp_events

private func pipe<F: EventFilter & ~Copyable>(_ filter: consuming F) -> EventPipe<F> {
  EventPipe(filter, reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
}

private func rebuild(partial: Bool = false) -> EventPipe<RebuildFilter> {
  var settings = EventsTool.Settings()
  settings.keepsPartial = partial
  return pipe(RebuildFilter(ResponsePrinter(settings)))
}

private let created = #"{"type":"response.created","response":{"id":"r","output":[]}}"#
private let completed = #"{"type":"response.completed","response":{"id":"r","output":[]}}"#

private func done(_ index: Int, _ item: String) -> String {
  #"{"type":"response.output_item.done","output_index":\#(index),"item":\#(item)}"#
}

private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

@Suite struct RebuildFilterTests {
  @Test func `a response that ended is printed, however its events are cut`() {
    let others = [created, completed].map { $0.replacing(#""r""#, with: #""s""#) }
    let stream = text([created, done(0, #"{"type":"a","n":1.0}"#), completed] + others)
    let expected = Outcome(
      text([#"{"id":"r","output":[{"type":"a","n":1.0}]}"#, #"{"id":"s","output":[]}"#]))
    #expect(mismatches(feeding: stream, expecting: expected) { rebuild() } == [])
  }

  @Test func `one that was cut is printed when asked for, and is a failure all the same`() {
    let cut = "the stream ended before the response did"
    let stream = text([created, done(0, #"{"type":"a"}"#)])
    let advice = "; only --partial prints what came of it"
    #expect(feed(rebuild(), [Array(stream.utf8)]) == Outcome("", .temporary, [cut + advice]))
    let response =
      #"{"id":"r","output":[{"type":"a"}],"status":"incomplete","incomplete_details":{"reason":"truncated_stream"}}"#
    #expect(
      feed(rebuild(partial: true), [Array(stream.utf8)])
        == Outcome(response + "\n", .temporary, [cut]))
  }

  @Test func `a broken line is told, and the rest goes on`() {
    let stream = text([created, #"{"type":"response.output_item.done","item":tru}"#, completed])
    let notice =
      "in: line 2, byte \(created.utf8.count + 1): not JSON: expected true, false or null"
    #expect(
      feed(rebuild(), [Array(stream.utf8)])
        == Outcome("{\"id\":\"r\",\"output\":[]}\n", .badInput, [notice]))
  }

  @Test func `items are printed as they end`() {
    let stream = text([
      created, done(1, #"{"type":"b"}"#), done(0, #"{ "type":"a" }"#), completed,
    ])
    let expected = Outcome(text([#"{"type":"b"}"#, #"{ "type":"a" }"#]))
    #expect(
      mismatches(feeding: stream, expecting: expected) { pipe(RebuildFilter(ItemPrinter())) } == [])
  }

  @Test(arguments: [
    (
      #"{"type":"function_call","id":"f","call_id":"c","name":"add","status":"completed","arguments":"{\"a\":1.0}"}"#,
      #"{"type":"function_call","id":"f","call_id":"c","name":"add","status":"completed","arguments":"{\"a\":1.0}","parsed":{"a":1.0}}"#
    ),
    (
      #"{"type":"function_call","name":"add","arguments":"{\"a\":"}"#,
      #"{"type":"function_call","id":null,"call_id":null,"name":"add","status":null,"arguments":"{\"a\":","parsed":null}"#
    ),
    (
      #"{"type":"custom_tool_call","call_id":"c","name":"run","input":"print(1)\n"}"#,
      #"{"type":"custom_tool_call","id":null,"call_id":"c","name":"run","status":null,"arguments":"print(1)\n","parsed":null}"#
    ),
    (
      #"{"type":"mcp_call","id":"m","name":"roll","server_label":"dice","arguments":"{}","output":"4","error":null}"#,
      #"{"type":"mcp_call","id":"m","call_id":null,"name":"roll","server_label":"dice","status":null,"arguments":"{}","parsed":{},"output":"4","error":null}"#
    ),
    (
      #"{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}}"#,
      #"{"type":"shell_call","id":null,"call_id":"c","name":"shell","status":null,"arguments":"{\"commands\":[\"ls\"]}","parsed":{"commands":["ls"]}}"#
    ),
    (
      #"{"type":"computer_call","call_id":"c","action":{"type":"wait"}}"#,
      #"{"type":"computer_call","id":null,"call_id":"c","name":"computer","status":null,"arguments":"{\"type\":\"wait\"}","parsed":{"type":"wait"}}"#
    ),
  ])
  func `a call is an object of one shape`(item: String, call: String) {
    let stream = text([created, done(0, #"{"type":"message"}"#), done(1, item), completed])
    #expect(feed(pipe(RebuildFilter(CallPrinter())), [Array(stream.utf8)]) == Outcome(call + "\n"))
  }

  @Test func `sources come at once, citations with the text that they stand for`() {
    let search =
      #"{"type":"web_search_call","action":{"sources":[{"type":"url","url":"u1"},{"type":"url","url":"u2"}]}}"#
    let results =
      #"{"type":"response.web_search_call.completed","results":{"sources":[{"title":"T","url":"u2","snippet":"s"}]}}"#
    let message =
      #"{"type":"message","content":[{"type":"output_text","text":"é😀 cited","annotations":[{"type":"url_citation","start_index":3,"end_index":8,"url":"u1","title":"A"},{"type":"file_citation","index":2,"file_id":"f"},{"type":"url_citation","start_index":0,"end_index":99,"url":"u1"}]}]}"#
    let stream = text([created, results, done(0, search), done(1, message), completed])
    let expected = text([
      #"{"n":null,"cited":false,"type":"source","url":"u2","title":"T","snippet":"s"}"#,
      #"{"n":null,"cited":false,"type":"url","url":"u1"}"#,
      #"{"n":1,"cited":true,"type":"url_citation","url":"u1","title":"A","output_index":1,"start":3,"end":8,"text":"cited"}"#,
      #"{"n":2,"cited":true,"type":"file_citation","file_id":"f","output_index":1,"start":null,"end":null,"text":null}"#,
      #"{"n":1,"cited":true,"type":"url_citation","url":"u1","output_index":1,"start":0,"end":99,"text":null}"#,
    ])
    let wrong = mismatches(feeding: stream, expecting: Outcome(expected)) {
      pipe(RebuildFilter(CitationPrinter()))
    }
    #expect(wrong == [])
  }

  @Test func `of a text that no event brings whole the first MiB can be cited`() {
    let piece = String(repeating: "0123456789abcdef", count: 1 << 10)
    let delta =
      #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"\#(piece)"}"#
    func citation(_ start: Int) -> String {
      #"{"type":"response.output_text.annotation.added","output_index":0,"content_index":0,"annotation":{"type":"url_citation","start_index":\#(start),"end_index":\#(start + 2),"url":"u"}}"#
    }
    func expected(_ start: Int, _ cited: String) -> String {
      #"{"n":1,"cited":true,"type":"url_citation","url":"u","output_index":0,"start":\#(start),"end":\#(start + 2),"text":\#(cited)}"#
    }
    let limit = 1 << 20
    let deltas = Array(repeating: delta, count: 2 * limit / piece.utf8.count)
    let stream = [created] + deltas + [citation(0), citation(limit - 2), citation(limit)]
    let whole = String(repeating: piece, count: deltas.count)
    let annotations =
      #"[{"type":"url_citation","start_index":\#(limit),"end_index":\#(limit + 2),"url":"u"}]"#
    let item =
      #"{"type":"message","content":[{"type":"output_text","text":"\#(whole)","annotations":\#(annotations)}]}"#
    let cases = [
      (stream, [expected(0, #""01""#), expected(limit - 2, #""ef""#), expected(limit, "null")]),
      (stream + [done(0, item)], [expected(limit, #""01""#)]),
    ]
    for (stream, lines) in cases {
      let bytes = Array(text(stream + [completed]).utf8)
      for count in [bytes.count, 1 << 16, 20_001] {
        let chunks = stride(from: 0, to: bytes.count, by: count).map {
          Array(bytes[$0..<min($0 + count, bytes.count)])
        }
        #expect(feed(pipe(RebuildFilter(CitationPrinter())), chunks) == Outcome(text(lines)))
      }
    }
  }

  @Test func `each response numbers its sources anew`() {
    func response(_ id: String) -> String {
      #"{"type":"response.completed","response":{"id":"\#(id)","output":[{"type":"message","content":[{"type":"output_text","text":"x","annotations":[{"type":"url_citation","url":"\#(id)"}]}]}]}}"#
    }
    let outcome = feed(
      pipe(RebuildFilter(CitationPrinter())), [Array(text([response("a"), response("b")]).utf8)])
    let numbers = outcome.output.split(separator: "\n").map { $0.prefix(6) }
    #expect(numbers == [#"{"n":1"#, #"{"n":1"#])
  }
}
