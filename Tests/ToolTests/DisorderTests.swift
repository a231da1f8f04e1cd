import TestSupport
import Testing
import oresp_text

/// What is printed of a stream whose lines stand in another order.
@Suite struct DisorderTests {
  /// Two messages, each in several pieces.
  private static let stream = lines([
    "created :a #0", "added .m #1 @0", "delta .m =red #2 @0", "delta .m =_apples #3 @0",
    "delta .m =,_pears #4 @0", "text .m =red_apples,_pears #5 @0",
    "done .m =red_apples,_pears #6 @0", "added .n #7 @1", "delta .n =green #8 @1",
    "delta .n =_figs #9 @1", "text .n =green_figs #10 @1", "done .n =green_figs #11 @1",
    "completed :a .m=red_apples,_pears .n=green_figs #12",
  ])

  /// The same without ids of items.
  private static let withoutItems = stream.map { line in
    ["m", "n"].reduce(line) { line, id in
      line.replacing(#""item_id":"\#(id)","#, with: "").replacing(#""id":"\#(id)","#, with: "")
    }
  }

  /// A message in two parts.
  private static let parts = lines([
    "created :a #0", "added .m #1 @0", part("delta", "red", of: 0, 2),
    part("delta", "_apples", of: 0, 3), part("done", "red_apples", of: 0, 4),
    part("delta", ",_", of: 1, 5), part("delta", "pears", of: 1, 6),
    part("done", ",_pears", of: 1, 7),
    #"{"type":"response.output_item.done","output_index":0,"item":\#(message),"sequence_number":8}"#,
    #"{"type":"response.completed","response":{"id":"a","status":"completed","output":[\#(message)]},"sequence_number":9}"#,
  ])

  private static let message =
    #"{"id":"m","type":"message","content":[{"type":"output_text","text":"red_apples"},"#
    + #"{"type":"output_text","text":",_pears"}]}"#

  private static func part(_ phase: String, _ text: String, of index: Int, _ number: Int) -> String
  {
    let name = phase == "delta" ? "delta" : "text"
    return #"{"type":"response.output_text.\#(phase)","item_id":"m","output_index":0,"#
      + #""content_index":\#(index),"\#(name)":"\#(text)","sequence_number":\#(number)}"#
  }

  private static func lines(_ events: [String]) -> [String] { events.map { RuleEvent($0).line } }

  private static func text(of lines: [String]) throws -> CommandRun {
    try CommandRun(TextTool.command, [], on: [lines.map { $0 + "\n" }.joined().utf8])
  }

  /// `count` orders of `stream`, whose first `fixed` lines stay.
  private static func check(_ stream: [String], fixed: Int, count: Int = 500) throws {
    let whole = try text(of: stream)
    let words = whole.output.split(separator: "\n").sorted()
    #expect(whole.status == 0 && whole.errors.isEmpty)
    var generator = SeededGenerator()
    for _ in 0..<count {
      let lines = stream[..<fixed] + stream[fixed...].shuffled(using: &generator)
      let run = try text(of: Array(lines))
      let how = "seed \(generator.seed): \(lines.joined(separator: "\n")): \(run)"
      #expect(
        run.output.count { $0 != "\n" } <= whole.output.count { $0 != "\n" }, "twice: \(how)")
      let isRight = run.output.split(separator: "\n").sorted() == words
      #expect(run.status == 3 || run.status == 0 && isRight, "\(how)")
    }
  }

  @Test(arguments: [("two messages", stream), ("two parts", parts)])
  func `behind its beginning, no text in any order comes twice, and what differs is reported`(
    name: String, stream: [String]
  ) throws {
    try Self.check(stream, fixed: 1)
  }

  @Test func `nor of one whose items have no ids`() throws {
    try Self.check(Self.withoutItems, fixed: 1)
  }

  @Test(arguments: [{ $0.sorted() }, { $0.reversed() }] as [@Sendable ([String]) -> [String]])
  func `a whole stream that was sorted or reversed has each text once`(
    order: @Sendable ([String]) -> [String]
  ) throws {
    #expect(try Self.text(of: order(Self.stream)) == Self.text(of: Self.stream))
  }
}
