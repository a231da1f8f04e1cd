package import Core

/// Reads events as `EventPipe` does, and besides leaves out what an earlier input had, and waits as
/// long as was recorded.
package struct RelayPipe<Events: EventFilter & ~Copyable>: Filter, ~Copyable {
  private var events: Events
  private var reader: EventReader
  private var judge = Judge()
  private var merge: Merge?
  private var pacer: Pacer?
  /// The event that is waited for. Where it stands, in the input or in the reader, nothing moves
  /// before the wait is over.
  private var waiting: Event?
  private let now: () -> Int

  /// `now` tells the time by the clock that the pump waits by.
  package init(
    _ events: consuming Events, merges: Bool, speed: Double?,
    now: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    self.events = events
    self.now = now
    if merges { merge = Merge() }
    pacer = speed.map(Pacer.init)
    reader = EventReader(Self.reading)
  }

  /// A line that was cut off may still look whole from outside.
  private static var reading: EventReader.Settings {
    var settings = EventReader.Settings()
    settings.validates = true
    return settings
  }

  package mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    advance(&input, isEnd: false, into: &output)
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    advance(&input, isEnd: true, into: &output)
    guard output.pauseUntil == nil else { return }
    reader = EventReader(Self.reading)
    merge?.endInput()
    pacer?.endInput()
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    for (event, line) in merge?.finish(telling: &output.notices) ?? [] {
      hand(event, line.span, into: &output)
    }
    events.finish(into: &output)
    judge.finish(into: &output)
    return events.status
  }

  package var complaint: Notice? { nil }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }

  /// Takes events up to the end of the input, or to one that is not due.
  private mutating func advance(
    _ input: inout InputBuffer, isEnd: Bool, into output: inout Output
  ) {
    if let event = waiting {
      waiting = nil
      handOn(event, input, into: &output)
    }
    while let event = isEnd ? reader.finish(&input) : reader.next(&input) {
      guard isNew(event, input, isEnd: isEnd, into: &output) else { continue }
      if let due = due(event, input), due > now() {
        (waiting, output.pauseUntil) = (event, due)
        break
      }
      handOn(event, input, into: &output)
    }
    if isEnd, merge?.putOff(&reader.notices) == true { return }
    output.notices += reader.notices
    reader.notices = []
  }

  private mutating func isNew(
    _ event: Event, _ input: borrowing InputBuffer, isEnd: Bool, into output: inout Output
  ) -> Bool {
    guard merge != nil else { return true }
    let line = copy(of: event, in: input)
    if isEnd, merge?.putOff(&reader.notices, event, line) == true { return false }
    let passes = merge?.take(event, line, telling: &output.notices) ?? true
    for (event, line) in merge?.takeReleased() ?? [] { hand(event, line.span, into: &output) }
    return passes
  }

  private mutating func due(_ event: Event, _ input: borrowing InputBuffer) -> Int? {
    guard pacer != nil else { return nil }
    let line = copy(of: event, in: input)
    return pacer?.due(line.span, now: now())
  }

  private func copy(of event: Event, in input: borrowing InputBuffer) -> [UInt8] {
    event.place.map { [UInt8](copying: input.bytes.span.extracting($0)) } ?? reader.made
  }

  private mutating func handOn(
    _ event: Event, _ input: borrowing InputBuffer, into output: inout Output
  ) {
    let line = copy(of: event, in: input)
    hand(event, line.span, into: &output)
  }

  private mutating func hand(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    events.handle(event, line, into: &output)
    judge.handle(event, line, into: &output)
    judge.noteSequence(line)
  }
}
