import Core

/// What OpenAI's API asks of a schema that an answer is to keep to strictly: objects that are closed
/// and require all their members, a type or a choice for every value, no keyword beyond its subset,
/// and limits on size. Other servers have other rules.
struct StrictRules {
  /// A schema that is not checked yet, its JSON Pointer (RFC 6901), and how many objects and schemas
  /// are around it.
  private typealias Schema = (place: String, value: JSONValue, objects: Int, depth: Int)

  private var waiting: [Schema] = []
  private var memberCount = 0
  private var valueCount = 0
  private var characterCount = 0

  /// The first rule that `schema` breaks, behind its place; `nil` when it breaks none.
  static func fault(in schema: JSONValue) -> String? {
    let whole = schema.opened
    if whole["anyOf"] != nil { return "/anyOf: the whole may not be an anyOf" }
    guard whole["type"]?.text == "object" else {
      return "the schema: the whole must have the type object"
    }
    var rules = StrictRules()
    var level = [Schema(place: "", value: whole, objects: 0, depth: 0)]
    while !level.isEmpty {
      rules.waiting = []
      for schema in level {
        guard let fault = rules.check(schema) else { continue }
        return "\(schema.place.isEmpty ? "the schema" : schema.place): \(fault)"
      }
      level = rules.waiting
    }
    return nil
  }

  /// The rule that `schema` itself breaks; the schemas in it wait then.
  private mutating func check(_ schema: Schema) -> String? {
    let value = schema.value.opened
    guard let keywords = value.members else {
      return "strict allows no schema that is true or false"
    }
    if let (name, _) = keywords.first(where: { !Self.keywords.contains($0.name) }) {
      return "structured outputs have no keyword \"\(name)\""
    }
    if ["type", "anyOf", "$ref", "enum", "const"].allSatisfy({ value[$0] == nil }) {
      return "strict needs a type, anyOf, $ref, enum or const"
    }
    let type = value["type"]
    let types = (type?.opened.elements ?? [type].compactMap(\.self)).compactMap(\.text)
    if types.contains("array"), value["items"] == nil {
      return "strict needs items for an array"
    }
    let names = value["properties"]?.opened.members?.map(\.name) ?? []
    let isObject = type == nil ? !names.isEmpty : types.contains("object")
    if isObject, let fault = Self.objectFault(value, names, schema.objects) { return fault }
    if let fault = sizeFault(value, names) { return fault }
    // Deeper than any schema is; what is walked must not grow with the square of the depth.
    if schema.depth < 100 { wait(for: keywords, in: schema, isObject) }
    return nil
  }

  /// Has the schemas in `keywords` wait.
  private mutating func wait(
    for keywords: JSONValue.Members, in schema: Schema, _ isObject: Bool
  ) {
    for (keyword, inner) in keywords {
      let isDefinition = keyword == "$defs" || keyword == "definitions"
      let objects = isDefinition ? 0 : schema.objects + (isObject ? 1 : 0)
      let steps: JSONValue.Members
      switch keyword {
      case "properties", "$defs", "definitions":
        steps = (inner.opened.members ?? []).map { ("/" + Self.escaped($0.name), $0.value) }
      case "anyOf": steps = (inner.opened.elements ?? []).enumerated().map { ("/\($0)", $1) }
      case "items": steps = [("", inner)]
      default: continue
      }
      waiting += steps.map { step in
        ("\(schema.place)/\(keyword)\(step.name)", step.value, objects, schema.depth + 1)
      }
    }
  }

  private static func objectFault(
    _ value: JSONValue, _ names: [String], _ objects: Int
  ) -> String? {
    guard value["additionalProperties"]?.line == Array("false".utf8) else {
      return "strict needs \"additionalProperties\": false for an object"
    }
    let required = value["required"]?.opened.elements?.compactMap(\.text) ?? []
    let (isRequired, isDescribed) = (Set(required), Set(names))
    if let name = names.first(where: { !isRequired.contains($0) }) {
      return "strict needs all members required, and \"\(name)\" is not"
    }
    if let name = required.first(where: { !isDescribed.contains($0) }) {
      return "the member \"\(name)\" is required and not described"
    }
    return objects >= 10 ? "strict allows 10 objects inside each other" : nil
  }

  private mutating func sizeFault(_ value: JSONValue, _ names: [String]) -> String? {
    let values = (value["enum"]?.opened.elements ?? [value["const"]].compactMap(\.self))
      .map { String(decoding: $0.string ?? $0.line, as: UTF8.self) }
    let characters = values.map(\.unicodeScalars.count).reduce(0, +)
    memberCount += names.count
    valueCount += values.count
    characterCount += characters + names.map(\.unicodeScalars.count).reduce(0, +)
    let isLarge = values.count > 250 && characters > 15_000
    let faults = [
      (memberCount > 5000, "5000 members in all"),
      (valueCount > 1000, "1000 values of enum in all"),
      (isLarge, "15000 characters in an enum of more than 250 values"),
      (characterCount > 120_000, "120000 characters in names and values in all"),
    ]
    return faults.first { $0.0 }.map { "strict allows " + $0.1 }
  }

  /// `name` as a step of a JSON Pointer.
  private static func escaped(_ name: String) -> String {
    name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }

  private static let keywords: Set = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "anyOf", "$ref", "$defs", "definitions", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "title",
    "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$id",
    "$comment",
  ]
}
