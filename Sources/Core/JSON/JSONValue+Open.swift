extension JSONValue {
  /// The object or array that `text` spells, its children in order and each as it was spelled; `nil`
  /// when `text` is not one whole object or array.
  package init?(container text: Span<UInt8>) {
    var children = JSONChildren()
    var names: [String] = []
    var values: [JSONValue] = []
    while let child = children.next(in: text) {
      let name = JSONString.decoded(inside: text.extracting(child.name))
      names.append(String(decoding: name, as: UTF8.self))
      values.append(.raw([UInt8](copying: text.extracting(child.value))))
    }
    guard !children.isBroken else { return nil }
    for index in children.position..<text.count where !ASCII.isSpace(text[index]) { return nil }
    self =
      children.isObject
      ? .object(zip(names, values).map { (name: $0, value: $1) }) : .array(values)
  }

  /// The value with its children at hand: of a raw object or array, one of raw children. Anything
  /// else is as it was.
  package var opened: JSONValue {
    guard case .raw(let text) = self else { return self }
    return JSONValue(container: text.span) ?? self
  }

  /// Whether it is `null`.
  package var isNull: Bool {
    switch self {
    case .null: true
    case .raw(let text): text.span.equals("null")
    default: false
    }
  }

  /// What a string stands for; `nil` of anything else.
  package var string: [UInt8]? {
    switch self {
    case .string(let text): text
    case .raw(let text) where text.first == ASCII.quote: JSONString.decoded(text.span)
    default: nil
    }
  }

  /// Whether two names of members are the same: `==` on strings would take two spellings of one
  /// accented letter for the same name.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}
