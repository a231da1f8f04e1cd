import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream

private func message(_ id: String, _ text: String) -> String {
  #"{"type":"message","id":"\#(id)","content":[{"type":"output_text","text":"\#(text)"}]}"#
}

private func call(_ id: String, _ name: String, _ arguments: String) -> String {
  #"{"type":"function_call","id":"\#(id)","call_id":"c\#(id)","name":"\#(name)","arguments":"\#(arguments)"}"#
}

/// Which item a text belongs to, where servers tell little of it, or tell it twice.
@Suite struct AnswerItemTests {
  @Test(
    arguments: [
      // Two messages are open, and only their ids tell them apart.
      (
        [
          Stream.event("output_item.added", #""item":{"type":"message","id":"a","content":[]}"#),
          Stream.event("output_text.delta", #""item_id":"a","delta":"One""#),
          Stream.event("output_item.added", #""item":{"type":"message","id":"b","content":[]}"#),
          Stream.event("output_text.delta", #""item_id":"b","delta":"Two.""#),
          Stream.event("output_text.delta", #""item_id":"a","delta":".""#),
          Stream.event("output_item.done", #""item":\#(message("a", "One."))"#),
          Stream.event("output_item.done", #""item":\#(message("b", "Two."))"#),
          Stream.final(message("a", "One."), message("b", "Two.")),
        ], "One.\nTwo.\n"
      ),
      // So do two calls, under a heading each.
      (
        [
          Stream.event("output_item.added", #""item":\#(call("f", "x", ""))"#),
          Stream.event("function_call_arguments.delta", #""item_id":"f","delta":"[1]""#),
          Stream.event("output_item.added", #""item":\#(call("g", "y", ""))"#),
          Stream.event("function_call_arguments.delta", #""item_id":"g","delta":"[2]""#),
          Stream.event("output_item.done", #""item":\#(call("f", "x", "[1]"))"#),
          Stream.event("output_item.done", #""item":\#(call("g", "y", "[2]"))"#),
          Stream.final(call("f", "x", "[1]"), call("g", "y", "[2]")),
        ], "--- function_call arguments x\n[1]\n--- function_call arguments y\n[2]\n"
      ),
      // One item comes again under another index.
      (
        [
          Stream.event(
            "output_item.added",
            #""output_index":0,"item":{"type":"message","id":"a","content":[]}"#
          ),
          Stream.event("output_text.delta", #""output_index":0,"item_id":"a","delta":"Hi.""#),
          Stream.event("output_item.done", #""output_index":0,"item":\#(message("a", "Hi."))"#),
          Stream.event(
            "output_item.added",
            #""output_index":2,"item":{"type":"message","id":"a","content":[]}"#
          ),
          Stream.event("output_text.done", #""output_index":2,"item_id":"a","text":"Hi.""#),
          Stream.event("output_item.done", #""output_index":2,"item":\#(message("a", "Hi."))"#),
          Stream.final(message("a", "Hi.")),
        ], "Hi.\n"
      ),
      // The next response goes on under the index of an item that has ended.
      (
        [
          Stream.event("output_item.done", #""output_index":0,"item":\#(call("f", "x", "[1]"))"#),
          Stream.event("output_text.done", #""output_index":0,"item_id":"a","text":"Hi.""#),
          Stream.event("output_item.done", #""output_index":0,"item":\#(message("a", "Hi."))"#),
        ], "Hi.\n"
      ),
      // What a reasoning item holds is no answer, whatever it is called.
      (
        [
          Stream.final(
            #"{"type":"reasoning","id":"r","content":[{"type":"output_text","text":"Hm."}]}"#,
            message("a", "Hi."))
        ], "Hi.\n"
      ),
      (
        [
          Stream.event(
            "output_item.added", #""output_index":0,"item":{"type":"reasoning","id":"r"}"#),
          Stream.event(
            "content_part.done",
            #""output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hm."}"#),
          Stream.final(message("a", "Hi.")),
        ], "Hi.\n"
      ),
      // An output of a server's tool that comes in pieces.
      (
        [
          Stream.event(
            "output_item.added",
            #""output_index":0,"item":{"type":"mcp_call","id":"m","name":"t"}"#),
          Stream.event("mcp_call_arguments.done", #""output_index":0,"arguments":"{}""#),
          Stream.event("mcp_call_output.delta", #""output_index":0,"delta":"4""#),
          Stream.event("mcp_call_output.done", #""output_index":0,"output":"42""#),
        ], "--- mcp_call arguments t\n{}\n--- mcp_call output t\n42\n"
      ),
    ] as [([String], String)])
  func `each text is printed once, and under its item`(lines: [String], text: String) {
    let kinds: TextKinds = text.hasPrefix("---") ? [.answer, .tools] : .answer
    #expect(Stream.mismatches(lines, text, Stream.settings(kinds)) == [])
  }

  @Test(
    arguments: [
      (.answer, "Hm. So.\nYes.\n"),
      ([.answer, .commentary], "--- answer\nHm. So.\n--- answer\nYes.\n"),
    ] as [(TextKinds, String)])
  func `a message of which text is out before it is marked stays what it was taken for`(
    kinds: TextKinds, text: String
  ) {
    let marked =
      #"{"type":"message","id":"a","phase":"commentary","content":[{"type":"output_text","text":"Hm. So."}]}"#
    let lines = [
      Stream.event("output_text.delta", #""output_index":0,"item_id":"a","delta":"Hm. ""#),
      Stream.event("output_item.done", #""output_index":0,"item":\#(marked)"#),
      Stream.event("output_item.done", #""output_index":1,"item":\#(message("b", "Yes."))"#),
      Stream.final(marked, message("b", "Yes.")),
    ]
    #expect(Stream.mismatches(lines, text, Stream.settings(kinds)) == [])
  }

  @Test func `a response that is cut is told, and the next one begins without its text`() {
    let lines = [
      Stream.created, Stream.delta("one"),
      #"{"type":"response.queued","response":{"id":"r2"}}"#, Stream.delta("two"),
      #"{"type":"response.completed","response":{"id":"r2","output":[]}}"#,
    ]
    let outcome = feed(
      Stream.filter(Stream.settings()), [Array(lines.joined(separator: "\n").utf8)])
    #expect(outcome.output == "one\ntwo\n")
    #expect(outcome.status == .temporary)
  }

  private static let cites = Stream.url("https://a.example/", 0, 2, title: "A")

  @Test(
    arguments: [
      [
        Stream.delta("Hi"), Stream.done(Stream.message("Hi")), Stream.annotation(cites),
        Stream.completed,
      ],
      [Stream.delta("Hi"), Stream.annotation(cites), Stream.completed],
      [Stream.done(Stream.message("Hi", cites)), Stream.completed],
      [Stream.final(Stream.message("Hi", cites))],
      [
        Stream.done(Stream.message("Hi")),
        #"{"type":"response.content_part.done","output_index":0,"part":{"type":"output_text","text":"Hi","annotations":[\#(cites)]}}"#,
      ],
    ])
  func `what is cited is listed without marks, too, whenever it is told`(lines: [String]) {
    let text = "Hi\n\n* A <https://a.example/>\n"
    #expect(Stream.mismatches(lines, text, Stream.settings { $0.listsSources = true }) == [])
  }

  @Test func `a citation of a response that has ended is none of the next one`() {
    let lines = [
      Stream.created, Stream.delta("a"), Stream.completed, Stream.annotation(Self.cites),
      Stream.created, Stream.delta("b"), Stream.completed,
    ]
    let settings = Stream.settings { $0.citations = .footnotes }
    #expect(Stream.mismatches(lines, "a\nb\n", settings) == [])
  }

  private static let two = [
    Stream.created, Stream.done(Stream.message("no")), Stream.done(Stream.message("[1]"), 1),
    Stream.completed,
  ]

  @Test(
    arguments: [
      (.number(9), "", ["there is no message 9: the input has 2"]), (.last, "[1]\n", []),
      (.number(2), "[1]\n", []),
    ] as [(TextStyle.Messages, String, [String])])
  func `only messages that are printed are judged`(
    messages: TextStyle.Messages, text: String, notices: [String]
  ) {
    let settings = Stream.settings { style in
      style.messages = messages
      style.form.parses = true
    }
    let expected = Outcome(text, notices.isEmpty ? .completed : .negative, notices)
    let stream = Self.two.joined(separator: "\n")
    #expect(feed(Stream.filter(settings), [Array(stream.utf8)]) == expected)
  }

  @Test func `the last message alone must have a block`() {
    let lines = [
      Stream.done(Stream.message("```\\n1\\n```")), Stream.done(Stream.message("no"), 1),
    ]
    let settings = Stream.settings { style in
      style.messages = .last
      style.form.takesBlocks = true
    }
    let outcome = feed(Stream.filter(settings), [Array(lines.joined(separator: "\n").utf8)])
    #expect(outcome.status == .negative && outcome.output == "")
  }
}
