/// What a tool does with events, one after another.
package protocol EventFilter: ~Copyable {
  /// Takes an event, whose line is `line`.
  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output)

  /// Where each event goes, told from its type alone; asked for once, before the first.
  var triage: EventTriage { get }

  /// Takes into account how many events were passed on and dropped, as `triage` says, since it was
  /// told last; once a read.
  mutating func note(_ skimmed: SkimmedEvents)

  /// Takes the end of the last input.
  mutating func finish(into output: inout Output)

  /// The status for what no notice tells of; asked for at the end.
  var status: ExitStatus { get }

  /// Does what was put off until `Output.wakeAt`, no input having come before.
  mutating func wake(into output: inout Output)
}

extension EventFilter where Self: ~Copyable {
  package var triage: EventTriage { .takingAll }

  package mutating func note(_ skimmed: SkimmedEvents) {}

  package var status: ExitStatus { .completed }

  package mutating func wake(into output: inout Output) {}
}

/// Which input is taken for one that has no events in it, which is a fault.
package enum EventsNeeded: Sendable {
  /// None: an empty input is a fine one.
  case none
  /// One without any JSON object.
  case objects
  /// One without any object that has a type.
  case typed
}

/// Reads events from bytes, judges them, and hands them to a tool's filter.
package struct EventPipe<Events: EventFilter & ~Copyable>: Filter, ~Copyable {
  private var events: Events
  private let settings: EventReader.Settings
  private let needed: EventsNeeded
  /// `nil` when every event is read the long way.
  private let triage: EventTriage?
  private var reader: EventReader
  private var judge = Judge()
  private var hasBytes = false

  /// With `skims` false every event is read the long way, which must come to the same.
  package init(
    _ events: consuming Events, reading settings: EventReader.Settings,
    needing needed: EventsNeeded, skims: Bool = true
  ) {
    triage = skims ? events.triage : nil
    self.events = events
    self.settings = settings
    self.needed = needed
    reader = EventReader(settings)
  }

  package mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    hasBytes = hasBytes || input.count > 0
    var last: Range<Int>??
    while let event = next(&input, into: &output) {
      handle(event, input, into: &output)
      last = .some(event.place)
    }
    endTurn(last, input, into: &output)
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    var last: Range<Int>??
    while let event = reader.finish(&input) {
      handle(event, input, into: &output)
      last = .some(event.place)
    }
    endTurn(last, input, into: &output)
    reader = EventReader(settings)
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    events.finish(into: &output)
    judge.finish(into: &output)
    return events.status
  }

  package var complaint: Notice? {
    judge.meets(needed) ? nil : .withoutEvents(hasBytes: hasBytes)
  }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }

  private mutating func next(_ input: inout InputBuffer, into output: inout Output) -> Event? {
    guard let triage else { return reader.next(&input) }
    return reader.next(&input, triage, passingTo: &output.bytes)
  }

  private mutating func handle(
    _ event: Event, _ input: borrowing InputBuffer, into output: inout Output
  ) {
    if let place = event.place {
      let line = input.bytes.span.extracting(place)
      events.handle(event, line, into: &output)
      judge.handle(event, line, into: &output)
    } else {
      let line = reader.made
      events.handle(event, line.span, into: &output)
      judge.handle(event, line.span, into: &output)
    }
  }

  /// Ends what one read brought; `last` is the place of the last event of it, if there was one.
  private mutating func endTurn(
    _ last: Range<Int>??, _ input: borrowing InputBuffer, into output: inout Output
  ) {
    let skimmed = reader.takeSkimmed()
    if skimmed.count > 0 {
      judge.note(skimmed)
      events.note(skimmed)
    }
    if let place = skimmed.last {
      judge.noteSequence(input.bytes.span.extracting(place))
    } else if let last {
      if let place = last {
        judge.noteSequence(input.bytes.span.extracting(place))
      } else {
        let line = reader.made
        judge.noteSequence(line.span)
      }
    }
    guard !reader.notices.isEmpty else { return }
    output.notices += reader.notices
    reader.notices = []
  }
}
