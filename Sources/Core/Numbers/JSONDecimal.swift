/// A decimal number with its value kept exactly, however many digits it is spelled with.
package struct JSONDecimal: Hashable, Sendable {
  /// Its digits from the first to the last that is not 0; empty for zero.
  package private(set) var digits: [UInt8] = []
  /// The value is 0.DIGITS times ten to the power of this.
  package private(set) var exponent = 0
  package private(set) var isNegative = false

  /// The number that `text` spells as JSON does (RFC 8259, section 6), or with nothing before or
  /// behind the point; `nil` when it spells none. An exponent beyond ±10^15 counts as that.
  package init?(_ text: Span<UInt8>) {
    var index = 0
    isNegative = text.byte(at: 0) == ASCII.minus
    if isNegative { index = 1 }
    var hasDigits = false
    var isFraction = false
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
      } else if byte == ASCII.point, !isFraction {
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
    while digits.last == 0 { digits.removeLast() }
    guard digits.isEmpty else { return }
    exponent = 0
    isNegative = false
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

  /// The whole part of its value times ten to the power of `places`, and whether nothing stands
  /// behind the point. `nil` from ±10^18 on, so that a sum or difference of two still fits.
  package func scaled(by places: Int) -> (value: Int, isExact: Bool)? {
    let count = exponent + places
    guard count <= 18 else { return nil }
    var value = 0
    for place in 0..<max(count, 0) {
      value = value * 10 + (place < digits.count ? Int(digits[place]) : 0)
    }
    return (isNegative ? -value : value, digits.count <= count || digits.isEmpty)
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
}
