import Core

/// What tokens cost, by model.
package struct PriceList: Sendable {
  /// What a million tokens of each kind cost, in billionths of the currency's unit.
  struct Price: Sendable {
    var input: Int
    var cached: Int
    var output: Int
    var reasoning: Int

    /// What `tokens` cost; `nil` when they are not told, or contradict each other.
    func cost(of tokens: TokenCounts) -> Money? {
      guard let input = tokens.input, let output = tokens.output else { return nil }
      let (cached, reasoning) = (tokens.cached ?? 0, tokens.reasoning ?? 0)
      guard cached <= input, reasoning <= output else { return nil }
      let parts = [
        (input - cached, self.input), (cached, self.cached),
        (output - reasoning, self.output), (reasoning, self.reasoning),
      ]
      return parts.reduce(Money()) { sum, part in
        sum.flatMap { $0 + Money(tokens: part.0, price: part.1) }
      }
    }
  }

  /// The price of the models that a name or pattern stands for.
  struct Row: Sendable {
    var name: [UInt8]
    var glob: Glob
    var price: Price
  }

  /// The currency as the list spells it.
  let currency: JSONValue?
  /// The longest names first: they say most.
  private let rows: [Row]

  init(_ rows: [Row], currency: JSONValue?) {
    self.currency = currency
    self.rows = rows.sorted { $0.name.count > $1.name.count }
  }

  /// The price of `model`: that of its very name, or of the name of which it is a dated version, or
  /// of the longest pattern that matches it.
  func price(of model: [UInt8]) -> Price? {
    let row =
      rows.first { $0.name == model } ?? rows.first { Self.isVersion(model, of: $0.name) }
      ?? rows.first { $0.glob.matches(model.span) }
    return row?.price
  }

  /// Whether `model` is a version of the model called `name`, such as `gpt-5-2025-08-07` of `gpt-5`,
  /// which `gpt-5-mini` is not.
  private static func isVersion(_ model: [UInt8], of name: [UInt8]) -> Bool {
    guard !name.isEmpty, model.starts(with: name) else { return false }
    let date = model.dropFirst(name.count)
    return date.first == ASCII.minus && date.count(where: ASCII.isDigit) >= 4
      && date.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.minus }
  }
}
