import Core

extension JSONValue {
  /// Changes the value that `path`, one member's name after another, leads to; objects on the way are
  /// made where there are none.
  mutating func change(at path: ArraySlice<StaticString>, _ change: (inout JSONValue) -> Void) {
    guard let name = path.first?.description else { return change(&self) }
    self = opened
    if case .object = self {} else { self = .object([]) }
    var member = self[name] ?? .null
    member.change(at: path.dropFirst(), change)
    self[name] = member
  }
}

extension Span<UInt8> {
  /// Whether the value that `path` leads to in these bytes, a JSON value, is missing, null, or an
  /// empty string, array or object.
  func isEmptyValue(at path: ArraySlice<StaticString>) -> Bool {
    guard var elements = JSONChildren.children(at: path, in: self) else { return true }
    let start = elements.position
    if starts(with: "\"\"", at: start) || starts(with: "null", at: start) { return true }
    let isList = self[start] == ASCII.openBracket || self[start] == ASCII.openBrace
    return isList && elements.next(in: self) == nil
  }

  /// Whether these bytes, a JSON value, are a part of type `part`; any value is, if that is `nil`.
  func isPart(_ part: StaticString?) -> Bool {
    guard let part else { return true }
    guard let type = JSONChildren.value(of: "type", in: self), self[type.lowerBound] == ASCII.quote
    else { return false }
    return JSONChildren.isName(extracting(type.lowerBound + 1..<type.upperBound - 1), part)
  }
}
