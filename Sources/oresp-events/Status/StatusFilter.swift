package import Core

/// Hands events on, and tells of what is going on by them.
///
/// What changes is told `settlingMilliseconds` later, as it is then, so that what is over sooner
/// does not flicker; the end of a response is told at once.
package struct StatusFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let screen: StatusScreen
  private var clock: StatusClock
  private var responses = PerLane(Progress())
  /// The lane of the last event; that of its response is told.
  private var lane = 0
  /// Whether the status left off for a text.
  private var hasGivenWay = false
  /// When what has changed is to be told.
  private var due: Int?
  /// What was told last, and when.
  private var toldState: StatusState?
  private var toldQuery = ""
  private var toldText = ""
  private var toldAt = 0
  /// Whether any event came; when one came last, and when what is going on changed.
  private var hasEvents = false
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
    let handedOn = output.bytes.count
    events.handle(event, line, into: &output)
    let isHandedOn = output.bytes.count > handedOn
    let now = clock.pass(to: event, line)
    tellDue(at: now, into: &output)
    (hasEvents, heardAt, lane) = (true, now, event.lane)
    let isText: Bool
    let (before, state): (StatusState?, StatusState?)
    if lane == 0 {
      before = responses.first.state
      isText = responses.first.handle(event, line, now: now)
      state = responses.first.state
    } else {
      before = responses[lane].state
      isText = responses[lane].handle(event, line, now: now)
      state = responses[lane].state
    }
    if isText, isHandedOn, screen.givesWay {
      hasGivenWay = true
      screen.wipe(&output)
    }
    guard let state else { return }
    if state.isEnd {
      if before?.isEnd != true { tell(at: now, into: &output) }
    } else {
      note(isNew: state != toldState || facts.query != toldQuery, at: now)
    }
    output.wakeAt = due.map(clock.steady)
  }

  package mutating func wake(into output: inout Output) {
    events.wake(into: &output)
    let now = clock.pass()
    // Called once before the first event, too.
    if !hasEvents, toldState == nil, due == nil { due = now + settlingMilliseconds }
    tellDue(at: now, into: &output)
    output.wakeAt = due.map(clock.steady)
  }

  package mutating func finish(into output: inout Output) {
    events.finish(into: &output)
    let now = clock.pass()
    for lane in responses.all.indices {
      self.lane = lane
      let before = responses[lane].state
      responses[lane].finish(now: now)
      if responses[lane].state != before { tell(at: now, into: &output) }
    }
    screen.wipe(&output)
    if hasGivenWay, let state = responses[lane].state, state.isEnd {
      screen.show(end: screen.text(of: state, facts), into: &output)
    }
    output.wakeAt = nil
  }

  package mutating func close(into output: inout Output) { events.close(into: &output) }

  package var status: ExitStatus { events.status }

  package var ownEnds: OwnEnds { events.ownEnds }

  private var facts: StatusFacts { lane == 0 ? responses.first.facts : responses[lane].facts }

  /// Notes that there is something to tell: another state, or other counts in the same.
  private mutating func note(isNew: Bool, at now: Int) {
    let settled = now + settlingMilliseconds
    let time = isNew ? settled : max(settled, toldAt + screen.countInterval)
    due = min(due ?? time, time)
  }

  private mutating func tellDue(at now: Int, into output: inout Output) {
    if let due, due <= now { tell(at: now, into: &output) }
  }

  private mutating func tell(at now: Int, into output: inout Output) {
    due = nil
    let facts = facts
    guard let state = hasEvents ? responses[lane].state : .connecting, !hasGivenWay else { return }
    if state != toldState || facts.query != toldQuery { changedAt = now }
    let text = screen.text(
      of: state, facts, seconds: (now - changedAt) / 1000, silence: (now - heardAt) / 1000)
    if screen.isMoving, !state.isEnd { due = now + 1000 }
    guard text != toldText || state.isEnd else { return }
    (toldState, toldQuery) = (state, facts.query)
    (toldText, toldAt) = (text, now)
    screen.show(text, of: state, facts, into: &output)
  }
}

/// The time by which a response is followed, in milliseconds: that of the stamps of its events, and
/// that of the clock where there are none.
private struct StatusClock {
  private let now: () -> Int
  private var time = 0
  /// What the clock showed at that time.
  private var shown: Int
  /// The stamp that came last, and its time.
  private var last: (stamp: Int, time: Int)?

  init(_ now: @escaping () -> Int) { (self.now, shown) = (now, now()) }

  /// Goes on to the time of `event`. Where stamps go back, another recording begins.
  mutating func pass(to event: borrowing Event, _ line: Span<UInt8>) -> Int {
    guard let stamp = Stamp.microseconds(of: event, line).map({ $0 / 1000 }) else { return pass() }
    if let last { time = max(time, last.time + stamp - last.stamp) }
    (last, shown) = ((stamp, time), now())
    return time
  }

  /// Goes on to what the clock shows.
  mutating func pass() -> Int {
    let now = now()
    (time, shown) = (time + now - shown, now)
    return time
  }

  /// When the clock will show `time`.
  func steady(_ time: Int) -> Int { shown + time - self.time }
}

/// How long a state must have changed before that is told.
private let settlingMilliseconds = 150
