package import Core

/// Feeds events to a tool's filter as `EventPipe` does, with the recorded waits between them.
package struct PacePipe<Events: EventFilter & ~Copyable>: Filter, ~Copyable {
  private var events: Events
  private var feed: EventFeed
  private var pacer: Pacer
  private let now: () -> Int
  /// Whether the event that comes next has been waited for.
  private var isDue = false

  /// `now` returns the time in milliseconds, by the clock that the pump waits by.
  package init(
    _ events: consuming Events, reading: EventReader.Settings = .init(), speed: Double,
    now: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    feed = EventFeed(reading, sorting: .handlingAll, judging: events.judged, events.ownEnds)
    self.events = events
    pacer = Pacer(speed: speed)
    self.now = now
  }

  package mutating func handle(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: false, into: &output)
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: true, into: &output)
    guard output.pauseUntil == nil else { return }
    feed.endInput(into: &output)
    pacer.endInput()
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    Self.closeAll(&feed, &events, into: &output)
    events.finish(into: &output)
    output.notices += pacer.complaint
    feed.finish(into: &output)
    events.conclude(into: &output)
    return events.status
  }

  package func complaint(isPiped: Bool) -> Notice? {
    feed.judge.meets(.objectsUnlessEmpty, hasBytes: feed.hasBytes)
      ? nil : .withoutEvents(feed.contents)
  }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }

  private mutating func run(_ input: inout InputBuffer, isEnd: Bool, into output: inout Output) {
    Self.run(&feed, &events, &pacer, &isDue, now, &input, isEnd: isEnd, into: &output)
  }

  private static func closeAll(
    _ feed: inout EventFeed, _ events: inout Events, into output: inout Output
  ) {
    feed.closeAll(into: &output) { ended, output in events.close(ended, into: &output) }
  }

  private static func run(
    _ feed: inout EventFeed, _ events: inout Events, _ pacer: inout Pacer, _ isDue: inout Bool,
    _ now: () -> Int, _ input: inout InputBuffer, isEnd: Bool, into output: inout Output
  ) {
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _ output: inout Output) -> Gate {
      let stamp = isDue ? nil : Stamp.microseconds(of: event, line)
      if !isDue, let due = pacer.due(stamp, now: now()), due > now() {
        (isDue, output.pauseUntil) = (true, due)
        return .wait
      }
      isDue = false
      return .open
    }
    feed.each(in: &input, isEnd: isEnd, into: &output, gate: gate) { event, line, output in
      events.handle(event, line, into: &output)
    } close: { ended, output in
      events.close(ended, into: &output)
    }
  }
}
