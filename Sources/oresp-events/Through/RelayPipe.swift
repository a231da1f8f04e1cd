package import Core

/// Feeds events to a tool's filter as `EventPipe` does, but leaves out what an earlier input had, and
/// waits as long as was recorded.
package struct RelayPipe<Events: EventFilter & ~Copyable>: Filter, ~Copyable {
  private var events: Events
  private var feed: EventFeed
  private var gate: Gate
  /// How many responses are read to their end.
  private let responses: Int

  /// `now` tells the time by the clock that the pump waits by.
  package init(
    _ events: consuming Events, reading: EventReader.Settings = .init(), merges: Bool,
    speed: Double?, now: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    self.events = events
    var reading = reading
    // A line that was cut off may still look whole from outside.
    reading.validates = true
    feed = EventFeed(reading, sorting: .takingAll)
    responses = reading.responses ?? .max
    gate = Gate(merge: merges ? Merge() : nil, pacer: speed.map(Pacer.init), now: now)
  }

  package mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    Self.run(&feed, &gate, &events, &input, isEnd: false, to: responses, into: &output)
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    Self.run(&feed, &gate, &events, &input, isEnd: true, to: responses, into: &output)
    guard output.pauseUntil == nil else { return }
    feed.endInput()
    gate.endInput(&output)
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    for (event, line) in gate.merge?.finish(telling: &output.notices) ?? [] {
      gate.hand(event, line.span, to: &events, into: &output)
    }
    events.finish(into: &output)
    gate.judge.finish(into: &output)
    return events.status
  }

  package var complaint: Notice? {
    gate.judge.meets(.none, hasBytes: feed.hasBytes) ? nil : .withoutEvents(hasBytes: true)
  }

  package mutating func wake(into output: inout Output) { events.wake(into: &output) }

  private static func run(
    _ feed: inout EventFeed, _ gate: inout Gate, _ events: inout Events,
    _ input: inout InputBuffer, isEnd: Bool, to responses: Int, into output: inout Output
  ) {
    gate.told = output.notices.count
    feed.each(in: &input, isEnd: isEnd, into: &output) { event, line, output in
      defer { gate.told = output.notices.count }
      guard gate.isWaiting || gate.isNew(event, line, isEnd: isEnd, to: &events, &output) else {
        return .ignored
      }
      guard gate.isWaiting || !gate.mustWait(line, &output) else { return .waits }
      gate.isWaiting = false
      gate.hand(event, line, to: &events, into: &output)
      return gate.judge.ends >= responses ? .isLast : .ignored
    }
  }
}

/// Lets events pass when they are new and due, and judges those that pass.
private struct Gate {
  var merge: Merge?
  var pacer: Pacer?
  let now: () -> Int
  var judge = Judge()
  /// Whether the event that comes next has been let through, and is waited for.
  var isWaiting = false
  /// How many notices there were when the last event was done with: the others are about the next.
  var told = 0

  mutating func isNew<Events: EventFilter & ~Copyable>(
    _ event: Event, _ line: Span<UInt8>, isEnd: Bool, to events: inout Events,
    _ output: inout Output
  ) -> Bool {
    guard merge != nil else { return true }
    let line = [UInt8](copying: line)
    if isEnd, putsOff(event, line, &output) { return false }
    let passes = merge?.take(event, line, telling: &output.notices) ?? true
    for (event, line) in merge?.takeReleased() ?? [] {
      hand(event, line.span, to: &events, into: &output)
    }
    return passes
  }

  /// Whether the event whose line is `line` is not due; until when is told in `output`.
  mutating func mustWait(_ line: Span<UInt8>, _ output: inout Output) -> Bool {
    guard let due = pacer?.due(line, now: now()), due > now() else { return false }
    (isWaiting, output.pauseUntil) = (true, due)
    return true
  }

  mutating func hand<Events: EventFilter & ~Copyable>(
    _ event: Event, _ line: Span<UInt8>, to events: inout Events, into output: inout Output
  ) {
    events.handle(event, line, into: &output)
    judge.handle(event, line, into: &output)
    judge.noteSequence(line)
  }

  mutating func endInput(_ output: inout Output) {
    _ = putsOff(nil, [], &output)
    merge?.endInput()
    pacer?.endInput()
  }

  /// Whether what was told since the last event is a fault at the end of an input, which a later one
  /// may make good; it is not told then.
  private mutating func putsOff(
    _ event: Event?, _ line: [UInt8], _ output: inout Output
  ) -> Bool {
    var findings = Array(output.notices[told...])
    guard merge?.putOff(&findings, event, line) == true else { return false }
    output.notices.removeSubrange(told...)
    return true
  }
}
