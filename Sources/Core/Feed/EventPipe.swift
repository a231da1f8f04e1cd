/// What an input must contain to count as having events.
package enum EventsNeeded: Sendable {
  /// A JSON object, unless it is empty.
  case objectsUnlessEmpty
  /// A JSON object.
  case objects
  /// An object that has a type.
  case typed
}

/// Decides when each event is handled.
package protocol EventGate {
  /// Decides on an event, whose line is `line`, before it is handled. One that waits is asked for
  /// again; `output.pauseUntil` says when.
  mutating func gate(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Gate

  /// Ends an input; another may follow.
  mutating func endInput()

  /// Ends the last input.
  mutating func finish(into output: inout Output)
}

/// Feeds the events in its input to a tool's filter.
package struct EventPipe<Events: EventFilter & ~Copyable>: Filter, ~Copyable {
  private var events: Events
  private let needed: EventsNeeded
  private let needsMeaning: Bool
  private var feed: EventFeed
  private var gate: (any EventGate)?

  /// With `needsMeaning` events of which no type is known are an error. With `skims` false the
  /// filter gets every event; its output must be the same. `gate` is asked before each event.
  package init(
    _ events: consuming Events, reading settings: EventReader.Settings,
    needing needed: EventsNeeded, needsMeaning: Bool = false, skims: Bool = true,
    through gate: (any EventGate)? = nil
  ) {
    feed = EventFeed(
      settings, sorting: skims ? events.triage : .handlingAll, judging: events.judged,
      events.ownEnds)
    feed.needsItems = events.needsItems
    feed.reportsOrder = !events.checksOrder
    self.events = events
    self.needed = needed
    self.needsMeaning = needsMeaning
    self.gate = gate
  }

  package mutating func handle(_ input: inout InputBuffer, into output: inout Output) {
    Self.run(&feed, &events, &gate, &input, isEnd: false, into: &output)
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    Self.run(&feed, &events, &gate, &input, isEnd: true, into: &output)
    guard output.pauseUntil == nil else { return }
    feed.holdCutEvent(of: &output)
    feed.endInput(needing: needed, hasOther: events.hasOther, into: &output)
    gate?.endInput()
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    Self.closeAll(&feed, &events, into: &output)
    events.finish(into: &output)
    gate?.finish(into: &output)
    feed.finish(into: &output)
    events.conclude(into: &output)
    return events.status
  }

  package var complaint: Notice? {
    if needsMeaning, !events.hasOther, let error = feed.strangeness { return error }
    return events.hasOther || feed.judge.meets(needed, hasBytes: feed.hasBytes)
      ? nil : feed.absence
  }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }

  private static func closeAll(
    _ feed: inout EventFeed, _ events: inout Events, into output: inout Output
  ) {
    feed.closeAll(into: &output) { response, output in events.close(response, into: &output) }
  }

  private static func run(
    _ feed: inout EventFeed, _ events: inout Events, _ gate: inout (any EventGate)?,
    _ input: inout InputBuffer, isEnd: Bool, into output: inout Output
  ) {
    let skimmed = feed.each(in: &input, isEnd: isEnd, into: &output) { event, line, output in
      gate?.gate(event, line, into: &output) ?? .open
    } _: { event, line, output in
      events.handle(event, line, into: &output)
    } close: { response, output in
      events.close(response, into: &output)
    }
    if skimmed.count > 0 { events.note(skimmed) }
  }
}
