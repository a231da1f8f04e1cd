import Core

/// Pointers to a place in a JSON value (RFC 6901).
package enum JSONPointer {
  /// `pointer` with the step to the member `name` of an object behind it.
  package static func appending(_ name: [UInt8], to pointer: String) -> String {
    var step: [UInt8] = [UInt8(ascii: "/")]
    for byte in name {
      switch byte {
      case UInt8(ascii: "~"): step.append("~0")
      case UInt8(ascii: "/"): step.append("~1")
      default: step.append(byte)
      }
    }
    return pointer + String(decoding: step, as: UTF8.self)
  }

  /// The steps of `pointer`, its escapes taken back; `nil` when it is no pointer.
  package static func steps(_ pointer: String) -> [[UInt8]]? {
    if pointer.isEmpty { return [] }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    var steps: [[UInt8]] = []
    for part in pointer.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let step = unescaped(Array(part)) else { return nil }
      steps.append(step)
    }
    return steps
  }

  private static func unescaped(_ part: [UInt8]) -> [UInt8]? {
    let pieces = part.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
    var step = Array(pieces[0])
    for piece in pieces.dropFirst() {
      guard let digit = piece.first, digit == ASCII.zero || digit == ASCII.zero + 1 else {
        return nil
      }
      step.append(digit == ASCII.zero ? UInt8(ascii: "~") : UInt8(ascii: "/"))
      step += piece.dropFirst()
    }
    return step
  }

  /// Where the value stands in `text`, a JSON value, that `steps` lead to; `nil` when there is none.
  package static func find(_ steps: [[UInt8]], in text: Span<UInt8>) -> Range<Int>? {
    var found = 0..<text.count
    for step in steps {
      var children = JSONChildren(at: found.lowerBound)
      var (index, next) = (0, Range<Int>?.none)
      while next == nil, let child = children.next(in: text) {
        let isMatch =
          children.isObject
          ? JSONString.decoded(inside: text.extracting(child.name)) == step
          : Array(String(index).utf8) == step
        if isMatch { next = child.value }
        index += 1
      }
      guard let next else { return nil }
      found = next
    }
    return found
  }
}
