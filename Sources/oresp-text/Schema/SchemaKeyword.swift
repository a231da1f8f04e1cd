import Core

/// One member of a schema: its name, which is a keyword, and its value.
struct SchemaKeyword {
  let name: String
  /// The JSON Pointer of the value in the whole schema.
  let pointer: String
  /// The range of the value in the text of the whole.
  let range: Range<Int>
  private let text: [UInt8]

  /// The keyword whose value is at `range` of `text`, in the schema that `pointer` leads to.
  init(_ name: [UInt8], at range: Range<Int>, of text: [UInt8], in pointer: String) {
    self.name = String(decoding: name, as: UTF8.self)
    self.pointer = pointer + JSONPointer.step(name)
    (self.range, self.text) = (range, text)
  }

  var type: SchemaType { SchemaType(of: text.span.extracting(range)) }

  /// The value as it is spelled.
  var spelled: String { String(decoding: text[range], as: UTF8.self) }

  func fault(_ reason: String) -> SchemaFault { SchemaFault(pointer, reason) }

  /// The schemas in the value, each with its name or number, its pointer and its range. `expected`
  /// is the fault where the value is not of type `type`.
  func schemas(
    in type: SchemaType, _ expected: String
  ) throws(SchemaFault) -> [(name: [UInt8], pointer: String, range: Range<Int>)] {
    guard self.type == type else { throw fault(expected) }
    var schemas: [(name: [UInt8], pointer: String, range: Range<Int>)] = []
    var children = JSONChildren(at: range.lowerBound)
    while let child = children.next(in: text.span) {
      let name =
        children.isObject
        ? JSONString.decoded(inside: text.span.extracting(child.name))
        : Array(String(schemas.count).utf8)
      schemas.append((name, pointer + JSONPointer.step(name), child.value))
    }
    return schemas
  }

  /// The elements of the value, as they are spelled.
  func elements() throws(SchemaFault) -> [[UInt8]] {
    guard type == .array else { throw fault("expected an array") }
    return JSONChildren.elements(at: range, in: text.span).map { Array(text[$0]) }
  }

  func strings() throws(SchemaFault) -> [[UInt8]] {
    try elements().map { element throws(SchemaFault) in
      guard element[0] == ASCII.quote else { throw fault("expected strings") }
      return JSONString.decoded(element.span)
    }
  }

  func string() throws(SchemaFault) -> String {
    guard type == .string else { throw fault("expected a string") }
    return JSONString.text(text.span.extracting(range))
  }

  func number() throws(SchemaFault) -> JSONDecimal {
    guard let number = JSONDecimal(text.span.extracting(range)) else {
      throw fault("expected a number")
    }
    return number
  }
}
