import Core
import Foundation
import TestSupport
import Testing

/// Writes each event as `[type] line`, the type as the catalogue knows it.
private struct ShowFilter: EventFilter {
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
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
  change(&settings)
  return EventPipe(ShowFilter(), reading: settings, needing: .objectsUnlessEmpty)
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
    (
      "event: x\ndata: {\"role\":\"assistant\",\"content\":\"\"}\n\n",
      "x?: {\"type\":\"x\",\"role\":\"assistant\",\"content\":\"\"}\n"
    ),
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
    ("data:  {\"type\":\"keepalive\"}\n\n", "keepalive: {\"type\":\"keepalive\"}\n"),
    (
      "event: a\ndata: \t {\"type\":\"a\"}\n\ndata:   {\"type\":\"b\"} \t\n\n",
      "a?: {\"type\":\"a\"}\nb?: {\"type\":\"b\"}\n"
    ),
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
    // Separators (RFC 7464), and pieces that begin with a byte order mark.
    ("\u{1E}{\"a\":1}\n\u{1E}{\n\"b\":2}\n", "-: {\"a\":1}\n-: {\"b\":2}\n"),
    ("\u{FEFF}{\"a\":1}\n\u{FEFF}{\"b\":2}\n", "-: {\"a\":1}\n-: {\"b\":2}\n"),
    (
      "\u{FEFF}data: {\"a\":1}\n\n\u{FEFF}data: {\"b\":2}\n\n\u{FEFF}\n",
      "-: {\"a\":1}\n-: {\"b\":2}\n"
    ),
    // Whole responses and error bodies become the event they amount to.
    (
      "{\"object\":\"response\",\"status\":\"completed\"}",
      "response.completed: {\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"status\":\"completed\"}\(synthetic)}\n"
    ),
    (
      "{\n  \"object\": \"response\",\r\n  \"status\": \"completed\"\n}\n",
      "response.completed: {\"type\":\"response.completed\",\"response\":{  \"object\": \"response\",  \"status\": \"completed\"}\(synthetic)}\n"
    ),
    // A page of a list becomes its elements, and so does one inside another.
    (
      "{\"object\":\"list\",\n\"data\":[{\"a\":1},\n{\"object\":\"list\",\"data\":[{\"b\":\n2}]},{\"c\":3}]}{\"d\":4}",
      "-: {\"a\":1}\n-: {\"b\":2}\n-: {\"c\":3}\n-: {\"d\":4}\n"
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
    ("{\"error\":{\"message\":\"m\"}}", "\"error\":{\"message\":\"m\"}", 5),
    ("{\"code\":\"c\",\"error\":\"m\"}", "\"code\":\"c\",\"error\":\"m\"", 5),
    ("{\"detail\":\"m\"}", "\"detail\":\"m\"", 4),
    ("data: {\"error\":{\"message\":\"m\"}}\n\n", "\"error\":{\"message\":\"m\"}", 5),
  ])
  func `an error body becomes an error event with all of it inside`(
    body: String, inside: String, status: Int32
  ) {
    let outcome = feed(pipe(), [Array(body.utf8)])
    #expect(outcome.output == "error: {\"type\":\"error\",\(inside)\(synthetic)}\n")
    #expect(outcome.status.rawValue == status)
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
    // What follows the fault decides nothing, as it may not have been read yet.
    (
      "{\"a\n1 data: {\"b\":2}\n{\"c\":3}\n",
      "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"{\\\"a\"\(synthetic)}\n"
        + "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"1 data: {\\\"b\\\":2}\"\(synthetic)}\n"
        + "-: {\"c\":3}\n",
      "in: line 1, byte 0: not JSON: a bare control character in a string"
    ),
    (
      "data: [1]\n\n",
      "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"[1]\"\(synthetic)}\n",
      "in: line 1, byte 0: a JSON value, not an object"
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

  private static let begun = #"{"type":"response.created","response":{"id":"r"}}"#

  @Test(arguments: [
    "", " ", "null", "ping", "keep-alive", "[HEARTBEAT]", "\"ping\"", "\"\"", "1767225600", "true",
    "2026-01-02 03:04:05.678+00:00", "2026-01-02T03:04:05Z",
  ])
  func `a heartbeat is told once, and costs nothing`(data: String) {
    let text = data.replacingOccurrences(of: "\"", with: "\\\"").trimmingCharacters(
      in: .whitespaces)
    let kept =
      "oresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"\(text)\"\(synthetic)}\n"
    let expected = Outcome(
      "x?: {\"type\":\"x\"}\n\(kept)\(kept)y?: {\"type\":\"y\"}\n", .completed,
      ["in: line 3, byte 20: data that is no event is read as a heartbeat"])
    let stream =
      "data: {\"type\":\"x\"}\n\ndata: \(data)\n\nevent: ping\ndata: \(data)\n\ndata: {\"type\":\"y\"}\n\n"
    #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
    // A later tool passes over what an earlier one told.
    let later = feed(pipe(), [Array(kept.split(separator: " ", maxSplits: 1)[1].utf8)])
    #expect(later.notices == ["no events: the input is JSON without objects"])
  }

  @Test(arguments: [
    "oh no", "-1.5e3 V", "[ERROR] no engine", "<html>", "{oh no}", "[1]", "\"oh no\"",
  ])
  func `other text is an error of the answer that has begun, and else no JSON`(data: String) {
    let stream = "data: \(data)\n\n"
    #expect(feed(pipe(), [Array(stream.utf8)]).status == .badInput)
    let behind = feed(pipe(), [Array("data: \(Self.begun)\n\n\(stream)".utf8)])
    let isText = !["{oh no}", "[1]"].contains(data)
    #expect(behind.notices.contains { $0.hasPrefix("error: ") } == isText, "\(behind)")
  }

  @Test(arguments: [EventReader.Chat.translated, .kept])
  func `a chunk with an error ends the events before it`(chat: EventReader.Chat) {
    let chunk = #"{"object":"chat.completion.chunk","choices":[],"error":{"message":"m"}}"#
    let stream = "data: \(Self.begun)\n\ndata: \(chunk)\n\n"
    let error = "error: {\"type\":\"error\",\(chunk.dropFirst().dropLast())\(synthetic)}\n"
    let expected = Outcome("response.created: \(Self.begun)\n\(error)", .temporary, ["error: m"])
    #expect(mismatches(feeding: stream, expecting: expected) { pipe { $0.chat = chat } } == [])
  }

  @Test(arguments: [" ", "\n", "\r\n \t"])
  func `white space in front of the first value takes no room`(space: String) throws {
    let chunk = Array(String(repeating: space, count: 100_000 / space.utf8.count).utf8)
    var reader = pipe()
    var input = InputBuffer()
    var output = Output()
    for _ in 0..<20 {
      input.append(chunk.span)
      reader.handle(&input, into: &output)
      #expect(input.count <= InputBuffer.readSize + chunk.count)
    }
    input.append(Array(#"{"type":"keepalive"}"#.utf8).span)
    reader.endInput(&input, into: &output)
    #expect(
      String(decoding: output.bytes, as: UTF8.self) == "keepalive: {\"type\":\"keepalive\"}\n")
  }

  @Test func `an error ends the responses to read, however the bytes come`() {
    let events = [
      #"{"type":"response.created","response":{"id":"r"}}"#, #"{"type":"error","message":"m"}"#,
      #"{"type":"response.failed","response":{"id":"r","status":"failed"}}"#,
    ]
    let passed = events.prefix(2).map { "\($0)\n" }.joined()
    for stream in [
      events.map { "data: \($0)\n\n" }.joined(), events.joined(separator: "\n") + "\n",
    ] {
      for chunks in cuts(of: Array(stream.utf8)) {
        let outcome = feed(pipe { $0.responses = 1 }, chunks)
        #expect(
          outcome.output.replacing(#/(?m)^[^:]*: /#, with: "") == passed, "\(chunks.map(\.count))")
        #expect(outcome.notices == ["error: m"])
      }
    }
  }

  @Test func `a last event without its blank line is kept, and told`() {
    let expected = Outcome(
      "-: {\"a\":1}\n", .completed,
      ["in: line 1, byte 0: the last event has no blank line after it"])
    for stream in ["data: {\"a\":1}", "data: {\"a\":1}\n", "data: {\"a\":1}\r"] {
      #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
    }
  }

  @Test func `an event is kept in front of a mark that is cut`() {
    let expected = Outcome(
      "-: {\"a\":1}\n", .badInput,
      [
        "in: line 1, byte 0: there is no blank line between events",
        "in: line 2, byte 14: the input ends inside an event, which is dropped",
      ])
    for stream in ["data: {\"a\":1}\ndata: [DON", "data: {\"a\":1}\ndata: [\n"] {
      #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
    }
  }

  @Test(arguments: [
    // What curl -w writes behind an answer, and curl -i in front of it.
    (
      "{\"error\":{\"message\":\"m\"}}200\n0.5 s\n", "\"error\":{\"message\":\"m\"}",
      ["in: line 1, byte 25: skipped behind the answer: \"200\""]
    ),
    (
      "HTTP/1.1 400 Bad\r\nx: y\r\n\r\n{\r\n\"detail\":\"m\"\r\n}\r\n", "\"detail\":\"m\"",
      ["in: line 1, byte 0: skipped, not a field of an event stream: \"HTTP/1.1 400 Bad\""]
    ),
    (
      "HTTP/1.1 200 OK\n\ndata: {\"detail\":\"m\"}\n\n", "\"detail\":\"m\"",
      ["in: line 1, byte 0: skipped, not a field of an event stream: \"HTTP/1.1 200 OK\""]
    ),
  ])
  func `what curl adds to an answer is skipped with one note`(
    stream: String, inside: String, notices: [String]
  ) {
    let output = "error: {\"type\":\"error\",\(inside)\(synthetic)}\n"
    let status: Core.ExitStatus = inside.contains("detail") ? .refusedForGood : .temporary
    // The text behind the first line is told, too, in words of its own.
    let more =
      stream.hasSuffix("s\n") ? ["in: line 2, byte 29: skipped behind the answer: \"0.5 s\""] : []
    let told = stream.hasPrefix("{") ? ["error: m"] + notices : notices + ["error: m"]
    let expected = Outcome(output, status, told + more)
    #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
  }

  @Test(arguments: [
    "{\"type\":\"x\",\n \"a\":", "[{\"type\":\"x\"", "data: {}\n\n{\"type\":\"x\",\"a\":tr",
  ])
  func `a value that the end of the input cuts is told as cut off`(stream: String) {
    let whole = feed(pipe(), [Array(stream.utf8)])
    #expect(whole.status == .temporary)
    #expect(whole.notices.count == 1 && whole.notices[0].hasSuffix("the input is cut off"))
    #expect(mismatches(feeding: stream, expecting: whole) { pipe() } == [])
  }

  @Test func `NDJSON whose first line is cut is still NDJSON`() {
    let expected = Outcome(
      "-: {\"b\":2}\n-: {\"c\":3}\n", .badInput,
      ["in: line 1, byte 0: not JSON: \"ta\\\":1}\""])
    let stream = "ta\":1}\n{\"b\":2}\n{\"c\":3}\n"
    #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
  }

  @Test(arguments: [
    // Blocks that have lost their blank lines.
    (
      "data: {\"a\":1}\ndata: {\"b\":2}\n\n", "-: {\"a\":1}\n-: {\"b\":2}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    (
      "data: {\"a\":{}}\ndata:{\"b\":2}\ndata: {\"c\":3}\n",
      "-: {\"a\":{}}\n-: {\"b\":2}\n-: {\"c\":3}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    ("data: {\"a\":\ndata: {\"b\":2}}\n\n", "-: {\"a\":{\"b\":2}}\n", []),
    (
      "event: x\ndata: {}\nevent: y\ndata: {}\ndata: {}\n",
      "x?: {\"type\":\"x\"}\ny?: {\"type\":\"y\"}\n-: {}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    ("event: x\ndata: {}\nevent: y\n\n", "y?: {\"type\":\"y\"}\n", []),
    // The mark ends the event before it, and no event goes on behind the mark.
    (
      "data: {\"a\":{}}\ndata: [DONE]\ndata: {\"b\":2} \rdata:[DONE] \r\ndata: {\"c\":3}\n\n",
      "-: {\"a\":{}}\n-: {\"b\":2}\n-: {\"c\":3}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    (
      "event: x\ndata: {}\nid: 1\nevent: done\ndata: [DONE]\nevent: y\ndata: {}\ndata: [DONE]",
      "x?: {\"type\":\"x\"}\ny?: {\"type\":\"y\"}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    // A mark without a blank line behind it is reported, whatever form the next blocks have.
    (
      "data: [DONE]\ndata: {\"a\":1}\n\ndata: {\"b\":2}\n\n", "-: {\"a\":1}\n-: {\"b\":2}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    ("{\"a\":1}\n[DONE]\n{\"b\":2}\n[DONE]", "-: {\"a\":1}\n-: {\"b\":2}\n", []),
    // In an event stream a line that is an object is an event.
    ("event: x\n{\"a\":1}\n\nevent: y\n{\"b\":2}\n\n", "-: {\"a\":1}\n-: {\"b\":2}\n", []),
    ("event: x\n{\"a\":1}\ndata: {}\n\n", "-: {\"a\":1}\n-: {}\n", []),
    ("data: {\"a\":1}\n\n{\"b\":2}", "-: {\"a\":1}\n-: {\"b\":2}\n", []),
    (
      "data: {\"a\":1}\n\n{\"b\":2}\r\n {\"c\":3}\ndata: [DONE]\n\n{\"d\":4}\n: e\n\ndata: {}\n\n",
      "-: {\"a\":1}\n-: {\"b\":2}\n-: {\"c\":3}\n-: {\"d\":4}\n-: {}\n", []
    ),
    (
      "data: {\"a\":1}\n{\"b\":2}\n", "-: {\"a\":1}\n-: {\"b\":2}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    (
      "data: [DONE]\n{\"b\":2}", "-: {\"b\":2}\n",
      ["in: line 1, byte 0: there is no blank line between events"]
    ),
    // Arrays, lists, items and lines of batches.
    ("[[ ],\n[{\"a\":1}]]", "-: {\"a\":1}\n", []),
    (
      "[{\"a\":1},\n {\"b\":\n2} , {\"c\":3}]{\"d\":4}\n",
      "-: {\"a\":1}\n-: {\"b\":2}\n-: {\"c\":3}\n-: {\"d\":4}\n", []
    ),
    (
      "{\"type\":\"message\",\"id\":\"m\"}\n",
      "response.output_item.done: {\"type\":\"response.output_item.done\","
        + "\"item\":{\"type\":\"message\",\"id\":\"m\"}\(synthetic)}\n", []
    ),
    (
      "{\"a\":1}\n[\n{\"b\":2},\n{\"c\":3}\n]\n{\"d\":4}\n",
      "-: {\"a\":1}\n-: {\"b\":2}\n-: {\"c\":3}\n-: {\"d\":4}\n", []
    ),
    (
      "{\"custom_id\":\"q\",\"response\":{\"body\":{\"object\":\"response\",\"status\":\"completed\"}}}",
      "response.completed: {\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"status\":"
        + "\"completed\"},\"oresp\":{\"synthetic\":true,\"request\":\"q\"}}\n", []
    ),
  ])
  func `a stream is read as other tools leave it`(
    stream: String, output: String, notices: [String]
  ) {
    let expected = Outcome(output, .completed, notices)
    #expect(mismatches(feeding: stream, expecting: expected) { pipe() } == [])
  }

  @Test(arguments: [
    (
      #"{"custom_id":"q","response":null,"error":{"code":"x"}}"#,
      #"{"type":"error","custom_id":"q","response":null,"error":{"code":"x"},"#,
      Core.ExitStatus.temporary
    ),
    (
      #"{"custom_id":"q","response":{"status_code":403,"body":{"error":{"code":"x"}}}}"#,
      #"{"type":"error","status":403,"error":{"code":"x"},"#, .refusedForGood
    ),
    (
      #"{"custom_id":"q","response":{"body":{"error":{"code":"x"}}}}"#,
      #"{"type":"error","error":{"code":"x"},"#, .temporary
    ),
  ])
  func `an error in a line of a batch belongs to its request`(
    line: String, event: String, status: Core.ExitStatus
  ) {
    let output = "error: \(event)\"oresp\":{\"synthetic\":true,\"request\":\"q\"}}\n"
    let expected = Outcome(output, status, ["q: error: x"])
    #expect(mismatches(feeding: line, expecting: expected) { pipe() } == [])
  }

  @Test(arguments: [
    (
      "<!DOCTYPE html>\n{}", "",
      "in: line 1, byte 0: the input is a web page or XML, not an answer of the API;"
        + " look at its status: curl -i"
    ),
    (
      " \n<html>", "",
      "in: line 2, byte 2: the input is a web page or XML, not an answer of the API;"
        + " look at its status: curl -i"
    ),
    (
      "{\n  type: 'x'\n}\n{\n  type: 'y'\n}\n", "",
      "in: line 1, byte 0: the input has objects as a program prints them; print JSON: "
        + "print(event.model_dump_json()), console.log(JSON.stringify(event))"
    ),
    (
      "\n[12:00] data: {\"type\":\"response.created\"}\n", "",
      "in: line 2, byte 2: the input has lines with a prefix; take it off first: sed 's/^[^{]*//'"
    ),
    (
      "{\"a\":1,\"b\":[ {\"type\":\"response.created\"}]}",
      "-: {\"a\":1,\"b\":[ {\"type\":\"response.created\"}]}\n",
      "in: line 1, byte 0: the input has events inside other objects; take them out first: jq -c '.b[]'"
    ),
    (
      "BZh9", "", "in: line 1, byte 0: the input is compressed by bzip2; unpack it first: bzip2 -dc"
    ),
    (
      "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"message\",\"id\":\"m\"}\n",
      "thread.started?: {\"type\":\"thread.started\",\"thread_id\":\"t\"}\n"
        + "message?: {\"type\":\"message\",\"id\":\"m\"}\n",
      "in: line 1, byte 0: the input has events of codex exec --json;"
        + " print its messages: jq -r '.item.text // empty'"
    ),
    (
      "event: thread.run\ndata: {\"object\":\"thread.run\"}\n\n",
      "thread.run?: {\"type\":\"thread.run\",\"object\":\"thread.run\"}\n",
      "in: line 1, byte 0: the input has events of the Assistants API;"
        + " ask for a response instead: oresp-send"
    ),
    (
      "{\"a\":1}\n{\"b\":2}\n\nevent: x\ndata: {\"c\":3}\n\n{\"d\":4}\n",
      "-: {\"a\":1}\n-: {\"b\":2}\n",
      "in: line 4, byte 17: an event stream begins behind JSON; name each as a FILE"
    ),
    (
      "data: {\"a\":1}\n\n{\"b\":\n",
      "-: {\"a\":1}\noresp.unparsed?: {\"type\":\"oresp.unparsed\",\"data\":\"{\\\"b\\\":\"\(synthetic)}\n",
      "in: line 3, byte 15: not JSON: the value does not end"
    ),
    (
      "{\"event\":\"message\",\"data\":\"{}\"}\n", "-: {\"event\":\"message\",\"data\":\"{}\"}\n",
      "in: line 1, byte 0: the input has events in envelopes; unpack them first: oresp-sse --envelope -r"
    ),
  ])
  func `what is not ours is named`(stream: String, output: String, notice: String) {
    let expected = Outcome(output, .badInput, [notice])
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

  @Test func `a block behind a line of JSON is checked as any other`() {
    let block = "event: x\ndata: {\"type\":\"x\",\"a\":\""
    let stream =
      Array("\(block)\"}\n\n\(block)\"}\n\n{\"b\":1}\n\(block)".utf8) + [0xFF]
      + Array("\"}\n\n".utf8)
    let line = "x?: {\"type\":\"x\",\"a\":\"\"}\n"
    let expected = Outcome(
      "\(line)\(line)-: {\"b\":1}\nx?: {\"type\":\"x\",\"a\":\"\u{FFFD}\"}\n", .completed,
      ["in: line 8, byte 80: not UTF-8; U+FFFD put in its place"])
    for chunks in cuts(of: stream) {
      #expect(feed(pipe(), chunks) == expected, "\(chunks.map(\.count))")
    }
  }

  /// Inputs with an event of 22 bytes, `{"type":"x","n":12345}`, in each form, and how much longer
  /// than that it counts there, if all of it is one event.
  private static let limited: [(text: String, more: Int?)] = [
    ("%E\n", 0), ("%E", 0), ("%E\r\n", 0), ("%E %E\n", 0), ("\n\n %E\n\n", 0), ("[%E,%E]\n", 0),
    ("[ %E\n, %E ]", 0), (#"{"object":"list","data":[%E,%E],"more":false}"#, nil),
    ("{\n \"type\": \"x\",\n \"n\": 12345\n}\n", 7), ("%E\n{\"type\":\"y\"\n%E\n", 0),
    ("data: %E\n\n", 0), ("data:%E\n\n", 0), ("event: x\ndata: %E\n\n", 0),
    ("id: 1\nretry: 5\ndata: %E\n\n", 0), (": c\r\ndata: %E\r\n\r\n", 0), ("data: %E", 0),
    ("data: %E\ndata: %E\n\n", 0), ("data: {\ndata: \"type\":\"x\",\ndata: \"n\":12345}\n\n", nil),
    ("data: %E\n%E\n", 0), ("%E\ndata: %E\n\n", nil), ("data: %E  \n\n", 2),
    ("data: %E\n\ndata: 0123456789012345678901234567890123456789{{{", nil),
  ]

  @Test(arguments: limited)
  func `the limit means the same however reads were cut`(
    input: (text: String, more: Int?)
  ) {
    let event = #"{"type":"x","n":12345}"#
    let text = input.text.replacing("%E", with: event)
    for limit in [1, 5, 6, 7, 20, 21, 22, 23, 24, 28, 29, 30, 31, 44, 46] {
      let make = { pipe { $0.limit = limit } }
      let whole = feed(make(), [Array(text.utf8)])
      if let more = input.more {
        let isReported = whole.notices.contains { $0.contains("longer than") }
        #expect(isReported == (limit < event.utf8.count + more), "\(limit): \(whole)")
      }
      #expect(
        mismatches(feeding: text, expecting: whole, to: make) == [], "a limit of \(limit)")
    }
  }

  @Test func `an event over the limit is dropped and told`() {
    let expected = Outcome(
      "-: {\"a\":1}\n-: {\"b\":2}\n", .badInput,
      ["in: line 3, byte 15: an event is longer than 10 bytes, and dropped"])
    let stream = "data: {\"a\":1}\n\ndata: {\"x\":\"123456\"}\n\ndata: {\"b\":2}\n\n"
    let wrong = mismatches(feeding: stream, expecting: expected) { pipe { $0.limit = 10 } }
    #expect(wrong == [])
  }

  @Test(arguments: [0, 6, 9, 24])
  func `the first event of a stream is used where it stands`(cut: Int) {
    let stream = Array("data: {\"type\":\"keepalive\"}\n\n".utf8)
    var reader = EventReader(EventReader.Settings())
    var input = InputBuffer()
    var event = Event()
    for chunk in [stream[..<cut], stream[cut...]] {
      input.append(Array(chunk).span)
      let isFound = reader.next(&input, isEnd: false, into: &event)
      #expect(isFound == (chunk.endIndex == stream.count))
    }
    #expect(event.lineRange == 6..<26)
  }

  @Test func `a line that was made goes when more must be read`() {
    var reader = EventReader(EventReader.Settings())
    var input = InputBuffer()
    var event = Event()
    input.append(Array(#"{"object":"response","status":"completed"}"#.utf8).span)
    for isFound in [true, false] {
      let goesOn = reader.next(&input, isEnd: true, into: &event)
      let isHeld = !reader.made.isEmpty
      #expect(goesOn == isFound && isHeld == isFound)
    }
  }
}
