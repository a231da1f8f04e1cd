package import Core

/// Hands events on, and tells of what is going on by them.
///
/// What changes is told `settlingMilliseconds` later, as it is then, so that what is over sooner
/// does not flicker; the end of a response is told at once.
package struct StatusFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let screen: StatusScreen
  private let now: () -> Int
  private var progress = Progress()
  /// When what has changed is to be told.
  private var due: Int?
  /// What was told last, and when.
  private var toldState: StatusState?
  private var toldQuery = ""
  private var toldText = ""
  private var toldAt = 0

  package init(
    _ events: consuming Events, on screen: StatusScreen,
    now: @escaping () -> Int = Clock.steadyMilliseconds
  ) {
    self.events = events
    self.screen = screen
    self.now = now
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    events.handle(event, line, into: &output)
    let now = now()
    tellDue(at: now, into: &output)
    let before = progress.state
    progress.handle(event, line, now: now)
    guard let state = progress.state else { return }
    if state.isEnd {
      if before?.isEnd != true { tell(at: now, into: &output) }
    } else {
      note(isNew: state != toldState || progress.facts.query != toldQuery, at: now)
    }
    output.wakeAt = due
  }

  package mutating func wake(into output: inout Output) {
    events.wake(into: &output)
    tellDue(at: now(), into: &output)
    output.wakeAt = due
  }

  package mutating func finish(into output: inout Output) {
    events.finish(into: &output)
    let before = progress.state
    progress.finish()
    if progress.state != before { tell(at: now(), into: &output) }
    screen.wipe(&output)
    output.wakeAt = nil
  }

  package var status: ExitStatus { events.status }

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
    guard let state = progress.state, let text = screen.text(of: state, progress.facts),
      text != toldText || state.isEnd
    else { return }
    (toldState, toldQuery) = (state, progress.facts.query)
    (toldText, toldAt) = (text, now)
    screen.show(text, of: state, progress.facts, into: &output)
  }
}

/// How long a state must have changed before that is told.
private let settlingMilliseconds = 150
