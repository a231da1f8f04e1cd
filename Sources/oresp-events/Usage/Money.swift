import Core

/// An amount of money, exact to 10^-15 of the currency's unit.
struct Money {
  private var units = 0
  /// Below 10^15.
  private var fraction = 0

  private static let one = 1_000_000_000_000_000

  init() {}

  /// What `tokens` cost at `price`, billionths of the unit for a million of them. Both must be
  /// within 0 and 2^53 − 1.
  init(tokens: Int, price: Int) {
    let product = UInt64(tokens).multipliedFullWidth(by: UInt64(price))
    let parts = UInt64(Self.one).dividingFullWidth(product)
    (units, fraction) = (Int(parts.quotient), Int(parts.remainder))
  }

  /// The sum; `nil` when it is too large.
  static func + (left: Self, right: Self) -> Self? {
    var sum = Self()
    let fraction = left.fraction + right.fraction
    sum.fraction = fraction % one
    let (units, overflows) = left.units.addingReportingOverflow(right.units + fraction / one)
    sum.units = units
    return overflows ? nil : sum
  }

  /// The amount as a plain JSON number.
  var json: JSONValue {
    .raw(Array(FixedDecimal.text(whole: units, fraction: fraction, places: 15).utf8))
  }
}
