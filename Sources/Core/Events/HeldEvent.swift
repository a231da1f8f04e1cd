/// An event that is kept for later, with its line.
package struct HeldEvent {
  package let line: [UInt8]
  private let inputPlace: Notice.Place
  private let step: Lifecycle.Step
  package let lane: Int
  private let response: ResponseName?
  private let block: EventBlock?

  package init(_ event: borrowing Event, _ line: Span<UInt8>) {
    self.line = [UInt8](copying: line)
    (inputPlace, step, lane) = (event.inputPlace, event.step, event.lane)
    (response, block) = (event.response, event.block)
  }

  /// The event as it was, except that its line has no place in the input.
  package var event: Event {
    var event = Event(of: line.span)
    (event.inputPlace, event.step, event.lane) = (inputPlace, step, lane)
    (event.response, event.block) = (response, block)
    return event
  }
}
