/// The sequence numbers that came of a response, each with what it came with, so that pieces of a
/// resumed stream that overlap are known again.
struct SeenNumbers: Sendable {
  /// As many are remembered at most.
  static let most = 65_536

  private var first = 0
  /// What came with each number from `first` on; 0 where it did not come.
  private var marks: [UInt32] = []

  var count: Int { marks.count }

  /// Notes `number`, which came with what `mark` stands for. Returns whether both came before.
  mutating func note(_ number: Int, _ mark: UInt32) -> Bool {
    let (index, overflows) = number.subtractingReportingOverflow(first)
    guard !marks.isEmpty, !overflows, index <= marks.count + Self.most else {
      (first, marks) = (number, [mark])
      return false
    }
    // Where numbers do not rise they tell nothing.
    guard index >= 0, index < marks.count, marks.count > 1 else {
      if index > 0 { append(mark, at: index) }
      return false
    }
    let known = marks[index]
    if known == 0 { marks[index] = mark }
    return known == mark
  }

  private mutating func append(_ mark: UInt32, at index: Int) {
    while marks.count < index { marks.append(0) }
    marks.append(mark)
    guard marks.count > Self.most else { return }
    first += marks.count - Self.most / 2
    marks.removeFirst(marks.count - Self.most / 2)
  }
}
