/// Integers out of JSON text, with their range checked.
package enum JSONNumber {
  /// The whole number that `value` spells: digits, with a sign perhaps; `1.0` and `1e3` too, since
  /// servers write them. `nil` when it is no whole number or outside ±(2^53 − 1), the range that
  /// every JSON reader keeps exact (RFC 8259, section 6).
  @inline(__always)
  package static func integer(_ value: Span<UInt8>) -> Int? {
    // As nearly all are: a few digits.
    guard !value.isEmpty, value.count < 10 else { return anyInteger(value) }
    var number = 0
    for index in value.indices {
      guard ASCII.isDigit(value[index]) else { return anyInteger(value) }
      number = number &* 10 &+ Int(value[index] &- ASCII.zero)
    }
    return number
  }

  @inline(never)
  private static func anyInteger(_ value: Span<UInt8>) -> Int? {
    var index = 0
    let isNegative = !value.isEmpty && value[0] == ASCII.minus
    if isNegative { index = 1 }
    var magnitude = 0
    let firstDigit = index
    while index < value.count, ASCII.isDigit(value[index]) {
      magnitude = magnitude * 10 + Int(value[index] - ASCII.zero)
      guard magnitude <= largest else { return nil }
      index += 1
    }
    guard index > firstDigit else { return nil }
    guard index < value.count else { return isNegative ? -magnitude : magnitude }
    guard let (value, isExact) = JSONDecimal(value)?.scaled(by: 0), isExact else { return nil }
    return value.magnitude <= largest ? value : nil
  }

  /// The largest whole number that a double keeps exact, 2^53 − 1.
  package static let largest = 9_007_199_254_740_991
}

/// Sizes as people type them.
package enum Size {
  /// The bytes that `text` means: digits, and perhaps K, M or G for powers of 1024; `nil` when it
  /// is none or too large.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.utf8.prefix { ASCII.isDigit($0) }
    guard !digits.isEmpty, let number = Int(String(Substring(digits))) else { return nil }
    let units = ["": 0, "k": 10, "m": 20, "g": 30]
    guard let shift = units[text.dropFirst(digits.count).lowercased()] else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflows ? nil : bytes
  }
}
