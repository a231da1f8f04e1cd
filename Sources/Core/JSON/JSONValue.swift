/// A JSON value to build or change: members keep their order, untouched parts their spelling. A
/// literal builds one: `["type": "error", "line": 3]`.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string([UInt8])
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])
  /// One whole JSON value as it was spelled.
  case raw([UInt8])
  /// The same, within other bytes, whose memory it shares.
  case slice(ArraySlice<UInt8>)

  /// The string `text`.
  package static func text(_ text: String) -> JSONValue { .string(Array(text.utf8)) }

  /// The object that `text` spells, its members in order, their values as they were spelled; `nil`
  /// when `text` is not one whole JSON object.
  package init?(object text: Span<UInt8>) {
    guard let value = JSONValue(container: text), case .object = value else { return nil }
    self = value
  }

  /// The object or array that `text` spells, its children in order and each as it was spelled;
  /// `nil` when `text` is not one whole object or array.
  package init?(container text: Span<UInt8>) {
    var children = JSONChildren()
    var members: [(name: String, value: JSONValue)] = []
    while let child = children.next(in: text) {
      let value = JSONValue.raw([UInt8](copying: text.extracting(child.value)))
      members.append((JSONString.text(inside: text.extracting(child.name)), value))
    }
    guard !children.isBroken, text.extracting(children.position...).trimmed().isEmpty else {
      return nil
    }
    self = children.isObject ? .object(members) : .array(members.map(\.value))
  }

  /// The value with its children at hand: a raw object or array becomes one of raw children. Any
  /// other value stays as it is.
  package var opened: JSONValue {
    if case .raw(let text) = self { JSONValue(container: text.span) ?? self } else { self }
  }

  /// The members of an object; none of anything else.
  package var members: [(name: String, value: JSONValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// Whether it is `null`.
  package var isNull: Bool {
    switch self {
    case .null: true
    case .raw(let text): text.span.equals("null")
    default: false
    }
  }

  /// The text of a string; `nil` for anything else.
  package var string: [UInt8]? {
    switch self {
    case .string(let text): text
    case .raw(let text) where text.first == ASCII.quote: JSONString.decoded(text.span)
    default: nil
    }
  }

  /// Whether two members' names have the same bytes: for `==` on strings, two spellings of one
  /// accented letter are equal.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  /// The first member `name` of an object; `nil` when there is none. Setting it replaces the first
  /// one or appends one, and removes the others; setting `nil` removes all.
  package subscript(name: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { Self.isSame($0.name, name) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { Self.isSame($0.name, name) } ?? members.count
      members.removeAll { Self.isSame($0.name, name) }
      if let newValue { members.insert((name, newValue), at: place) }
      self = .object(members)
    }
  }

  /// The value as one line of JSON.
  package var line: [UInt8] {
    if case .raw(let bytes) = self { return bytes }
    var output: [UInt8] = []
    write(into: &output)
    return output
  }

  /// Appends the value as JSON without white space of its own. It recurses only as deep as this
  /// program made the value: values from outside are `raw`.
  package func write(into output: inout [UInt8]) {
    switch self {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .integer(let value): output.append(String(value))
    case .string(let text): JSONString.encode(text.span, into: &output)
    case .raw(let text): output.append(contentsOf: text)
    case .slice(let text): output.append(contentsOf: text)
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

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral values: JSONValue...) { self = .array(values) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { (name: $0, value: $1) })
  }
}
