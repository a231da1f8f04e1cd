/// A decimal number with its value kept exactly, however many digits it is spelled with.
package struct JSONDecimal: Equatable, Sendable {
  /// Its digits from the first to the last that is not 0; empty for zero.
  private var digits: [UInt8] = []
  /// The value is 0.DIGITS times ten to the power of this.
  private var exponent = 0
  private var isNegative = false

  /// The number that `text` spells as JSON does (RFC 8259, section 6), or with nothing before or
  /// behind the point; `nil` when it spells none. An exponent beyond ±10^15 counts as that.
  package init?(_ text: Span<UInt8>) {
    var index = 0
    if !text.isEmpty, text[0] == ASCII.minus { (isNegative, index) = (true, 1) }
    var (hasDigits, isFraction) = (false, false)
    while index < text.count {
      let byte = text[index]
      if ASCII.isDigit(byte) {
        hasDigits = true
        if !digits.isEmpty || byte != ASCII.zero {
          digits.append(byte - ASCII.zero)
          if !isFraction { exponent += 1 }
        } else if isFraction {
          exponent -= 1
        }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index += 1
    }
    guard hasDigits else { return nil }
    if index < text.count {
      guard ASCII.lowercased(text[index]) == UInt8(ascii: "e"),
        let power = Self.exponent(text.extracting((index + 1)...))
      else { return nil }
      exponent += power
    }
    normalize()
  }

  /// The number that a person typed as `text`: digits, and perhaps a point among them.
  package init?(typed text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    self.init(bytes.span)
  }

  private mutating func normalize() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (exponent, isNegative) = (0, false) }
  }

  private static func exponent(_ text: Span<UInt8>) -> Int? {
    let isNegative = !text.isEmpty && text[0] == ASCII.minus
    let start = isNegative || !text.isEmpty && text[0] == UInt8(ascii: "+") ? 1 : 0
    guard start < text.count else { return nil }
    var magnitude = 0
    for index in start..<text.count {
      guard ASCII.isDigit(text[index]) else { return nil }
      magnitude = min(magnitude * 10 + Int(text[index] - ASCII.zero), 1_000_000_000_000_000)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Whether it has no fraction: `1.0` has none.
  package var isInteger: Bool { exponent >= digits.count }

  /// Its value, when it is a whole number from 0 to 10^15.
  package var count: Int? {
    guard isInteger, exponent <= 15, let value = scaled(by: 0)?.value, value >= 0 else {
      return nil
    }
    return value
  }

  /// Its value times ten to the power of `places`, and whether that is all of it: what is behind the
  /// point then is dropped. `nil` from ±10^18 on, so that a sum or difference of two still fits.
  package func scaled(by places: Int) -> (value: Int, isExact: Bool)? {
    let count = exponent + places
    guard count <= 18 else { return nil }
    var value = 0
    for place in 0..<max(count, 0) {
      value = value * 10 + (place < digits.count ? Int(digits[place]) : 0)
    }
    return (isNegative ? -value : value, digits.count <= count || digits.isEmpty)
  }

  /// The same, rounded up for a number that is not negative; no more than `most`.
  package func scaledUp(by places: Int, most: Int) -> Int {
    guard let (value, isExact) = scaled(by: places) else { return isNegative ? 0 : most }
    return min(isExact ? value : value + 1, most)
  }

  /// `value` divided by ten to the power of `places`, with no more digits than it needs.
  package static func text(_ value: Int, places: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var fraction = padded.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = (value < 0 ? "-" : "") + padded.dropLast(places)
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }

  /// The one spelling of its value, the same for every spelling of it.
  package var canonical: String {
    guard !digits.isEmpty else { return "0" }
    return (isNegative ? "-" : "") + "0." + digits.map { String($0) }.joined() + "e\(exponent)"
  }

  package static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
  }

  private func isCloserToZero(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }

  /// Whether the value is a whole multiple of `unit`, which `canDivide`.
  package func isMultiple(of unit: Self) -> Bool {
    guard !digits.isEmpty else { return true }
    // Both as whole numbers times powers of ten; neither whole number ends in 0.
    let shift = (exponent - digits.count) - (unit.exponent - unit.digits.count)
    let divisor = unit.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    guard shift >= 0, divisor > 0 else { return false }
    var rest = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % divisor }
    var (power, left) = (UInt64(10) % divisor, shift)
    while left > 0 {
      if left & 1 == 1 { rest = Self.product(rest, power, modulo: divisor) }
      power = Self.product(power, power, modulo: divisor)
      left >>= 1
    }
    return rest == 0
  }

  /// Whether `isMultiple(of:)` takes it: above zero, with no more than 17 digits beside zeros.
  package var canDivide: Bool { !isNegative && (1...17).contains(digits.count) }

  private static func product(_ left: UInt64, _ right: UInt64, modulo divisor: UInt64) -> UInt64 {
    // Both are below the divisor, so the quotient fits.
    divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }
}

extension JSONValue {
  /// The number `value` divided by ten to the power of `places`.
  package static func decimal(_ value: Int, places: Int) -> JSONValue {
    .raw(Array(JSONDecimal.text(value, places: places).utf8))
  }

  /// The number `value`, or `null`.
  package static func integer(orNull value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
}
