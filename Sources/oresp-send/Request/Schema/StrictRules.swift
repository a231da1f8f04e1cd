import Core

/// What OpenAI's API asks of a schema that an answer is to keep to strictly: objects that are closed
/// and require all their members, a type or a choice for every value, no keyword beyond its subset,
/// and limits on size. Other servers have other rules.
struct StrictRules {
  /// A schema that is not checked yet, and the objects and the schemas around it.
  private struct Schema {
    let pointer: String
    var value: JSONValue
    let objects: Int
    let depth: Int
  }

  private var waiting: [Schema]
  private var memberCount = 0
  private var valueCount = 0
  private var characterCount = 0

  /// The first rule that `schema` breaks, behind the JSON Pointer (RFC 6901) to the place; `nil` when
  /// it breaks none.
  static func fault(in schema: JSONValue) -> String? {
    let whole = schema.opened
    if whole["anyOf"] != nil { return "/anyOf: the whole may not be an anyOf" }
    guard whole["type"]?.string == Array("object".utf8) else {
      return "the schema: the whole must have the type object"
    }
    var rules = StrictRules(
      waiting: [Schema(pointer: "", value: whole, objects: 0, depth: 0)])
    var index = 0
    while index < rules.waiting.count {
      let next = rules.waiting[index]
      // What was checked is not kept.
      rules.waiting[index].value = .null
      index += 1
      guard let fault = rules.check(next) else { continue }
      let place = next.pointer + fault.place
      return "\(place.isEmpty ? "the schema" : place): \(fault.reason)"
    }
    return nil
  }

  /// The rule that `schema` breaks, but for those inside it, which wait then.
  private mutating func check(_ schema: Schema) -> (place: String, reason: String)? {
    let value = schema.value.opened
    guard let keywords = value.members else {
      return ("", "strict allows no schema that is true or false")
    }
    if let other = keywords.first(where: { !Self.keywords.contains($0.name) })?.name {
      return (Self.step(other), "structured outputs have no keyword \"\(other)\"")
    }
    let type = value["type"]
    let types = (type?.opened.elements ?? [type].compactMap(\.self)).compactMap(\.text)
    if !keywords.contains(where: { Self.choices.contains($0.name) }) {
      return ("", "strict needs a type, anyOf, $ref, enum or const")
    }
    if types.contains("array"), value["items"] == nil {
      return ("", "strict needs items for an array")
    }
    let members = value["properties"]?.opened.members ?? []
    let isObject = type == nil ? !members.isEmpty : types.contains("object")
    let reason = isObject ? objectFault(value, members.map(\.name), schema.objects) : nil
    if let reason = reason ?? sizeFault(value, members.map(\.name)) { return ("", reason) }
    // Deeper than any schema is; what is walked must not grow with the square of the depth.
    guard schema.depth < 100 else { return nil }
    for (keyword, inner) in keywords {
      let steps: [(name: String, value: JSONValue)]
      switch keyword {
      case "properties", "$defs", "definitions":
        steps = (inner.opened.members ?? []).map { (Self.step($0.name), $0.value) }
      case "anyOf":
        steps = (inner.opened.elements ?? []).enumerated().map { ("/\($0)", $1) }
      case "items": steps = [("", inner)]
      default: continue
      }
      let isDefinition = keyword == "$defs" || keyword == "definitions"
      let objects = isDefinition ? 0 : schema.objects + (isObject ? 1 : 0)
      waiting += steps.map { step in
        Schema(
          pointer: "\(schema.pointer)/\(keyword)\(step.name)", value: step.value,
          objects: objects, depth: schema.depth + 1)
      }
    }
    return nil
  }

  private func objectFault(_ value: JSONValue, _ names: [String], _ objects: Int) -> String? {
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
    let constants = value["enum"]?.opened.elements ?? [value["const"]].compactMap(\.self)
    let characters = constants.map { String(decoding: $0.line, as: UTF8.self).unicodeScalars.count }
      .reduce(0, +)
    memberCount += names.count
    valueCount += constants.count
    characterCount += characters + names.map(\.unicodeScalars.count).reduce(0, +)
    if memberCount > 5000 { return "strict allows 5000 members in all" }
    if valueCount > 1000 { return "strict allows 1000 values of enum in all" }
    if constants.count > 250, characters > 15_000 {
      return "strict allows 15000 characters in an enum of more than 250 values"
    }
    if characterCount > 120_000 {
      return "strict allows 120000 characters in names and values in all"
    }
    return nil
  }

  /// The step to the member `name` in a JSON Pointer.
  private static func step(_ name: String) -> String {
    "/"
      + name.reduce(into: "") { step, character in
        step += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
      }
  }

  private static let choices = ["type", "anyOf", "$ref", "enum", "const"]

  private static let keywords: Set = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "anyOf", "$ref", "$defs", "definitions", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "title",
    "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$id",
    "$comment",
  ]
}

extension JSONValue {
  /// What a string stands for, as a text; `nil` of anything else.
  fileprivate var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }
}
