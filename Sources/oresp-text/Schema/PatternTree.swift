import Core

/// What a pattern is made of.
indirect enum PatternTree {
  case scalar(Unicode.Scalar)
  case set(ScalarSet)
  case assertion(Assertion)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// At least so often, and at most so often; `nil` for no limit.
  case repeated(PatternTree, Int, Int?)

  /// What must hold at a place between two characters.
  enum Assertion: Sendable {
    case start, end, wordBoundary, noWordBoundary

    func holds(between before: Unicode.Scalar?, and after: Unicode.Scalar?) -> Bool {
      switch self {
      case .start: before == nil
      case .end: after == nil
      case .wordBoundary: Self.isWord(before) != Self.isWord(after)
      case .noWordBoundary: Self.isWord(before) == Self.isWord(after)
      }
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map(ScalarSet.word.contains) ?? false
    }
  }
}

/// Turns what a pattern is made of into steps.
struct PatternCompiler {
  private(set) var steps: [PatternStep] = []
  /// How many parts were written out; a counted repetition writes its part out again and again.
  private var written = 0
  private static let limit = 50_000

  mutating func append(_ tree: PatternTree) throws(PatternFault) {
    written += 1
    guard written <= Self.limit else { throw PatternFault("it repeats too much") }
    switch tree {
    case .scalar(let scalar): steps.append(.scalar(scalar))
    case .set(let set): steps.append(.set(set))
    case .assertion(let assertion): steps.append(.assertion(assertion))
    case .sequence(let parts): for part in parts { try append(part) }
    case .choice(let parts): try append(choice: parts)
    case .repeated(let part, let least, let most): try append(part, least, most)
    }
  }

  private mutating func append(choice parts: [PatternTree]) throws(PatternFault) {
    var jumps: [Int] = []
    for (index, part) in parts.enumerated() {
      let split = steps.count
      let isLast = index == parts.count - 1
      if !isLast { steps.append(.split(split + 1, 0)) }
      try append(part)
      guard !isLast else { break }
      jumps.append(steps.count)
      steps.append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func append(
    _ part: PatternTree, _ least: Int, _ most: Int?
  ) throws(PatternFault) {
    for _ in 0..<least { try append(part) }
    guard let most else {
      let split = steps.count
      steps.append(.split(split + 1, 0))
      try append(part)
      steps.append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(most, least) {
      splits.append(steps.count)
      steps.append(.split(0, 0))
      try append(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
