import Core

/// An event that is kept for later, with its line.
struct HeldEvent {
  let key: JoinKey
  let line: [UInt8]
  private let state: EventState

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    key = JoinKey(event, line)
    self.line = [UInt8](copying: line)
    state = EventState(event)
  }

  /// The id of the response in it; empty when there is none.
  var responseID: String { event.text(of: "response", "id", in: line.span) }

  /// The event as it was, except that its line has no place in the input.
  var event: Event { Event(of: line.span, state) }
}
