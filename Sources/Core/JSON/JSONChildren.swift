/// The members of one JSON object, or the elements of one array, one after another, checked as far
/// as they are read. Nothing is built.
///
/// White space, the order of members and escapes in names do not matter. Every reader here takes
/// the first of members with the same name.
package struct JSONChildren: ~Copyable {
  /// The ranges of a member's name (between its quotes; empty in an array) and of its value.
  package struct Child {
    package let name: Range<Int>
    package let value: Range<Int>
  }

  /// The index of the next byte to read; after the last child, the end of the object or array.
  package private(set) var position: Int
  /// Whether the bytes are no object or array, or a broken one; then `next` returns `nil`.
  package private(set) var isBroken = false
  /// The bracket that ends the object or array; 0 before the first child.
  private var closing: UInt8 = 0
  private var isEnded = false

  /// Whether the children are members of an object; known once `next` was called.
  package var isObject: Bool { closing == ASCII.closeBrace }

  /// Reads the object or array whose opening bracket stands at `start`, white space aside.
  package init(at start: Int = 0) { position = start }

  /// The next child in `bytes`; `nil` after the last one, or when the bytes are broken.
  package mutating func next(in bytes: Span<UInt8>) -> Child? {
    guard moveOn(in: bytes) else { return nil }
    guard isObject else { return value(in: bytes, 0..<0) }
    return name(in: bytes).flatMap { value(in: bytes, $0) }
  }

  /// The value of the next member in `bytes` that is called `name`; `nil` when there is none.
  private mutating func value(of name: StaticString, in bytes: Span<UInt8>) -> Range<Int>? {
    start(of: name, in: bytes) == nil ? nil : value(in: bytes, 0..<0)?.value
  }

  /// The start of the next value called `name`. Its end is not searched: a Response may be long.
  private mutating func start(of name: StaticString, in bytes: Span<UInt8>) -> Int? {
    while moveOn(in: bytes), isObject, let next = self.name(in: bytes) {
      if Self.isName(bytes.extracting(next), name) { return position }
      if value(in: bytes, next) == nil { return nil }
    }
    return nil
  }

  /// Moves to the start of the next child; false after the last, or when it is broken.
  @inline(__always)
  private mutating func moveOn(in bytes: Span<UInt8>) -> Bool {
    guard !isBroken, !isEnded else { return false }
    guard let byte = skipSpace(bytes) else { return end(isBroken: true) }
    let isFirst = closing == 0
    if isFirst {
      guard byte == ASCII.openBrace || byte == ASCII.openBracket else { return end(isBroken: true) }
      closing = byte + 2
    } else if byte != ASCII.comma {
      return end(isBroken: byte != closing)
    }
    position += 1
    guard let start = skipSpace(bytes) else { return end(isBroken: true) }
    return isFirst && start == closing ? end(isBroken: false) : true
  }

  /// The value that `path`, one member's name after another, leads to in the object `bytes`. A name
  /// means its first member. `nil` when there is none.
  package static func value(of path: StaticString..., in bytes: Span<UInt8>) -> Range<Int>? {
    value(at: path[...], in: bytes)
  }

  /// The value of the first member called `name` of the object at `start` in `bytes`; `nil` when
  /// there is none.
  package static func value(
    of name: StaticString, in bytes: Span<UInt8>, at start: Int = 0
  ) -> Range<Int>? {
    var members = JSONChildren(at: start)
    return members.value(of: name, in: bytes)
  }

  /// The value that `path`, which stands in a table, leads to in `bytes`; all of them if it is
  /// empty.
  package static func value(
    at path: ArraySlice<StaticString>, in bytes: Span<UInt8>
  ) -> Range<Int>? {
    guard let last = path.last else { return 0..<bytes.count }
    guard var members = children(at: path.dropLast(), in: bytes) else { return nil }
    return members.value(of: last, in: bytes)
  }

  /// The children, none of them read yet, of the object or array that `path` leads to in `bytes`;
  /// `nil` when there is none.
  package static func children(
    at path: ArraySlice<StaticString>, in bytes: Span<UInt8>
  ) -> JSONChildren? {
    var children = JSONChildren()
    for name in path {
      guard let value = children.start(of: name, in: bytes) else { return nil }
      children = JSONChildren(at: value)
    }
    return children
  }

  /// The text of the string that `path` leads to in `bytes`, as UTF-8; `nil` when there is none, or
  /// no string.
  package static func string(of path: StaticString..., in bytes: Span<UInt8>) -> [UInt8]? {
    guard let found = value(at: path[...], in: bytes), bytes[found.lowerBound] == ASCII.quote
    else { return nil }
    return JSONString.decoded(bytes.extracting(found))
  }

  /// The text of the string that `path` leads to in `bytes`; empty when there is none.
  package static func text(of path: StaticString..., in bytes: Span<UInt8>) -> String {
    value(at: path[...], in: bytes).map { JSONString.text(bytes.extracting($0)) } ?? ""
  }

  /// The whole number that `path` leads to in `bytes`; `nil` when there is none.
  package static func integer(of path: StaticString..., in bytes: Span<UInt8>) -> Int? {
    value(at: path[...], in: bytes).flatMap { JSONNumber.integer(bytes.extracting($0)) }
  }

  /// A copy of the value, as it is spelled, that `path` leads to in `bytes`; `nil` when there is
  /// none.
  package static func raw(of path: StaticString..., in bytes: Span<UInt8>) -> JSONValue? {
    value(at: path[...], in: bytes).map { .raw([UInt8](copying: bytes.extracting($0))) }
  }

  /// Ranges of the elements of the array that `path` leads to in `bytes`; none when there is no
  /// array.
  package static func elements(
    at path: ArraySlice<StaticString>, in bytes: Span<UInt8>
  ) -> [Range<Int>] {
    guard var children = children(at: path, in: bytes) else { return [] }
    return children.elements(in: bytes)
  }

  /// Ranges of the elements of the array at `place`; none when there is no array.
  package static func elements(at place: Range<Int>?, in bytes: Span<UInt8>) -> [Range<Int>] {
    guard let place, !place.isEmpty, bytes[place.lowerBound] == ASCII.openBracket else { return [] }
    var children = JSONChildren(at: place.lowerBound)
    return children.elements(in: bytes)
  }

  /// The ranges of all elements, none of which was read; none when it is no array.
  private mutating func elements(in bytes: Span<UInt8>) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    while let child = next(in: bytes), !isObject { elements.append(child.value) }
    return elements
  }

  /// Whether `spelled`, the text between a name's quotes, means `name`; escapes count as what they
  /// stand for.
  package static func isName(_ spelled: Span<UInt8>, _ name: StaticString) -> Bool {
    if spelled.equals(name) { return true }
    guard spelled.count > name.utf8CodeUnitCount, spelled.firstIndex(of: ASCII.backslash) != nil
    else { return false }
    return JSONString.decoded(inside: spelled).span.equals(name)
  }

  /// The end of the value that starts at `start`; `nil` when it is broken.
  package static func endOfValue(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    if bytes[start] == ASCII.quote {
      let end = JSONStringEnd(bytes, from: start + 1)
      return end.isWhole ? end.index : nil
    }
    if let end = JSONScan.endOfScalar(bytes, start) { return end }
    var scan = JSONScan()
    switch scan.scan(bytes.extracting(start...)) {
    case .end: return start + scan.position
    case .more: return scan.canEnd ? start + scan.position : nil
    case .fault: return nil
    }
  }

  /// Reads a member's name, which stands between its quotes, and moves to its value.
  @inline(__always)
  private mutating func name(in bytes: Span<UInt8>) -> Range<Int>? {
    guard bytes[position] == ASCII.quote else { return fail() }
    let start = position + 1
    let end = JSONStringEnd(bytes, from: start)
    guard end.isWhole else { return fail() }
    position = end.index
    guard skipSpace(bytes) == ASCII.colon else { return fail() }
    position += 1
    return skipSpace(bytes) == nil ? fail() : start..<end.index - 1
  }

  @inline(__always)
  private mutating func value(in bytes: Span<UInt8>, _ name: Range<Int>) -> Child? {
    let start = position
    guard let end = Self.endOfValue(bytes, at: start) else { return fail() }
    position = end
    return Child(name: name, value: start..<end)
  }

  @inline(__always)
  private mutating func skipSpace(_ bytes: Span<UInt8>) -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      if !ASCII.isSpace(byte) { return byte }
      position += 1
    }
    return nil
  }

  private mutating func end(isBroken: Bool) -> Bool {
    (self.isBroken, isEnded) = (isBroken, true)
    if !isBroken { position += 1 }
    return false
  }

  private mutating func fail<Found>() -> Found? {
    isBroken = true
    return nil
  }
}
