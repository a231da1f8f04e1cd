import Core

/// One schema within a schema. Other schemas are known by their places in the list of all.
struct SchemaNode: Sendable {
  /// Where it stands in the whole, as a JSON Pointer.
  let pointer: String
  /// Whether no value meets it.
  var isNever = false
  /// The types that a value may have; `nil` for any.
  var types: [SchemaType]?
  var rules: [SchemaRule] = []
  var properties: [[UInt8]: Int] = [:]
  var required: [[UInt8]] = []
  /// What members meet that `properties` does not name; `nil` when anything goes.
  var additional: Int?
  var items: Int?
  var anyOf: [Int] = []
  var reference: Int?

  init(pointer: String) { self.pointer = pointer }

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

/// The kinds of value that JSON knows (RFC 8259, section 3).
enum JSONKind: String, Sendable {
  case null, boolean, number, string, array, object

  /// The kind of the value that begins with `byte`.
  init(firstByte byte: UInt8) {
    switch byte {
    case ASCII.quote: self = .string
    case ASCII.openBrace: self = .object
    case ASCII.openBracket: self = .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }
}
