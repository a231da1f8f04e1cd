import Core
import TestSupport
import Testing
import oresp_text

private func pipe() -> EventPipe<AnswerFilter> {
  EventPipe(AnswerFilter(), reading: EventReader.Settings(), needing: .typed)
}

private let created = #"{"type":"response.created","response":{"id":"r"}}"#

private func added(_ index: Int) -> String {
  #"{"type":"response.output_item.added","output_index":\#(index),"item":{"type":"message","id":"m\#(index)","content":[]}}"#
}

private func delta(_ text: String, _ index: Int, part: Int = 0) -> String {
  #"{"type":"response.output_text.delta","output_index":\#(index),"content_index":\#(part),"delta":"\#(text)"}"#
}

private func done(_ text: String, _ index: Int, part: Int = 0) -> String {
  #"{"type":"response.output_text.done","output_index":\#(index),"content_index":\#(part),"text":"\#(text)"}"#
}

private func partDone(_ text: String, _ index: Int) -> String {
  #"{"type":"response.content_part.done","output_index":\#(index),"content_index":0,"part":{"type":"output_text","text":"\#(text)"}}"#
}

private func message(_ text: String, id: String) -> String {
  #"{"type":"message","id":"\#(id)","content":[{"type":"output_text","text":"\#(text)"}]}"#
}

private func itemDone(_ text: String, _ index: Int) -> String {
  #"{"type":"response.output_item.done","output_index":\#(index),"item":\#(message(text, id: "m\(index)"))}"#
}

private func completed(_ items: String...) -> String {
  #"{"type":"response.completed","response":{"output":[\#(items.joined(separator: ","))]}}"#
}

private let empty = completed()
private let reasoning = #"{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}]}"#
private let conflict = "the text came again and differs from what was printed, which stays"

@Suite struct AnswerFilterTests {
  @Test(arguments: [
    // However the text comes, it is printed once.
    (
      [
        added(0), delta("ab", 0), delta("c", 0), done("abc", 0), partDone("abc", 0),
        itemDone("abc", 0),
        completed(message("abc", id: "m0")),
      ], "abc\n"
    ),
    ([delta("ab", 0), delta("c", 0), empty], "abc\n"), ([done("abc", 0), empty], "abc\n"),
    ([partDone("abc", 0), empty], "abc\n"), ([itemDone("abc", 0), empty], "abc\n"),
    ([completed(message("abc", id: "x"))], "abc\n"),
    // What a whole has more than was printed is printed.
    ([delta("a", 0), done("abc", 0), empty], "abc\n"),
    ([delta("a", 0), itemDone("abc", 0)], "abc\n"),
    ([delta("a", 0), completed(message("abc", id: "m9"))], "abc\n"),
    ([delta("abc", 0), done("", 0), completed(message("", id: "m0"))], "abc\n"),
    // A line end that is there is not doubled.
    ([delta("a\\n", 0), empty], "a\n"), ([added(0), itemDone("", 0), empty], ""),
    // Several messages; a reasoning item is none.
    (
      [
        itemDone("a", 0), itemDone("b", 1),
        completed(message("a", id: "m0"), message("b", id: "m1")),
      ], "a\nb\n"
    ),
    ([delta("b", 1), completed(reasoning, message("b", id: "other"))], "b\n"),
    ([completed(reasoning, message("a", id: "x"), message("b", id: "y"))], "a\nb\n"),
    // Interleaved messages are not mixed.
    (
      [
        added(0), added(1), delta("a1", 0), delta("b1", 1), delta("a2", 0), itemDone("a1a2", 0),
        delta("b2", 1), itemDone("b1b2", 1), empty,
      ], "a1a2\nb1b2\n"
    ),
    (
      [added(0), delta("a", 0), itemDone("b", 2), delta("c", 0), itemDone("ac", 0), empty],
      "ac\nb\n"
    ),
    // Parts follow each other directly, whatever their numbers.
    (
      [delta("a", 0, part: 1), delta("b", 0, part: 2), done("ab"[...].description, 0, part: 3)],
      "abab\n"
    ),
    (
      [
        delta("a", 0, part: 0), delta("b", 0, part: 1),
        completed(
          #"{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"other"},{"type":"output_text","text":"b"}]}"#
        ),
      ], "ab\n"
    ),
    // Events without places, by id or by order; older names.
    (
      [
        #"{"type":"response.output_text.delta","delta":"a"}"#,
        completed(reasoning, message("ab", id: "x")),
      ], "ab\n"
    ),
    (
      [
        added(3), #"{"type":"response.output_text.delta","item_id":"m3","delta":"a"}"#,
        itemDone("a", 3), empty,
      ], "a\n"
    ),
    (
      [
        #"{"type":"response.text.delta","output_index":0,"delta":"a"}"#,
        #"{"type":"response.done","response":{}}"#,
      ], "a\n"
    ),
    // Several responses.
    ([created, delta("a", 0), empty, created, delta("b", 0), empty], "a\nb\n"),
    // An emoji cut in two.
    ([delta("\\ud83d", 0), delta("\\ude00", 0), done("😀", 0), empty], "😀\n"),
  ])
  func `each character is printed once`(lines: [String], text: String) {
    let stream = lines.joined(separator: "\n")
    #expect(feed(pipe(), [Array(stream.utf8)]) == Outcome(text))
    #expect(feed(pipe(), Array(stream.utf8).map { [$0] }) == Outcome(text))
  }

  @Test func `text is out as soon as its event is in`() {
    var filter = pipe()
    var input = InputBuffer()
    var output = Output()
    for (line, text) in [
      (created, ""), (delta("a", 0), "a"), (delta("b", 0), "ab"), (done("abc", 0), "abc"),
      (itemDone("abc", 0), "abc\n"),
    ] {
      input.append(Array((line + "\n").utf8).span)
      filter.handle(&input, into: &output)
      #expect(String(decoding: output.bytes, as: UTF8.self) == text)
    }
  }

  @Test(
    arguments: [
      ([delta("abc", 0), done("abX", 0), empty], "abc\n", 2),
      ([delta("abc", 0), completed(message("xbcd", id: "m0"))], "abc\n", 2),
      ([delta("a", 0), delta("b", 0, part: 1), done("ac", 0, part: 0), empty], "ab\n", 3),
      ([delta("abc", 0), done("ab", 0), empty], "abc\n", 2),
      ([delta("abc", 0), completed(message("a", id: "m0"))], "abc\n", 2),
      // Once, however often it comes.
      (
        [
          delta("abc", 0), done("abX", 0), itemDone("abX", 0), completed(message("abX", id: "m0")),
        ], "abc\n", 2
      ),
    ] as [([String], String, Int)])
  func `a whole that differs is told and not printed`(lines: [String], text: String, line: Int) {
    let byte = lines.prefix(line - 1).map { $0.utf8.count + 1 }.reduce(0, +)
    let outcome = feed(pipe(), [Array(lines.joined(separator: "\n").utf8)])
    #expect(outcome == Outcome(text, .completed, ["in: line \(line), byte \(byte): \(conflict)"]))
  }

  @Test func `a stream that is cut anywhere gives the beginning of the text`() {
    let lines = [
      created, added(0), delta("one ", 0), delta("two", 0), done("one two", 0),
      itemDone("one two", 0), added(1), delta("three", 1), itemDone("three", 1),
      completed(message("one two", id: "m0"), message("three", id: "m1")),
    ]
    let whole = "one two\nthree\n"
    for count in lines.indices {
      let stream = lines.prefix(count).joined(separator: "\n")
      let outcome = feed(pipe(), [Array(stream.utf8)])
      let text = outcome.output.hasSuffix("\n") ? String(outcome.output.dropLast()) : outcome.output
      #expect(whole.hasPrefix(text), "cut after \(count) events")
      #expect(outcome.status == (count == 0 ? .badInput : .temporary))
    }
  }

  @Test(
    arguments: [
      ("", "no events: the input is empty"),
      ("{\"name\":\"x\"}", "no events: the input is JSON of another kind"),
      ("{\"type\":\"response.output_text.delta\",\"delta\":\"a}\n", nil),
    ] as [(String, String?)])
  func `what is no answer is a fault`(input: String, notice: String?) {
    let outcome = feed(pipe(), [Array(input.utf8)])
    #expect(outcome.status == .badInput)
    if let notice { #expect(outcome.notices == [notice]) }
  }

  @Test func `a refusal is told, with its words`() {
    let lines = [created, #"{"type":"response.refusal.done","refusal":"No."}"#, empty]
    let outcome = feed(pipe(), [Array(lines.joined(separator: "\n").utf8)])
    #expect(outcome == Outcome("", .refusal, ["the model refused: No."]))
  }
}
