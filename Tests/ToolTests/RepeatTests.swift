import Core
import TestSupport
import Testing
import oresp_text

@testable import oresp_events

private func own(_ tag: String?) -> String {
  tag.map { #","oresp":{"request":"\#($0)"}"# } ?? ""
}

private func begin(_ id: String?, _ tag: String? = nil) -> String {
  let id = id.map { #""id":"\#($0)","# } ?? ""
  return
    #"{"type":"response.created","sequence_number":0,"response":{\#(id)"status":"in_progress"}\#(own(tag))}"#
}

private func item(_ id: String) -> String {
  #"{"type":"function_call","id":"f\#(id)","call_id":"c\#(id)","name":"f","arguments":"{}"}"#
}

private func message(_ id: String) -> String {
  #"{"type":"message","id":"m\#(id)","content":[{"type":"output_text","text":"Hi."}]}"#
}

private func text(_ id: String) -> String {
  #"{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":\#(message(id))}"#
}

/// The Response that `end` brings: a message and a call.
private func response(_ id: String?) -> String {
  let name = id.map { #""id":"\#($0)","# } ?? ""
  let output = "\(message(id ?? "")),\(item(id ?? ""))"
  return
    #"{"object":"response",\#(name)"status":"completed","output":[\#(output)],"usage":{"input_tokens":1,"output_tokens":1}}"#
}

private func end(
  _ id: String?, _ number: Int? = 3, _ tag: String? = nil, more: String = ""
) -> String {
  let number = number.map { #""sequence_number":\#($0),"# } ?? ""
  return
    #"{"type":"response.completed",\#(number)"response":\#(response(id))\#(more)\#(own(tag))}"#
}

private func run(_ id: String, _ tag: String? = nil) -> [String] {
  [begin(id, tag), end(id, 3, tag)]
}

private func batch(_ tag: String) -> String {
  #"{"custom_id":"\#(tag)","response":{"status_code":200,"body":\#(response("a"))}}"#
}

private func once(_ id: String, _ line: Int) -> String {
  "\(line): the end of \(id) comes twice, and counts once"
}

private func twice(_ id: String, _ line: Int) -> String {
  "\(line): \(id) comes twice, and counts twice"
}

/// What `make` makes of `lines`, however they are cut: how many lines, and what is told with which
/// line of the input.
private func made<Events: EventFilter & ~Copyable>(
  of lines: [String], _ make: () throws -> Events
) throws -> (count: Int, told: [String], output: String) {
  let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
  func outcome(_ chunks: [[UInt8]]) throws -> Outcome {
    feed(EventPipe(try make(), reading: EventReader.Settings(), needing: .typed), chunks)
  }
  let whole = try outcome([bytes])
  var generator = SeededGenerator()
  for chunks in [bytes.map { [$0] }]
    + (0..<2).map({ _ in randomCuts(of: bytes, 9, using: &generator) })
  {
    #expect(try outcome(chunks) == whole, "seed \(generator.seed)")
  }
  // That no event has a time is said of the whole input.
  let told = whole.notices.filter { !$0.contains("has a time") }.map { notice in
    let parts = notice.split(separator: " ", maxSplits: 5)
    return "\(parts[2].dropLast()): \(parts[5])"
  }
  return (whole.output.count { $0 == "\n" }, told, whole.output)
}

@Suite struct RepeatTests {
  @Test(
    arguments: [
      (run("a"), 1, []),
      // An end is the same by its bytes, or by its number.
      (run("a") + [end("a")], 1, [once("a", 3)]),
      (run("a") + [end("a", more: #","service":1"#)], 1, [once("a", 3)]),
      (run("a") + [end("a", 4)], 2, [twice("a", 3)]),
      (run("a") + [end("a"), end("a")], 1, [once("a", 3)]),
      ([begin("a"), end("a", nil), end("a", nil)], 1, [once("a", 3)]),
      ([begin("a"), end("a", nil), end("a", nil, more: #","x":1"#)], 2, [twice("a", 3)]),
      // Another response stands between, open or ended.
      (run("a") + [begin("b"), end("a"), text("b"), end("b")], 2, [once("a", 4)]),
      (run("a") + run("b") + [end("a"), end("b")], 2, [once("a", 5)]),
      (run("a") + [begin("b"), begin("c"), end("a"), end("c"), end("b")], 3, [once("a", 5)]),
      // Each run has its beginning.
      (run("a") + run("a"), 2, [twice("a", 4)]),
      (run("a") + run("b") + run("a"), 3, [twice("a", 6)]),
      (run("a") + [begin("b"), begin("a"), end("a"), end("b")], 3, [twice("a", 5)]),
      // A stream and its document, and a document that comes again.
      (run("a") + [response("a")], 1, [once("a", 3)]),
      (run("a") + [response("a").replacing("Hi.", with: "Ho.")], 2, [twice("a", 3)]),
      ([response("a"), response("a")], 1, [once("a", 2)]),
      ([response("a"), response("b")], 2, []),
      // Lines of a Batch.
      ([batch("x"), batch("x")], 1, [once("a", 2)]), ([batch("x"), batch("y")], 2, []),
      // Without an id nothing says that it is the same.
      ([begin(nil), end(nil), end(nil)], 2, []),
      ([begin(nil), end(nil), begin(nil), end(nil)], 2, []),
      ([begin(nil), end(nil), begin("b"), end(nil)], 2, []),
      ([end(nil), end(nil)], 2, []),
      // Azure's responses end with another id.
      ([begin("x"), end("a"), end("a")], 1, [once("a", 3)]),
      ([begin("x"), end("a"), begin("x"), end("a")], 2, [twice("a", 4)]),
      ([begin("x"), end("a"), begin("y"), end("a"), end("y")], 2, [once("a", 4)]),
      // The tag of a stream divides first.
      (
        [begin("a", "s"), begin("b", "t"), end("a", 3, "s"), end("a", 3, "s"), end("b", 3, "t")],
        2, [once("a", 4)]
      ),
      (run("a", "s") + run("b", "t") + [end("a", 3, "s")], 2, [once("a", 5)]),
      (run("a", "s") + run("a", "t"), 2, []),
    ] as [([String], Int, [String])])
  func `an end that comes again counts once in every mode`(
    lines: [String], count: Int, told: [String]
  ) throws {
    func expect<Events: EventFilter & ~Copyable>(
      _ expected: Int, _ make: () throws -> Events
    ) throws {
      let made = try made(of: lines, make)
      #expect(made.count == expected)
      #expect(made.told == told)
    }
    try expect(count) { UsageFilter() }
    try expect(count) { StatsFilter() }
    try expect(count) { RebuildFilter(ResponsePrinter(EventsTool.Settings())) }
    try expect(2 * count) { RebuildFilter(ItemPrinter()) }
    try expect(count) { RebuildFilter(CallPrinter()) }
    try expect(count) { RebuildFilter(CallPrinter(pendingOnly: true)) }
    try expect(count) { AnswerFilter() }
    let selected = try made(of: lines) { SelectFilter(EventsTool.Settings()) }
    #expect(selected.told == told)
    #expect(selected.count == lines.count)
  }

  @Test func `what comes again in front of an end that comes again does not count either`() throws {
    let lines = [begin("a"), text("a"), end("a"), text("a"), end("a")]
    #expect(try made(of: lines) { UsageFilter() }.count == 1)
    #expect(try made(of: lines) { RebuildFilter(CallPrinter(pendingOnly: true)) }.count == 1)
    let stats = try made(of: lines) { StatsFilter() }
    #expect(stats.output == (try made(of: Array(lines[..<3])) { StatsFilter() }.output))
    var settings = EventsTool.Settings()
    settings.keepsPartial = true
    #expect(try made(of: lines) { RebuildFilter(ResponsePrinter(settings)) }.count == 1)
  }

  @Test func `a failure that comes again is told once`() throws {
    let failed =
      #"{"type":"response.failed","sequence_number":1,"response":{"id":"a","error":{"code":"c"}}}"#
    let outcome = feed(
      EventPipe(UsageFilter(), reading: EventReader.Settings(), needing: .typed),
      [Array([begin("a"), failed, failed].joined(separator: "\n").utf8)])
    #expect(outcome.status == .temporary)
    #expect(outcome.notices.filter { $0.contains("failed") } == ["the response failed: c"])
  }

  @Test func `a line of a log counts once`() throws {
    func log(_ time: Int) -> String {
      #"{"time":\#(time),"response_id":"a","usage":{"input_tokens":1},"verdict":"completed"}"#
    }
    let made = try made(of: [log(1), log(2), log(1)]) { UsageFilter() }
    #expect(made.count == 2)
    #expect(made.told == ["3: a line of a log comes twice, and counts once"])
  }

  @Test func `the last 1,024 ends are known again`() throws {
    let ids = (0..<1030).map { "a\($0)" }
    let lines = ids.flatMap { run($0) }
    func count(_ id: Int) -> Int {
      let outcome = feed(
        EventPipe(UsageFilter(), reading: EventReader.Settings(), needing: .typed),
        [Array((lines + [end(ids[id])]).joined(separator: "\n").utf8)])
      return outcome.output.count { $0 == "\n" }
    }
    #expect(count(6) == 1030)
    #expect(count(5) == 1031)
  }
}
