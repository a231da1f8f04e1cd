/// The response of an event, and what the event does to it (`ResponseTable`).
package struct Placement: Equatable, Sendable {
  /// What an event does to its response.
  package enum Step: Sendable {
    case begins, inside, fails, ends
    /// It repeats an earlier event.
    case again
    /// It came after the end of its response, and changes nothing.
    case behind
    /// It belongs to no response.
    case none
  }

  /// The number of the response, from 1 in the order in which they begin; 0 for none.
  package var response = 0
  /// Its slot; -1 when it is not open.
  package var slot = -1
  /// What it shares with the responses of its tag and stream.
  package var lane = 0
  package var step = Step.none
  /// Whether the event is the first one of its response.
  package var isFirst = false
}

/// A response that is over, by its number, and the slot that it had.
package struct ClosedResponse: Equatable, Sendable {
  package let number: Int
  package let slot: Int
  /// The sequence number of its last event that was no repeat; `nil` when none had one.
  let lastNumber: Int?
}

/// A fact about the stream that a user is told once.
package enum StreamReport: Hashable, Sendable {
  /// An event repeats an earlier one, as in a resumed stream.
  case repeats
  /// The end of a response came again.
  case endRepeats
  /// A delta came behind a later event of its response.
  case late
  /// A response ends twice, with different ends, and counts twice.
  case countsTwice
  /// Two responses by turns in one stream, of which some events do not name theirs.
  case shared
  /// A response whose beginning came behind other parts of it.
  case parted
}

/// Facts about a stream, each told once.
struct StreamReports {
  private var told: Set<StreamReport> = []
  private var fresh: [StreamReport] = []

  mutating func tell(_ report: StreamReport) {
    if told.insert(report).inserted { fresh.append(report) }
  }

  /// Returns the facts that were not told before, and forgets them.
  mutating func take() -> [StreamReport] {
    if fresh.isEmpty { return [] }
    defer { fresh = [] }
    return fresh
  }
}
