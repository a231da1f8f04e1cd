/// A JSON value that is to be made or changed: ordered, its untouched parts kept as they were sent.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string([UInt8])
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])
  /// One whole JSON value as it was spelled.
  case raw([UInt8])

  /// The string `text`.
  package static func text(_ text: String) -> JSONValue { .string(Array(text.utf8)) }

  /// The object that `text` spells, its members in order, their values as they were spelled; `nil`
  /// when `text` is not one whole JSON object.
  package init?(object text: Span<UInt8>) {
    guard case .object(let members)? = JSONValue(container: text) else { return nil }
    self = .object(members)
  }

  /// The member `name` of an object; setting it replaces the first of that name or appends one,
  /// setting `nil` takes all of that name away. Anything but an object has no members.
  package subscript(name: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { Self.isSame($0.name, name) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      if let newValue, let index = members.firstIndex(where: { Self.isSame($0.name, name) }) {
        members[index].value = newValue
      } else if let newValue {
        members.append((name, newValue))
      } else {
        members.removeAll { Self.isSame($0.name, name) }
      }
      self = .object(members)
    }
  }

  /// The value as one line of JSON.
  package var line: [UInt8] {
    var output: [UInt8] = []
    write(into: &output)
    return output
  }

  /// Appends the value as JSON without white space of its own. It recurses as deep as the value was
  /// made by this program; what came from outside is `raw`.
  package func write(into output: inout [UInt8]) {
    switch self {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .integer(let value): output.append(String(value))
    case .string(let text): JSONString.encode(text.span, into: &output)
    case .raw(let text): output.append(contentsOf: text)
    case .array(let values):
      output.append(ASCII.openBracket)
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(ASCII.comma) }
        value.write(into: &output)
      }
      output.append(ASCII.closeBracket)
    case .object(let members):
      output.append(ASCII.openBrace)
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(ASCII.comma) }
        JSONString.encode(Array(member.name.utf8).span, into: &output)
        output.append(ASCII.colon)
        member.value.write(into: &output)
      }
      output.append(ASCII.closeBrace)
    }
  }
}
