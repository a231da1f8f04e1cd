import Core

/// Makes a value that fits a JSON Schema, with the members that it requires: what a model might give.
/// Patterns, conditions and whatever else is rare are not looked at.
struct SchemaSample {
  /// How many values are made at most, as a schema may be of a thing that has no end.
  private var left = 1000
  private let root: JSONValue

  static func value(of schema: JSONValue) -> JSONValue {
    var sample = SchemaSample(root: schema)
    return sample.value(of: schema, depth: 0)
  }

  private init(root: JSONValue) { self.root = root }

  private mutating func value(of schema: JSONValue, depth: Int) -> JSONValue {
    left -= 1
    guard left > 0, depth < BodyPath.mostSteps else { return .null }
    let schema = schema.opened
    if let place = schema["$ref"]?.text {
      return resolved(place).map { value(of: $0, depth: depth + 1) } ?? .null
    }
    for given in ["enum", "examples"] {
      if let first = schema[given]?.opened.elements?.first { return first }
    }
    if let given = schema["const"] ?? schema["default"] { return given }
    for choice in ["anyOf", "oneOf"] {
      guard let first = schema[choice]?.opened.elements?.first else { continue }
      return value(of: first, depth: depth + 1)
    }
    var made = plain(schema, depth)
    for part in schema["allOf"]?.opened.elements ?? [] {
      let value = value(of: part, depth: depth + 1)
      guard made.members != nil, let members = value.members else { return value }
      for (name, value) in members { made[name] = value }
    }
    return made
  }

  /// A value of the type that `schema` itself asks for.
  private mutating func plain(_ schema: JSONValue, _ depth: Int) -> JSONValue {
    let types = schema["type"]?.opened.elements ?? [schema["type"]].compactMap(\.self)
    switch types.compactMap(\.text).first ?? Self.likelyType(of: schema) {
    case "object":
      let known = schema["properties"]?.opened
      let names = schema["required"]?.opened.elements?.compactMap(\.text) ?? []
      var made: JSONValue = [:]
      for name in names { made[name] = value(of: known?[name] ?? [:], depth: depth + 1) }
      return made
    case "array":
      let least = min(schema.integer("minItems") ?? 1, 16)
      let count = min(least, schema.integer("maxItems") ?? least)
      let item = schema["items"] ?? schema["prefixItems"]?.opened.elements?.first ?? .bool(true)
      return .array((0..<max(0, count)).map { _ in value(of: item, depth: depth + 1) })
    case "integer", "number": return Self.number(schema)
    case "boolean": return true
    case "null": return .null
    default: return .text(Self.text(schema))
    }
  }

  private static func likelyType(of schema: JSONValue) -> String {
    if schema["properties"] != nil || schema["required"] != nil || schema["allOf"] != nil {
      return "object"
    }
    return schema["items"] == nil ? "string" : "array"
  }

  private static func number(_ schema: JSONValue) -> JSONValue {
    if let bound = schema["minimum"] ?? schema["multipleOf"] ?? schema["maximum"] { return bound }
    if let bound = schema.integer("exclusiveMinimum") { return .integer(bound + 1) }
    return schema.integer("exclusiveMaximum").map { .integer($0 - 1) } ?? 1
  }

  private static func text(_ schema: JSONValue) -> String {
    let forms = [
      "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z",
      "duration": "P1D", "email": "who@example.org", "hostname": "example.org",
      "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.org/",
      "uuid": "00000000-0000-4000-8000-000000000000",
    ]
    if let form = schema["format"]?.text, let text = forms[form] { return text }
    let word = "rehearsal"
    let least = min(schema.integer("minLength") ?? 0, 10_000)
    let whole = String(repeating: word, count: max(1, (least + word.count - 1) / word.count))
    return String(whole.prefix(max(0, schema.integer("maxLength") ?? whole.count)))
  }

  /// The schema that `place`, a JSON Pointer behind `#` (RFC 6901), leads to.
  private func resolved(_ place: String) -> JSONValue? {
    guard place.hasPrefix("#") else { return nil }
    return place.dropFirst().split(separator: "/").reduce(Optional(root)) { schema, step in
      let parts = step.split(separator: "~", omittingEmptySubsequences: false)
      let name = parts.dropFirst().reduce(String(parts[0])) { name, part in
        name + (part.hasPrefix("1") ? "/" : "~") + part.dropFirst()
      }
      return schema?.opened[name]
    }
  }
}

extension JSONValue {
  /// The whole number that the member `name` is, if it is one.
  fileprivate func integer(_ name: String) -> Int? {
    self[name].flatMap { JSONNumber.integer($0.line.span) }
  }
}
