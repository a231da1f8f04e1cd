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
