import Core

/// Follows the sequence numbers of one response.
struct SequenceCheck {
  private var gaps = Gaps()
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
    guard number >= 0 else {
      return report.add(.sequenceDisorder, "\(number)", expected: "0 or more")
    }
    guard let highest = gaps.highest else {
      _ = gaps.note(number)
      if isFirst, number != 0 {
        report.add(.sequenceGap, "\(number)", expected: "0", isStrict: true)
      }
      return
    }
    let next = "\(highest &+ 1)"
    switch gaps.note(number) {
    case .rises:
      if number - highest - 1 > unnumberedCount {
        report.add(.sequenceGap, "\(number)", expected: next)
      }
    case .fillsGap:
      if number != expectedLate { report.add(.sequenceDisorder, "\(number)", expected: next) }
      expectedLate = number &+ 1
    case .cameAlready: report.add(.sequenceRepeat, "\(number) again", expected: next)
    }
    unnumberedCount = 0
  }
}
