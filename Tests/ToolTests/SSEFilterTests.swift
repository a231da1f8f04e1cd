import Core
import TestSupport
import Testing
import oresp_sse

private func settings(_ change: (inout SSETool.Settings) -> Void) -> SSETool.Settings {
  var settings = SSETool.Settings()
  change(&settings)
  return settings
}

private func decode(_ change: (inout SSETool.Settings) -> Void = { _ in }) -> EventPipe<
  DecodeFilter
> {
  let settings = settings(change)
  return EventPipe(
    DecodeFilter(settings, now: { 1_700_000_000_000_042 }), reading: settings.reading,
    needing: .objects)
}

private func encode(done: Bool = false) -> EventPipe<EncodeFilter> {
  let settings = settings {
    $0.isReverse = true
    $0.endsWithMark = done
  }
  return EventPipe(EncodeFilter(settings), reading: settings.reading, needing: .objects)
}

private func envelope() -> EnvelopeFilter {
  EnvelopeFilter(settings { $0.isEnvelope = true })
}

private func envelopeEncode() -> EventPipe<EnvelopeEncodeFilter> {
  let settings = settings {
    $0.isEnvelope = true
    $0.reading.acceptsAnything = true
  }
  return EventPipe(EnvelopeEncodeFilter(settings), reading: settings.reading, needing: .objects)
}

@Suite struct SSEFilterTests {
  @Test(arguments: [
    ("data: {\"type\":\"a\",\"n\":1.0}\n\n", "{\"type\":\"a\",\"n\":1.0}\n"),
    ("event: a\ndata: {\"n\":1}\n\ndata: [DONE]\n\n", "{\"type\":\"a\",\"n\":1}\n"),
    ("{\"type\":\"a\"}\r\n{\"type\":\"b\"}", "{\"type\":\"a\"}\n{\"type\":\"b\"}\n"),
  ])
  func `each event becomes a line`(stream: String, lines: String) {
    #expect(mismatches(feeding: stream, expecting: Outcome(lines)) { decode() } == [])
  }

  @Test(arguments: [
    ("", "no events: the input is empty"),
    (": ping\n\n", "no events: the input is an event stream without events"),
    ("\n\n", "no events: the input is empty"),
    ("data: [DONE]\n\n", "no events: the input is an event stream without events"),
  ])
  func `an input without events is a fault`(stream: String, notice: String) {
    let expected = Outcome("", .badInput, [notice])
    #expect(mismatches(feeding: stream, expecting: expected) { decode() } == [])
  }

  @Test func `a time is added last, with the id and retry of the block`() {
    let stream = "id: 7\nretry: 20\ndata: {\"a\":1}\n\ndata: {\"b\":2}\n\n"
    let lines = """
      {"a":1,"oresp":{"at":1700000000.000042,"id":"7","retry":20}}
      {"b":2,"oresp":{"at":1700000000.000042}}

      """
    let wrong = mismatches(feeding: stream, expecting: Outcome(lines)) {
      decode { $0.stamps = true }
    }
    #expect(wrong == [])
  }

  @Test func `where no blank line stands between events, each has the id in front of its data`() {
    let stream = "id: 1\ndata: {}\nevent: x\nid: 2\ndata: {}\nid: 3\ndata: [DONE]\ndata: {}\n\n"
    let lines = """
      {"oresp":{"at":1700000000.000042,"id":"1"}}
      {"type":"x","oresp":{"at":1700000000.000042,"id":"2"}}
      {"oresp":{"at":1700000000.000042}}

      """
    let expected = Outcome(
      lines, .completed, ["in: line 1, byte 0: there is no blank line between events"])
    let wrong = mismatches(feeding: stream, expecting: expected) { decode { $0.stamps = true } }
    #expect(wrong == [])
  }

  @Test func `a member oresp that is no object stays in place of a time, and that is told`() {
    let expected = Outcome(
      "{\"oresp\":5}\n", .completed,
      ["in: line 1, byte 0: not stamped: its member oresp is no object"])
    let wrong = mismatches(feeding: "data: {\"oresp\":5}\n\n", expecting: expected) {
      decode { $0.stamps = true }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    ("{\"type\":\"a\",\"n\":1.0}\n", "event: a\ndata: {\"type\":\"a\",\"n\":1.0}\n\n"),
    ("{\"n\":1}\n", "data: {\"n\":1}\n\n"), ("{\"type\":5}\n", "data: {\"type\":5}\n\n"),
    ("{\"type\":\"a\\nb\"}\n", "data: {\"type\":\"a\\nb\"}\n\n"),
    ("{\"type\":\"\\u0061\"}\n", "event: a\ndata: {\"type\":\"\\u0061\"}\n\n"),
    (
      "{\"a\":1,\"oresp\":{\"at\":1.5,\"id\":\"7\",\"retry\":20}}\n",
      "id: 7\nretry: 20\ndata: {\"a\":1}\n\n"
    ),
  ])
  func `a line becomes a block`(lines: String, stream: String) {
    #expect(mismatches(feeding: lines, expecting: Outcome(stream)) { encode() } == [])
  }

  @Test func `what was no JSON becomes what it was, and counts`() {
    let line = "{\"type\":\"oresp.unparsed\",\"data\":\"oh\\nno\"}\n"
    let why = "an earlier tool found input that is not JSON (oresp.unparsed)"
    let expected = Outcome(
      "data: oh\ndata: no\n\ndata: oh\ndata: no\n\n", .badInput, ["in: line 1, byte 0: \(why)"])
    #expect(mismatches(feeding: line + line, expecting: expected) { encode() } == [])
  }

  @Test func `an event over the limit is left out of each form, and reported`() {
    #expect(SSETool.Settings().reading.limit == 256 << 20)
    let settings = settings { $0.reading.limit = 20 }
    let long = #"data: {"type":"a","text":"0123456789"}"# + "\n\n"
    let input = Array((long + "data: {\"type\":\"b\"}\n\n").utf8)
    let dropped = "in: line 1, byte 0: an event is longer than 20 bytes, and dropped"
    let decoded = feed(decode { $0.reading.limit = 20 }, [input])
    #expect(decoded == Outcome("{\"type\":\"b\"}\n", .badInput, [dropped]))
    let envelope = #"{"event":"message","id":"","data":"{\"type\":\"b\"}"}"# + "\n"
    #expect(feed(EnvelopeFilter(settings), [input]) == Outcome(envelope, .badInput, [dropped]))
    let checked = "in: line 1, byte 0: longer than 20 bytes"
    #expect(feed(GrammarCheckFilter(settings), [input]) == Outcome("", .badInput, [checked]))
  }

  @Test func `the end mark stands at the end when asked for`() {
    let expected = Outcome("data: {}\n\ndata: [DONE]\n\n")
    #expect(mismatches(feeding: "{}\n", expecting: expected) { encode(done: true) } == [])
  }

  @Test(arguments: [
    "{\"type\":\"a\",\"x\":[1.0,{\"y\":\"\\u00e9é\"}],\"type\":\"b\"}\n{\"type\":\"message\"}\n{\"z\":0}\n",
    "{ \"a\" : 1 ,\t\"type\" : \"response.output_text.delta\" }\n",
  ])
  func `a stream that was made of lines becomes the same lines`(lines: String) {
    let stream = feed(encode(), [Array(lines.utf8)])
    #expect(feed(decode(), [Array(stream.output.utf8)]).output == lines)
  }

  @Test(arguments: [
    (
      "id: 1\nevent: x\nretry: 5\ndata: a\ndata: b\n\ndata: c\n\nretry: 5\nid\ndata: \"\n\n",
      """
      {"event":"x","id":"1","retry":5,"data":"a\\nb"}
      {"event":"message","id":"1","data":"c"}
      {"event":"message","id":"","data":"\\""}

      """
    ),
    (
      "data: [DONE]\n\ndata\n\n",
      "{\"event\":\"message\",\"id\":\"\",\"data\":\"[DONE]\"}\n{\"event\":\"message\",\"id\":\"\",\"data\":\"\"}\n"
    ),
  ])
  func `an envelope holds the fields of any event, and gives them back`(
    stream: String, lines: String
  ) {
    #expect(mismatches(feeding: stream, expecting: Outcome(lines)) { envelope() } == [])
    let back = feed(envelopeEncode(), [Array(lines.utf8)])
    #expect(back.status == .completed)
    #expect(feed(envelope(), [Array(back.output.utf8)]).output == lines)
  }

  @Test func `what one read makes is given out in parts`() {
    let id = String(repeating: "x", count: 100_000)
    var input = InputBuffer()
    input.append(
      Array("id: \(id)\ndata\n\n\(String(repeating: "data\n\n", count: 60))".utf8).span)
    var filter = envelope()
    var output = Output()
    var (count, parts) = (0, 0)
    repeat {
      output.pauseUntil = nil
      filter.handle(&input, into: &output)
      #expect(output.bytes.count < 5_000_000)
      var rest = output.bytes.span
      while let end = rest.firstIndex(of: ASCII.lf) {
        (count, rest) = (count + 1, rest.extracting(droppingFirst: end + 1))
      }
      parts += 1
      output.bytes = []
    } while output.pauseUntil != nil
    #expect(count == 61)
    #expect(parts > 1)
  }

  @Test func `an envelope drops what the standard drops, and tells it`() {
    let expected = Outcome(
      "{\"event\":\"message\",\"id\":\"\",\"data\":\"a\"}\n", .completed,
      ["in: line 3, byte 9: the input ends inside an event, which is dropped"])
    let outcome = feed(envelope(), [Array("data: a\n\nevent: x\ndata: b".utf8)])
    #expect(outcome == expected)
  }

  @Test(arguments: [
    ("{\"event\":\"x\"}\n", "in: line 1, byte 0: not an envelope: it has no data"),
    (
      "{\"data\":\"a\",\"id\":\"1\\n2\"}\n",
      "in: line 1, byte 0: an event stream cannot carry its id, event or retry"
    ),
  ])
  func `a line that is no envelope is told`(line: String, notice: String) {
    #expect(feed(envelopeEncode(), [Array(line.utf8)]) == Outcome("", .badInput, [notice]))
  }

  @Test(
    arguments: [
      ("data: {}\n\n: x\n\ndata: [DONE]\n\n", []),
      (
        "foo: 1\ndata: {}\n\n",
        ["in: line 1, byte 0: the line is not a field of an event stream, and is ignored"]
      ),
      (
        "data: {}\n\ndata: {",
        ["in: line 3, byte 10: the input ends inside an event: a blank line is missing"]
      ),
      (
        "retry: x\nid: a\u{0}\ndata: {}\n\n",
        [
          "in: line 1, byte 0: the retry is not digits, and is ignored",
          "in: line 2, byte 9: the id has a NUL in it, and is ignored",
        ]
      ),
      ("event: x\n\n", ["in: line 2, byte 9: the event has no data, and is dropped"]),
      ("data: x\n\n", ["in: line 1, byte 0: the data is not JSON: expected a value"]),
      (
        "data: [DONE]\n\ndata: {}\n\n",
        ["in: line 3, byte 14: an event after the [DONE] of line 1"]
      ),
      ("data: 1\n\n", ["in: line 1, byte 0: the data is a JSON value, not an object"]),
    ] as [(String, [String])])
  func `checking tells what a parser passes over, with its place`(
    stream: String, notices: [String]
  ) {
    let status: Core.ExitStatus = notices.isEmpty ? .completed : .badInput
    let expected = Outcome("", status, notices)
    let wrong = mismatches(feeding: stream, expecting: expected) {
      GrammarCheckFilter(settings { $0.checks = true })
    }
    #expect(wrong == [])
  }
}
