import Core

/// A state for each response, which stays until it is removed or a later response takes the slot. It
/// stands beside the filters that use it: in another module it would not be specialized.
struct PerResponse<State> {
  /// By the slots: the response that has the state.
  private var owners: [Response?] = []
  /// The states: a new one, that of a response which keeps none, and then by the slots. An access
  /// copies what is no element of an array.
  var states: [State]

  /// Each response begins with the state `new`.
  init(_ new: State) { states = [new, new] }

  /// The responses that have a state, in the order in which they began.
  var responses: [Response] {
    owners.compactMap { $0 }.sorted { $0.number < $1.number }
  }

  subscript(response: Response) -> State {
    _read { yield states[owns(response) ? response.slot + 2 : 0] }
    _modify {
      let keeps = owns(response) || take(response)
      if !keeps { states[1] = states[0] }
      yield &states[keeps ? response.slot + 2 : 1]
    }
  }

  /// The index in `states` of that of the response of `event`; `nil` when it has none of its own.
  @inline(__always)
  func index(of event: borrowing Event) -> Int? {
    guard let slot = event.response?.slot, slot >= 0, slot < owners.count,
      owners[slot] === event.response
    else { return nil }
    return slot + 2
  }

  /// Removes the state of `response`, which is over, and returns it.
  @discardableResult
  mutating func remove(_ response: Response) -> State {
    guard owns(response) else { return states[0] }
    let state = states[response.slot + 2]
    owners[response.slot] = nil
    states[response.slot + 2] = states[0]
    return state
  }

  @inline(__always)
  private func owns(_ response: Response) -> Bool {
    let slot = response.slot
    return slot >= 0 && slot < owners.count && owners[slot] === response
  }

  /// Gives the slot of `response` to it; false when a later response has it.
  private mutating func take(_ response: Response) -> Bool {
    let slot = response.slot
    guard slot >= 0 else { return false }
    while owners.count <= slot {
      owners.append(nil)
      states.append(states[0])
    }
    if let other = owners[slot], other.number > response.number { return false }
    owners[slot] = response
    states[slot + 2] = states[0]
    return true
  }
}
