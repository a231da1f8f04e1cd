package import Core

/// Hands events on, and shows the state of their response.
///
/// A state is shown `settlingMilliseconds` after a change, so that a short one does not flicker;
/// the end of a response is shown at once.
package struct StatusFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let screen: StatusScreen
  private var clock: StatusClock
  private var responses = PerResponse(Progress())
  /// The response of the last event that had one, which is shown.
  private var response: Response?
  /// Whether the status left off for a text.
  private var hasGivenWay = false
  /// The time to show a change.
  private var due: Int?
  /// The state that was shown last, and when.
  private var shownState: StatusState?
  private var shownQuery = ""
  private var shownText = ""
  private var shownAt = 0
  /// The times of the last event and of the last change of the state.
  private var (heardAt, changedAt) = (0, 0)

  package init(
    _ events: consuming Events, on screen: StatusScreen,
    now: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    self.events = events
    self.screen = screen
    clock = StatusClock(now)
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let size = output.bytes.count
    events.handle(event, line, into: &output)
    let isHandedOn = output.bytes.count > size
    let now = clock.pass(to: event, line)
    showDue(at: now, into: &output)
    guard let response = event.response else { return }
    heardAt = now
    self.response = response
    let before = responses[response].state
    let isText = responses[response].handle(event, line, now: now)
    responses[response].inputName = output.inputName
    if isText, isHandedOn, screen.givesWay {
      hasGivenWay = true
      screen.wipe(&output)
    }
    guard let state = responses[response].state else { return }
    if !state.isEnd {
      note(isNew: state != shownState || responses[response].facts.query != shownQuery, at: now)
    } else if before?.isEnd != true {
      show(at: now, into: &output)
    }
    output.wakeAt = due.map(clock.steady)
  }

  package mutating func wake(into output: inout Output) {
    events.wake(into: &output)
    let now = clock.pass()
    // Called once before the first event, too.
    if response == nil, shownState == nil, due == nil { due = now + settlingMilliseconds }
    showDue(at: now, into: &output)
    output.wakeAt = due.map(clock.steady)
  }

  package mutating func finish(into output: inout Output) {
    events.finish(into: &output)
    screen.wipe(&output)
    if hasGivenWay, let response, let state = responses[response].state, state.isEnd {
      let text = screen.text(of: state, responses[response].facts, label(of: response))
      screen.show(end: text, into: &output)
    }
    output.wakeAt = nil
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    events.close(response, into: &output)
    let now = clock.pass()
    let before = responses[response].state
    responses[response].close(response, now: now)
    guard responses[response].state != before else { return }
    self.response = response
    show(at: now, into: &output)
  }

  package mutating func conclude(into output: inout Output) { events.conclude(into: &output) }

  package var status: ExitStatus { events.status }

  package var ownEnds: OwnEnds { events.ownEnds }

  package var needsItems: Bool { events.needsItems }

  private func label(of response: Response) -> StatusLabel {
    let tag = response.tag
    return StatusLabel(
      tag: tag.isEmpty ? nil : String(decoding: tag, as: UTF8.self),
      input: responses[response].inputName)
  }

  /// Notes a change of the state, or, without `isNew`, of counts.
  private mutating func note(isNew: Bool, at now: Int) {
    let settled = now + settlingMilliseconds
    let time = isNew ? settled : max(settled, shownAt + screen.countInterval)
    due = min(due ?? time, time)
  }

  private mutating func showDue(at now: Int, into output: inout Output) {
    if let due, due <= now { show(at: now, into: &output) }
  }

  private mutating func show(at now: Int, into output: inout Output) {
    due = nil
    let progress = response.map { responses[$0] } ?? Progress()
    let facts = progress.facts
    guard let state = response == nil ? .connecting : progress.state, !hasGivenWay else { return }
    if !state.goesOn(from: shownState) || facts.query != shownQuery { changedAt = now }
    var label = StatusLabel()
    if let response { label = self.label(of: response) }
    let text = screen.text(
      of: state, facts, label, seconds: (now - changedAt) / 1000, silence: (now - heardAt) / 1000)
    if screen.isMoving, !state.isEnd { due = now + 1000 }
    guard text != shownText || state.isEnd else { return }
    (shownState, shownQuery) = (state, facts.query)
    (shownText, shownAt) = (text, now)
    screen.show(text, of: state, facts, label, into: &output)
  }
}

/// The time in milliseconds: by the stamps of events, or by the clock where they have none.
private struct StatusClock {
  private let now: () -> Int
  private var time = 0
  /// The reading of the clock at that time.
  private var shown: Int
  /// The last stamp, and its time.
  private var last: (stamp: Int, time: Int)?

  init(_ now: @escaping () -> Int) { (self.now, shown) = (now, now()) }

  /// Goes on to the time of `event`. Where stamps go back, another recording begins.
  mutating func pass(to event: borrowing Event, _ line: Span<UInt8>) -> Int {
    guard let stamp = Stamp.microseconds(of: event, line).map({ $0 / 1000 }) else { return pass() }
    if let last { time = max(time, last.time + stamp - last.stamp) }
    (last, shown) = ((stamp, time), now())
    return time
  }

  /// Goes on to the time of the clock.
  mutating func pass() -> Int {
    let now = now()
    (time, shown) = (time + now - shown, now)
    return time
  }

  /// The reading of the clock at `time`.
  func steady(_ time: Int) -> Int { shown + time - self.time }
}

/// The time that a state must last before it is shown.
private let settlingMilliseconds = 150
