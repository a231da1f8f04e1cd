/// One schema within a schema. Other schemas are known by their places in the list of all.
struct SchemaNode: Sendable {
  /// Where it stands in the whole, as a JSON Pointer.
  let pointer: String
  /// How many objects it stands in, those of the definition counted that it belongs to.
  let level: Int
  /// Whether it is `true` or `false` and not an object.
  var isBoolean = false
  /// Whether no value meets it.
  var isNever = false
  /// The types that a value may have; `nil` for any.
  var types: [SchemaType]?
  var rules: [SchemaRule] = []
  var properties: [[UInt8]: Int] = [:]
  /// The names of `properties` in order.
  var propertyNames: [[UInt8]] = []
  var required: [[UInt8]] = []
  /// What members meet that `properties` does not name; `nil` when anything goes.
  var additional: Int?
  var items: Int?
  var anyOf: [Int] = []
  var reference: Int?

  init(pointer: String, level: Int) { (self.pointer, self.level) = (pointer, level) }

  /// Whether it describes an object.
  var isObject: Bool { types?.contains(.object) ?? !propertyNames.isEmpty }

  /// The schemas that a value must meet for meeting this one, without being taken apart.
  var sameValue: [Int] { anyOf + (reference.map { [$0] } ?? []) }
}

/// The types that a schema knows: those of JSON, and whole numbers.
enum SchemaType: String, Sendable {
  case null, boolean, integer, number, string, array, object

  /// Whether `value` is of the type.
  func holds(for value: Span<UInt8>) -> Bool {
    let kind = JSONKind(firstByte: value[0])
    if self == .integer { return kind == .number && JSONDecimal(value)?.isInteger == true }
    return kind.rawValue == rawValue
  }
}

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
