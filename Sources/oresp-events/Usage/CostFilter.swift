import Core

/// Prints the cost of each response, as the server says or by a list of prices, and the sums.
struct CostFilter: EventFilter {
  private var facts = OpenFacts()
  private let prices: PriceList
  private var responses = 0
  /// Responses that are not in the sum, as their costs are not known.
  private var unknown = 0
  private var tokens = TokenCounts()
  /// The sum of the costs that are known; `nil` as long as none is.
  private var cost: Money?
  /// Models and tiers that were reported to have no price.
  private var unpriced: Set<String> = []
  /// The currency of the sum, as far as the list of prices or a charge of a server says it.
  private var currency: String?
  /// The id of the last answer of each tag.
  private var answers: [[UInt8]: [UInt8]] = [:]

  private static let mostAnswers = 1024

  init(_ prices: PriceList) {
    self.prices = prices
    currency = prices.currency?.string.map { String(decoding: $0, as: UTF8.self) }
  }

  var hasOther: Bool { facts.hasLogged }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    if let logged = facts.handle(event, line) { print(logged, into: &output) }
  }

  mutating func close(_ response: Response, into output: inout Output) {
    if let facts = facts.close(response) { print(facts, into: &output) }
  }

  mutating func finish(into output: inout Output) {
    let counts: [(name: String, value: JSONValue)] = [
      ("responses", .number(responses)), ("unknown", .number(unknown)),
    ]
    let sums = JSONValue.object(counts + tokens.members + members(of: cost, currency != nil))
    output.append(line: JSONValue.object([("total", sums)]).line.span)
  }

  private mutating func print(_ facts: ResponseFacts, into output: inout Output) {
    let counts = facts.tokens
    let charge = self.charge(of: facts, into: &output)
    let isCounted = isFurtherChoice(facts)
    // Where no prices are given, a charge in another currency was reported.
    let isSaid = isCounted || facts.charge != nil && prices.isEmpty
    let amount = charge ?? (isSaid ? nil : price(of: facts, into: &output))
    responses += 1
    // A cost that would make the sum too large to count is left out of it.
    if let amount, let sum = (cost ?? Money()) + amount {
      cost = sum
    } else if !isCounted {
      unknown += 1
    }
    tokens.add(counts)
    let sums = counts.members + members(of: amount, charge != nil)
    output.append(line: facts.line(facts.created + sums).span)
  }

  /// Whether the response is a further choice of a chat: the first one's tokens are those of all.
  private mutating func isFurtherChoice(_ facts: ResponseFacts) -> Bool {
    let id = facts.id.string ?? []
    if let answer = answers[facts.tag], ChatTranslator.isID(id, ofChoiceOf: answer) {
      return facts.usage.isNull
    }
    if answers.count >= Self.mostAnswers { answers = [:] }
    answers[facts.tag] = id
    return false
  }

  /// What the server charged for a response, in the currency of the sum; `nil` when it did not say.
  private mutating func charge(of facts: ResponseFacts, into output: inout Output) -> Money? {
    guard let charge = facts.charge else { return nil }
    if currency == nil { currency = prices.isEmpty ? charge.currency : "USD" }
    guard let currency, currency != charge.currency else { return charge.money }
    if prices.isEmpty, unpriced.insert(charge.currency).inserted {
      let why = "a charge in \(charge.currency) is not in the sum, which is in \(currency)"
      output.notices.append(Notice(.warning, why))
    }
    return nil
  }

  private mutating func price(of facts: ResponseFacts, into output: inout Output) -> Money? {
    let (money, missing) = prices.cost(of: facts)
    if let missing, unpriced.insert(missing).inserted {
      let hint = prices.isEmpty ? "; --prices=FILE reads prices" : ""
      let why = "no price for \(missing): its cost is unknown"
      output.notices.append(Notice(.warning, why + hint))
    }
    return money
  }

  private func members(
    of amount: Money?, _ isCharged: Bool
  ) -> [(name: String, value: JSONValue)] {
    let currency = prices.currency ?? (isCharged ? currency.map { .text($0) } : nil)
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

  /// The cost of `tokens`; `nil` when no server sent them, or they contradict each other.
  init?(_ tokens: TokenCounts, at prices: PriceList.Prices) {
    var left = tokens
    for kind in TokenKind.allCases {
      guard let whole = kind.place.whole, let part = tokens[kind] else { continue }
      guard let rest = left[whole], part <= rest else { return nil }
      left[whole] = rest - part
    }
    guard left[.input] != nil, left[.output] != nil else { return nil }
    for kind in TokenKind.allCases {
      guard let count = left[kind] else { continue }
      guard let price = prices[kind] ?? kind.place.whole.flatMap({ prices[$0] }),
        let sum = self + Money(count, price)
      else { return nil }
      self = sum
    }
  }

  /// The cost of `tokens` at `price`, in billionths of the unit for a million of them. Both are
  /// within 0 and 2^53 − 1.
  private init(_ tokens: Int, _ price: Int) {
    let product = UInt64(tokens).multipliedFullWidth(by: UInt64(price))
    let parts = UInt64(Self.one).dividingFullWidth(product)
    (units, fraction) = (Int(parts.quotient), Int(parts.remainder))
  }

  /// The number that `text` spells, divided by ten to the power of `places` and rounded down; `nil`
  /// when it spells none, or one that is too large.
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
