/// The treatment of an event, as far as its type decides it.
package enum EventCourse: UInt8, Sendable {
  /// It is handed to the filter.
  case handle
  /// Its line goes out unchanged.
  case pass
  /// It counts as passed, but its line is not printed.
  case count
  /// It counts as dropped, and its line is not printed.
  case drop
}

/// Sorts events by their types. An event that no filter needs then costs next to nothing.
package struct EventTriage: Sendable {
  /// The course of each type of the catalogue, by its index.
  private let courses: [EventCourse]
  /// The course of types that the catalogue does not know.
  private let unknown: EventCourse
  /// Hands on every event.
  package static let handlingAll = EventTriage(unknown: .handle) { _ in .handle }

  /// Sorts by `course`, but hands on every event that may change the verdict, or is of no item: so
  /// those that pass by unseen show that a response has output.
  package init(unknown: EventCourse, course: (EventType) -> EventCourse) {
    self.unknown = unknown
    courses = EventType.all.map { $0.isJudged || !$0.isOfResponse ? .handle : course($0) }
  }

  /// The course of an event with a type; `type` is `nil` if the catalogue does not know it.
  @inline(__always)
  package func course(of type: EventType?) -> EventCourse {
    type.map { courses[$0.index] } ?? unknown
  }
}

/// Events that were passed on or dropped for their types alone.
package struct SkimmedEvents: Sendable {
  package var passed = 0
  package var dropped = 0

  package init() {}

  package var count: Int { passed + dropped }
}
