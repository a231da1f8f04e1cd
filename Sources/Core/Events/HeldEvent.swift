/// An event that is kept for later, with its line.
package struct HeldEvent {
  package let line: [UInt8]
  private let state: EventState

  package init(_ event: borrowing Event, _ line: Span<UInt8>) {
    (self.line, state) = ([UInt8](copying: line), EventState(event))
  }

  /// The event as it was, except that its line has no place in the input.
  package var event: Event {
    var event = Event(of: line.span)
    event.take(state)
    return event
  }
}

/// Events of one response that are kept for later, in their order.
package struct HeldEvents {
  /// The lines of the events, one behind the other.
  private var lines: [UInt8] = []
  /// The events, each with the end of its line.
  private var events: [(end: Int, state: EventState)] = []

  package init() {}

  package mutating func append(_ event: borrowing Event, _ line: Span<UInt8>) {
    lines.append(copying: line)
    events.append((lines.count, EventState(event)))
  }

  /// Calls `body` with each event as it was, except that its line has no place in the input. One
  /// that repeats the event before it in the response is a continuation, even if events of other
  /// responses came between them.
  package func each(_ body: (borrowing Event, Span<UInt8>) -> Void) {
    var event = Event()
    var former = 0..<0
    for (end, state) in events {
      let place = former.upperBound..<end
      let line = lines.span.extracting(place)
      let mayGoOn = !former.isEmpty && state.isPlain && event.isModel
      if !mayGoOn || !event.goOn(from: former, to: place, in: lines.span) {
        event.begin(at: state.inputPlace)
        event.note(line)
        if event.isModel { event.noteContents(in: line) }
      }
      event.take(state)
      body(event, line)
      former = place
    }
  }
}

/// The state of an event that its line does not show.
private struct EventState {
  let inputPlace: Notice.Place
  let step: Lifecycle.Step
  let lane: Int
  let response: ResponseName?
  let block: EventBlock?

  init(_ event: borrowing Event) {
    (inputPlace, step, lane) = (event.inputPlace, event.step, event.lane)
    (response, block) = (event.response, event.block)
  }

  /// Whether the event is no more than its line.
  var isPlain: Bool { step == .inside && block == nil }
}

extension Event {
  fileprivate mutating func take(_ state: EventState) {
    (inputPlace, step, lane) = (state.inputPlace, state.step, state.lane)
    (response, block) = (state.response, state.block)
  }
}
