import Core

/// The one form of a JSON value that all its spellings share, to compare values by.
package enum JSONCanonical {
  /// The canonical form of `value`: members sorted by name (of one name the first), numbers and
  /// strings each in one spelling. `nil` when it is nested deeper than `levels`, or broken.
  package static func form(of value: Span<UInt8>, levels: Int) -> [UInt8]? {
    var output: [UInt8] = []
    return append(value, levels, to: &output) ? output : nil
  }

  private static func append(
    _ value: Span<UInt8>, _ levels: Int, to output: inout [UInt8]
  ) -> Bool {
    guard !value.isEmpty else { return false }
    switch JSONKind(firstByte: value[0]) {
    case .object: return append(object: value, levels, to: &output)
    case .array: return append(array: value, levels, to: &output)
    case .string: JSONString.encode(JSONString.decoded(value).span, into: &output)
    case .number:
      guard let number = JSONDecimal(value) else { return false }
      output.append(number.canonical)
    case .null, .boolean: output.append(copying: value)
    }
    return true
  }

  private static func append(
    array value: Span<UInt8>, _ levels: Int, to output: inout [UInt8]
  ) -> Bool {
    guard levels > 0 else { return false }
    output.append(ASCII.openBracket)
    var elements = JSONChildren()
    while let element = elements.next(in: value) {
      guard append(value.extracting(element.value), levels - 1, to: &output) else { return false }
      output.append(ASCII.comma)
    }
    output.append(ASCII.closeBracket)
    return !elements.isBroken
  }

  private static func append(
    object value: Span<UInt8>, _ levels: Int, to output: inout [UInt8]
  ) -> Bool {
    guard levels > 0 else { return false }
    var forms: [[UInt8]: [UInt8]] = [:]
    var members = JSONChildren()
    while let member = members.next(in: value) {
      let name = JSONString.decoded(inside: value.extracting(member.name))
      guard forms[name] == nil else { continue }
      var form: [UInt8] = []
      guard append(value.extracting(member.value), levels - 1, to: &form) else { return false }
      forms[name] = form
    }
    output.append(ASCII.openBrace)
    for (name, form) in forms.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      JSONString.encode(name.span, into: &output)
      output.append(ASCII.colon)
      output.append(contentsOf: form)
      output.append(ASCII.comma)
    }
    output.append(ASCII.closeBrace)
    return !members.isBroken
  }
}
