import Core

/// A rule of a keyword for a value as a whole.
struct SchemaRule: Sendable {
  /// The expectation, for messages: `at least 3 elements`.
  let expected: String
  /// Whether it is about the type of the value.
  var isOfType = false
  /// Describes a value that breaks the rule; `nil` for one that keeps it, or has a type that the
  /// rule is not about.
  let found: @Sendable (Span<UInt8>) -> String?

  /// The fault of `value`; `nil` when it keeps the rule.
  func fault(of value: Span<UInt8>) -> SchemaFault? {
    found(value).map { SchemaFault("", "expected \(expected), found \($0)") }
  }

  /// `value` for a message: objects and arrays by their kind, long texts cut.
  static func shown(_ value: Span<UInt8>) -> String {
    switch SchemaType(of: value) {
    case .object: return "an object"
    case .array: return "an array"
    default:
      let text = String(decoding: value).unicodeScalars
      return text.count > 40 ? String(text.prefix(40)) + "…" : String(text)
    }
  }
}

extension SchemaKeyword {
  /// The rule of the keyword; `nil` when it has none for a value as a whole.
  func rule() throws(SchemaFault) -> SchemaRule? {
    switch name {
    case "type": try types()
    case "enum": try oneOf(elements())
    case "const": try oneOf([Array(spelled.utf8)])
    case "minimum": try bound("at least", number()) { !($0 < $1) }
    case "maximum": try bound("at most", number()) { !($1 < $0) }
    case "exclusiveMinimum": try bound("more than", number()) { $1 < $0 }
    case "exclusiveMaximum": try bound("less than", number()) { $0 < $1 }
    case "multipleOf": try bound("a multiple of", divisor()) { $0.isMultiple(of: $1) }
    case "minLength", "minItems": try size("at least", >=)
    case "maxLength", "maxItems": try size("at most", <=)
    case "uniqueItems":
      spelled == "true" ? Self.differingElements : .init(expected: "") { _ in nil }
    default: nil
    }
  }

  private func types() throws(SchemaFault) -> SchemaRule {
    let names = type == .array ? try strings() : [Array(try string().utf8)]
    if names.isEmpty { throw fault("expected at least one type") }
    let types = try names.map { name throws(SchemaFault) in
      let name = String(decoding: name, as: UTF8.self)
      guard let type = SchemaType(rawValue: name) else { throw fault("no type is called \(name)") }
      return type
    }
    let expected = types.map(\.rawValue).joined(separator: " or ")
    return SchemaRule(expected: expected, isOfType: true) { value in
      types.contains { $0.holds(for: value) } ? nil : SchemaRule.shown(value)
    }
  }

  private func oneOf(_ values: [[UInt8]]) throws(SchemaFault) -> SchemaRule {
    if values.isEmpty { throw fault("expected at least one value") }
    let forms = try values.map { value throws(SchemaFault) in
      guard let form = JSONForm(value.span) else {
        throw fault("a value is nested deeper than \(JSONForm.deepest) levels")
      }
      return form
    }
    let spelled = values.prefix(8).map { String(decoding: $0, as: UTF8.self) }
    let list = spelled.joined(separator: ", ") + (values.count > 8 ? ", …" : "")
    let expected = values.count > 1 ? "one of \(list)" : list
    return SchemaRule(expected: expected) { value in
      JSONForm(value).map(forms.contains) == true ? nil : SchemaRule.shown(value)
    }
  }

  /// A rule for numbers: `holds` compares one with `limit`.
  private func bound(
    _ words: String, _ limit: JSONDecimal,
    _ holds: @escaping @Sendable (JSONDecimal, JSONDecimal) -> Bool
  ) -> SchemaRule {
    SchemaRule(expected: "\(words) \(spelled)") { value in
      guard let number = JSONDecimal(value), !holds(number, limit) else { return nil }
      return SchemaRule.shown(value)
    }
  }

  private func divisor() throws(SchemaFault) -> JSONDecimal {
    let number = try number()
    guard number.canDivide else { throw fault("expected a number above 0 of 17 digits at most") }
    return number
  }

  /// A rule for the number of characters or elements: `holds` compares it with the keyword's.
  private func size(
    _ words: String, _ holds: @escaping @Sendable (Int, Int) -> Bool
  ) throws(SchemaFault) -> SchemaRule {
    guard let limit = try number().count else { throw fault("expected a whole number from 0 on") }
    let isOfText = name.hasSuffix("Length")
    let unit = isOfText ? "characters" : "elements"
    return SchemaRule(expected: "\(words) \(limit) \(unit)") { value in
      guard value[0] == (isOfText ? ASCII.quote : ASCII.openBracket) else { return nil }
      let count =
        isOfText
        ? JSONString.withText(of: value, UTF8Count.characters)
        : JSONChildren.elements(at: value.indices, in: value).count
      return holds(count, limit) ? nil : String(count)
    }
  }

  private static let differingElements = SchemaRule(expected: "elements that differ") { value in
    guard value[0] == ASCII.openBracket else { return nil }
    var forms: Set<JSONForm> = []
    let ranges = JSONChildren.elements(at: value.indices, in: value)
    let again = ranges.first { range in
      JSONForm(value.extracting(range)).map { !forms.insert($0).inserted } ?? false
    }
    return again.map { SchemaRule.shown(value.extracting($0)) + " twice" }
  }
}
