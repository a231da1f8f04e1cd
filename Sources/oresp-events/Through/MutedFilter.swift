package import Core

/// Does what another filter does, and prints nothing.
package struct MutedFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events

  package init(_ events: consuming Events) { self.events = events }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    events.handle(event, line, into: &output)
    output.bytes.removeAll(keepingCapacity: true)
  }

  package mutating func finish(into output: inout Output) {
    events.finish(into: &output)
    output.bytes.removeAll(keepingCapacity: true)
  }

  package var status: ExitStatus { events.status }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }
}
