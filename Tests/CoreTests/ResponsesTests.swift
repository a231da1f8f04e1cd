import TestSupport
import Testing

@testable import Core

/// The bounds of what is kept of responses; `Tests/Rules` has whose each event is.
@Suite struct ResponsesTests {
  /// Places an event in the words of `RuleEvent`: its response, and whether it begins that.
  private func place(
    _ words: String, in responses: inout Responses
  ) -> (response: Response?, step: Step) {
    let line = Array(RuleEvent(words).line.utf8)
    var event = Event(of: line.span)
    responses.place(&event, line.span)
    return (event.response, event.step)
  }

  @Test func `no more responses are open, or remembered, than the limits say`() {
    var responses = Responses()
    var closed = 0
    for number in 0..<3 * Responses.mostOpen {
      #expect(place("created :r\(number) [t\(number)]", in: &responses).step == .begins)
      closed += responses.closed.count
    }
    #expect(closed == 2 * Responses.mostOpen)
    #expect(place("delta :r0 =x @0 [t0]", in: &responses).step == .begins, "it is forgotten")
    let number = 2 * Responses.mostOpen + 1
    let last = place("delta :r\(number) =x @0 [t\(number)]", in: &responses)
    #expect(last.response?.number == number + 1)
  }

  @Test func `one too many cuts the response that was heard of longest ago`() {
    var responses = Responses()
    for number in 0..<Responses.mostOpen { _ = place("created :r\(number)", in: &responses) }
    _ = place("delta :r0 =x @0", in: &responses)
    _ = place("created :r", in: &responses)
    #expect(responses.closed.map(\.number) == [2])
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
