import Core

/// Makes a value that meets a JSON Schema, as a model might: with the members that are required,
/// and without a look at patterns, formats and conditions. `{"a":3}` meets
///
///     {"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":3}}}
struct SchemaSample {
  /// How many more values are made, since a schema may refer to itself.
  private var left = 1000
  private let root: JSONValue

  static func text(of schema: JSONValue) -> String {
    var sample = SchemaSample(root: schema.opened)
    return String(decoding: sample.value(of: schema, depth: 0).line, as: UTF8.self)
  }

  private init(root: JSONValue) { self.root = root }

  private mutating func value(of schema: JSONValue, depth: Int) -> JSONValue {
    left -= 1
    guard left > 0, depth < BodyPath.mostSteps else { return .null }
    let schema = schema.opened
    if let place = schema["$ref"]?.text {
      let steps = place.split(separator: "/").dropFirst()
      let found = steps.reduce(Optional(root)) { $0?[String($1)]?.opened }
      return found.map { value(of: $0, depth: depth + 1) } ?? .null
    }
    func first(_ name: String) -> JSONValue? { schema[name]?.opened.elements?.first }
    if let given = first("enum") ?? schema["const"] ?? schema["default"] { return given }
    if let choice = first("anyOf") ?? first("oneOf") { return value(of: choice, depth: depth + 1) }
    switch (first("type") ?? schema["type"])?.text {
    case "array",
      nil where schema["items"] != nil:
      let count = min(max(0, Self.count("minItems", schema) ?? 1), 16)
      let item = schema["items"] ?? true
      return .array((0..<count).map { _ in value(of: item, depth: depth + 1) })
    case "object",
      nil where schema["properties"] != nil:
      let known = schema["properties"]?.opened
      return .object(
        (schema["required"]?.opened.elements ?? []).compactMap(\.text).map {
          ($0, value(of: known?[$0] ?? true, depth: depth + 1))
        })
    case "integer", "number": return schema["minimum"] ?? schema["maximum"] ?? 1
    case "boolean": return true
    case "null": return .null
    default:
      let word = "rehearsal"
      let least = min(Self.count("minLength", schema) ?? 0, 10_000)
      let whole = String(repeating: word, count: max(1, (least + 8) / 9))
      return .text(String(whole.prefix(max(0, Self.count("maxLength", schema) ?? whole.count))))
    }
  }

  private static func count(_ name: String, _ schema: JSONValue) -> Int? {
    schema[name].flatMap { JSONNumber.integer($0.line.span) }
  }
}
