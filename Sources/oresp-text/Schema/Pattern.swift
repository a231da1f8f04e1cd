import Core

/// A regular expression as JSON Schema's `pattern` has them: ECMA-262 without lookaround and
/// backreferences, over code points.
///
/// It walks all alternatives side by side, so the time is at most the length of the text times that
/// of the pattern. Swift's own `Regex` goes back and tries again: `^(a|aa)+$` takes it 3 s on 33
/// characters; it reads `[[]` and `[a&&b]` otherwise than ECMA-262, and would add 1.3 MB.
package struct Pattern: Sendable {
  private let steps: [PatternStep]

  /// Throws what is wrong with `text`, or not supported in it.
  package init(_ text: String) throws(PatternFault) {
    var parser = PatternParser(text)
    var compiler = PatternCompiler()
    try compiler.append(parser.parse())
    steps = compiler.steps + [.match]
  }

  /// Whether the pattern matches somewhere in `text`.
  package func matches(_ text: Span<UInt8>) -> Bool {
    let scalars = Array(String(decoding: text).unicodeScalars)
    var walk = PatternWalk(steps.count)
    for place in 0...scalars.count {
      let before = place > 0 ? scalars[place - 1] : nil
      let after = place < scalars.count ? scalars[place] : nil
      if walk.spread(steps, between: before, and: after) { return true }
      if let after { walk.advance(over: after, steps) }
    }
    return false
  }
}

/// Why a text is no pattern.
package struct PatternFault: Error {
  package let message: String

  init(_ message: String) { self.message = message }
}

/// One instruction of a compiled pattern; a number is the place of another.
enum PatternStep: Sendable {
  case scalar(Unicode.Scalar)
  case set(ScalarSet)
  case assertion(PatternTree.Assertion)
  case split(Int, Int)
  case jump(Int)
  case match
}

/// The steps at which a match may stand.
private struct PatternWalk {
  /// The steps to go on from at this place, and those that were reached at it.
  private var open: [Int] = []
  private var isReached: [Bool]
  private var reached: [Int] = []

  init(_ count: Int) { isReached = Array(repeating: false, count: count) }

  /// Follows all that takes no character, from the first step too; true when a match is reached.
  mutating func spread(
    _ steps: [PatternStep], between before: Unicode.Scalar?, and after: Unicode.Scalar?
  ) -> Bool {
    open.append(0)
    while let index = open.popLast() {
      if isReached[index] { continue }
      isReached[index] = true
      reached.append(index)
      switch steps[index] {
      case .match: return true
      case .jump(let next): open.append(next)
      case .split(let first, let second): open += [first, second]
      case .assertion(let assertion):
        if assertion.holds(between: before, and: after) { open.append(index + 1) }
      case .scalar, .set: break
      }
    }
    return false
  }

  /// Takes the character `scalar`.
  mutating func advance(over scalar: Unicode.Scalar, _ steps: [PatternStep]) {
    for index in reached {
      isReached[index] = false
      let takes =
        switch steps[index] {
        case .scalar(let expected): expected == scalar
        case .set(let set): set.contains(scalar)
        default: false
        }
      if takes { open.append(index + 1) }
    }
    reached.removeAll(keepingCapacity: true)
  }
}
