package import Core

/// Prints what each response costs, as the server says or by a list of prices, and the sums.
package struct CostFilter: EventFilter {
  private let prices: PriceList
  private var records = ResponseRecords<NoRecord>()
  private var responses = 0
  /// How many responses are not in the sum, for their model or their tokens are not known.
  private var unknown = 0
  private var tokens = TokenCounts()
  /// The sum of the costs that are known; `nil` as long as none is.
  private var cost: Money?
  /// What was told to have no price.
  private var unpriced: Set<String> = []
  /// Whether the sum has any charge of a server, which is in dollars.
  private var hasCharge = false

  package init(_ prices: PriceList) { self.prices = prices }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    for response in records.handle(event, line) { print(response.facts, into: &output) }
  }

  package var hasOther: Bool { records.hasLogged }

  package mutating func finish(into output: inout Output) {
    for response in records.finish() { print(response.facts, into: &output) }
    let counts = [("responses", responses), ("unknown", unknown)].map {
      ($0, JSONValue.integer($1))
    }
    let sums = JSONValue.object(counts + tokens.members + members(of: cost, hasCharge))
    output.append(line: JSONValue.object([("total", sums)]).line.span)
  }

  private mutating func print(_ facts: ResponseFacts, into output: inout Output) {
    let counts = facts.tokens
    let charge = prices.isInDollars ? facts.charge : nil
    hasCharge = hasCharge || charge != nil
    let amount = charge ?? price(of: facts, into: &output)
    responses += 1
    // What would make the sum too large to count is left out of it.
    if let amount, let sum = (cost ?? Money()) + amount { cost = sum } else { unknown += 1 }
    tokens.add(counts)
    output.append(line: facts.line(counts.members + members(of: amount, charge != nil)).span)
  }

  private mutating func price(of facts: ResponseFacts, into output: inout Output) -> Money? {
    switch prices.cost(of: facts) {
    case .money(let money): return money
    case .untold: return nil
    case .unpriced(let what):
      if unpriced.insert(what).inserted {
        let hint = prices.isEmpty ? "; --prices=FILE reads prices" : ""
        let why = "no price for \(what): its cost is unknown"
        output.notices.append(Notice(.warning, why + hint))
      }
      return nil
    }
  }

  private func members(
    of amount: Money?, _ isCharged: Bool
  ) -> [(name: String, value: JSONValue)] {
    let currency = prices.currency ?? (isCharged ? .text("USD") : nil)
    return [("cost", amount?.json ?? .null)] + (currency.map { [("currency", $0)] } ?? [])
  }
}

/// An amount of money, exact to 10^-15 of the currency's unit.
struct Money {
  private var units = 0
  /// Below 10^15.
  private var fraction = 0

  private static let one = 1_000_000_000_000_000

  init() {}

  /// What `tokens` cost; `nil` when they are not told, or contradict each other.
  init?(_ tokens: TokenCounts, at prices: PriceList.Prices) {
    var left = tokens
    for kind in TokenKind.allCases {
      guard let whole = kind.whole, let part = tokens[kind] else { continue }
      guard let rest = left[whole], part <= rest else { return nil }
      left[whole] = rest - part
    }
    guard left[.input] != nil, left[.output] != nil else { return nil }
    for kind in TokenKind.allCases {
      guard let count = left[kind] else { continue }
      guard let price = prices[kind] ?? kind.whole.flatMap({ prices[$0] }),
        let sum = self + Money(count, price)
      else { return nil }
      self = sum
    }
  }

  /// What so many tokens cost at a price, in billionths of the unit for a million of them. Both are
  /// within 0 and 2^53 − 1.
  private init(_ tokens: Int, _ price: Int) {
    let product = UInt64(tokens).multipliedFullWidth(by: UInt64(price))
    let parts = UInt64(Self.one).dividingFullWidth(product)
    (units, fraction) = (Int(parts.quotient), Int(parts.remainder))
  }

  /// The number that `text` spells, divided by ten to the power of `places`, what is smaller than
  /// can be counted left off; `nil` when it is none, or too large.
  init?(_ text: Span<UInt8>, places: Int) {
    guard let amount = JSONDecimal(text)?.scaled(by: 15 - places)?.value, amount >= 0 else {
      return nil
    }
    (units, fraction) = amount.quotientAndRemainder(dividingBy: Self.one)
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
    let decimals = JSONDecimal.text(fraction, places: 15).dropFirst()
    return .raw(Array("\(units)\(decimals)".utf8))
  }
}
