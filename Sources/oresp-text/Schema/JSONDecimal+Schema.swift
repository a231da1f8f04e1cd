import Core

/// What a schema asks of numbers.
extension JSONDecimal {
  /// Whether it has no fraction: `1.0` has none.
  var isInteger: Bool { exponent >= digits.count }

  /// Its value, when it is a whole number from 0 to 10^15.
  var count: Int? {
    guard isInteger, exponent <= 15, let value = scaled(by: 0)?.value, value >= 0 else {
      return nil
    }
    return value
  }

  /// The one spelling of its value, the same for every spelling of it.
  var canonical: String {
    guard !digits.isEmpty else { return "0" }
    return (isNegative ? "-" : "") + "0." + digits.map { String($0) }.joined() + "e\(exponent)"
  }

  static func < (left: Self, right: Self) -> Bool {
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
  func isMultiple(of unit: Self) -> Bool {
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
  var canDivide: Bool { !isNegative && (1...17).contains(digits.count) }

  private static func product(_ left: UInt64, _ right: UInt64, modulo divisor: UInt64) -> UInt64 {
    // Both are below the divisor, so the quotient fits.
    divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }
}
