import Core

/// A keyword that says what a value itself must be like. Each holds for values of its own type only.
enum SchemaRule: Sendable {
  /// One of these, in their canonical form; how they are spelled, and how deep they are nested.
  case oneOf([[UInt8]], spelled: [String], levels: Int)
  case minimum(JSONDecimal, spelled: String)
  case maximum(JSONDecimal, spelled: String)
  case exclusiveMinimum(JSONDecimal, spelled: String)
  case exclusiveMaximum(JSONDecimal, spelled: String)
  case multipleOf(JSONDecimal, spelled: String)
  case minLength(Int)
  case maxLength(Int)
  case pattern(Pattern, spelled: String)
  case format(SchemaFormat)
  case minItems(Int)
  case maxItems(Int)
}

extension SchemaRule {
  /// Why `value` does not keep to the rule; `nil` when it does, or is of a kind that the rule does
  /// not speak of.
  func reason(against value: Span<UInt8>) -> String? {
    func elements() -> [Range<Int>] { JSONChildren.elements(at: 0..<value.count, in: value) }
    switch self {
    case .oneOf(let forms, let spelled, let levels):
      if let form = JSONCanonical.form(of: value, levels: levels), forms.contains(form) {
        return nil
      }
      return "expected \(Self.list(spelled)), found \(Self.shown(value))"
    case .minimum(let bound, let spelled):
      return reason(value, "at least \(spelled)") { !($0 < bound) }
    case .maximum(let bound, let spelled):
      return reason(value, "at most \(spelled)") { !(bound < $0) }
    case .exclusiveMinimum(let bound, let spelled):
      return reason(value, "more than \(spelled)") { bound < $0 }
    case .exclusiveMaximum(let bound, let spelled):
      return reason(value, "less than \(spelled)") { $0 < bound }
    case .multipleOf(let unit, let spelled):
      return reason(value, "a multiple of \(spelled)") { $0.isMultiple(of: unit) }
    case .minLength, .maxLength, .pattern, .format: return stringReason(value)
    case .minItems(let least):
      let count = elements().count
      guard value[0] == ASCII.openBracket, count < least else { return nil }
      return "expected at least \(least) elements, found \(count)"
    case .maxItems(let most):
      let count = elements().count
      guard count > most else { return nil }
      return "expected at most \(most) elements, found \(count)"
    }
  }

  private func reason(
    _ value: Span<UInt8>, _ expected: String, _ holds: (JSONDecimal) -> Bool
  ) -> String? {
    guard let number = JSONDecimal(value), !holds(number) else { return nil }
    return "expected \(expected), found \(Self.shown(value))"
  }

  private func stringReason(_ value: Span<UInt8>) -> String? {
    guard value[0] == ASCII.quote else { return nil }
    let text = JSONString.decoded(value)
    let length = { String(decoding: text, as: UTF8.self).unicodeScalars.count }
    switch self {
    case .minLength(let least):
      let count = length()
      return count < least ? "expected at least \(least) characters, found \(count)" : nil
    case .maxLength(let most):
      let count = length()
      return count > most ? "expected at most \(most) characters, found \(count)" : nil
    case .pattern(let pattern, let spelled):
      guard !pattern.matches(text.span) else { return nil }
      return "expected a match of \(spelled), found \(Self.shown(value))"
    case .format(let format):
      guard !format.holds(for: text.span) else { return nil }
      return "expected the format \(format.rawValue), found \(Self.shown(value))"
    default: return nil
    }
  }

  /// Whether it names the values that there are.
  var isConstant: Bool { if case .oneOf = self { true } else { false } }

  /// `value` as a message shows it: objects and arrays by their kind, long texts cut.
  static func shown(_ value: Span<UInt8>) -> String {
    switch JSONKind(firstByte: value[0]) {
    case .object: return "an object"
    case .array: return "an array"
    default:
      let text = String(decoding: value).unicodeScalars
      guard text.count > 40 else { return String(text) }
      return String(text.prefix(40)) + "…"
    }
  }

  private static func list(_ spelled: [String]) -> String {
    guard spelled.count > 1 else { return spelled.first ?? "nothing" }
    let shown = spelled.prefix(8).joined(separator: ", ")
    return spelled.count > 8 ? "one of \(shown), …" : "one of \(shown)"
  }
}
