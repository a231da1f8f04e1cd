import Core

/// Reads a pattern (ECMA-262, section 22.2.1, and the leniences of annex B that people rely on: a
/// brace or closing bracket that means nothing stands for itself) into its steps.
struct PatternParser {
  private typealias Steps = [PatternStep]

  private var scalars: [Unicode.Scalar]
  private var index = 0
  /// How many groups stand open; more than 100 are refused, since each is a call inside a call.
  private var depth = 0
  /// How many steps a pattern may have; a counted repetition has those of its part again and again.
  private static let limit = 100_000

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The steps of the whole pattern, behind which it matches.
  mutating func parse() throws(PatternFault) -> [PatternStep] {
    let steps = try choice()
    guard next == nil else { throw PatternFault("a ) closes no group") }
    return steps
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func pop() -> Unicode.Scalar? {
    defer { index += 1 }
    return next
  }

  private mutating func take(_ text: String) -> Bool {
    guard index <= scalars.count, scalars[index...].starts(with: text.unicodeScalars) else {
      return false
    }
    index += text.unicodeScalars.count
    return true
  }

  private mutating func choice() throws(PatternFault) -> Steps {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    let count = parts.reduce(2 * (parts.count - 1)) { $0 + $1.count }
    var steps: Steps = []
    for part in parts.dropLast() {
      steps += [.split(part.count + 2)] + part
      steps.append(.jump(count - steps.count))
    }
    return steps + parts[parts.count - 1]
  }

  private mutating func sequence() throws(PatternFault) -> Steps {
    var steps: Steps = []
    while let scalar = next, scalar != "|", scalar != ")" {
      steps += try term()
      guard steps.count <= Self.limit else { throw PatternFault("it repeats too much") }
    }
    return steps
  }

  private mutating func term() throws(PatternFault) -> Steps {
    if take("^") { return [.assertion(.start)] }
    if take("$") { return [.assertion(.end)] }
    if take("\\b") { return [.assertion(.wordBoundary)] }
    if take("\\B") { return [.assertion(.noWordBoundary)] }
    var steps = try atom()
    if let (least, most) = try quantifier() {
      // Which of the matches is taken makes no difference to whether there is one.
      _ = take("?")
      steps = try Self.repeated(steps, least, most)
    }
    if try quantifier() != nil { throw PatternFault("a quantifier stands behind a quantifier") }
    return steps
  }

  /// `part` at least so often, and at most so often; `nil` for no limit.
  private static func repeated(
    _ part: Steps, _ least: Int, _ most: Int?
  ) throws(PatternFault) -> Steps {
    guard max(part.count, 1) * max(least, most ?? 1) <= limit else {
      throw PatternFault("it repeats too much")
    }
    var steps = Steps(repeatElement(part, count: least).joined())
    guard let most else {
      return steps + [.split(part.count + 2)] + part + [.jump(-part.count - 1)]
    }
    for left in stride(from: most - least, to: 0, by: -1) {
      steps.append(.split(left * (part.count + 1)))
      steps += part
    }
    return steps
  }

  private mutating func atom() throws(PatternFault) -> Steps {
    guard let scalar = pop() else { throw PatternFault("it ends too early") }
    switch scalar {
    case "(": return try group()
    case "[": return [.set(try characterClass())]
    case ".": return [.set(.notLineEnd)]
    case "*", "+", "?": throw PatternFault("\(scalar) has nothing to repeat")
    case "\\": return [.set(try escape())]
    default: return [.set(ScalarSet(scalar))]
    }
  }

  /// Reads a group behind its opening parenthesis.
  private mutating func group() throws(PatternFault) -> Steps {
    for lookaround in ["?=", "?!", "?<=", "?<!"] where take(lookaround) {
      throw PatternFault("lookaround (\(lookaround) is not supported")
    }
    if take("?"), !take(":") {
      guard take("<"), let end = scalars[index...].firstIndex(of: ">") else {
        throw PatternFault("a group begins with (? and no form that is known")
      }
      index = end + 1
    }
    depth += 1
    guard depth <= 100 else { throw PatternFault("more than 100 groups stand in each other") }
    let steps = try choice()
    guard take(")") else { throw PatternFault("a group is not closed") }
    depth -= 1
    return steps
  }

  /// The bounds of a quantifier, if one stands here.
  private mutating func quantifier() throws(PatternFault) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = index
    guard take("{"), let least = number(), case let most = take(",") ? number() : least, take("}")
    else {
      index = start
      return nil
    }
    if let most, most < least { throw PatternFault("{\(least),\(most)} counts down") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      index += 1
    }
    return value
  }
}

extension PatternParser {
  /// Reads a class behind its opening bracket.
  private mutating func characterClass() throws(PatternFault) -> ScalarSet {
    var set = ScalarSet(isNegated: take("^"))
    while !take("]") {
      let member = try classMember()
      guard let first = member.only, next == "-", index + 1 < scalars.count,
        scalars[index + 1] != "]"
      else {
        set.parts.append(member)
        continue
      }
      index += 1
      guard let last = try classMember().only else {
        throw PatternFault("a range in a class ends in a set")
      }
      guard first <= last else { throw PatternFault("the range \(first)-\(last) runs backwards") }
      set.ranges.append(first.value...last.value)
    }
    return set
  }

  private mutating func classMember() throws(PatternFault) -> ScalarSet {
    guard let scalar = pop() else { throw PatternFault("a class is not closed") }
    guard scalar == "\\" else { return ScalarSet(scalar) }
    if take("b") { return ScalarSet("\u{8}") }
    return take("-") ? ScalarSet("-") : try escape()
  }

  private static let escapes: [Unicode.Scalar: ScalarSet] = [
    "d": .digit, "D": .digit.negated, "w": .word, "W": .word.negated, "s": .space,
    "S": .space.negated, "t": ScalarSet("\t"), "n": ScalarSet("\n"), "v": ScalarSet("\u{B}"),
    "f": ScalarSet("\u{C}"), "r": ScalarSet("\r"),
  ]

  /// Reads an escape behind its backslash.
  private mutating func escape() throws(PatternFault) -> ScalarSet {
    guard let scalar = pop() else { throw PatternFault("a backslash stands at the end") }
    if let known = Self.escapes[scalar] { return known }
    switch scalar {
    case "p", "P": return try category(isNegated: scalar == "P")
    case "0" where next.map { !("0"..."9").contains($0) } ?? true: return ScalarSet("\0")
    case "c":
      guard let letter = pop(), letter.isASCII, ASCII.isLetter(UInt8(ascii: letter)) else {
        throw PatternFault("\\c needs a letter")
      }
      return ScalarSet(Unicode.Scalar(UInt8(ascii: letter) & 31))
    case "x": return ScalarSet(try Self.scalar(hex(digits: 2)))
    case "u": return ScalarSet(try unicodeEscape())
    case "0"..."9", "k": throw PatternFault("backreferences are not supported")
    case "a"..."z", "A"..."Z": throw PatternFault("no escape is called \\\(scalar)")
    default: return ScalarSet(scalar)
    }
  }

  private mutating func category(isNegated: Bool) throws(PatternFault) -> ScalarSet {
    guard take("{"), let end = scalars[index...].firstIndex(of: "}") else {
      throw PatternFault("\\p needs a category in braces")
    }
    let name = String(String.UnicodeScalarView(scalars[index..<end]))
    index = end + 1
    guard let set = ScalarSet(category: name) else {
      throw PatternFault("no general category is called \(name)")
    }
    return isNegated ? set.negated : set
  }

  private mutating func unicodeEscape() throws(PatternFault) -> Unicode.Scalar {
    if take("{") {
      let digits = (scalars[index...].firstIndex(of: "}") ?? index) - index
      guard (1...6).contains(digits) else { throw PatternFault("\\u{ needs 1 to 6 digits") }
      defer { index += 1 }
      return try Self.scalar(hex(digits: digits))
    }
    let high = try hex(digits: 4)
    guard (0xD800...0xDBFF).contains(high), take("\\u") else { return try Self.scalar(high) }
    let low = try hex(digits: 4)
    guard (0xDC00...0xDFFF).contains(low) else {
      throw PatternFault("half a surrogate pair stands for nothing")
    }
    return try Self.scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private static func scalar(_ value: UInt32) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else {
      throw PatternFault("an escape stands for no code point")
    }
    return scalar
  }

  private mutating func hex(digits: Int) throws(PatternFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = pop(), scalar.isASCII,
        let digit = JSONString.hexDigit(UInt8(ascii: scalar))
      else { throw PatternFault("an escape needs \(digits) hex digits") }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
