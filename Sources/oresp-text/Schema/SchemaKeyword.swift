import Core

/// One member of a schema: its name, which is a keyword, and its value.
struct SchemaKeyword {
  /// What a schema is that stands in the value.
  enum Role {
    case property([UInt8])
    case additional, items, alternative, definition
  }

  /// Where the reference leads, when the keyword is one.
  private(set) var reference: String?
  /// The schemas that stand in the value, and where in it.
  private(set) var schemas: [(role: Role, pointer: String, range: Range<Int>)] = []
  private let name: String
  private let pointer: String
  private let value: [UInt8]

  init(_ name: [UInt8], _ value: Span<UInt8>, at pointer: String) {
    self.name = String(decoding: name, as: UTF8.self)
    self.pointer = JSONPointer.appending(name, to: pointer)
    self.value = [UInt8](copying: value)
  }

  private var kind: JSONKind { JSONKind(firstByte: value[0]) }
  private var spelled: String { String(decoding: value, as: UTF8.self) }

  private func fault(_ reason: String) -> SchemaFault { SchemaFault(pointer, reason) }

  /// Puts what the keyword says into `node`, but for the schemas in it.
  mutating func read(into node: inout SchemaNode) throws(SchemaFault) {
    switch name {
    case "type": node.types = try types()
    case "enum": node.rules.append(try constants())
    case "const": node.rules.append(try constant())
    case "required": node.required += try strings()
    case "minimum": node.rules.append(.minimum(try number(), spelled: spelled))
    case "maximum": node.rules.append(.maximum(try number(), spelled: spelled))
    case "exclusiveMinimum": node.rules.append(.exclusiveMinimum(try number(), spelled: spelled))
    case "exclusiveMaximum": node.rules.append(.exclusiveMaximum(try number(), spelled: spelled))
    case "multipleOf": node.rules.append(.multipleOf(try divisor(), spelled: spelled))
    case "minLength": node.rules.append(.minLength(try count()))
    case "maxLength": node.rules.append(.maxLength(try count()))
    case "minItems": node.rules.append(.minItems(try count()))
    case "maxItems": node.rules.append(.maxItems(try count()))
    case "pattern": node.rules.append(try pattern())
    case "format": node.rules.append(try format())
    case "$ref": reference = try string()
    case "items": schemas = [(.items, pointer, value.indices)]
    case "additionalProperties": schemas = [(.additional, pointer, value.indices)]
    case "anyOf", "properties", "$defs", "definitions": try readSchemas()
    case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
      "$schema", "$id", "$comment":
      break
    default: throw fault("structured outputs have no keyword \"\(name)\"")
    }
  }

  private mutating func readSchemas() throws(SchemaFault) {
    guard kind == (name == "anyOf" ? .array : .object) else {
      throw fault(name == "anyOf" ? "expected an array of schemas" : "expected schemas by name")
    }
    var children = JSONChildren()
    while let child = children.next(in: value.span) {
      let key =
        name == "anyOf"
        ? Array(String(schemas.count).utf8)
        : JSONString.decoded(inside: value.span.extracting(child.name))
      let role: Role =
        switch name {
        case "anyOf": .alternative
        case "properties": .property(key)
        default: .definition
        }
      schemas.append((role, JSONPointer.appending(key, to: pointer), child.value))
    }
    if name == "anyOf", schemas.isEmpty { throw fault("expected at least one schema") }
  }

  private func elements() throws(SchemaFault) -> [[UInt8]] {
    guard kind == .array else { throw fault("expected an array") }
    return JSONChildren.elements(at: value.indices, in: value.span).map { Array(value[$0]) }
  }

  private func strings() throws(SchemaFault) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    for element in try elements() {
      guard element[0] == ASCII.quote else { throw fault("expected strings") }
      strings.append(JSONString.decoded(element.span))
    }
    return strings
  }

  private func string() throws(SchemaFault) -> String {
    guard kind == .string else { throw fault("expected a string") }
    return String(decoding: JSONString.decoded(value.span), as: UTF8.self)
  }

  private func types() throws(SchemaFault) -> [SchemaType] {
    let names = kind == .array ? try strings() : [Array(try string().utf8)]
    if names.isEmpty { throw fault("expected at least one type") }
    var types: [SchemaType] = []
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) {
      guard let type = SchemaType(rawValue: name) else { throw fault("no type is called \(name)") }
      types.append(type)
    }
    return types
  }

  private func constants() throws(SchemaFault) -> SchemaRule {
    let values = try elements()
    if values.isEmpty { throw fault("expected at least one value") }
    return try oneOf(values)
  }

  private func constant() throws(SchemaFault) -> SchemaRule { try oneOf([value]) }

  private func oneOf(_ values: [[UInt8]]) throws(SchemaFault) -> SchemaRule {
    let levels = 100
    var forms: [[UInt8]] = []
    for value in values {
      guard let form = JSONCanonical.form(of: value.span, levels: levels) else {
        throw fault("a value is nested deeper than \(levels) levels")
      }
      forms.append(form)
    }
    return .oneOf(
      forms, spelled: values.map { String(decoding: $0, as: UTF8.self) }, levels: levels)
  }

  private func number() throws(SchemaFault) -> JSONDecimal {
    guard kind == .number, let number = JSONDecimal(value.span) else {
      throw fault("expected a number")
    }
    return number
  }

  private func divisor() throws(SchemaFault) -> JSONDecimal {
    let number = try number()
    guard number.canDivide else { throw fault("expected a number above 0 of 17 digits at most") }
    return number
  }

  private func count() throws(SchemaFault) -> Int {
    guard let count = try number().count else { throw fault("expected a whole number from 0 on") }
    return count
  }

  private func pattern() throws(SchemaFault) -> SchemaRule {
    let text = try string()
    do throws(PatternFault) {
      return .pattern(try Pattern(text), spelled: spelled)
    } catch {
      throw fault("not a pattern: \(error.message)")
    }
  }

  private func format() throws(SchemaFault) -> SchemaRule {
    let name = try string()
    guard let format = SchemaFormat(rawValue: name) else {
      throw fault("structured outputs have no format \"\(name)\"")
    }
    return .format(format)
  }
}
