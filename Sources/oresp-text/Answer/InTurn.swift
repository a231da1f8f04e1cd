package import Core

/// Hands a filter one response after the other where several are open at once: the events of the
/// first as they come, those of the others when all before them have ended.
///
/// It holds the events that wait. A response that `patience` bytes of others have waited for in vain
/// has lost its turn: nothing more is expected of it.
package struct InTurn<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  /// In bytes.
  private static var patience: Int { 8 << 20 }

  private var events: Events
  /// The lane whose turn it is, and whether its response has come and not ended.
  private var front = 0
  private var isBusy = false
  private var waiting: [(event: Event, line: [UInt8])] = []
  /// How many bytes have come to wait since the last event of `front`.
  private var waited = 0

  package init(_ events: consuming Events) { self.events = events }

  package var triage: EventTriage { events.triage }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    if event.step.isRepeated { return }
    if isBusy, event.lane != front {
      waiting.append((event, [UInt8](copying: line)))
      waited += line.count
      if waited > Self.patience { yield(into: &output) }
      return
    }
    front = event.lane
    hand(event, line, into: &output)
    if !isBusy, !waiting.isEmpty { yield(into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    while !waiting.isEmpty { yield(into: &output) }
    events.finish(into: &output)
  }

  package var status: ExitStatus { events.status }

  private mutating func hand(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    events.handle(event, line, into: &output)
    waited = 0
    isBusy = !Self.isEnd(event, line)
  }

  /// Gives the turn to the response that has waited longest, and to those behind it for as long as
  /// they have ended.
  private mutating func yield(into output: inout Output) {
    isBusy = false
    while !isBusy, let next = waiting.first?.event.lane {
      front = next
      var others: [(event: Event, line: [UInt8])] = []
      for (event, line) in waiting {
        if event.lane == next, isBusy || others.isEmpty {
          hand(event, line.span, into: &output)
        } else {
          others.append((event, line))
        }
      }
      waiting = others
    }
  }

  /// Whether nothing more of its response follows an event. Behind an error of the toolkit's own
  /// nothing does.
  private static func isEnd(_ event: Event, _ line: Span<UInt8>) -> Bool {
    switch event.step.kind {
    case .ends: true
    case .fails: event.isSynthetic(line)
    default: false
    }
  }
}
