/// The sequence numbers of one response: the highest, and the ranges below it that did not come.
///
///     note(1)   rises: 0 is missing
///     note(4)   rises: 0 and 2...3 are missing
///     note(3)   fills a gap: 0 and 2 are missing
///     note(1)   came already
///
/// At most `most` ranges are remembered. Of a number below the lowest one it is not known whether
/// it came: it counts as missing, so that no event is dropped on a guess.
package struct Gaps: Sendable {
  /// The relation of a number to the numbers before it.
  package enum Novelty: Sendable {
    case rises, fillsGap, cameAlready
  }

  /// The most ranges that are remembered.
  static let most = 64

  /// The number that came first, and the highest; `nil` when none came.
  package private(set) var first: Int?
  package internal(set) var highest: Int?
  /// The ranges below `highest` that did not come, from the lowest up.
  private var missing: [ClosedRange<Int>] = []
  /// The highest number of the ranges that were forgotten; -1 when none was.
  private var forgotten = -1

  package init() {}

  /// Notes `number` if it is above all others that came, and not the first; else false.
  private mutating func noteRise(_ number: Int) -> Bool {
    guard let highest, number > highest else { return false }
    if number - 1 > highest { add(highest + 1...number - 1) }
    self.highest = number
    return true
  }

  /// Notes `number`, which is 0 or more.
  package mutating func note(_ number: Int) -> Novelty {
    guard highest != nil else {
      first = number
      self.highest = number
      if number > 0 { missing.append(0...number - 1) }
      return .rises
    }
    if noteRise(number) { return .rises }
    if number <= forgotten { return .fillsGap }
    guard let index = missing.lastIndex(where: { $0.contains(number) }) else {
      return .cameAlready
    }
    let gap = missing.remove(at: index)
    if number < gap.upperBound { missing.insert(number + 1...gap.upperBound, at: index) }
    if number > gap.lowerBound { missing.insert(gap.lowerBound...number - 1, at: index) }
    forgetLowest()
    return .fillsGap
  }

  private mutating func add(_ range: ClosedRange<Int>) {
    missing.append(range)
    forgetLowest()
  }

  private mutating func forgetLowest() {
    if missing.count > Self.most { forgotten = missing.removeFirst().upperBound }
  }
}
