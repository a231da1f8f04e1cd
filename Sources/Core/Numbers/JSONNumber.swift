/// Integers out of JSON text, with their range checked.
package enum JSONNumber {
  /// The whole number that `value` spells: digits, with a sign perhaps; `1.0` and `1e3` too, since
  /// servers write them. `nil` when it is no whole number or outside ±(2^53 − 1), the range that
  /// every JSON reader keeps exact (RFC 8259, section 6).
  @inline(__always)
  package static func integer(_ value: Span<UInt8>) -> Int? {
    // Nearly all have a few digits; 15 of them are within the range.
    guard !value.isEmpty, value.count < 16 else { return anyInteger(value) }
    var number = 0
    for index in value.indices {
      guard ASCII.isDigit(value[index]) else { return anyInteger(value) }
      number = number &* 10 &+ Int(value[index] &- ASCII.zero)
    }
    return number
  }

  @inline(never)
  private static func anyInteger(_ value: Span<UInt8>) -> Int? {
    guard let (number, isExact) = JSONDecimal(value)?.scaled(by: 0), isExact else { return nil }
    return number.magnitude <= largest ? number : nil
  }

  /// The largest whole number that a double keeps exact, 2^53 − 1.
  package static let largest = 9_007_199_254_740_991
}
