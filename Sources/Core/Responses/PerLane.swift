/// A state for each slot of a stream. Slot 0, the only one of most streams, has its state apart, so
/// that a copy costs no array.
package struct PerLane<State> {
  @usableFromInline let new: State
  /// The state of slot 0: a filter that is given each event reads it directly, which costs nothing.
  package var first: State
  @usableFromInline var others: [State] = []

  @inlinable package init(_ new: State) { (self.new, first) = (new, new) }

  @inlinable package var all: [State] { [first] + others }

  @inlinable package subscript(lane: Int) -> State {
    @inline(__always) _read {
      if lane == 0 {
        yield first
      } else if lane <= others.count {
        yield others[lane - 1]
      } else {
        yield new
      }
    }
    @inline(__always) _modify {
      if lane == 0 {
        yield &first
      } else {
        while others.count < lane { others.append(new) }
        yield &others[lane - 1]
      }
    }
  }
}

extension PerLane: Sendable where State: Sendable {}
