import TestSupport
import Testing

@testable import Core
@testable import oresp_events

@Suite struct PerResponseTests {
  /// Places an event in the words of `RuleEvent`.
  private func place(_ words: String, in responses: inout Responses) -> Response? {
    let line = Array(RuleEvent(words).line.utf8)
    var event = Event(of: line.span)
    responses.place(&event, line.span)
    return event.response
  }

  @Test func `a state is of its response, until another takes the slot`() {
    var responses = Responses()
    var states = PerResponse(0)
    guard let a = place("created :a", in: &responses),
      let b = place("created :b", in: &responses)
    else { return #expect(Bool(false)) }
    states[a] += 1
    states[b] += 2
    _ = place("completed :a", in: &responses)
    #expect((states[a], states[b]) == (1, 2))
    guard let c = place("created :c", in: &responses) else {
      return #expect(Bool(false))
    }
    states[c] += 3
    states[a] += 1
    #expect((states[a], states[b], states[c]) == (0, 2, 3))
    #expect(states.remove(b) == 2)
    #expect(states[b] == 0)
  }
}
