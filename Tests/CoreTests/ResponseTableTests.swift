import TestSupport
import Testing

@testable import Core

/// The bounds of `ResponseTable`; whose each event is, the tables in `Tests/Rules` say.
@Suite struct ResponseTableTests {
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
