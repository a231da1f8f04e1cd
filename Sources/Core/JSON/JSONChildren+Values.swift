extension JSONChildren {
  /// Where the elements stand of the array that `path` leads to in `bytes`; none when there is no
  /// array.
  package static func elements(
    of path: StaticString..., in bytes: Span<UInt8>
  ) -> [Range<Int>] {
    elements(at: value(at: path[...], in: bytes), in: bytes)
  }

  /// Where the elements stand of the array at `place`; none when there is no array.
  package static func elements(at place: Range<Int>?, in bytes: Span<UInt8>) -> [Range<Int>] {
    guard let place, !place.isEmpty, bytes[place.lowerBound] == ASCII.openBracket else { return [] }
    var elements: [Range<Int>] = []
    var children = JSONChildren(at: place.lowerBound)
    while let child = children.next(in: bytes) { elements.append(child.value) }
    return elements
  }

  /// The whole number that `path` leads to in `bytes`; `nil` when there is none.
  package static func integer(of path: StaticString..., in bytes: Span<UInt8>) -> Int? {
    value(at: path[...], in: bytes).flatMap { JSONNumber.integer(bytes.extracting($0)) }
  }

  /// A copy of the value, as it is spelled, that `path` leads to in `bytes`; `nil` when there is none.
  package static func raw(of path: StaticString..., in bytes: Span<UInt8>) -> JSONValue? {
    value(at: path[...], in: bytes).map { .raw([UInt8](copying: bytes.extracting($0))) }
  }
}
