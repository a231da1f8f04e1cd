import Core

/// Comparisons of numbers for a schema.
extension JSONDecimal {
  /// Whether it has no fraction: `1.0` has none.
  var isInteger: Bool { exponent >= digits.count }

  /// Its value, if it is a whole number from 0 to 10^15.
  var count: Int? {
    guard isInteger, exponent <= 15, let value = scaled(by: 0)?.value, value >= 0 else {
      return nil
    }
    return value
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (near, far) = left.isNegative ? (right, left) : (left, right)
    if near.digits.isEmpty || far.digits.isEmpty { return near.digits.count < far.digits.count }
    return near.exponent == far.exponent
      ? near.digits.lexicographicallyPrecedes(far.digits) : near.exponent < far.exponent
  }

  /// Whether it may be the unit of `isMultiple(of:)`: it is above zero, with at most 17 digits
  /// between the zeros at its ends.
  var canDivide: Bool { !isNegative && (1...17).contains(digits.count) }

  /// Whether the value is a whole multiple of `unit`, which `canDivide`.
  func isMultiple(of unit: Self) -> Bool {
    guard !digits.isEmpty else { return true }
    // Both as whole numbers times powers of ten; neither whole number ends in 0.
    let shift = (exponent - digits.count) - (unit.exponent - unit.digits.count)
    let divisor = unit.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    guard shift >= 0, divisor > 0 else { return false }
    var rest = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % divisor }
    // No divisor below 10^17 has more twos and fives than so many tens.
    for _ in 0..<min(shift, 57) { rest = rest * 10 % divisor }
    return rest == 0
  }
}
