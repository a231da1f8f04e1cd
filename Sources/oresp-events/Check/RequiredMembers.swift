import Core

/// The members that events of each type of the catalogue must have.
enum RequiredMembers {
  /// By the place of the type in the catalogue.
  private static let names: [[[UInt8]]] = EventCatalogue.rows.map { row in
    fields(row.fields.description).filter { $0.hasSuffix("!") }.map {
      Array($0.prefix { $0 != ":" }.utf8)
    }
  }

  /// The names of those that `line`, an event of `type`, lacks. An error may have its members
  /// nested.
  static func missing(in line: Span<UInt8>, of type: EventType) -> [String] {
    var left = names[type.index]
    var members = JSONChildren()
    while let member = members.next(in: line), !left.isEmpty {
      let name = JSONString.decoded(inside: line.extracting(member.name))
      if type.family == .error, name.span.equals("error") { return [] }
      left.removeAll { $0 == name }
    }
    return left.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The fields of a row, cut at the commas that stand in no bracket.
  private static func fields(_ text: String) -> [Substring] {
    var depth = 0
    return text.split { character in
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      return character == "," && depth == 0
    }.map { $0.drop { $0 == " " } }
  }
}
