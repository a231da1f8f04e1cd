import Core
import TestSupport
import Testing

/// Writes each event as `[type] line`, the type as the catalogue knows it.
private struct ShowFilter: EventFilter {
  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    let name = event.typeName.map { String(decoding: line.extracting($0)) } ?? "-"
    let isUnknown = event.typeName != nil && event.type == nil
    output.bytes.append("\(name)\(isUnknown ? "?" : ""): ")
    output.append(line: line)
  }

  mutating func finish(into output: inout Output) {}
}

private func pipe(_ change: (inout EventReader.Settings) -> Void = { _ in }) -> EventPipe<
  ShowFilter
> {
  var settings = EventReader.Settings()
  settings.validates = true
  change(&settings)
  return EventPipe(ShowFilter(), reading: settings, needing: .none)
}

private let synthetic = #","oresp":{"synthetic":true}"#

@Suite struct EventReaderTests {
  @Test(arguments: [
    // Event streams.
    ("data: {\"type\":\"keepalive\"}\n\n", "keepalive: {\"type\":\"keepalive\"}\n"),
    (
      "event: x\ndata: {\"a\":1,\ndata: \"type\": \"x\"}\n\n",
      "x?: {\"a\":1,\"type\": \"x\"}\n"
    ),
    ("event: a b\ndata: { }\n\n", "a b?: {\"type\":\"a b\" }\n"),
    ("event: ping\ndata: {\"a\":1.0}\n\n", "ping?: {\"type\":\"ping\",\"a\":1.0}\n"),
    ("event: message\ndata: {\"a\":1}\n\n", "-: {\"a\":1}\n"),
    ("event: x\ndata: {\"type\":7}\n\n", "-: {\"type\":7}\n"),
    (
      "data: {\"t\\u0079pe\":\"keepali\\u0076e\"}\n\n",
      "keepali\\u0076e: {\"t\\u0079pe\":\"keepali\\u0076e\"}\n"
    ),
    (
      "data: {\"type\":\"keepalive\"}\n\ndata: [DONE]\n\ndata: {}\n\n",
      "keepalive: {\"type\":\"keepalive\"}\n-: {}\n"
    ),
    ("event: foo\ndata:  {\"a\":1}\n\n", "foo?: {\"type\":\"foo\",\"a\":1}\n"),
    ("event: foo\ndata:\t{\"a\":1} \n\n", "foo?: {\"type\":\"foo\",\"a\":1}\n"),
    ("data: {}\n\ndata:  [DONE] \n\n", "-: {}\n"),
    // The end mark among lines is none of them, whatever stands around it.
    ("{\"a\":1}\n[DONE]\n", "-: {\"a\":1}\n"), ("{\"a\":1}\r\n\t[DONE] \r\n", "-: {\"a\":1}\n"),
    ("{\"a\":1}\n[DONE]", "-: {\"a\":1}\n"), ("[DONE]{\"a\":1}\n", "-: {\"a\":1}\n"),
    ("{\"a\":1} [DONE] {\"b\":2}\n{\"c\":3}\n", "-: {\"a\":1}\n-: {\"b\":2}\n-: {\"c\":3}\n"),
    // NDJSON, concatenated and pretty-printed documents.
    (
      "{\"type\":\"keepalive\"}\n\n{\"a\":2}", "keepalive: {\"type\":\"keepalive\"}\n-: {\"a\":2}\n"
    ),
    ("\u{FEFF}\n {\"type\":\"x\"}{\"type\":\"y\"}", "x?: {\"type\":\"x\"}\ny?: {\"type\":\"y\"}\n"),
    ("{\r\n  \"type\": \"x\"\r\n}\r\n", "x?: {  \"type\": \"x\"}\n"),
    // Whole responses and error bodies become the event they amount to.
    (
      "{\"object\":\"response\",\"status\":\"completed\"}",
      "response.completed: {\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"status\":\"completed\"}\(synthetic)}\n"
    ),
    (
      "{\"id\":\"r\",\"output\":[]}",
      "response.completed: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"output\":[]}\(synthetic)}\n"
    ),
  ])
  func `events come out unchanged, or with the type that they lack`(
    stream: String, expected: String
  ) {
    let wrong = mismatches(feeding: stream, expecting: Outcome(expected)) { pipe() }
    #expect(wrong == [])
  }

  @Test(arguments: [
    ("queued", "queued", 5), ("in_progress", "in_progress", 5), ("cancelled", "cancelled", 8),
    ("incomplete", "incomplete", 6), ("failed", "failed", 5), ("odd", "completed", 0),
  ])
  func `a whole response is wrapped by its status`(status: String, type: String, exit: Int32) {
    let body = "{\"object\":\"response\",\"status\":\"\(status)\"}"
    let outcome = feed(pipe(), [Array(body.utf8)])
    #expect(
      outcome.output.hasPrefix(
        "response.\(type): {\"type\":\"response.\(type)\",\"response\":\(body)"))
    #expect(outcome.status.rawValue == exit)
  }

  @Test(arguments: [
    ("{\"error\":{\"message\":\"m\"}}", "\"error\":{\"message\":\"m\"}"),
    ("{\"code\":\"c\",\"error\":\"m\"}", "\"code\":\"c\",\"error\":\"m\""),
    ("{\"detail\":\"m\"}", "\"detail\":\"m\""),
    ("data: {\"error\":{\"message\":\"m\"}}\n\n", "\"error\":{\"message\":\"m\"}"),
  ])
  func `an error body becomes an error event with all of it inside`(body: String, inside: String) {
    let outcome = feed(pipe(), [Array(body.utf8)])
    #expect(outcome.output == "error: {\"type\":\"error\",\(inside)\(synthetic)}\n")
    #expect(outcome.status >= .refusedForGood)
  }

  @Test(arguments: [
    (
      "data: {\"a\":1}\n\ndata: oh \"no\"\n\ndata: {\"b\":2}\n\n",
      "-: {\"a\":1}\noresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"oh \\\"no\\\"\"\(synthetic)}\n-: {\"b\":2}\n",
      "in: line 3, byte 15: not JSON: expected a value"
    ),
    (
      "{\"a\":1}\n{\"b\":}\n{\"c\":3}\n",
      "-: {\"a\":1}\noresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"{\\\"b\\\":}\"\(synthetic)}\n-: {\"c\":3}\n",
      "in: line 2, byte 8: not JSON: expected a value"
    ),
    (
      "data: [1]\n\n",
      "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"[1]\"\(synthetic)}\n",
      "in: line 1, byte 0: a JSON value that is no object"
    ),
    (
      "data:\n\n", "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"\"\(synthetic)}\n",
      "in: line 1, byte 0: not JSON: the value does not end"
    ),
    (
      "data: {\"a\":1}\n\ndata: {\"b\"\n", "-: {\"a\":1}\n",
      "in: line 3, byte 15: the input ends inside an event, which is dropped"
    ),
  ])
  func `what is not JSON is told with its place, and the rest flows on`(
    stream: String, output: String, notice: String
  ) {
    let expected = Outcome(output, .badInput, [notice])
    let wrong = mismatches(feeding: stream, expecting: expected) { pipe() }
    #expect(wrong == [])
  }

  @Test func `a last event without its blank line is kept, and told`() {
    let expected = Outcome(
      "-: {\"a\":1}\n", .completed,
      ["in: line 1, byte 0: the last event has no blank line behind it"])
    for stream in ["data: {\"a\":1}", "data: {\"a\":1}\n", "data: {\"a\":1}\r"] {
      #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
    }
  }

  @Test func `NDJSON whose first line is cut is still NDJSON`() {
    let expected = Outcome(
      "-: {\"b\":2}\n-: {\"c\":3}\n", .badInput,
      [
        "in: line 1, byte 0: passed over, for it is no field of an event stream: \"ta\\\":1}\"",
        "in: line 2, byte 7: what stands before is not JSON",
      ])
    let stream = "ta\":1}\n{\"b\":2}\n{\"c\":3}\n"
    #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
  }

  @Test func `bytes that are not UTF-8 are replaced, and told`() {
    let stream = Array("data: {\"a\":\"".utf8) + [0xFF] + Array("\"}\n\n".utf8)
    let outcome = feed(pipe(), [stream])
    #expect(
      outcome
        == Outcome(
          "-: {\"a\":\"\u{FFFD}\"}\n", .completed,
          ["in: line 1, byte 0: not UTF-8; U+FFFD put in its place"]))
  }

  @Test func `comments come out when asked for`() {
    let expected = Outcome(
      "oresp.comment?: {\"type\":\"oresp.comment\",\"comment\":\"ping\"\(synthetic)}\n-: {\"a\":1}\n"
    )
    let wrong = mismatches(feeding: ": ping\n\ndata: {\"a\":1}\n\n", expecting: expected) {
      pipe { $0.keepsComments = true }
    }
    #expect(wrong == [])
  }

  @Test func `an event over the limit is dropped and told`() {
    let expected = Outcome(
      "-: {\"a\":1}\n-: {\"b\":2}\n", .badInput,
      ["in: line 3, byte 15: an event is longer than 10 bytes, and dropped"])
    let stream = "data: {\"a\":1}\n\ndata: {\"x\":\"123456\"}\n\ndata: {\"b\":2}\n\n"
    let wrong = mismatches(feeding: stream, expecting: expected) { pipe { $0.limit = 10 } }
    #expect(wrong == [])
  }
}
