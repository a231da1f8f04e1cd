package import Core

/// Prints what each response costs by a list of prices, and the sums.
package struct CostFilter: EventFilter {
  private let prices: PriceList
  private var tracker = ResponseTracker()
  private var responses = 0
  /// How many responses are not in the sum, for their model or their tokens are not known.
  private var unknown = 0
  private var tokens = TokenCounts()
  /// The sum of the costs that are known; `nil` as long as none is.
  private var cost: Money?

  package init(_ prices: PriceList) { self.prices = prices }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    if let end = tracker.handle(event, line, into: &output) { print(end.facts, into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    if let facts = tracker.finish() { print(facts, into: &output) }
    let sums =
      [("responses", .integer(responses)), ("unknown", .integer(unknown))] + tokens.members
      + money(cost)
    output.append(line: JSONValue.object([("total", .object(sums))]).line.span)
  }

  private mutating func print(_ facts: ResponseFacts, into output: inout Output) {
    let counts = facts.tokens
    let amount = prices.price(of: Self.name(facts.model)).flatMap { $0.cost(of: counts) }
    responses += 1
    // What would make the sum too large to count is left out of it.
    if let amount, let sum = (cost ?? Money()) + amount { cost = sum } else { unknown += 1 }
    for count in [\TokenCounts.input, \.cached, \.output, \.reasoning] {
      tokens[keyPath: count] = Self.sum(tokens[keyPath: count], counts[keyPath: count])
    }
    let line = JSONValue.object(
      [("response_id", facts.id), ("model", facts.model)] + counts.members + money(amount)
    ).line
    output.append(line: line.span)
  }

  private func money(_ amount: Money?) -> [(name: String, value: JSONValue)] {
    let currency = prices.currency.map { [(name: "currency", value: $0)] } ?? []
    return [("cost", amount?.json ?? .null)] + currency
  }

  /// The sum of what is known. It stops growing where integers end.
  private static func sum(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return left ?? right }
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  private static func name(_ model: JSONValue) -> [UInt8] {
    guard case .raw(let text) = model, text.first == ASCII.quote else { return [] }
    return JSONString.decoded(text.span)
  }
}
