import Core

/// One schema within a schema. It refers to other schemas by their indices in the list of all.
struct SchemaNode: Sendable {
  /// Its JSON Pointer in the whole.
  let pointer: String
  /// Its range in the text of the whole.
  let range: Range<Int>
  /// The number of schemas around it.
  let depth: Int
  /// Whether no value meets it.
  var isNever = false
  /// The rules for a value as a whole.
  var rules: [SchemaRule] = []
  var properties: [[UInt8]: Int] = [:]
  var required: [[UInt8]] = []
  /// The schema for members that `properties` does not name; `nil` when any may come.
  var additional: Int?
  var items: Int?
  /// Whether it has schemas by pattern, which are not checked: any other member may come then.
  var hasPatterns = false
  /// The schemas for the first elements, one for each.
  var prefix: [Int] = []
  var anyOf: [Int] = []
  var oneOf: [Int] = []
  var allOf: [Int] = []
  var not: Int?
  var reference: Int?

  /// The schemas for the same value that this one refers to.
  var sameValue: [Int] { anyOf + oneOf + allOf + [not, reference].compactMap(\.self) }

  /// The schemas that the value behind `step` must meet.
  func schemas(behind step: SchemaStep) -> [Int] {
    switch step {
    case .member(let name):
      return [properties[name] ?? (hasPatterns ? nil : additional)].compactMap(\.self)
    case .element(let number):
      return [prefix.indices.contains(number) ? prefix[number] : items].compactMap(\.self)
    }
  }

  /// Whether it has rules for members or elements.
  var looksInside: Bool {
    items != nil || additional != nil || !properties.isEmpty || !required.isEmpty
      || !prefix.isEmpty
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

  /// The first byte of the object or array that contains the value.
  var bracket: UInt8 {
    if case .member = self { ASCII.openBrace } else { ASCII.openBracket }
  }
}

/// The types in a schema: the types of JSON (RFC 8259, section 3), and whole numbers.
enum SchemaType: String, Sendable {
  case null, boolean, integer, number, string, array, object

  /// The type of `value`, a JSON value; never `integer`.
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
