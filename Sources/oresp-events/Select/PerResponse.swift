/// A state for each slot of `Responses`.
struct PerResponse<State> {
  /// The state of a slot without events, and behind it the states of slot 0, 1 and so on.
  private var states: [State]

  init(_ new: State) { states = [new, new] }

  var all: ArraySlice<State> { states.dropFirst() }

  var slots: Range<Int> { 0..<states.count - 1 }

  subscript(slot: Int) -> State {
    _read { yield states[slot + 1 < states.count ? slot + 1 : 0] }
    _modify {
      while states.count < slot + 2 { states.append(states[0]) }
      yield &states[slot + 1]
    }
  }
}
