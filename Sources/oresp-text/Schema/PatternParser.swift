import Core

/// Reads a pattern (ECMA-262, section 22.2.1, and the leniences of annex B that people rely on: a
/// brace or closing bracket that means nothing stands for itself).
struct PatternParser {
  private var scalars: [Unicode.Scalar]
  private var index = 0
  /// How many groups stand open; more than 100 are refused, since each is a call inside a call.
  private var depth = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// The whole pattern.
  mutating func parse() throws(PatternFault) -> PatternTree {
    let tree = try choice()
    guard next == nil else { throw PatternFault("a ) closes no group") }
    return tree
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[index...].starts(with: wanted) else { return false }
    index += wanted.count
    return true
  }

  private mutating func choice() throws(PatternFault) -> PatternTree {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(PatternFault) -> PatternTree {
    var parts: [PatternTree] = []
    while let scalar = next, scalar != "|", scalar != ")" { parts.append(try term()) }
    return .sequence(parts)
  }

  private mutating func term() throws(PatternFault) -> PatternTree {
    if take("^") { return .assertion(.start) }
    if take("$") { return .assertion(.end) }
    if take("\\b") { return .assertion(.wordBoundary) }
    if take("\\B") { return .assertion(.noWordBoundary) }
    var tree = try atom()
    if let (least, most) = try quantifier() {
      // Which of the matches is taken makes no difference to whether there is one.
      _ = take("?")
      tree = .repeated(tree, least, most)
    }
    if try quantifier() != nil { throw PatternFault("a quantifier stands behind a quantifier") }
    return tree
  }

  private mutating func atom() throws(PatternFault) -> PatternTree {
    guard let scalar = next else { throw PatternFault("it ends too early") }
    switch scalar {
    case "(": return try group()
    case "[":
      index += 1
      return .set(try characterClass())
    case ".":
      index += 1
      return .set(.notLineEnd)
    case "*", "+", "?": throw PatternFault("\(scalar) has nothing to repeat")
    case "\\":
      index += 1
      return switch try escape() {
      case .scalar(let scalar): .scalar(scalar)
      case .set(let set): .set(set)
      }
    default:
      index += 1
      return .scalar(scalar)
    }
  }

  private mutating func group() throws(PatternFault) -> PatternTree {
    for lookaround in ["(?=", "(?!", "(?<=", "(?<!"] where take(lookaround) {
      throw PatternFault("lookaround \(lookaround) is not supported")
    }
    index += 1
    if take("?"), !take(":") {
      guard take("<"), let end = scalars[index...].firstIndex(of: ">") else {
        throw PatternFault("a group begins with (? and no form that is known")
      }
      index = end + 1
    }
    depth += 1
    guard depth <= 100 else { throw PatternFault("more than 100 groups stand in each other") }
    let tree = try choice()
    guard take(")") else { throw PatternFault("a group is not closed") }
    depth -= 1
    return tree
  }

  /// The bounds of a quantifier, if one stands here.
  private mutating func quantifier() throws(PatternFault) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = index
    guard take("{"), let least = number() else {
      index = start
      return nil
    }
    let most = take(",") ? number() : least
    guard take("}") else {
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
  /// What one escape, or one character of a class, stands for.
  private enum Atom {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
  }

  /// Reads a class behind its opening bracket.
  private mutating func characterClass() throws(PatternFault) -> ScalarSet {
    var set = ScalarSet(isNegated: take("^"))
    while !take("]") {
      guard case .scalar(let first) = try classAtom(into: &set) else { continue }
      guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
        set.ranges.append(first.value...first.value)
        continue
      }
      index += 1
      guard case .scalar(let last) = try classAtom(into: &set) else {
        throw PatternFault("a range in a class ends in a set")
      }
      guard first <= last else { throw PatternFault("the range \(first)-\(last) runs backwards") }
      set.ranges.append(first.value...last.value)
    }
    return set
  }

  /// Reads one member of a class; a set is put into `set`.
  private mutating func classAtom(into set: inout ScalarSet) throws(PatternFault) -> Atom {
    guard let scalar = next else { throw PatternFault("a class is not closed") }
    index += 1
    guard scalar == "\\" else { return .scalar(scalar) }
    if take("b") { return .scalar("\u{8}") }
    if take("-") { return .scalar("-") }
    let atom = try escape()
    if case .set(let part) = atom { set.parts.append(part) }
    return atom
  }

  /// Reads an escape behind its backslash.
  private mutating func escape() throws(PatternFault) -> Atom {
    guard let scalar = next else { throw PatternFault("a backslash stands at the end") }
    index += 1
    switch scalar {
    case "d": return .set(.digit)
    case "D": return .set(ScalarSet.digit.negated)
    case "w": return .set(.word)
    case "W": return .set(ScalarSet.word.negated)
    case "s": return .set(.space)
    case "S": return .set(ScalarSet.space.negated)
    case "p", "P": return .set(try category(isNegated: scalar == "P"))
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "v": return .scalar("\u{B}")
    case "f": return .scalar("\u{C}")
    case "r": return .scalar("\r")
    case "0" where next.map { !("0"..."9").contains($0) } ?? true: return .scalar("\0")
    case "c":
      guard let letter = next, ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else {
        throw PatternFault("\\c needs a letter")
      }
      index += 1
      return .scalar(Unicode.Scalar(UInt8(letter.value & 31)))
    case "x": return .scalar(try hex(digits: 2))
    case "u": return .scalar(try unicodeEscape())
    case "0"..."9", "k": throw PatternFault("backreferences are not supported")
    case "a"..."z", "A"..."Z": throw PatternFault("no escape is called \\\(scalar)")
    default: return .scalar(scalar)
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
      let end = scalars[index...].firstIndex(of: "}") ?? index
      guard (1...6).contains(end - index) else { throw PatternFault("\\u{ needs 1 to 6 digits") }
      let scalar = try hex(digits: end - index)
      index += 1
      return scalar
    }
    let start = index
    let high = try hexValue(digits: 4)
    guard (0xD800...0xDBFF).contains(high), take("\\u") else {
      index = start
      return try hex(digits: 4)
    }
    let low = try hexValue(digits: 4)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw PatternFault("half a surrogate pair stands for nothing") }
    return scalar
  }

  private mutating func hex(digits: Int) throws(PatternFault) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(try hexValue(digits: digits)) else {
      throw PatternFault("an escape stands for no code point")
    }
    return scalar
  }

  private mutating func hexValue(digits: Int) throws(PatternFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = next, scalar.isASCII,
        let digit = JSONString.hexDigit(UInt8(scalar.value))
      else { throw PatternFault("an escape needs \(digits) hex digits") }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
