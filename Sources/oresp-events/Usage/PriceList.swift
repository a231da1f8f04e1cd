package import Core

/// The prices of tokens, by model, service tier and size of the input.
package struct PriceList: Sendable {
  /// The prices of a million tokens of each kind, in billionths of the currency's unit.
  typealias Prices = [TokenKind: Int]

  /// The currency as the list spells it.
  private(set) var currency: JSONValue?
  /// The longest names first: they say most.
  private var rows: [Row] = []

  /// The prices of the models that a name or pattern stands for.
  private struct Row {
    var name: [UInt8]
    var glob: Glob
    /// The prices of each service tier; the ones without a tier are called `default`.
    var tiers: [String: [Step]]
  }

  /// The prices for an input of more than so many tokens.
  private struct Step {
    var above: Int
    var prices: Prices
  }

  /// Whether it has no price.
  var isEmpty: Bool { rows.isEmpty }

  /// A list without prices.
  package init() {}

  /// Reads `file`, a JSON object of one object for each model.
  package init(_ file: FileText) throws(Failure) {
    try file.checkJSON()
    for member in try file.members("expected an object of models and their prices") {
      if member.name == "currency", file.bytes[member.value.lowerBound] == ASCII.quote {
        currency = .raw(Array(file.bytes[member.value]))
        continue
      }
      let name = Array(member.name.utf8)
      if rows.contains(where: { $0.name == name }) {
        throw file.fault("\(member.name): given twice", at: member.place)
      }
      guard let glob = Glob(member.name) else {
        throw file.fault("\(member.name): a bracket or brace is not closed", at: member.place)
      }
      rows.append(Row(name: name, glob: glob, tiers: try Self.tiers(of: member, in: file)))
    }
    rows.sort { $0.name.count > $1.name.count }
  }

  private static func tiers(
    of model: FileText.Member, in file: FileText
  ) throws(Failure) -> [String: [Step]] {
    let start = model.value.lowerBound
    var tiers = ["default": try steps(model.name, at: start, in: file, besides: ["tiers"])]
    for member in try file.members("", at: start) where member.name == "tiers" {
      let expected = "\(model.name): tiers: expected an object of service tiers"
      for tier in try file.members(expected, at: member.value.lowerBound) {
        let name = "\(model.name): \(tier.name)"
        tiers[tier.name] = try steps(name, at: tier.value.lowerBound, in: file)
      }
    }
    return tiers
  }

  /// Reads the prices in the object at `start`, those for the largest inputs first.
  private static func steps(
    _ name: String, at start: Int, in file: FileText, besides others: [String] = []
  ) throws(Failure) -> [Step] {
    let usual = try prices(name, at: start, in: file, besides: others + ["above"])
    var steps = [Step(above: -1, prices: usual)]
    for member in try file.members("", at: start) where member.name == "above" {
      let expected = "\(name): above: expected an object of numbers of tokens"
      for size in try file.members(expected, at: member.value.lowerBound) {
        guard let above = JSONNumber.integer(Array(size.name.utf8).span), above >= 0 else {
          throw file.fault(
            "\(name): above: expected a number of tokens, got \(size.name)", at: size.place)
        }
        let prices = try prices("\(name): \(above)", at: size.value.lowerBound, in: file)
        steps.append(Step(above: above, prices: prices))
      }
    }
    return steps.sorted { $0.above > $1.above }
  }

  /// Reads the prices in the object at `start`; the members `others` are something else.
  private static func prices(
    _ name: String, at start: Int, in file: FileText, besides others: [String] = []
  ) throws(Failure) -> Prices {
    var prices: Prices = [:]
    for member in try file.members("\(name): expected an object of prices", at: start) {
      if others.contains(member.name) { continue }
      func fault(_ why: String) -> Failure {
        file.fault("\(name): \(why)", at: member.value.lowerBound)
      }
      guard let kind = TokenKind(rawValue: member.name) else {
        let hint = hint(for: member.name, among: TokenKind.allCases.map(\.rawValue))
        throw fault("no price is called \(member.name)\(hint)")
      }
      if prices[kind] != nil { throw fault("\(member.name) is given twice") }
      let price = JSONDecimal(file.bytes.span.extracting(member.value))?.scaled(by: 9)
      guard let price, price.isExact, 0...1_000_000_000_000_000 ~= price.value else {
        let expected = "a number from 0 to 1000000 with nine decimals at most"
        throw fault("\(member.name): expected \(expected)")
      }
      prices[kind] = price.value
    }
    guard prices[.input] != nil, prices[.output] != nil else {
      throw file.fault("\(name): input and output must be given", at: start)
    }
    return prices
  }

  /// The cost of a response; `nil` when no server sent its tokens, or they contradict each other,
  /// or a price is missing: then also the name of what has none.
  func cost(of response: ResponseFacts) -> (money: Money?, unpriced: String?) {
    let tokens = response.tokens
    guard let input = tokens[.input], tokens[.output] != nil else { return (nil, nil) }
    let model = response.model.string ?? []
    let name = String(decoding: model, as: UTF8.self)
    guard let row = row(of: model) else {
      return (nil, name.isEmpty ? "a response without a model" : "the model \(name)")
    }
    let sent = String(decoding: response.serviceTier.string ?? [], as: UTF8.self)
    let tier = ["", "auto"].contains(sent) ? "default" : sent
    guard let prices = row.tiers[tier]?.first(where: { input > $0.above })?.prices else {
      return (nil, "the service tier \(tier) of \(name)")
    }
    if tokens[.cacheWrite] ?? 0 > 0, prices[.cacheWrite] == nil {
      return (nil, "the tokens that \(name) wrote to its cache")
    }
    return (Money(tokens, at: prices), nil)
  }

  /// The row of `model`: found by its full name, else by the name without its date, else by the
  /// longest pattern that matches it.
  private func row(of model: [UInt8]) -> Row? {
    rows.first { $0.name == model } ?? rows.first { Self.isVersion(model, of: $0.name) }
      ?? rows.first { $0.glob.matches(model.span) }
  }

  /// Whether `model` is a version of the model called `name`, such as `gpt-5-2025-08-07` of
  /// `gpt-5`, which `gpt-5-mini` is not.
  private static func isVersion(_ model: [UInt8], of name: [UInt8]) -> Bool {
    guard !name.isEmpty, model.starts(with: name) else { return false }
    let date = model.dropFirst(name.count)
    return date.first == ASCII.minus && date.count(where: ASCII.isDigit) >= 4
      && date.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.minus }
  }
}
