import TestSupport
import Testing

@testable import Core

/// Whose each event is, by `ResponseTable`.
@Suite struct ResponseTableTests {
  /// A small stream in the words of `RuleEvent`, an event a line. Behind each stands the number of
  /// its response, with a * at the first event, and what it does to it; behind `!` what is told.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let lines: String

    init(_ name: String, _ lines: String) {
      testDescription = name
      self.lines = lines
    }
  }

  @Test(arguments: rows)
  func `each event is of the response that the rules name`(row: Row) {
    var table = ResponseTable()
    var closed: [ClosedResponse] = []
    var got: [String] = []
    for line in row.lines.split(separator: "\n") where !line.hasPrefix("!") {
      let words = line.split(separator: "|")[0].trimmed
      let bytes = Array(RuleEvent(words).line.utf8)
      let found = table.place(Event(of: bytes.span), bytes.span, &closed)
      let mark = found.isFirst ? "*" : ""
      got.append("\(words) | \(found.response)\(mark) \(found.step)")
    }
    table.finish(&closed)
    let reports = table.takeReports()
    if !reports.isEmpty { got.append("! " + reports.map { "\($0)" }.joined(separator: " ")) }
    let wanted = row.lines.split(separator: "\n").map { line in
      line.split(separator: "|").map(\.trimmed).joined(separator: " | ")
    }
    #expect(got == wanted)
    #expect(closed.map(\.number).sorted() == (0..<table.count).map { $0 + 1 })
  }

  private static let rows = [
    Row(
      "an end with the id of an earlier end is of the response that began with the same id",
      """
      created :x #0       | 1* begins
      completed :a #1     | 1 ends
      created :x #0       | 2* begins
      completed :a #1     | 2 ends
      ! countsTwice
      """),
    Row(
      "an event that names neither of two responses by turns is of the one heard last, and told",
      """
      created :a #0       | 1* begins
      created :b #0       | 2* begins
      delta :a =x #1      | 1 inside
      added .m @0 #2      | 1 inside
      ! shared
      """),
    Row(
      "a response has its events up to its end",
      """
      created :a #0       | 1* begins
      added .m @0 #1      | 1 inside
      delta .m =x @0 #2   | 1 inside
      keepalive           | 1 inside
      completed :a .m=x #3 | 1 ends
      keepalive           | 0 none
      """),
    Row(
      "one behind another, and one that was cut, end where the next begins",
      """
      created :a #0       | 1* begins
      delta .m =x @0 #1   | 1 inside
      created :b #0       | 2* begins
      added .m @0 #1      | 2 inside
      delta .m =y @0 #2   | 2 inside
      completed :b #3     | 2 ends
      """),
    Row(
      "ids that change with each event are of the open response",
      """
      created :a #0       | 1* begins
      keepalive           | 1 inside
      in_progress :b #1   | 1 inside
      added .m1 @0 #2     | 1 inside
      delta .m2 =x @0 #3  | 1 inside
      completed :c #4     | 1 ends
      """),
    Row(
      "queued before created is one response",
      """
      queued :a           | 1* begins
      created :a          | 1 inside
      in_progress :a      | 1 inside
      completed :a        | 1 ends
      """),
    Row(
      "created once more cuts the open response of its id",
      """
      created :a          | 1* begins
      created :a          | 2* begins
      completed :a        | 2 ends
      """),
    Row(
      "by turns each event goes by the id of its response or item",
      """
      created :a          | 1* begins
      created :b          | 2* begins
      added .m @0 :a      | 1 inside
      added .n @0 :b      | 2 inside
      delta .m =x @0      | 1 inside
      delta .n =y @0      | 2 inside
      completed :b .n=y   | 2 ends
      completed :a .m=x   | 1 ends
      """),
    Row(
      "by turns without them is told",
      """
      created :a          | 1* begins
      created :b          | 2* begins
      added .m @0         | 2 inside
      delta .m =x @0      | 2 inside
      completed :a .m=x   | 1 ends
      completed :b        | 2 ends
      ! shared
      """),
    Row(
      "a tag and a stream divide",
      """
      created :a [s]      | 1* begins
      created :a [t]      | 2* begins
      created :a <u>      | 3* begins
      delta =x @0 [s]     | 1 inside
      delta =x @0 [t]     | 2 inside
      delta =x @0 <u>     | 3 inside
      delta =x @0         | 4* begins
      completed :a [s]    | 1 ends
      """),
    Row(
      "whole texts alone are a response each",
      """
      text .m =x @0       | 1* begins
      text .n =y @0       | 2* begins
      text .n =z @1       | 2 inside
      """),
    Row(
      "whole texts of one id are a response each, too",
      """
      text .m =x @0       | 1* begins
      text .m =y @0       | 2* begins
      """),
    Row(
      "deltas alone go by an id that was kept, or a number that falls",
      """
      delta .m =a @0 #4   | 1* begins
      delta .m =b @0 #5   | 1 inside
      delta .n =c @0 #6   | 2* begins
      delta .o =d @0 #7   | 2 inside
      delta .o =d @0 #7   | 2 again
      delta =e @0 #5      | 3* begins
      ! repeats
      """),
    Row(
      "a delta behind its whole text is of the next",
      """
      delta .m =a @0      | 1* begins
      text .m =a @0       | 1 inside
      delta .m =b @0      | 2* begins
      text .m =b @0       | 2 inside
      """),
    Row(
      "a resumed stream overlaps, and a number that fills a gap is late",
      """
      created :a #0       | 1* begins
      added .m @0 #1      | 1 inside
      delta .m =x @0 #2   | 1 inside
      delta .m =y @0 #3   | 1 inside
      delta .m =x @0 #2   | 1 again
      delta .m =y @0 #3   | 1 again
      delta .m =z @0 #6   | 1 inside
      delta .m =w @0 #5   | 1 inside
      completed :a #7     | 1 ends
      ! repeats late
      """),
    Row(
      "an end comes again by its number or bytes, and another one counts",
      """
      created :a #0       | 1* begins
      completed :a #1     | 1 ends
      completed :a #1 +b  | 1 again
      delta =x @0 :a #2   | 1 behind
      completed :a #2     | 2* ends
      {"type":"response.completed","response":{"id":"c"},"oresp":{"synthetic":true}} | 3* ends
      {"type":"response.completed","response":{"id":"c"},"oresp":{"synthetic":true}} | 3 again
      ! endRepeats countsTwice
      """),
    Row(
      "an error and failed, in either order, are one failure",
      """
      created :a #0       | 1* begins
      error !server_error | 1 fails
      failed :a #1        | 1 ends
      created :b #0       | 2* begins
      failed :b #1        | 2 ends
      error !server_error | 2 behind
      error !server_error | 3* fails
      """),
    Row(
      "parts that stand before their beginning are told",
      """
      delta .m =x @0 #2   | 1* begins
      delta .m =y @0 #3   | 1 inside
      created :a #0       | 2* begins
      added .m @0 #1      | 2 inside
      completed :a #4     | 2 ends
      ! parted
      """),
    Row(
      "our own end closes the response without a beginning",
      """
      delta .m =x @0      | 1* begins
      end                 | 1 ends
      delta .m =y @0      | 1 behind
      delta .n =y @0      | 2* begins
      """),
  ]

  @Test func `no more responses are open, or remembered, than the limits say`() {
    var table = ResponseTable()
    var closed: [ClosedResponse] = []
    for number in 0..<3 * ResponseTable.mostOpen {
      let line = Array(RuleEvent("created :r\(number) [t\(number)]").line.utf8)
      #expect(table.place(Event(of: line.span), line.span, &closed).isFirst)
    }
    #expect(closed.count == 2 * ResponseTable.mostOpen)
    let first = Array(RuleEvent("delta :r0 =x @0 [t0]").line.utf8)
    #expect(table.place(Event(of: first.span), first.span, &closed).isFirst, "it is forgotten")
    let name = "r\(2 * ResponseTable.mostOpen + 1)"
    let last = Array(RuleEvent("delta :\(name) =x @0 [t\(name.dropFirst())]").line.utf8)
    #expect(table.place(Event(of: last.span), last.span, &closed).response > 1024)
  }
}

extension Substring {
  /// The words of it, one space between two.
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

/// The numbers that came, and the ranges that did not.
@Suite struct GapsTests {
  @Test func `a number rises, fills a gap or came already, as a set of numbers says`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var gaps = Gaps()
      var came: Set<Int> = []
      for _ in 0..<60 {
        let number = Int.random(in: 0..<40, using: &random)
        let wanted: Gaps.Novelty =
          came.allSatisfy { $0 < number }
          ? .rises : came.contains(number) ? .cameAlready : .fillsGap
        #expect(gaps.note(number) == wanted, "seed \(random.seed)")
        came.insert(number)
      }
      #expect(gaps.highest == came.max())
    }
  }

  @Test func `a number below a forgotten range is missing, never come`() {
    var gaps = Gaps()
    for number in 0...Gaps.most + 1 { _ = gaps.note(2 * number + 1) }
    #expect(gaps.note(1) == .fillsGap)
    #expect(gaps.note(2 * Gaps.most + 3) == .cameAlready)
    #expect(gaps.note(Int.max) == .rises)
    #expect(gaps.note(Int.max - 1) == .fillsGap)
  }
}
