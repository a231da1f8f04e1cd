import Core

/// A pattern for names: `*` any run of characters, `?` any one, `[a-z]` one of a set (`[!a-z]` one
/// that is not), `{a,b}` one of several texts; a backslash takes the meaning from what follows.
package struct Glob: Sendable {
  /// The patterns that the braces spell out, none of which has any.
  private let patterns: [[UInt8]]

  /// `nil` when a bracket is not closed, or the braces spell out more than 1000 patterns.
  package init?(_ text: String) {
    guard let patterns = Self.expand(Array(text.utf8)), patterns.allSatisfy(Self.isSound) else {
      return nil
    }
    self.patterns = patterns
  }

  /// Whether the pattern stands for all of `name`.
  package func matches(_ name: Span<UInt8>) -> Bool {
    for pattern in patterns where Self.match(pattern, name) { return true }
    return false
  }

  /// Where an element of `pattern` ends that starts at `start`.
  private static func end(of pattern: [UInt8], from start: Int) -> Int? {
    switch pattern[start] {
    case ASCII.backslash: return start + 1 < pattern.count ? start + 2 : nil
    case ASCII.openBracket:
      // A closing bracket right behind the opening one is a member of the set.
      var index = start + 1
      if index < pattern.count, isNegation(pattern[index]) { index += 1 }
      index += 1
      while index < pattern.count, pattern[index] != ASCII.closeBracket { index += 1 }
      return index < pattern.count ? index + 1 : nil
    default: return start + 1
    }
  }

  private static func isSound(_ pattern: [UInt8]) -> Bool {
    var index = 0
    while index < pattern.count {
      guard let next = end(of: pattern, from: index) else { return false }
      index = next
    }
    return true
  }

  private static func isNegation(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "!") || byte == UInt8(ascii: "^")
  }

  /// Spells out the first pair of braces again and again until none is left.
  private static func expand(_ pattern: [UInt8]) -> [[UInt8]]? {
    var done: [[UInt8]] = []
    var rest = [pattern]
    while let next = rest.popLast() {
      guard let choices = expandOnce(next) else { return nil }
      if choices.count == 1, choices[0] == next { done.append(next) } else { rest += choices }
      guard done.count + rest.count <= 1000 else { return nil }
    }
    return done
  }

  private static func expandOnce(_ pattern: [UInt8]) -> [[UInt8]]? {
    var index = 0
    var start: Int?
    var depth = 0
    var cuts: [Int] = []
    while index < pattern.count {
      guard let next = end(of: pattern, from: index) else { return nil }
      if pattern[index] == ASCII.openBrace {
        depth += 1
        if start == nil { start = index }
      } else if pattern[index] == ASCII.comma, depth == 1 {
        cuts.append(index)
      } else if pattern[index] == ASCII.closeBrace, depth > 0 {
        depth -= 1
        if depth == 0, let start { return choices(pattern, start, cuts, index) }
      }
      index = next
    }
    return depth == 0 ? [pattern] : nil
  }

  private static func choices(
    _ pattern: [UInt8], _ start: Int, _ cuts: [Int], _ end: Int
  ) -> [[UInt8]] {
    let before = Array(pattern[..<start])
    let after = Array(pattern[(end + 1)...])
    return zip([start] + cuts, cuts + [end]).map { left, right in
      before + Array(pattern[(left + 1)..<right]) + after
    }
  }

  /// Goes back to the last star only, so the time is at most the product of both lengths.
  private static func match(_ pattern: [UInt8], _ name: Span<UInt8>) -> Bool {
    var (place, index) = (0, 0)
    var retry: (place: Int, index: Int)?
    while index < name.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        place += 1
        retry = (place, index)
      } else if place < pattern.count, let next = end(of: pattern, from: place),
        accepts(pattern, place, name[index])
      {
        (place, index) = (next, index + 1)
      } else if let last = retry {
        (place, index) = (last.place, last.index + 1)
        retry = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
    return place == pattern.count
  }

  private static func accepts(_ pattern: [UInt8], _ place: Int, _ byte: UInt8) -> Bool {
    switch pattern[place] {
    case UInt8(ascii: "?"): true
    case ASCII.backslash: pattern[place + 1] == byte
    case ASCII.openBracket: isInSet(pattern, place + 1, byte)
    default: pattern[place] == byte
    }
  }

  private static func isInSet(_ pattern: [UInt8], _ start: Int, _ byte: UInt8) -> Bool {
    let isNegated = isNegation(pattern[start])
    let first = start + (isNegated ? 1 : 0)
    var index = first
    var isFound = false
    while index == first || pattern[index] != ASCII.closeBracket {
      if pattern[index + 1] == ASCII.minus, pattern[index + 2] != ASCII.closeBracket {
        if pattern[index] <= byte, byte <= pattern[index + 2] { isFound = true }
        index += 3
      } else {
        if pattern[index] == byte { isFound = true }
        index += 1
      }
    }
    return isFound != isNegated
  }
}
