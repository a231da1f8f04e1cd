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
    steps = try parser.parse() + [.match]
  }

  /// Whether the pattern matches somewhere in `text`.
  package func matches(_ text: Span<UInt8>) -> Bool {
    let scalars = Array(String(decoding: text).unicodeScalars)
    var walk = PatternWalk(steps)
    for place in 0...scalars.count {
      let before = place > 0 ? scalars[place - 1] : nil
      let after = place < scalars.count ? scalars[place] : nil
      if walk.spread(between: before, and: after) { return true }
      if let after { walk.advance(over: after) }
    }
    return false
  }
}

/// Why a text is no pattern.
package struct PatternFault: Error {
  package let message: String

  init(_ message: String) { self.message = message }
}

/// One instruction of a pattern. A number tells how many steps on another is, so that parts are put
/// together as they are.
enum PatternStep: Sendable {
  /// Takes a character of the set.
  case set(ScalarSet)
  case assertion(PatternAssertion)
  /// Goes on with the next step, and with another.
  case split(Int)
  case jump(Int)
  case match
}

/// What must hold at a place between two characters.
enum PatternAssertion: Sendable {
  case start, end, wordBoundary, noWordBoundary

  func holds(between before: Unicode.Scalar?, and after: Unicode.Scalar?) -> Bool {
    let isWord = { (scalar: Unicode.Scalar?) in scalar.map(ScalarSet.word.contains) ?? false }
    return switch self {
    case .start: before == nil
    case .end: after == nil
    case .wordBoundary: isWord(before) != isWord(after)
    case .noWordBoundary: isWord(before) == isWord(after)
    }
  }
}

/// The steps at which a match may stand.
private struct PatternWalk {
  private let steps: [PatternStep]
  /// The steps to go on from at this place, and those that were reached at it.
  private var open: [Int] = []
  private var isReached: [Bool]
  private var reached: [Int] = []

  init(_ steps: [PatternStep]) {
    self.steps = steps
    isReached = Array(repeating: false, count: steps.count)
  }

  /// Follows all that takes no character, from the first step too; true when a match is reached.
  mutating func spread(between before: Unicode.Scalar?, and after: Unicode.Scalar?) -> Bool {
    open.append(0)
    while let index = open.popLast() {
      if isReached[index] { continue }
      isReached[index] = true
      reached.append(index)
      switch steps[index] {
      case .match: return true
      case .jump(let way): open.append(index + way)
      case .split(let way): open += [index + 1, index + way]
      case .assertion(let assertion):
        if assertion.holds(between: before, and: after) { open.append(index + 1) }
      case .set: break
      }
    }
    return false
  }

  /// Takes the character `scalar`.
  mutating func advance(over scalar: Unicode.Scalar) {
    for index in reached {
      isReached[index] = false
      if case .set(let set) = steps[index], set.contains(scalar) { open.append(index + 1) }
    }
    reached.removeAll(keepingCapacity: true)
  }
}
