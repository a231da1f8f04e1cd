extension JSONSchema {
  /// The first rule of structured outputs with `strict` that the schema breaks, with its JSON
  /// Pointer in the schema; `nil` when it keeps them all: every object closed and all its members
  /// required, a type or a choice for every value, and the limits on size.
  package var strictFault: SchemaFault? {
    if !nodes[0].anyOf.isEmpty { return SchemaFault("/anyOf", "the whole may not be an anyOf") }
    guard nodes[0].types == [.object] else {
      return SchemaFault("", "the whole must have the type object")
    }
    let additional = Set(nodes.compactMap(\.additional))
    for (place, node) in nodes.enumerated() {
      // `false` as additionalProperties is what the object is judged by.
      if node.isBoolean, additional.contains(place) { continue }
      if let fault = fault(of: node) { return fault }
    }
    return sizeFault
  }

  private func fault(of node: SchemaNode) -> SchemaFault? {
    func fault(_ reason: String) -> SchemaFault { SchemaFault(node.pointer, reason) }
    if node.isBoolean { return fault("strict allows no schema that is true or false") }
    let hasConstants = node.rules.contains(where: \.isConstant)
    if node.types == nil, node.sameValue.isEmpty, !hasConstants {
      return fault("strict needs a type, anyOf, $ref, enum or const")
    }
    if node.types?.contains(.array) == true, node.items == nil {
      return fault("strict needs items for an array")
    }
    guard node.isObject else { return nil }
    guard let additional = node.additional, nodes[additional].isNever else {
      return fault("strict needs \"additionalProperties\": false for an object")
    }
    if let name = node.propertyNames.first(where: { !node.required.contains($0) }) {
      return fault("strict needs all members required, and \(Self.quoted(name)) is not")
    }
    if let name = node.required.first(where: { node.properties[$0] == nil }) {
      return fault("the member \(Self.quoted(name)) is required and not described")
    }
    if node.level >= 10 { return fault("strict allows 10 objects inside each other") }
    return nil
  }

  private static func quoted(_ name: [UInt8]) -> String {
    "\"\(String(decoding: name, as: UTF8.self))\""
  }

  private var sizeFault: SchemaFault? {
    var (members, constants) = (0, 0)
    for node in nodes {
      members += node.propertyNames.count
      if members > 5000 { return SchemaFault(node.pointer, "strict allows 5000 members in all") }
      for case .oneOf(_, let spelled, _) in node.rules {
        constants += spelled.count
        if constants > 1000 {
          return SchemaFault(node.pointer, "strict allows 1000 values of enum in all")
        }
        let characters = spelled.map(\.unicodeScalars.count).reduce(0, +)
        if spelled.count > 250, characters > 15_000 {
          return SchemaFault(
            node.pointer, "strict allows 15000 characters in an enum of more than 250 values")
        }
      }
    }
    return charactersFault
  }

  /// The names of members and definitions and the values of `enum` and `const` may have 120 000
  /// characters in all.
  private var charactersFault: SchemaFault? {
    var characters = 0
    for node in nodes {
      for name in node.propertyNames {
        characters += String(decoding: name, as: UTF8.self).unicodeScalars.count
      }
      for case .oneOf(_, let spelled, _) in node.rules {
        characters += spelled.map(\.unicodeScalars.count).reduce(0, +)
      }
      if characters > 120_000 {
        return SchemaFault(
          node.pointer, "strict allows 120000 characters in names and values in all")
      }
    }
    return nil
  }
}
