import TestSupport
import Testing
import oresp_text

/// What is printed of a stream whose lines stand in another order.
@Suite struct DisorderTests {
  private static let stream = [
    "created :a #0", "added .m #1 @0", "delta .m =red #2 @0", "delta .m =_apples #3 @0",
    "delta .m =,_pears #4 @0", "text .m =red_apples,_pears #5 @0",
    "done .m =red_apples,_pears #6 @0", "added .n #7 @1", "delta .n =green #8 @1",
    "delta .n =_figs #9 @1", "text .n =green_figs #10 @1", "done .n =green_figs #11 @1",
    "completed :a .m=red_apples,_pears .n=green_figs #12",
  ].map { RuleEvent($0).line }

  private static func text(of lines: [String]) throws -> CommandRun {
    try CommandRun(TextTool.command, [], on: [lines.map { $0 + "\n" }.joined().utf8])
  }

  @Test func `no text of a stream in any order comes twice, and what differs is reported`() throws {
    let whole = try Self.text(of: Self.stream)
    #expect(whole.output == "red_apples,_pears\ngreen_figs\n" && whole.status == 0)
    var generator = SeededGenerator()
    for _ in 0..<300 {
      let lines = [Self.stream[0]] + Self.stream[1...].shuffled(using: &generator)
      let run = try Self.text(of: lines)
      let how = "seed \(generator.seed): \(lines.joined(separator: "\n")): \(run)"
      let count = run.output.count { $0 != "\n" }
      #expect(count <= whole.output.count { $0 != "\n" }, "\(how)")
      let words = run.output.split(separator: "\n").sorted()
      #expect(
        words == ["green_figs", "red_apples,_pears"] ? run.status == 0 : run.status == 3, "\(how)")
    }
  }

  @Test(arguments: [{ $0.sorted() }, { $0.reversed() }] as [@Sendable ([String]) -> [String]])
  func `a whole stream that was sorted or reversed has each text once`(
    order: @Sendable ([String]) -> [String]
  ) throws {
    #expect(try Self.text(of: order(Self.stream)) == Self.text(of: Self.stream))
  }
}
