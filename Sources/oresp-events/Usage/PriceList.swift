package import Core

/// What tokens cost, by model.
package struct PriceList: Sendable {
  /// What a million tokens of each kind cost, in billionths of the currency's unit.
  typealias Prices = [TokenKind: Int]

  /// The currency as the list spells it.
  private(set) var currency: JSONValue?
  /// The longest names first: they say most.
  private var rows: [Row] = []

  /// The prices of the models that a name or pattern stands for.
  private struct Row {
    var name: [UInt8]
    var glob: Glob
    var prices: Prices
  }

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
      rows.append(Row(name: name, glob: glob, prices: try Self.prices(of: member, in: file)))
    }
    rows.sort { $0.name.count > $1.name.count }
  }

  /// Reads the prices of `model`, a member of the file.
  private static func prices(
    of model: FileText.Member, in file: FileText
  ) throws(Failure) -> Prices {
    let start = model.value.lowerBound
    var prices: Prices = [:]
    for member in try file.members("\(model.name): expected an object of prices", at: start) {
      func fault(_ why: String) -> Failure {
        file.fault("\(model.name): \(why)", at: member.value.lowerBound)
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
      throw file.fault("\(model.name): input and output must be given", at: start)
    }
    return prices
  }

  /// The prices of `model`: those of its very name, or of the name of which it is a dated version, or
  /// of the longest pattern that matches it.
  func prices(of model: [UInt8]) -> Prices? {
    let row =
      rows.first { $0.name == model } ?? rows.first { Self.isVersion(model, of: $0.name) }
      ?? rows.first { $0.glob.matches(model.span) }
    return row?.prices
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
