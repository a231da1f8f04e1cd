import Core

/// A regular expression for JSON Schema's `pattern`: ECMA-262 without lookaround and
/// backreferences, over code points.
///
/// `a(b|cd)*$` becomes these steps, whose numbers are distances:
///
/// ```
/// 0 set a      2 split 3    4 jump 3    6 set d      8 assertion
/// 1 split 7    3 set b      5 set c     7 jump -6    9 match
/// ```
///
/// On `acd`, `a` leads from 0 to 1, and the splits there to 2, 3, 5 and 8; `c` leads from 5 to 6,
/// and `d` to 7, 1 and 8; there the text ends, and 9 is reached.
///
/// All alternatives are followed side by side, in time that grows with the product of the lengths
/// of the text and the pattern. Swift's own `Regex` goes back and tries again: with
/// `^([a-zA-Z0-9]+ ?)*$` it takes more than 28 s on 31 bytes, and the text is a model's. It also
/// reads `[[]` and `[a&&b]` in its own way.
package struct Pattern: Sendable {
  private let steps: [PatternStep]

  /// Reads `text`; throws for a part that is wrong or not supported.
  package init(_ text: String) throws(PatternFault) {
    var parser = PatternParser(rest: text[...].unicodeScalars)
    steps = try parser.choice() + [.match]
    try require(parser.rest.isEmpty, "a ) closes no group")
  }

  /// Whether the pattern matches somewhere in `text`.
  package func matches(_ text: Span<UInt8>) -> Bool {
    let scalars = [nil] + String(decoding: text).unicodeScalars.map { $0 } + [nil]
    // The steps to take here and after the next character, and where each was taken last.
    var open: [Int] = []
    var next: [Int] = []
    var lastReached = Array(repeating: -1, count: steps.count)
    for position in 1..<scalars.count {
      let (before, after) = (scalars[position - 1], scalars[position])
      open.append(0)
      while let index = open.popLast() {
        if lastReached[index] == position { continue }
        lastReached[index] = position
        switch steps[index] {
        case .match: return true
        case .jump(let way): open.append(index + way)
        case .split(let way): open += [index + 1, index + way]
        case .assertion(let holds): if holds(before, after) { open.append(index + 1) }
        case .set(let contains): if let after, contains(after) { next.append(index + 1) }
        }
      }
      swap(&open, &next)
    }
    return false
  }
}

/// The reason why a text is no pattern.
package struct PatternFault: Error {
  package let message: String

  init(_ message: String) { self.message = message }
}

private func require(_ holds: Bool, _ fault: String) throws(PatternFault) {
  if !holds { throw PatternFault(fault) }
}

/// Whether a character is in a class.
private typealias ScalarSet = @Sendable (Unicode.Scalar) -> Bool

/// One step of a pattern. A number is the distance to another step, so that parts can be put
/// together unchanged.
private enum PatternStep: Sendable {
  /// Goes on after a character of the set.
  case set(ScalarSet)
  /// Goes on where this holds for the characters before and after.
  case assertion(@Sendable (Unicode.Scalar?, Unicode.Scalar?) -> Bool)
  /// Goes on with the next step, and with another.
  case split(Int)
  case jump(Int)
  case match
}

/// Reads the steps of a pattern (ECMA-262, section 22.2.1; as in annex B, a brace or closing
/// bracket that means nothing stands for itself).
private struct PatternParser {
  var rest: Substring.UnicodeScalarView
  /// The number of open groups, at most 100: each is a call inside a call.
  var depth = 0
  /// The most steps of a pattern; a counted repetition repeats the steps of its part.
  private static let limit = 100_000

  private mutating func pop(else fault: String) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { throw PatternFault(fault) }
    return scalar
  }

  /// Skips `text`, if it comes next.
  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  /// Reads the text before `end`, and skips `end`; `nil` where there is none.
  private mutating func text(upTo end: Unicode.Scalar) -> String? {
    guard let index = rest.firstIndex(of: end) else { return nil }
    defer { rest = rest[index...].dropFirst() }
    return String(rest[..<index])
  }

  /// Reads the alternatives up to the end of the pattern or of a group.
  mutating func choice() throws(PatternFault) -> [PatternStep] {
    var parts: [[PatternStep]] = [[]]
    while let scalar = rest.first, scalar != ")" {
      if skip("|") { parts.append([]) } else { parts[parts.count - 1] += try term() }
      try require(parts[parts.count - 1].count <= Self.limit, "it repeats too much")
    }
    let count = parts.reduce(2 * (parts.count - 1)) { $0 + $1.count }
    var steps: [PatternStep] = []
    for part in parts.dropLast() {
      steps += [.split(part.count + 2)] + part
      steps.append(.jump(count - steps.count))
    }
    return steps + parts[parts.count - 1]
  }

  private mutating func term() throws(PatternFault) -> [PatternStep] {
    if skip("^") { return [.assertion { before, _ in before == nil }] }
    if skip("$") { return [.assertion { _, after in after == nil }] }
    if skip("\\b") { return [.assertion { Self.isWord($0) != Self.isWord($1) }] }
    if skip("\\B") { return [.assertion { Self.isWord($0) == Self.isWord($1) }] }
    let part = try atom()
    guard let (least, most) = try quantifier() else { return part }
    // A lazy quantifier chooses another match, but there is one all the same.
    _ = skip("?")
    try require(quantifier() == nil, "a quantifier after a quantifier")
    try require(max(part.count, 1) * max(least, most ?? 1) <= Self.limit, "it repeats too much")
    let steps = repeatElement(part, count: least).joined()
    let any = [.split(part.count + 2)] + part + [.jump(-part.count - 1)]
    let some = repeatElement([.split(part.count + 1)] + part, count: (most ?? least) - least)
    return steps + (most == nil ? any : Array(some.joined()))
  }

  /// Reads a quantifier, if one stands here. Returns its bounds.
  private mutating func quantifier() throws(PatternFault) -> (Int, Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    let start = rest
    guard skip("{"), let least = number(), case let most = skip(",") ? number() : least, skip("}")
    else {
      rest = start
      return nil
    }
    try require(most ?? least >= least, "{\(least),\(most ?? 0)} counts down")
    return (least, most)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { Self.isDigit($0) }
    rest = rest[digits.endIndex...]
    return digits.isEmpty ? nil : min(Int(String(digits)) ?? .max, 1_000_000)
  }

  private mutating func atom() throws(PatternFault) -> [PatternStep] {
    let scalar = try pop(else: "it ends too early")
    switch scalar {
    case "(": return try group()
    case "[": return [.set(try characterClass())]
    case ".": return [.set { !["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }]
    case "*", "+", "?": throw PatternFault("\(scalar) has nothing to repeat")
    case "\\": return [.set(try escape().set)]
    default: return [.set { $0 == scalar }]
    }
  }

  /// Reads a group behind its opening parenthesis.
  private mutating func group() throws(PatternFault) -> [PatternStep] {
    for lookaround in ["?=", "?!", "?<=", "?<!"] where skip(lookaround) {
      throw PatternFault("lookaround (\(lookaround) is not supported")
    }
    if skip("?"), !skip(":") {
      let hasName = skip("<") && text(upTo: ">") != nil
      try require(hasName, "a group begins with (? and no form that is known")
    }
    depth += 1
    try require(depth <= 100, "groups are nested more than 100 deep")
    let steps = try choice()
    try require(skip(")"), "a group is not closed")
    depth -= 1
    return steps
  }
}

extension PatternParser {
  /// A member of a class: its characters; `only` is the character where it is a single one.
  private typealias Member = (set: ScalarSet, only: Unicode.Scalar?)

  private static func one(_ scalar: Unicode.Scalar) -> Member { ({ $0 == scalar }, scalar) }

  /// Reads a class behind its opening bracket.
  private mutating func characterClass() throws(PatternFault) -> ScalarSet {
    let isNegated = skip("^")
    var sets: [ScalarSet] = []
    while !skip("]") {
      let (set, first) = try classMember()
      guard let first, rest.first == "-", rest.dropFirst().first != "]" else {
        sets.append(set)
        continue
      }
      rest.removeFirst()
      let last = try classMember().only
      guard let last else { throw PatternFault("a range in a class ends in a set") }
      try require(first <= last, "the range \(first)-\(last) runs backwards")
      sets.append { (first...last).contains($0) }
    }
    return { [sets] scalar in sets.contains { $0(scalar) } != isNegated }
  }

  private mutating func classMember() throws(PatternFault) -> Member {
    let scalar = try pop(else: "a class is not closed")
    if scalar != "\\" { return Self.one(scalar) }
    return skip("b") ? Self.one("\u{8}") : try escape()
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { $0.isASCII && ASCII.isLetterOrDigit(UInt8(ascii: $0)) || $0 == "_" } ?? false
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
  }

  private static let escapes: [Unicode.Scalar: Member] = [
    "d": ({ isDigit($0) }, nil), "D": ({ !isDigit($0) }, nil), "w": ({ isWord($0) }, nil),
    "W": ({ !isWord($0) }, nil), "s": ({ isSpace($0) }, nil), "S": ({ !isSpace($0) }, nil),
    "t": one("\t"), "n": one("\n"), "v": one("\u{B}"), "f": one("\u{C}"), "r": one("\r"),
  ]

  /// Reads an escape behind its backslash.
  private mutating func escape() throws(PatternFault) -> Member {
    let scalar = try pop(else: "a backslash at the end")
    if let known = Self.escapes[scalar] { return known }
    switch scalar {
    case "p", "P": return (try category(isNegated: scalar == "P"), nil)
    case "0" where !(rest.first.map(Self.isDigit) ?? false): return Self.one("\0")
    case "c":
      let letter = Character(try pop(else: "\\c needs a letter"))
      try require(letter.isASCII && letter.isLetter, "\\c needs a letter")
      return Self.one(Unicode.Scalar((letter.asciiValue ?? 0) & 31))
    case "x": return Self.one(try codePoint(hex(digits: 2)))
    case "u": return Self.one(try unicodeEscape())
    case "0"..."9", "k": throw PatternFault("backreferences are not supported")
    case "a"..."z", "A"..."Z": throw PatternFault("no escape is called \\\(scalar)")
    default: return Self.one(scalar)
    }
  }

  /// The short names of the general categories (Unicode 16, table 4-4).
  private static let categories: [Unicode.GeneralCategory: String] = [
    .uppercaseLetter: "Lu", .lowercaseLetter: "Ll", .titlecaseLetter: "Lt", .modifierLetter: "Lm",
    .otherLetter: "Lo", .nonspacingMark: "Mn", .spacingMark: "Mc", .enclosingMark: "Me",
    .decimalNumber: "Nd", .letterNumber: "Nl", .otherNumber: "No", .connectorPunctuation: "Pc",
    .dashPunctuation: "Pd", .openPunctuation: "Ps", .closePunctuation: "Pe",
    .initialPunctuation: "Pi", .finalPunctuation: "Pf", .otherPunctuation: "Po", .mathSymbol: "Sm",
    .currencySymbol: "Sc", .modifierSymbol: "Sk", .otherSymbol: "So", .spaceSeparator: "Zs",
    .lineSeparator: "Zl", .paragraphSeparator: "Zp", .control: "Cc", .format: "Cf",
    .surrogate: "Cs", .privateUse: "Co", .unassigned: "Cn",
  ]

  /// Reads the name of a general category, or of a group of them, such as `L`.
  private mutating func category(isNegated: Bool) throws(PatternFault) -> ScalarSet {
    let name = skip("{") ? text(upTo: "}") : nil
    guard let name else { throw PatternFault("\\p needs a category in braces") }
    let members = Set(Self.categories.filter { $1.hasPrefix(name) }.keys)
    try require(!members.isEmpty && !name.isEmpty, "no general category is called \(name)")
    return { members.contains($0.properties.generalCategory) != isNegated }
  }

  private mutating func unicodeEscape() throws(PatternFault) -> Unicode.Scalar {
    if skip("{") {
      let digits = rest.contains("}") ? rest.prefix { $0 != "}" }.count : 0
      try require((1...6).contains(digits), "\\u{ needs 1 to 6 digits")
      defer { rest.removeFirst() }
      return try codePoint(hex(digits: digits))
    }
    let high = try hex(digits: 4)
    guard (0xD800...0xDBFF).contains(high), skip("\\u") else { return try codePoint(high) }
    let low = try hex(digits: 4)
    try require((0xDC00...0xDFFF).contains(low), "half a surrogate pair is no character")
    return try codePoint(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private func codePoint(_ value: UInt32) throws(PatternFault) -> Unicode.Scalar {
    if let scalar = Unicode.Scalar(value) { return scalar }
    throw PatternFault("an escape that is no code point")
  }

  private mutating func hex(digits: Int) throws(PatternFault) -> UInt32 {
    let text = rest.prefix(digits)
    let value = UInt32(String(text), radix: 16)
    guard let value, text.count == digits, text.first != "+", text.first != "-" else {
      throw PatternFault("an escape needs \(digits) hex digits")
    }
    rest = rest[text.endIndex...]
    return value
  }
}
