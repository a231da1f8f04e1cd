package import Core

/// A pattern for names: `*` is any run of characters, `?` any one, `[a-z]` one of a set (`[!a-z]`
/// one outside it), `{a,b}` one of several texts; a backslash makes the next character an ordinary
/// one.
package struct Glob: Sendable {
  private enum Element: Equatable {
    case star
    /// A brace or comma, which opens, parts or closes several texts.
    case mark(UInt8)
    case byte(UInt8)
    /// Any byte whose entry is true.
    case set([Bool])
  }

  /// The patterns without braces that the braces spell out.
  private let patterns: [[Element]]

  /// `nil` when a bracket is not closed, or the braces spell out more than 1000 patterns.
  package init?(_ text: String) {
    guard let elements = Self.elements(Array(text.utf8)[...]),
      let patterns = Self.expand(elements)
    else { return nil }
    self.patterns = patterns
  }

  /// The pattern that is the value of an option.
  package init(option text: String) throws(Failure) {
    guard let glob = Glob(text) else {
      throw .usage("a bracket or brace is not closed in \(text)")
    }
    self = glob
  }

  /// Whether all of `name` fits the pattern.
  package func matches(_ name: Span<UInt8>) -> Bool {
    for pattern in patterns where Self.match(pattern, name) { return true }
    return false
  }

  private static func elements(_ text: ArraySlice<UInt8>) -> [Element]? {
    var elements: [Element] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): elements.append(.star)
      case UInt8(ascii: "?"): elements.append(.set(Array(repeating: true, count: 256)))
      case ASCII.openBrace, ASCII.comma, ASCII.closeBrace: elements.append(.mark(byte))
      case ASCII.backslash:
        guard let next = rest.popFirst() else { return nil }
        elements.append(.byte(next))
      case ASCII.openBracket:
        guard let set = set(&rest) else { return nil }
        elements.append(.set(set))
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  /// Takes a set from the front of `rest`, up to its closing bracket. One right behind the opening
  /// bracket is a member.
  private static func set(_ rest: inout ArraySlice<UInt8>) -> [Bool]? {
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest.removeFirst() }
    guard let end = rest.dropFirst().firstIndex(of: ASCII.closeBracket) else { return nil }
    var set = [Bool](repeating: isNegated, count: 256)
    var members = rest[..<end]
    rest = rest[(end + 1)...]
    while let low = members.popFirst() {
      var high = low
      if members.count >= 2, members.first == ASCII.minus {
        (_, high) = (members.removeFirst(), members.removeFirst())
      }
      for byte in stride(from: Int(low), through: Int(high), by: 1) { set[byte] = !isNegated }
    }
    return set
  }

  /// Spells out the first pair of braces again and again until none is left.
  private static func expand(_ pattern: [Element]) -> [[Element]]? {
    var done: [[Element]] = []
    var rest = [pattern]
    while let next = rest.popLast() {
      guard let start = next.firstIndex(of: .mark(ASCII.openBrace)) else {
        done.append(next)
        continue
      }
      guard let cuts = cuts(of: next, from: start), let end = cuts.last else { return nil }
      for (left, right) in zip(cuts, cuts.dropFirst()) {
        rest.append(Array([next[..<start], next[(left + 1)..<right], next[(end + 1)...]].joined()))
      }
      guard done.count + rest.count <= 1000 else { return nil }
    }
    return done
  }

  /// The places of the brace at `start`, of the commas between it and its closing brace that stand
  /// in no inner pair, and of its closing brace.
  private static func cuts(of pattern: [Element], from start: Int) -> [Int]? {
    var (cuts, depth) = ([start], 0)
    for index in start..<pattern.count {
      switch pattern[index] {
      case .mark(ASCII.openBrace): depth += 1
      case .mark(ASCII.comma): if depth == 1 { cuts.append(index) }
      case .mark:
        depth -= 1
        if depth == 0 { return cuts + [index] }
      default: break
      }
    }
    return nil
  }

  /// Whether `pattern` matches `name`. It goes back to the last star only, so that the time is at
  /// most the product of both lengths.
  private static func match(_ pattern: [Element], _ name: Span<UInt8>) -> Bool {
    var (place, index) = (0, 0)
    var retry: (place: Int, index: Int)?
    while index < name.count {
      if place < pattern.count, pattern[place] == .star {
        place += 1
        retry = (place, index)
      } else if place < pattern.count, accepts(pattern[place], name[index]) {
        (place, index) = (place + 1, index + 1)
      } else if let last = retry {
        (place, index) = (last.place, last.index + 1)
        retry = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == .star }
  }

  private static func accepts(_ element: Element, _ byte: UInt8) -> Bool {
    switch element {
    case .star: false
    case .mark(let own), .byte(let own): own == byte
    case .set(let set): set[Int(byte)]
    }
  }
}
