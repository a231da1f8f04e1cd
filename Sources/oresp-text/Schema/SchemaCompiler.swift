import Core

/// Turns the text of a schema into a list of the schemas in it.
///
/// Schemas inside a schema wait in a list for their turn, so a schema may be nested as deep as its
/// text allows.
struct SchemaCompiler {
  private let text: [UInt8]
  private var nodes: [SchemaNode] = []
  /// The index in the list of each schema, by its pointer.
  private var known: [[UInt8]: Int] = [:]
  /// References, each with the index of its node and its target; resolved once all is read.
  private var references: [(node: Int, keyword: SchemaKeyword, target: String)] = []

  /// The keywords that are not checked.
  private(set) var unchecked: Set<String> = []

  /// `text` is one JSON value.
  init(_ text: [UInt8]) { self.text = text }

  /// Reads the text.
  mutating func compile() throws(SchemaFault) -> [SchemaNode] {
    guard text[0] == ASCII.openBrace else { throw SchemaFault("", "a schema is an object") }
    nodes = [SchemaNode(pointer: "", range: text.indices, depth: 0)]
    known = [[]: 0]
    var next = 0
    while next < nodes.count {
      try read(next)
      next += 1
    }
    for (node, keyword, target) in references {
      guard let pointer = JSONPointer.fragment(of: target) else {
        throw keyword.fault("\(target) is no reference within the schema (#/…)")
      }
      nodes[node].reference = known[pointer]
      if known[pointer] == nil { throw keyword.fault("\(target) leads to nothing") }
    }
    try refuseCycles()
    return nodes
  }

  /// Adds the schema at `range` in `node`, unless one with its pointer was added. Returns its index
  /// in the list.
  private mutating func add(
    _ pointer: String, _ range: Range<Int>, in node: SchemaNode
  ) throws(SchemaFault) -> Int {
    let key = Array(pointer.utf8)
    if let number = known[key] { return number }
    // No value that deep is validated, and each level is read once more for every level above it.
    guard node.depth < SchemaCheck.deepest else {
      throw SchemaFault("", "schemas are nested deeper than \(SchemaCheck.deepest) levels")
    }
    nodes.append(SchemaNode(pointer: pointer, range: range, depth: node.depth + 1))
    known[key] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func read(_ number: Int) throws(SchemaFault) {
    let text = text
    var node = nodes[number]
    let value = text.span.extracting(node.range)
    node.isNever = value.equals("false")
    guard value[0] == ASCII.openBrace || node.isNever || value.equals("true") else {
      throw SchemaFault(node.pointer, "a schema is an object, or true or false")
    }
    var members = JSONChildren(at: node.range.lowerBound)
    while let member = members.next(in: text.span) {
      let name = JSONString.decoded(inside: text.span.extracting(member.name))
      let keyword = SchemaKeyword(name, at: member.value, of: text, in: node.pointer)
      if keyword.name == "$ref" { references.append((number, keyword, try keyword.string())) }
      try read(keyword, into: &node)
    }
    nodes[number] = node
  }

  /// Adds `keyword` to `node`; references come later.
  private mutating func read(
    _ keyword: SchemaKeyword, into node: inout SchemaNode
  ) throws(SchemaFault) {
    switch keyword.name {
    case "required": node.required += try keyword.strings()
    case "items": node.items = try add(keyword.pointer, keyword.range, in: node)
    case "additionalProperties":
      node.additional = try add(keyword.pointer, keyword.range, in: node)
    case "not": node.not = try add(keyword.pointer, keyword.range, in: node)
    case "anyOf": node.anyOf += try list(keyword, in: node)
    case "oneOf": node.oneOf += try list(keyword, in: node)
    case "allOf": node.allOf += try list(keyword, in: node)
    case "prefixItems": node.prefix += try list(keyword, in: node)
    case "properties", "$defs", "definitions":
      for schema in try keyword.schemas(in: .object, "expected schemas by name") {
        let inner = try add(schema.pointer, schema.range, in: node)
        if keyword.name == "properties", node.properties[schema.name] == nil {
          node.properties[schema.name] = inner
        }
      }
    case "$ref", "title", "description", "default", "examples", "deprecated", "readOnly",
      "writeOnly", "$schema", "$id", "$comment":
      break
    default:
      guard let rule = try keyword.rule() else {
        guard Self.unchecked.contains(keyword.name) else {
          throw keyword.fault("there is no keyword \"\(keyword.name)\"")
        }
        node.hasPatterns = node.hasPatterns || keyword.name == "patternProperties"
        unchecked.insert(keyword.name)
        return
      }
      // For a value of another type, the type is the fault that is reported.
      node.rules.insert(rule, at: rule.isOfType ? 0 : node.rules.count)
    }
  }

  /// Keywords that a schema may have (JSON Schema 2020-12, and before) and that are not checked.
  private static let unchecked: Set<String> = [
    "pattern", "format", "patternProperties", "if", "then", "else", "contains", "minContains",
    "maxContains", "minProperties",
    "maxProperties", "propertyNames", "dependentRequired", "dependentSchemas",
    "unevaluatedItems", "unevaluatedProperties", "contentEncoding", "contentMediaType",
    "contentSchema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "dependencies",
    "additionalItems",
  ]

  /// The schemas in the array that is the value of `keyword`.
  private mutating func list(
    _ keyword: SchemaKeyword, in node: SchemaNode
  ) throws(SchemaFault) -> [Int] {
    let schemas = try keyword.schemas(in: .array, "expected an array of schemas")
    if schemas.isEmpty { throw keyword.fault("expected at least one schema") }
    return try schemas.map { schema throws(SchemaFault) in
      try add(schema.pointer, schema.range, in: node)
    }
  }

  /// Refuses schemas that refer to themselves for the same value: checking one would never end.
  private func refuseCycles() throws(SchemaFault) {
    var open = Set(nodes.indices)
    while true {
      let ended = open.filter { nodes[$0].sameValue.allSatisfy { !open.contains($0) } }
      if ended.isEmpty { break }
      open.subtract(ended)
    }
    guard var index = open.min() else { return }
    // Every schema that is still open leads to a cycle: after as many steps one is on it.
    for _ in nodes.indices { index = nodes[index].sameValue.first(where: open.contains) ?? index }
    throw SchemaFault(nodes[index].pointer, "the schema refers to itself without end")
  }
}
