package import Core

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

  /// Calls `body` with each event as it was, except that its line has no place in the input.
  package func each(_ body: (borrowing Event, Span<UInt8>) -> Void) {
    var event = Event()
    var former: Range<Int>?
    for (end, state) in events {
      let line = (former?.upperBound ?? 0)..<end
      event.become(state, line, behind: former, in: lines.span)
      body(event, lines.span.extracting(line))
      former = line
    }
  }
}
