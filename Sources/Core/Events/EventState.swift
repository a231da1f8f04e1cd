/// The state of an event that its line does not show, for an event that is kept for later.
package struct EventState {
  private let place: Notice.Place
  private let step: Step
  private let response: Response?
  private let block: EventBlock?

  package init(_ event: borrowing Event) {
    place = event.place
    step = event.step
    response = event.response
    block = event.block
  }

  /// Gives the state to `event`.
  fileprivate func restore(_ event: inout Event) {
    event.place = place
    event.step = step
    event.response = response
    event.block = block
  }
}

extension Event {
  /// An event that was kept, with the line `line`, which has no place in the input.
  package init(of line: Span<UInt8>, _ state: EventState) {
    self.init(of: line)
    state.restore(&self)
  }
}
