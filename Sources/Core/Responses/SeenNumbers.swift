/// The sequence numbers of a response's events, each with a mark of its event, so that events
/// repeated by a resumed stream are recognised.
struct SeenNumbers: Sendable {
  enum Novelty {
    case new
    /// It came before with the same mark.
    case known
    /// It is no higher than the highest so far, and did not come with this mark.
    case late
  }

  /// The most numbers that are remembered.
  static let most = 65_536

  private var first = 0
  /// The mark of each number from `first` on; 0 for a number that did not come.
  private var marks: [UInt32] = []
  /// Whether the numbers skipped some as they rose.
  private(set) var hasHole = false

  /// The highest number; `nil` when none came.
  var last: Int? { marks.isEmpty ? nil : first &+ marks.count &- 1 }

  var count: Int { marks.count }

  /// Whether `number` is higher than all that came.
  @inline(__always)
  func isExceeded(by number: Int) -> Bool { number &- first >= marks.count }

  var range: ClosedRange<Int>? { last.map { first...max(first, $0) } }

  func has(_ number: Int) -> Bool {
    let (index, overflows) = number.subtractingReportingOverflow(first)
    return !overflows && marks.indices.contains(index) && marks[index] != 0
  }

  /// Notes `number`, whose event has the mark `mark`.
  @inline(__always)
  mutating func note(_ number: Int, _ mark: UInt32) -> Novelty {
    guard number &- first == marks.count, marks.count < Self.most, !marks.isEmpty else {
      return note(other: number, mark)
    }
    marks.append(mark)
    return .new
  }

  private mutating func note(other number: Int, _ mark: UInt32) -> Novelty {
    let (index, overflows) = number.subtractingReportingOverflow(first)
    guard !marks.isEmpty, !overflows, index <= marks.count + Self.most else {
      (first, marks, hasHole) = (number, [mark], !marks.isEmpty)
      return .new
    }
    guard index < marks.count else {
      append(mark, at: index)
      return .new
    }
    guard index >= 0 else { return .late }
    // A server may give all events one number, which says nothing: "sequence_number":0
    guard marks.count > 1 else { return .new }
    let known = marks[index]
    if known == 0 { marks[index] = mark }
    return known == mark ? .known : .late
  }

  private mutating func append(_ mark: UInt32, at index: Int) {
    hasHole = hasHole || marks.count < index
    while marks.count < index { marks.append(0) }
    marks.append(mark)
    guard marks.count > Self.most else { return }
    first += marks.count - Self.most / 2
    marks.removeFirst(marks.count - Self.most / 2)
  }
}

extension Notice {
  /// The error that pieces before the event at `place` are missing or late, and no whole text came
  /// to prove the text right.
  package static func disordered(at place: Place) -> Notice {
    let why = "by their sequence numbers, pieces of a text are missing or in the wrong order"
    return Notice(
      .error, why + "; oresp-events --merge=sort puts events in order", status: .badInput, at: place
    )
  }
}
