import Core

extension Event {
  /// The value that `path` leads to in the object at `object`.
  func value(
    at path: ArraySlice<StaticString>, inside object: Range<Int>, in line: Span<UInt8>
  ) -> Range<Int>? {
    var place = object
    for name in path {
      guard let value = value(of: name, inside: place, in: line) else { return nil }
      place = value
    }
    return place
  }

  /// The text of the string `name` in the object at `object`; empty when there is none.
  func text(
    of name: StaticString, inside object: Range<Int>, in line: Span<UInt8>
  ) -> String {
    value(of: name, inside: object, in: line).map { JSONString.text(line.extracting($0)) } ?? ""
  }
}
