package import Core

extension PriceList {
  /// Reads the file at `path`.
  package init(reading path: String) throws(Failure) {
    let text = try Descriptor(reading: path).readAll()
    try self.init(text.span, file: path)
  }

  /// Reads `text`, a JSON object of one object for each model. `file` is what faults are told of.
  package init(_ text: Span<UInt8>, file: String) throws(Failure) {
    try Self.check(text, file: file)
    var members = JSONChildren()
    var rows: [Row] = []
    var currency: JSONValue?
    while let member = members.next(in: text) {
      let name = JSONString.decoded(inside: text.extracting(member.name))
      if name.span.equals("currency"), text[member.value.lowerBound] == ASCII.quote {
        currency = .raw([UInt8](copying: text.extracting(member.value)))
        continue
      }
      let reader = PriceReader(file: file, model: String(decoding: name, as: UTF8.self))
      if rows.contains(where: { $0.name == name }) {
        throw reader.fault("given twice", at: member.name.lowerBound, in: text)
      }
      guard let glob = Glob(reader.model) else {
        throw reader.fault("a bracket or brace is not closed", at: member.name.lowerBound, in: text)
      }
      rows.append(Row(name: name, glob: glob, price: try reader.price(at: member.value, in: text)))
    }
    self.init(rows, currency: currency)
  }

  private static func check(_ text: Span<UInt8>, file: String) throws(Failure) {
    let reader = PriceReader(file: file, model: "")
    if let why = JSONScanner.fault(in: text) {
      var scanner = JSONScanner()
      var place = 0
      _ = scanner.scan(text, &place)
      throw reader.fault("not JSON: \(why)", at: place, in: text)
    }
    guard LineShape.isObject(text) else {
      throw reader.fault("expected an object of models and their prices", at: 0, in: text)
    }
  }
}

/// Reads the prices of one model out of a file of prices.
private struct PriceReader {
  let file: String
  /// Empty when a fault is about the whole.
  let model: String

  private static let names = ["input", "cached", "output", "reasoning"]

  func price(at place: Range<Int>, in text: Span<UInt8>) throws(Failure) -> PriceList.Price {
    guard text[place.lowerBound] == ASCII.openBrace else {
      throw fault("expected an object of prices", at: place.lowerBound, in: text)
    }
    var found: [String: Int] = [:]
    var members = JSONChildren(at: place.lowerBound)
    while let member = members.next(in: text) {
      let name = try name(of: member, in: text)
      if found[name] != nil { throw fault("\(name) is given twice", at: member, in: text) }
      found[name] = try amount(of: member, in: text, name)
    }
    guard let input = found["input"], let output = found["output"] else {
      throw fault("input and output must be given", at: place.lowerBound, in: text)
    }
    return PriceList.Price(
      input: input, cached: found["cached"] ?? input, output: output,
      reasoning: found["reasoning"] ?? output)
  }

  private func name(
    of member: JSONChildren.Child, in text: Span<UInt8>
  ) throws(Failure) -> String {
    let name = String(
      decoding: JSONString.decoded(inside: text.extracting(member.name)), as: UTF8.self)
    guard !Self.names.contains(name) else { return name }
    let hint = nearest(name, among: Self.names).map { "; did you mean \($0)?" } ?? ""
    throw fault("no price is called \(name)\(hint)", at: member, in: text)
  }

  private func amount(
    of member: JSONChildren.Child, in text: Span<UInt8>, _ name: String
  ) throws(Failure) -> Int {
    let amount = FixedDecimal.scaled(text.extracting(member.value), places: 9)
    guard let amount, amount.isExact, amount.value <= 1_000_000_000_000_000 else {
      let expected = "a number from 0 to 1000000 with nine decimals at most"
      throw fault("\(name): expected \(expected)", at: member, in: text)
    }
    return amount.value
  }

  private func fault(
    _ why: String, at member: JSONChildren.Child, in text: Span<UInt8>
  ) -> Failure {
    fault(why, at: member.value.lowerBound, in: text)
  }

  func fault(_ why: String, at place: Int, in text: Span<UInt8>) -> Failure {
    var line = 1
    for index in 0..<min(place, text.count) where text[index] == ASCII.lf { line += 1 }
    let about = model.isEmpty ? "" : model + ": "
    return .other("\(file): line \(line), byte \(place): \(about)\(why)", .badInput)
  }
}
