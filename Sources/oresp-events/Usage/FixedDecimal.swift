import Core

/// Decimals that are kept as integers, so that no digit comes or goes.
enum FixedDecimal {
  /// The JSON number `text` times ten to the power of `places`; `nil` when it is negative, none, or
  /// above 2^53 − 1. `isExact` is false when digits behind that place were dropped.
  static func scaled(_ text: Span<UInt8>, places: Int) -> (value: Int, isExact: Bool)? {
    var (value, isExact) = (0, true)
    var power = places
    var index = 0
    var isFraction = false
    while index < text.count, ASCII.isDigit(text[index]) || text[index] == point {
      if text[index] == point {
        isFraction = true
      } else if isFraction, power == 0 {
        isExact = isExact && text[index] == ASCII.zero
      } else {
        value = value * 10 + Int(text[index] - ASCII.zero)
        if isFraction { power -= 1 }
        guard value <= JSONNumber.largest else { return nil }
      }
      index += 1
    }
    guard index > 0, let exponent = exponent(text.extracting(index...)),
      let (scaled, isWhole) = shifted(value, by: power + exponent)
    else { return nil }
    return (scaled, isExact && isWhole)
  }

  private static let point = UInt8(ascii: ".")

  /// `whole` and `fraction`, which counts in tenths to the power of `places`, without zeros at the
  /// end.
  static func text(whole: Int, fraction: Int, places: Int) -> String {
    let digits = String(fraction)
    var decimals = String(repeating: "0", count: places - digits.count) + digits
    while decimals.last == "0" { decimals.removeLast() }
    return decimals.isEmpty ? String(whole) : "\(whole).\(decimals)"
  }

  /// `value` thousandths or millionths, as `places` says, as a JSON number.
  static func json(_ value: Int, places: Int) -> JSONValue {
    let one = (0..<places).reduce(1) { one, _ in one * 10 }
    let text = text(whole: value / one, fraction: value % one, places: places)
    return .raw(Array(text.utf8))
  }

  private static func exponent(_ text: Span<UInt8>) -> Int? {
    if text.isEmpty { return 0 }
    guard text[0] | 0x20 == UInt8(ascii: "e") else { return nil }
    let digits = text.count > 1 && text[1] == UInt8(ascii: "+") ? 2 : 1
    let exponent = JSONNumber.integer(text.extracting(digits...))
    return exponent.flatMap { -100...100 ~= $0 ? $0 : nil }
  }

  private static func shifted(_ value: Int, by power: Int) -> (Int, Bool)? {
    var (value, isExact) = (value, true)
    for _ in 0..<abs(power) where value != 0 {
      if power < 0 {
        isExact = isExact && value % 10 == 0
        value /= 10
      } else {
        value *= 10
        guard value <= JSONNumber.largest else { return nil }
      }
    }
    return (value, isExact)
  }
}
