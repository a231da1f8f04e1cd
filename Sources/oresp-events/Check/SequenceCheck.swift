/// Follows the sequence numbers of one response.
struct SequenceCheck {
  /// The number after the highest that came.
  private var next: Int?
  /// Runs of numbers that were left out; of more than 64, the first are forgotten.
  private var missing: [Range<Int>] = []
  /// The next number of a late run, which is reported once: 0, 1, 900, 2, 3 is one disorder.
  private var expectedLate: Int?
  /// Events without a number since the highest: each may have one of the numbers left out next.
  private var unnumberedCount = 0

  /// Checks the number of the next event; `isFirst` says that the event begins the response.
  mutating func check(_ number: Int?, isFirst: Bool, _ report: inout CheckReport) {
    guard let number else {
      if report.level == .openResponses { unnumberedCount += 1 }
      return
    }
    guard let next else {
      if isFirst, number != 0 {
        report.add(.sequenceGap, "\(number)", expected: "0", isStrict: true)
      }
      return jump(over: 0..<max(number, 0))
    }
    let lackedCount = unnumberedCount
    unnumberedCount = 0
    if number == next || number > next && number - next <= lackedCount {
      self.next = number + 1
    } else if number > next {
      report.add(.sequenceGap, "\(number)", expected: "\(next)")
      jump(over: next..<number)
    } else if let run = missing.firstIndex(where: { $0.contains(number) }) {
      if number != expectedLate { report.add(.sequenceDisorder, "\(number)", expected: "\(next)") }
      expectedLate = number + 1
      fill(run, number)
    } else {
      report.add(.sequenceRepeat, "\(number) again", expected: "\(next)")
    }
  }

  private mutating func jump(over run: Range<Int>) {
    next = run.upperBound + 1
    if !run.isEmpty { missing.append(run) }
    if missing.count > 64 { missing.removeFirst() }
  }

  private mutating func fill(_ run: Int, _ number: Int) {
    let rest = [missing[run].lowerBound..<number, number + 1..<missing[run].upperBound]
    missing.replaceSubrange(run...run, with: rest.filter { !$0.isEmpty })
    if missing.count > 64 { missing.removeFirst() }
  }
}
