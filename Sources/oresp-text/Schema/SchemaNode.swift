import Core

/// One schema within a schema. Other schemas are known by their places in the list of all.
struct SchemaNode: Sendable {
  /// Where it stands in the whole, as a JSON Pointer.
  let pointer: String
  /// Where it stands in the text of the whole.
  let place: Range<Int>
  /// In how many other schemas it stands.
  let depth: Int
  /// Whether no value meets it.
  var isNever = false
  /// What it says of a value without taking that apart.
  var rules: [SchemaRule] = []
  var properties: [[UInt8]: Int] = [:]
  var required: [[UInt8]] = []
  /// What members meet that `properties` does not name; `nil` when anything goes.
  var additional: Int?
  var items: Int?
  /// What members meet whose names match.
  var patterns: [(pattern: Pattern, schema: Int)] = []
  /// What the first elements meet, each its own.
  var prefix: [Int] = []
  var anyOf: [Int] = []
  var oneOf: [Int] = []
  var allOf: [Int] = []
  var not: Int?
  var reference: Int?

  /// The schemas that a value must meet for meeting this one, without being taken apart.
  var sameValue: [Int] { anyOf + oneOf + allOf + [not, reference].compactMap(\.self) }

  /// What the value behind `step` has to meet.
  func schemas(behind step: SchemaStep) -> [Int] {
    switch step {
    case .member(let name):
      let matching = patterns.filter { $0.pattern.matches(name.span) }.map(\.schema)
      let named = [properties[name]].compactMap(\.self) + matching
      return named.isEmpty ? [additional].compactMap(\.self) : named
    case .element(let number):
      return [prefix.indices.contains(number) ? prefix[number] : items].compactMap(\.self)
    }
  }

  /// Whether it says anything of what stands in a value.
  var looksInside: Bool {
    items != nil || additional != nil || !properties.isEmpty || !required.isEmpty
      || !patterns.isEmpty || !prefix.isEmpty
  }
}

/// A step from an object or an array to a value in it.
package enum SchemaStep: Sendable {
  case member([UInt8])
  case element(Int)

  /// The step in a JSON Pointer, without its escapes.
  var name: [UInt8] {
    switch self {
    case .member(let name): name
    case .element(let number): Array(String(number).utf8)
    }
  }

  /// What the value begins with that the step leads into.
  var bracket: UInt8 {
    if case .member = self { ASCII.openBrace } else { ASCII.openBracket }
  }
}

/// The types that a schema knows: those of JSON (RFC 8259, section 3), and whole numbers.
enum SchemaType: String, Sendable {
  case null, boolean, integer, number, string, array, object

  /// The type of `value`, a JSON value; one of JSON's own.
  init(of value: Span<UInt8>) {
    switch value[0] {
    case ASCII.quote: self = .string
    case ASCII.openBrace: self = .object
    case ASCII.openBracket: self = .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }

  /// Whether `value` is of the type.
  func holds(for value: Span<UInt8>) -> Bool {
    self == .integer ? JSONDecimal(value)?.isInteger == true : self == Self(of: value)
  }
}
