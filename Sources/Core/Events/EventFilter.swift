/// What a tool does with events, one after another.
package protocol EventFilter: ~Copyable {
  /// Handles an event, whose line is `line`.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output)

  /// Where each event goes, told from its type alone; asked for once, before the first.
  var triage: EventTriage { get }

  /// What becomes of the ends of responses that the toolkit reports; asked for once, too.
  var ownEnds: OwnEnds { get }

  /// Counts the events that `triage` passed or dropped since the last call. Called once a read.
  mutating func note(_ skimmed: SkimmedEvents)

  /// Ends the last input.
  mutating func finish(into output: inout Output)

  /// Does what is left once all responses are judged.
  mutating func close(into output: inout Output)

  /// Which responses count for the verdict; `nil` when all do.
  var judged: ((ResponseName) -> Bool)? { get }

  /// The status for what no notice tells of; asked for at the end.
  var status: ExitStatus { get }

  /// Whether the input had something else for it than events, which is as good.
  var hasOther: Bool { get }

  /// Does what was put off until `Output.wakeAt`, no input having come before.
  mutating func wake(into output: inout Output)
}

extension EventFilter where Self: ~Copyable {
  package var triage: EventTriage { .takingAll }

  package var ownEnds: OwnEnds { OwnEnds() }

  package mutating func note(_ skimmed: SkimmedEvents) {}

  package mutating func close(into output: inout Output) {}

  package var judged: ((ResponseName) -> Bool)? { nil }

  package var status: ExitStatus { .completed }

  package var hasOther: Bool { false }

  package mutating func wake(into output: inout Output) {}
}

/// What is to become of an event, as far as its type decides that.
package enum EventCourse: UInt8, Sendable {
  /// It is handed to whoever handles events.
  case take
  /// Its line goes out unchanged.
  case pass
  /// It is counted with those that pass, and goes nowhere.
  case count
  /// Nothing.
  case drop
}

/// Sorts events by their types, so that those that need nobody's attention cost none.
package struct EventTriage: Sendable {
  /// For each type of the catalogue.
  private let courses: [EventCourse]
  /// For types that the catalogue does not know.
  private let unknown: EventCourse
  /// Hands on every event.
  package static let takingAll = EventTriage(unknown: .take) { _ in .take }

  /// Sorts by `course`, but hands on everything that decides the verdict.
  package init(unknown: EventCourse, course: (EventType) -> EventCourse) {
    self.unknown = unknown
    courses = EventType.all.map { $0.isJudged ? .take : course($0) }
  }

  /// What becomes of an event with a type, which is `type` if the catalogue knows it.
  @inline(__always)
  package func course(of type: EventType?) -> EventCourse {
    type.map { courses[$0.index] } ?? unknown
  }
}

/// Events that were passed on or dropped for their types alone.
package struct SkimmedEvents: Sendable {
  package var passed = 0
  package var dropped = 0
  /// Where the line of the last stands in the input, if no event was taken since.
  var last: Range<Int>?

  package init() {}

  package var count: Int { passed + dropped }
}
