import Core

/// A state for each response, which stays until it is removed or a later response takes the slot. It
/// stands beside the filters that use it: in another module it would not be specialized.
struct PerResponse<State> {
  private let new: State
  /// By the slots: the response that has the state, and the state.
  private var owners: [Response?] = []
  private var states: [State] = []

  /// Each response begins with the state `new`.
  init(_ new: State) { self.new = new }

  /// The responses that have a state, in the order in which they began.
  var responses: [Response] {
    owners.compactMap { $0 }.sorted { $0.number < $1.number }
  }

  subscript(response: Response) -> State {
    _read {
      if owns(response) { yield states[response.slot] } else { yield new }
    }
    _modify {
      if owns(response) || take(response) {
        yield &states[response.slot]
      } else {
        var state = new
        yield &state
      }
    }
  }

  /// Removes the state of `response`, which is over, and returns it.
  @discardableResult
  mutating func remove(_ response: Response) -> State {
    guard owns(response) else { return new }
    let state = states[response.slot]
    owners[response.slot] = nil
    states[response.slot] = new
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
      states.append(new)
    }
    if let other = owners[slot], other.number > response.number { return false }
    owners[slot] = response
    states[slot] = new
    return true
  }
}
