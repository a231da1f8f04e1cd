import Core

/// An event that is kept for later, with its line.
struct HeldEvent {
  let line: [UInt8]
  private let state: EventState

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    (self.line, state) = ([UInt8](copying: line), EventState(event))
  }

  /// The event as it was, except that its line has no place in the input.
  var event: Event { Event(of: line.span, state) }
}
