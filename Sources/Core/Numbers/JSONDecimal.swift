/// A JSON number with its value kept exactly, however many digits it is spelled with.
package struct JSONDecimal: Equatable, Sendable {
  /// Its digits from the first to the last that is not 0; empty for zero.
  private var digits: [UInt8] = []
  /// The value is 0.DIGITS times ten to the power of this.
  private var exponent = 0
  private var isNegative = false

  /// The number that `text` spells, a JSON number (RFC 8259, section 6); `nil` when it begins with
  /// neither a digit nor a minus. An exponent beyond ±10^15 counts as that.
  package init?(_ text: Span<UInt8>) {
    var index = 0
    if index < text.count, text[index] == ASCII.minus {
      isNegative = true
      index = 1
    }
    guard index < text.count, ASCII.isDigit(text[index]) else { return nil }
    var isFraction = false
    while index < text.count, ASCII.isDigit(text[index]) || text[index] == UInt8(ascii: ".") {
      if ASCII.isDigit(text[index]) {
        if !digits.isEmpty || text[index] != ASCII.zero {
          digits.append(text[index] - ASCII.zero)
          if !isFraction { exponent += 1 }
        } else if isFraction {
          exponent -= 1
        }
      } else {
        isFraction = true
      }
      index += 1
    }
    if index < text.count { exponent += Self.exponent(text.extracting((index + 1)...)) }
    normalize()
  }

  private mutating func normalize() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (exponent, isNegative) = (0, false) }
  }

  private static func exponent(_ text: Span<UInt8>) -> Int {
    let isNegative = !text.isEmpty && text[0] == ASCII.minus
    var magnitude = 0
    for index in text.indices where ASCII.isDigit(text[index]) {
      magnitude = min(magnitude * 10 + Int(text[index] - ASCII.zero), 1_000_000_000_000_000)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Whether it has no fraction: `1.0` has none.
  package var isInteger: Bool { exponent >= digits.count }

  /// Its value, when it is a whole number from 0 to 10^15.
  package var count: Int? {
    guard isInteger, !isNegative, exponent <= 15 else { return nil }
    var value = 0
    for place in 0..<exponent {
      value = value * 10 + (place < digits.count ? Int(digits[place]) : 0)
    }
    return value
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
