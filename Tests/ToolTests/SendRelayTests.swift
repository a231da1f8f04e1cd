import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

@Suite struct SendRelayTests {
  private static let created =
    #"data: {"type":"response.created","response":{"id":"r"}}"# + "\n\n"
  private static let completed =
    #"data: {"type":"response.completed","response":{"id":"r","status":"completed"}}"# + "\n\n"
  private static let broken = TransportFault(.connectionLost, "reset", advice: "try again")

  private static func relay(
    _ chunks: [[UInt8]], status: Int = 200, fault: TransportFault? = nil, secrets: [String] = [],
    headers: [(name: String, value: String)] = [("x-request-id", "req_1")]
  ) -> Outcome {
    let output = output(
      of: chunks, status: status, fault: fault, secrets: secrets, headers: headers)
    let told = output.notices.filter { $0.kind != .summary }
    return Outcome(
      String(decoding: output.bytes, as: UTF8.self),
      told.map { $0.status ?? .completed }.max() ?? .completed, told.map(\.message))
  }

  private static func output(
    of chunks: [[UInt8]], status: Int, fault: TransportFault?, secrets: [String],
    headers: [(name: String, value: String)]
  ) -> Output {
    let reply = Reply(Redaction(secrets.map { Array($0.utf8) }))
    var output = Output()
    reply.begin(ReplyHead(status: status, headers: headers))
    for chunk in chunks { _ = reply.read(chunk.span, into: &output) }
    reply.finish(fault, into: &output)
    return output
  }

  private static let incomplete =
    #"data: {"type":"response.incomplete","response":{"id":"r","status":"incomplete","#
    + #""incomplete_details":{"reason":"max_output_tokens"}}}"# + "\n\n"
  private static let failed =
    #"data: {"type":"response.failed","response":{"id":"r","status":"failed"}}"# + "\n\n"
  private static let refused =
    #"data: {"type":"error","code":"server_error","message":"no"}"# + "\n\n"

  /// Where a mark stands in what is expected.
  private static let mark = "MARK"

  /// Settings of notices by the options that make them; `nil` tells nothing.
  private static func notices(_ options: String?) -> NoticeSettings? {
    var settings = NoticeSettings()
    settings.isQuiet = options == "-q"
    if options == "--notices=none" { settings.form = .none }
    return options.map { _ in settings }
  }

  @Test(
    arguments: [
      (created + incomplete, "", created + mark + incomplete),
      (created + refused, "", created + mark + refused),
      (created + refused + failed, "", created + mark + refused + mark + failed),
      (
        created + refused + completed, "-q", created + mark + refused + completed
      ),
      (created + incomplete, "-q", created + mark + incomplete),
      (created + incomplete, "--notices=none", created + incomplete),
      (created + incomplete, nil, created + incomplete),
      (created + completed, "", created + completed),
      (created + incomplete + "data: {\"type\":\"error", "", created + mark + incomplete),
      (created + incomplete.dropLast(), "", created + mark + incomplete.dropLast()),
      (named + created + named + incomplete, "", named + created + named + mark + incomplete),
    ] as [(String, String?, String)])
  func `a mark in front of each event of a bad end says that it is told`(
    stream: String, options: String?, expected: String
  ) {
    for chunks in [[Array(stream.utf8)], stream.utf8.map { [$0] }] {
      let output = Self.marked(chunks, options)
      #expect(Self.withMarks(output) == expected)
      #expect(output.notices.filter { $0.kind == .error }.count <= 1)
    }
  }

  @Test func `an error that is made of a cut has a mark in front, and a document has none`() {
    let cut = Self.withMarks(Self.marked([Array(Self.created.utf8)], ""))
    #expect(cut.hasPrefix(Self.created + Self.mark + "event: error\n"))
    let document = Self.incomplete.dropFirst(6).replacing("\n", with: "")
    #expect(Self.withMarks(Self.marked([Array(document.utf8)], "")) == document)
  }

  private static func marked(_ chunks: [[UInt8]], _ options: String?) -> Output {
    let reply = Reply(Redaction([]))
    var output = Output()
    output.marking = Self.notices(options)
    reply.begin(ReplyHead(status: 200, headers: []))
    for chunk in chunks { _ = reply.read(chunk.span, into: &output) }
    reply.finish(nil, into: &output)
    return output
  }

  private static func withMarks(_ output: borrowing Output) -> String {
    String(decoding: output.bytes, as: UTF8.self)
      .replacing(#/: oresp told=\d+\n\n/#, with: Self.mark)
  }

  @Test func `what broke behind a bad end is no advice on that`() {
    let run = Self.relay(
      [Array((Self.created + Self.failed).utf8)], fault: Self.broken,
      headers: [("content-type", "text/event-stream"), ("x-request-id", "req_1")])
    #expect(
      run.notices == [
        "the response failed: no reason given (HTTP 200, request req_1)",
        "after the end of the response: reset",
      ])
  }

  /// What a later stage makes of `bytes`.
  private static func later(_ bytes: String) -> Core.ExitStatus {
    var feed = EventFeed(sorting: .handlingAll)
    var input = InputBuffer()
    var output = Output()
    input.append(Array(bytes.utf8).span)
    feed.each(in: &input, isEnd: true, into: &output) { _, _, _ in }
    feed.finish(into: &output)
    // What was found wrong in the input itself has a place.
    return output.notices.filter { $0.place == nil }.compactMap(\.status).max() ?? .completed
  }

  private static let answers: [String] = [
    created + completed,
    created + ": keepalive\n\n" + completed + "data: [DONE]\n\n",
    ":\n\n" + created + completed + ": bye\n",
    withLineEnds("\r\n", created + completed),
    withLineEnds("\r", created + completed),
    "\u{FEFF}" + created + ":x\ndata: {\"type\":\"é\"}\nid: 1\n\n" + completed,
    String((created + completed).dropLast(2)), withoutBlankLines(created + named + completed),
    withLineEnds("\r\n", withoutBlankLines(named + created + named + completed)),
    withoutBlankLines(created + completed + done), withoutBlankLines(created + completed) + done,
    withLineEnds("\r", withoutBlankLines(created + named + completed + named + done)),
    #"{"id":"r","object":"response","status":"completed","output":[]}"# + "\n",
    "{\n \"object\" : \"response\",\"status\":\"completed\"}",
  ]

  private static let done = "data: [DONE]\n\n"
  private static let named = "event: x\nid: 7\ndata: {\"type\":\"x\"}\n\n"

  private static func withoutBlankLines(_ text: String) -> String {
    text.replacingOccurrences(of: "\n\n", with: "\n")
  }

  private static func withLineEnds(_ end: String, _ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
  }

  @Test(arguments: answers)
  func `an answer comes out as it came, however its bytes arrive`(answer: String) {
    for chunks in cuts(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks)
      #expect(outcome.output == answer && outcome.status == .completed, "cut as \(chunks)")
    }
  }

  @Test func `what is told of a stream that begins as a text is the same however it is cut`() {
    let answer = Array(("eve\u{FF}: x\n\n" + Self.created + Self.completed).utf8)
    let whole = Self.relay([answer])
    #expect(whole.notices.count == 1)
    for chunks in cuts(of: answer) { #expect(Self.relay(chunks) == whole, "cut as \(chunks)") }
  }

  @Test(arguments: ["queued", "in_progress"])
  func `a response that was asked for in the background may go on`(status: String) {
    let document = #"{"id":"r","object":"response","status":"\#(status)","background":true}"#
    for (isBackground, expected) in [(true, Core.ExitStatus.completed), (false, .temporary)] {
      let reply = Reply(Redaction([]), ReplyPlan(isBackground: isBackground))
      var output = Output()
      reply.begin(ReplyHead(status: 200))
      _ = reply.read(Array(document.utf8).span, into: &output)
      reply.finish(nil, into: &output)
      #expect(output.notices.map { $0.status ?? .completed }.max() == expected)
      #expect(String(decoding: output.bytes, as: UTF8.self) == document)
    }
  }

  @Test func `what a read ends is passed on at once, whole blocks at a time`() {
    let blocks = [Self.created, ":\n\n", "event: x\r\ndata: {}\r\n\r\n", Self.completed]
    let stream = Array(blocks.joined().utf8)
    var ends = [0]
    var end = 0
    for block in blocks {
      end += block.utf8.count
      // The CR of a blank line ends a block; its LF goes with it, when it is there.
      if block.utf8.contains(ASCII.cr) { ends.append(end - 1) }
      ends.append(end)
    }
    for cut in stream.indices {
      let reply = Reply(Redaction([]))
      var output = Output()
      reply.begin(ReplyHead(status: 200))
      let start = Array(stream[..<cut])
      _ = reply.read(start.span, into: &output)
      #expect(output.bytes.count == ends.last { $0 <= cut }, "\(cut)")
    }
  }

  private static let line = withoutBlankLines(created)

  private static let unreadable = "data: {\"type\":\"x\",\ndata: y\n"

  private static let breaks: [(String, TransportFault?, String, String)] = [
    // A document that broke off behind a line that is broken.
    ("{\"object\":\"response\"\n{\"a\":tru}\n{\"b\":", broken, "", "connection_lost"),
    // A block that is no JSON, and the start of a document.
    (unreadable + "{\"b\":", nil, unreadable + "\n\n", "truncated_stream"),
    // What began as an event stream, and is none.
    ("event: x\n\n{\"a\":1}\n{", broken, "", "connection_lost"),
    // What is no answer of an API.
    ("Bad gateway\n\nmore", broken, "", "connection_lost"),
    // Where blank lines are missing, the next object ends an event.
    (line + "data: {\"type\":\"x\"}\n", broken, line + "\n\n", "connection_lost"),
    (line + "data: {\"ty", nil, line + "\n\n", "truncated_stream"),
    (created + "data: {\"ty", nil, created, "truncated_stream"),
    (created + "data: {\"ty", broken, created, "connection_lost"),
    ("data: {\"type\":\"x\"}\n\n", broken, "data: {\"type\":\"x\"}\n\n", "connection_lost"),
    (#"{"object":"response","#, broken, "", "connection_lost"),
    ("", nil, "", "empty_answer"), (":\n\n", nil, ":\n\n", "empty_answer"),
  ]

  @Test(arguments: breaks)
  func `an answer that breaks off ends with an error event`(
    answer: String, fault: TransportFault?, passed: String, code: String
  ) throws {
    for chunks in cuts(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks, fault: fault)
      try #require(outcome.output.hasPrefix(passed), "cut as \(chunks.map(\.count))")
      let event = outcome.output.dropFirst(passed.count)
      #expect(event.hasPrefix("event: error\ndata: {\"type\":\"error\",\"error\":{"))
      #expect(event.contains(#""code":"\#(code)""#))
      #expect(event.hasSuffix(#","oresp":{"synthetic":true,"request_id":"req_1"}}"# + "\n\n"))
      #expect(outcome.status == .temporary)
      #expect(Self.later(outcome.output) == .temporary)
    }
  }

  @Test func `wherever an answer is cut, what is added to it stands alone`() {
    let delta = #"data: {"type":"response.output_text.delta","delta":"a"}"#
    let stream = Array(
      (Self.created + ": x\nevent: response.output_text.delta\n" + delta + "\n\n").utf8)
    for cut in 1...stream.count {
      let outcome = Self.relay([Array(stream[..<cut])])
      let output = outcome.output
      #expect(output.hasPrefix("event: error\n") || output.contains("\n\nevent: error\n"), "\(cut)")
      #expect(Self.later(output) == .temporary, "\(cut)")
    }
  }

  @Test(arguments: [#"{"a":1}"#, "{\"a\":1}\n{\"b\":2}\n"])
  func `an error takes the place of JSON that is neither events nor a response`(answer: String) {
    let headers = [("content-type", "application/json"), ("x-request-id", "req_1")]
    for chunks in cuts(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks, headers: headers)
      #expect(outcome.status == .badInput && Self.later(outcome.output) == .badInput)
      #expect(outcome.output.hasPrefix("event: error\ndata: {\"type\":\"error\","))
      #expect(
        outcome.notices.last
          == "error: no_events: the answer is JSON, but neither events nor a response (HTTP 200, "
          + "request req_1); check OPENAI_BASE_URL")
      let output = Self.output(of: chunks, status: 200, fault: nil, secrets: [], headers: headers)
      #expect(output.facts("dropped_bytes") == ["\(answer.utf8.count)"])
    }
  }

  /// Event streams of other endpoints: what their readers need is their own business.
  @Test(arguments: [
    "data: {\"a\":1}\n\n", "data: {\"type\":\"foo\"}\n\n",
    "event: job.created\ndata: {\"id\":\"job_1\"}\n\nevent: done\ndata: [DONE]\n\n",
    "data: {\"type\":\"ping\"}\n\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n",
    "data: {\"object\":\"chat.completion.chunk\"}\n\ndata: [DONE]\n\n",
  ])
  func `a whole stream without a known type passes as it came, and is no error`(answer: String) {
    for chunks in cuts(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks, headers: [("content-type", "text/event-stream")])
      #expect(outcome.output == answer && outcome.status == .completed)
      #expect(outcome.notices == [])
      let cut = Self.relay(chunks, fault: Self.broken)
      #expect(cut.output.hasPrefix(answer + "event: error\n") && cut.status == .temporary)
    }
  }

  @Test(arguments: [
    (
      "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\ndata: {\"type\":\"x\"}\n\n",
      "the input has events of Anthropic's Messages API; ask for a response instead: oresp-send"
    ),
    (
      "event: thread.run.created\ndata: {\"id\":\"run_1\"}\n\nevent: done\ndata: [DONE]\n\n",
      "the input has events of the Assistants API; ask for a response instead: oresp-send"
    ),
  ])
  func `a stream of another protocol is passed on and named`(answer: String, what: String) {
    for chunks in splits(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks, headers: [("content-type", "text/event-stream")])
      #expect(outcome.output == answer && outcome.status == .badInput)
      #expect(outcome.notices == [what + " (HTTP 200); check OPENAI_BASE_URL"])
    }
  }

  @Test(arguments: [
    (403, #"{"Message":"You may not."}"#, "You may not.", Core.ExitStatus.refusedForGood),
    (401, #"{"message":"No key."}"#, "No key.", .refusedForGood),
    (429, #"{"Error":{"Message":"Slow down."}}"#, "Slow down.", .temporary),
    (502, #"{"errorMessage":"Timed out."}"#, "Timed out.", .temporary),
    (503, #"{"error":"{\"message\":\"No room.\"}"}"#, "No room.", .temporary),
    (200, #"{"message":"A fault."}"#, "A fault.", .temporary),
  ])
  func `the words of a gateway's error are told`(
    http: Int, body: String, words: String, status: Core.ExitStatus
  ) {
    let outcome = Self.relay([Array(body.utf8)], status: http)
    #expect(outcome.status == status)
    #expect(outcome.notices.last?.contains(words) == true, "\(outcome)")
    #expect(outcome.notices.last?.contains("{") == false, "\(outcome)")
  }

  @Test func `an answer behind much white space is passed on whole`() {
    let space = String(repeating: " \n", count: 150_000)
    let answer = #"{"object":"response","id":"r","status":"completed","output":[]}"#
    let outcome = Self.relay([Array(space.utf8), Array(answer.utf8)])
    #expect(outcome.output == space + answer && outcome.status == .completed)
  }

  @Test(arguments: [
    ("data:\n\ndata: ping\n\n" + completed, [], Core.ExitStatus.completed),
    ("data: engine was unloaded\n\n", ["error: engine was unloaded (HTTP 200)"], .temporary),
    ("data: {\"message\":\"A fault.\"}\n\n", ["error: A fault. (HTTP 200)"], .temporary),
  ])
  func `data that is no event is a heartbeat or the error that ends the answer`(
    data: String, notices: [String], status: Core.ExitStatus
  ) {
    let stream = Self.created + data
    let headers = [("content-type", "text/event-stream")]
    let outcome = Self.relay([Array(stream.utf8)], headers: headers)
    #expect(outcome.output == stream && outcome.status == status)
    #expect(outcome.notices == notices)
  }

  private static let told: [(String, Core.ExitStatus)] = [
    (created + completed, .completed),
    (created + #"data: {"type":"error","code":"server_error","message":"m"}"# + "\n\n", .temporary),
    (
      created + #"data: {"type":"response.failed","response":{"error":{"code":"invalid_prompt"}}}"#
        + "\n\n", .refusedForGood
    ),
  ]

  @Test func `an event that the next has ended is whole for who reads the output`() {
    let event = #"data: {"type":"response.completed","response":{"id":"r"}}"# + "\n"
    for chunks in splits(of: Array((event + "data: {\"a\":1,\n").utf8)) {
      let outcome = Self.relay(chunks)
      #expect(outcome.output == event + "\n\n", "cut as \(chunks.map(\.count))")
      #expect(outcome.status == Self.later(outcome.output))
    }
  }

  @Test func `what ends a response comes out, whatever is cut behind it`() {
    let line = #"{"type":"response.completed","response":{"id":"r"}}"# + "\n"
    let document = #"{"id":"r","object":"response","status":"completed"}"#
    for (passed, rest) in [
      (Self.created + line, #"{"b":"#), (Self.created + line, "data: {\"b\":\n"), (document, "\n"),
      (document, ""),
    ] {
      for (fault, chunks) in cuts(of: Array((passed + rest).utf8)).flatMap({
        [(nil, $0), (Self.broken, $0)] as [(TransportFault?, [[UInt8]])]
      }) where fault != nil || passed != document {
        let outcome = Self.relay(chunks, fault: fault)
        #expect(
          outcome.output.trimmingCharacters(in: .newlines)
            == passed.trimmingCharacters(in: .newlines))
        #expect(outcome.status == .completed)
      }
    }
  }

  @Test(arguments: told)
  func `nothing is added when the server told the end itself`(
    answer: String, status: Core.ExitStatus
  ) {
    for fault in [nil, Self.broken] {
      let outcome = Self.relay([Array(answer.utf8)], fault: fault)
      #expect(outcome.output == answer)
      #expect(outcome.status == status)
    }
  }

  private static let failures: [(Int, String, String, Core.ExitStatus)] = [
    (
      401, #"{ "error": {"message":"no\u0021", "code":"invalid_api_key","x":1.0}, "more":[1 ]}"#,
      #"{"type":"error","error":{"message":"no\u0021", "code":"invalid_api_key","x":1.0},"more":[1 ],"status":401,"#,
      .refusedForGood
    ),
    (
      429, "{\"error\":{\n \"code\":\r\n \"insufficient_quota\"}}",
      #"{"type":"error","error":{ "code": "insufficient_quota"},"status":429,"#, .refusedForGood
    ),
    (
      429, #"{"type":"error","status":9,"error":{"code":"rate_limit_exceeded"}}"#,
      #"{"type":"error","error":{"code":"rate_limit_exceeded"},"status":429,"#, .temporary
    ),
    (
      403, #"{"error":"not yours"}"#,
      #"{"type":"error","error":{"type":"http_error","code":null,"message":"not yours"},"status":403,"#,
      .refusedForGood
    ),
    (
      404, #"{"message":"m","type":"t","code":7}"#,
      #"{"type":"error","error":{"type":"t","code":"7","message":"m"},"status":404,"#,
      .refusedForGood
    ),
    (
      502, "<html>\n <b>Bad</b>",
      #"{"type":"error","error":{"type":"http_error","code":null,"message":"HTTP 502: <html> <b>Bad</b>"},"status":502,"#,
      .temporary
    ),
    (
      503, "",
      #"{"type":"error","error":{"type":"http_error","code":null,"message":"HTTP 503 with an empty body"},"status":503,"#,
      .temporary
    ),
    (
      307, "",
      #"{"type":"error","error":{"type":"redirect","code":null,"message":"the server points to https://x.example/, which is not followed"},"status":307,"#,
      .refusedForGood
    ),
    (
      200, " <html>",
      #"{"type":"error","error":{"type":"unsupported_answer","code":null,"message":"the answer is a web page, not JSON: <html>"},"#,
      .refusedForGood
    ),
  ]

  @Test(arguments: failures)
  func `an HTTP failure becomes one error event`(
    http: Int, body: String, event: String, status: Core.ExitStatus
  ) {
    let end = #""oresp":{"synthetic":true,"request_id":"req_1"}}"# + "\n\n"
    for chunks in body.isEmpty ? [[]] : cuts(of: Array(body.utf8)) {
      let outcome = Self.relay(
        chunks, status: http,
        headers: [("x-request-id", "req_1"), ("location", "https://x.example/")])
      #expect(outcome.output == "event: error\ndata: " + event + end)
      #expect(outcome.status == status)
      #expect(Self.later(outcome.output) == status)
      #expect(outcome.notices.count == 1)
      #expect(outcome.notices.allSatisfy { $0.ranges(of: "HTTP \(http)").count == 1 })
      #expect(outcome.notices.allSatisfy { $0.contains("request req_1") })
    }
  }

  @Test func `a key that the server repeats is not shown`() {
    let body = #"{"error":{"message":"Wrong key sk-0123456789.","code":"invalid_api_key"}}"#
    let outcome = Self.relay([Array(body.utf8)], status: 401, secrets: ["sk-0123456789"])
    #expect(outcome.output.contains("Wrong key [key]."))
    #expect(!"\(outcome)".contains("0123456789"))
  }

  private static let key = #"sk-0/12345"#

  @Test(arguments: [
    "data: {\"error\": {\"message\": \"No KEY.\" } }\n\n",
    "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"KEY\"}}}\n\n",
    "{\"object\":\"response\",\"status\":\"failed\",\"error\":{\"message\":\"KEY\"}}",
  ])
  func `the server's own bytes pass as they came, with a key that they repeat`(error: String) {
    let answer = error.replacingOccurrences(of: "KEY", with: Self.key)
    for chunks in cuts(of: Array(answer.utf8)) {
      let outcome = Self.relay(chunks, secrets: [Self.key])
      #expect(outcome.output == answer && outcome.status != .completed)
    }
  }

  @Test(arguments: ["sk-0/1234", "sk-0/123"])
  func `the start of a key at which a refusal is cut is not shown`(start: String) {
    let body = #"{"error":{"message":"No "# + start
    let outcome = Self.relay(
      [Array(body.utf8)], status: 401, fault: Self.broken, secrets: [Self.key])
    #expect(!outcome.output.contains(start) && outcome.output.contains("[key]"))
    let whole = Self.relay([Array(body.utf8)], status: 401, secrets: [Self.key])
    #expect(whole.output.contains(start))
  }

  @Test(arguments: [196, 997])
  func `a text that is shortened inside a key shows none of it`(place: Int) {
    // Of a text 1,000 bytes are read, and 200 characters told.
    let text =
      place > 200 ? String(repeating: " ", count: place) : String(repeating: "x", count: place)
    let body = text + Self.key + " and so on"
    let outcome = Self.relay([Array(body.utf8)], status: 500, secrets: [Self.key])
    #expect(!"\(outcome)".contains("sk-"))
  }

  @Test(arguments: [
    (307, [("location", "https://x.example/?key=\(key)"), ("x-request-id", "r")]),
    (500, [("x-request-id", key)]), (200, [("x-request-id", "q-\(key)-q")]),
  ])
  func `a key in a header that is told of is not shown`(
    status: Int, headers: [(name: String, value: String)]
  ) {
    let outcome = Self.relay(
      [], status: status, fault: status == 200 ? Self.broken : nil, secrets: [Self.key],
      headers: headers)
    #expect(outcome.output.contains("[key]") && !outcome.output.contains(Self.key))
  }

  @Test func `of an endless error no more than its first MiB is wanted`() {
    let reply = Reply(Redaction([]))
    var output = Output()
    reply.begin(ReplyHead(status: 500))
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    var count = 0
    while reply.read(chunk.span, into: &output) { count += 1 }
    #expect(count == 15)
    reply.finish(nil, into: &output)
    #expect(output.bytes.count < 1000)
  }
}
