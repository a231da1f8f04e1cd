/// The sequence numbers of a response's events, each with a mark of its event, so that events
/// repeated by a resumed stream are recognised.
///
/// Only numbers that came take memory, so numbers that begin far apart take no more than others.
struct SeenNumbers: Sendable {
  enum Novelty {
    case new
    /// It came before with the same mark.
    case known
    /// It is no higher than the highest so far, and did not come with this mark.
    case late
  }

  /// Numbers that follow each other, from `first` on, by the marks of their events.
  private struct Run: Sendable {
    var first: Int
    var marks: [UInt32]

    var last: Int { first &+ marks.count &- 1 }

    /// The mark of `number`; `nil` when the run does not have it.
    func mark(of number: Int) -> UInt32? {
      let (index, overflows) = number.subtractingReportingOverflow(first)
      return !overflows && marks.indices.contains(index) ? marks[index] : nil
    }
  }

  /// The most numbers and the most runs below the highest that are remembered. A number that is
  /// forgotten counts as one that did not come.
  static let most = (numbers: 65_536, runs: 64)

  /// The run of the highest number; the other runs, in order; and the count of their numbers.
  private var run = Run(first: 0, marks: [])
  private var former: [Run] = []
  private var formerCount = 0

  /// Whether the numbers skipped some as they rose.
  private(set) var hasHole = false

  /// The highest number; `nil` when none came.
  var last: Int? { run.marks.isEmpty ? nil : run.last }

  var count: Int { run.marks.count + formerCount }

  /// Whether `number` is higher than all that came.
  @inline(__always)
  func isExceeded(by number: Int) -> Bool { run.marks.isEmpty || number > run.last }

  var range: ClosedRange<Int>? {
    last.map { (former.first?.first ?? run.first)...max(run.first, $0) }
  }

  func has(_ number: Int) -> Bool { mark(of: number) != nil }

  /// Notes `number`, whose event has the mark `mark`.
  @inline(__always)
  mutating func note(_ number: Int, _ mark: UInt32) -> Novelty {
    guard number &- run.first == run.marks.count, run.marks.count < Self.most.numbers,
      !run.marks.isEmpty
    else { return note(other: number, mark) }
    run.marks.append(mark)
    return .new
  }

  private mutating func note(other number: Int, _ mark: UInt32) -> Novelty {
    guard !run.marks.isEmpty else {
      run = Run(first: number, marks: [mark])
      return .new
    }
    if number > run.last {
      hasHole = hasHole || number > run.last &+ 1
      let before = run
      run = Run(first: number, marks: [mark])
      insert(before, at: former.count)
      return .new
    }
    // A server may give all events one number, which says nothing: "sequence_number":1
    guard count > 1 else { return .new }
    if let known = self.mark(of: number) { return known == mark ? .known : .late }
    let index = former.firstIndex { $0.first > number } ?? former.count
    insert(Run(first: number, marks: [mark]), at: index)
    return .late
  }

  private func mark(of number: Int) -> UInt32? {
    run.mark(of: number) ?? former.lazy.compactMap { $0.mark(of: number) }.first
  }

  /// Inserts `run` before the run at `index` of the former ones, and forgets the lowest of them
  /// that are too many.
  private mutating func insert(_ run: Run, at index: Int) {
    formerCount += run.marks.count
    if index > 0, former[index - 1].last &+ 1 == run.first, run.marks.count == 1 {
      former[index - 1].marks += run.marks
    } else {
      former.insert(run, at: index)
    }
    while former.count > Self.most.runs || formerCount > Self.most.numbers {
      formerCount -= former.removeFirst().marks.count
    }
  }
}

extension Notice {
  /// The error that pieces before the event at `place` are missing or late, and no whole text came
  /// to prove the text right.
  package static func disordered(at place: Place) -> Notice {
    let why = "by their sequence numbers, pieces of a text are missing or in the wrong order"
    return Notice(
      .error, why + "; oresp-events --merge joins the parts of a stream in order",
      status: .badInput, at: place)
  }
}
