/// The members of one JSON object, or the elements of one array, one after another, found without
/// building anything. What it reads, it checks.
///
/// White space, the order of members and escapes in names do not matter. Of members with the same
/// name every reader here takes the first.
package struct JSONChildren: ~Copyable {
  /// Where a member's name (between its quotes; empty in an array) and value stand in the bytes.
  package struct Child {
    package var name: Range<Int>
    package var value: Range<Int>
    /// Whether the name is spelled with escapes.
    var hasEscapedName = false
  }

  /// Where the next byte to read stands; after the last child, the end of the object or array.
  package private(set) var position: Int
  /// Whether the bytes were found to be no object or array, or a broken one; then nothing follows.
  package private(set) var isBroken = false
  /// The bracket that ends it; 0 before the first child.
  private var closing: UInt8 = 0
  private var isEnded = false

  /// Whether the children are members of an object; known once `next` was called.
  package var isObject: Bool { closing == ASCII.closeBrace }

  /// Reads the object or array whose opening bracket stands at `start`, white space aside.
  package init(at start: Int = 0) { position = start }

  /// The next child in `bytes`; `nil` after the last, or when it is broken.
  package mutating func next(in bytes: Span<UInt8>) -> Child? {
    guard !isBroken, !isEnded, let byte = skipSpace(bytes) else { return fail() }
    var isFirst = false
    if closing == 0 {
      guard byte == ASCII.openBrace || byte == ASCII.openBracket else { return fail() }
      closing = byte + 2
      isFirst = true
    } else if byte == closing {
      return end()
    } else if byte != ASCII.comma {
      return fail()
    }
    position += 1
    guard let start = skipSpace(bytes) else { return fail() }
    if isFirst, start == closing { return end() }
    return closing == ASCII.closeBrace ? member(in: bytes) : value(in: bytes, name: 0..<0)
  }

  /// The value that `path` leads to, one member's name after another, in `bytes`, an object; the
  /// first of each name. `nil` when there is none.
  package static func value(of path: StaticString..., in bytes: Span<UInt8>) -> Range<Int>? {
    value(at: path[...], in: bytes)
  }

  /// The same, by a path that stands in a table.
  package static func value(
    at path: ArraySlice<StaticString>, in bytes: Span<UInt8>
  ) -> Range<Int>? {
    var found = 0..<bytes.count
    for name in path {
      var members = JSONChildren(at: found.lowerBound)
      var value: Range<Int>?
      while value == nil, let member = members.next(in: bytes) {
        if isName(bytes.extracting(member.name), name) { value = member.value }
      }
      guard let value else { return nil }
      found = value
    }
    return found
  }

  /// What the string stands for that `path` leads to in `bytes`, as UTF-8; `nil` when there is
  /// none, or no string.
  package static func string(of path: StaticString..., in bytes: Span<UInt8>) -> [UInt8]? {
    string(path, in: bytes)
  }

  /// The text of the string that `path` leads to in `bytes`; empty when there is none.
  package static func text(of path: StaticString..., in bytes: Span<UInt8>) -> String {
    String(decoding: string(path, in: bytes) ?? [], as: UTF8.self)
  }

  private static func string(_ path: [StaticString], in bytes: Span<UInt8>) -> [UInt8]? {
    guard let found = value(at: path[...], in: bytes), bytes[found.lowerBound] == ASCII.quote else {
      return nil
    }
    return JSONString.decoded(bytes.extracting(found))
  }

  /// Whether `spelled`, the text between a name's quotes, means `name`; escapes count as what they
  /// stand for.
  package static func isName(_ spelled: Span<UInt8>, _ name: StaticString) -> Bool {
    if spelled.equals(name) { return true }
    guard spelled.count > name.utf8CodeUnitCount, spelled.firstIndex(of: ASCII.backslash) != nil
    else { return false }
    return JSONString.decoded(inside: spelled).span.equals(name)
  }

  /// Where the value that starts at `start` ends; `nil` when it is broken.
  package static func endOfValue(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    // Three times as fast, where it can be.
    if let end = CompactJSON.endOfValue(bytes, at: start) { return end }
    var end = start
    var scanner = JSONScanner()
    switch scanner.scan(bytes, &end) {
    case .end: return end
    case .more: return scanner.canEnd ? end : nil
    case .fault: return nil
    }
  }

  private mutating func member(in bytes: Span<UInt8>) -> Child? {
    guard bytes[position] == ASCII.quote else { return fail() }
    let run = bytes.endOfStringRun(from: position + 1)
    let hasEscapes = run < bytes.count && bytes[run] == ASCII.backslash
    let end = hasEscapes ? JSONString.end(of: bytes, from: position + 1) : run + 1
    guard let end, end <= bytes.count, bytes[end - 1] == ASCII.quote else { return fail() }
    let name = position + 1..<end - 1
    position = end
    guard skipSpace(bytes) == ASCII.colon else { return fail() }
    position += 1
    guard skipSpace(bytes) != nil else { return fail() }
    var child = value(in: bytes, name: name)
    child?.hasEscapedName = hasEscapes
    return child
  }

  private mutating func value(in bytes: Span<UInt8>, name: Range<Int>) -> Child? {
    let start = position
    guard let end = JSONChildren.endOfValue(bytes, at: start) else { return fail() }
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

  private mutating func fail() -> Child? {
    isBroken = !isEnded
    return nil
  }

  private mutating func end() -> Child? {
    position += 1
    isEnded = true
    return nil
  }
}
