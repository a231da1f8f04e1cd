/// Walks one JSON value once, however its bytes arrive: checks its grammar (RFC 8259) and its
/// UTF-8, and notes the places of its members.
///
/// `{"type":"a","item":{"id":1}}` gives the outermost members `type`, name at 2..<6 and value at
/// 8..<11, and `item`, 13..<17 and 19..<27, and the member `id` of `item`, 21..<23 and 25..<26. Cut
/// behind `"ty`, the scan is at byte 4, inside a name, with one object open, and goes on there.
///
/// Between calls it holds its position, the grammar's expectation there and the open brackets. A
/// token cut by the end of the bytes is walked again from its start, except strings and numbers,
/// which may be long. Nothing recurses.
package struct JSONScan: ~Copyable {
  /// The outcome of a call to `scan`.
  package enum Outcome {
    /// All bytes were walked and the value goes on.
    case more
    /// The value ended; the position is behind its last byte.
    case end
    /// The byte at the position cannot stand there; the words say what was expected.
    case fault(StaticString)
  }

  /// The grammar's expectation at the position. White space may come first, except inside a string
  /// or a number.
  private enum Expected: UInt8 {
    case value, firstElement, firstName, name, colon, separator
    case insideText, insideName, insideNumber, end
  }

  /// The end of the bytes that were walked, counted from the first byte of the value.
  package private(set) var position = 0
  /// Whether LF or CR stands between its tokens.
  package private(set) var hasLineEnds = false
  /// Whether all of its strings are UTF-8.
  package private(set) var isUTF8 = true

  private var expected = Expected.value
  /// A bit for each open bracket, 1 for an object, the innermost lowest, and a 1 above them all.
  /// When full, it moves to `outer` and begins anew.
  private var open: UInt64 = 1
  private var outer: [UInt64] = []
  /// The name, and the start of the value, of the member that is being walked, or of the last one.
  private var entry = Members.Entry()
  /// The value of `open` while members are noted, in the outermost object or in one of its members.
  /// It is 0 where none are noted, and while `outer` has anything; `heldLevel` keeps it meanwhile.
  private var level = Self.outermost
  private var heldLevel = Self.outermost

  private static var outermost: UInt64 { 3 }
  private static var inMember: UInt64 { 7 }
  private var number = JSONNumberState.start

  /// Whether a value nested deeper than 256 is at fault there.
  private let limitsDepth: Bool

  package init(limitsDepth: Bool = false) { self.limitsDepth = limitsDepth }

  /// Whether the value is whole when no byte follows: only then can a bare number end.
  package var canEnd: Bool {
    expected == .end || expected == .insideNumber && number.isWhole && open == 1
  }

  /// Begins another value.
  package mutating func restart() {
    (position, hasLineEnds, isUTF8, expected) = (0, false, true, .value)
    (open, level) = (1, Self.outermost)
    if !outer.isEmpty { outer = [] }
  }

  /// The fault that keeps `bytes` from being one JSON value, white space around it aside; `nil`
  /// when there is none.
  package static func fault(in bytes: Span<UInt8>) -> StaticString? {
    var scan = JSONScan()
    return scan.fault(in: bytes)
  }

  /// Whether `bytes` are one JSON value.
  package static func accepts(_ bytes: Span<UInt8>) -> Bool { fault(in: bytes) == nil }

  /// Whether `bytes` are the start of a value, and not all of it.
  package static func breaksOff(_ bytes: Span<UInt8>) -> Bool {
    var scan = JSONScan()
    guard case .more = scan.scan(bytes) else { return false }
    return !scan.canEnd
  }

  /// Whether `bytes` are the start of a value, cut where another value may begin in it.
  static func mayHoldMore(_ bytes: Span<UInt8>) -> Bool {
    var scan = JSONScan()
    guard case .more = scan.scan(bytes) else { return false }
    return scan.expected == .value || scan.expected == .firstElement
  }

  /// The fault in `bytes`, walked by a scan that has not begun and notes the `members`; its
  /// position becomes the index of the fault.
  package mutating func fault(
    in bytes: Span<UInt8>, noting members: inout Members
  ) -> StaticString? {
    switch scan(bytes, noting: &members) {
    case .fault(let expected): return expected
    case .more where !canEnd: return "the value does not end"
    case .more, .end:
      position = behindSpace(bytes, position)
      return position < bytes.count ? "expected nothing after the value" : nil
    }
  }

  /// The same, without members.
  package mutating func fault(in bytes: Span<UInt8>) -> StaticString? {
    var members = Members.none
    level = 0
    return fault(in: bytes, noting: &members)
  }

  /// Forgets the bytes that were walked: the value goes on with the first byte of the next call.
  /// Nobody may then ask for its members.
  package mutating func dropWalked() { position = 0 }

  /// Goes on with `value` as `scan(_:noting:)` does, and notes no members.
  package mutating func scan(_ value: Span<UInt8>) -> Outcome {
    var members = Members.none
    level = 0
    return scan(value, noting: &members)
  }

  /// Goes on with `value`, all bytes since the first one or the last `dropWalked`, and notes its
  /// `members`. A byte that no later byte can mend is a fault at once.
  package mutating func scan(_ value: Span<UInt8>, noting members: inout Members) -> Outcome {
    // These three stay in registers: on the path that loops, only inlined calls get one by address.
    var index = position
    var open = open
    var expected = expected
    defer {
      position = index
      self.open = open
      self.expected = expected
    }
    while true {
      switch expected {
      case .firstName, .name:
        let byte = token(value, &index)
        if byte != ASCII.quote {
          guard byte == ASCII.closeBrace, expected == .firstName else {
            return outcome(value, index, "expected a member's name")
          }
          expected = .separator
          break
        }
        index += 1
        entry.name = UInt32(truncatingIfNeeded: index)
        expected = .insideName
        fallthrough
      case .insideName:
        let end = JSONStringEnd(value, from: index)
        index = end.index
        if !end.isPlain { note(end, isName: open == level, level, &members) }
        guard end.isWhole else {
          let cut = Self.end(inside: value, index)
          index = cut.index
          return cut.outcome
        }
        entry.nameCount = UInt32(truncatingIfNeeded: index) &- entry.name &- 1
        expected = .colon
        fallthrough
      case .colon:
        guard token(value, &index) == ASCII.colon else {
          return outcome(value, index, "expected a colon")
        }
        index += 1
        expected = .value
        fallthrough
      case .value, .firstElement:
        let byte = token(value, &index)
        entry.value = UInt32(truncatingIfNeeded: index)
        if byte != ASCII.quote {
          if byte == ASCII.openBrace || byte == ASCII.openBracket {
            index += 1
            if open == level {
              members.begin(entry, isInner: level != Self.outermost)
              if byte == ASCII.openBrace, open == Self.outermost,
                members.beginInner(entry, in: value)
              {
                level = Self.inMember
              }
            }
            if open >> 32 != 0 {
              guard hold(open) else {
                index -= 1
                return .fault("nested deeper than 256")
              }
              open = 1
            }
            open = open << 1 | (byte == ASCII.openBrace ? 1 : 0)
            expected = byte == ASCII.openBrace ? .firstName : .firstElement
            continue
          }
          if byte == ASCII.closeBracket, expected == .firstElement {
            expected = .separator
            break
          }
          if byte == ASCII.minus || ASCII.isDigit(byte) {
            if let end = Self.endOfInteger(value, index) {
              index = end
              break
            }
            (expected, number) = (.insideNumber, .start)
            continue
          }
          guard let end = Self.endOfWord(value, index) else {
            let cut = Self.end(ofWord: value, index)
            index = cut.index
            return cut.outcome
          }
          index = end
          break
        }
        index += 1
        expected = .insideText
        fallthrough
      case .insideText:
        let end = JSONStringEnd(value, from: index)
        index = end.index
        if !end.isPlain { note(end, isName: false, level, &members) }
        guard end.isWhole else {
          let cut = Self.end(inside: value, index)
          index = cut.index
          return cut.outcome
        }
      case .insideNumber:
        while let next = number.behind(value.byte(at: index)) {
          number = next
          index += 1
        }
        if index == value.count { return .more }
        guard number.isWhole else { return .fault("expected a digit") }
      case .separator: break
      case .end: return .end
      }
      // A value ends here; with `.separator` it ended before, or an object or array is empty.
      if expected != .separator {
        if open == level {
          entry.valueEnd = UInt32(truncatingIfNeeded: index)
          members.note(entry, isInner: level != Self.outermost)
        }
        if open == 1 {
          expected = .end
          return .end
        }
      }
      while true {
        let byte = token(value, &index)
        if byte == ASCII.comma {
          index += 1
          expected = open & 1 == 1 ? .name : .value
          break
        }
        let isInObject = open & 1 == 1
        guard byte == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else {
          expected = .separator
          return outcome(
            value, index, isInObject ? "expected a comma or }" : "expected a comma or ]")
        }
        index += 1
        open >>= 1
        if open == 1 {
          guard let bits = outer.popLast() else {
            expected = .end
            return .end
          }
          open = bits
          if outer.isEmpty { level = heldLevel }
        }
        if open == Self.outermost, level == Self.inMember { level = Self.outermost }
        if open == level { members.end(at: index, isInner: level != Self.outermost) }
      }
    }
  }

  /// The first byte of the token at `index`, or behind the white space there, to which it moves
  /// `index`.
  @inline(__always)
  private mutating func token(_ value: Span<UInt8>, _ index: inout Int) -> UInt8 {
    let byte = value.byte(at: index)
    if byte > ASCII.space { return byte }
    index = behindSpace(value, index)
    return value.byte(at: index)
  }

  @inline(never)
  private mutating func behindSpace(_ value: Span<UInt8>, _ index: Int) -> Int {
    var index = index
    while ASCII.isSpace(value.byte(at: index)) {
      hasLineEnds = hasLineEnds || value[index] == ASCII.lf || value[index] == ASCII.cr
      index += 1
    }
    return index
  }

  /// The end of the whole number at `index` if a comma or closing bracket follows it, as it does
  /// most numbers; else `nil`.
  @inline(__always)
  private static func endOfInteger(_ value: Span<UInt8>, _ index: Int) -> Int? {
    var end = index
    while ASCII.isDigit(value.byte(at: end)) { end += 1 }
    let byte = value.byte(at: end)
    guard byte == ASCII.comma || byte == ASCII.closeBrace || byte == ASCII.closeBracket,
      end > index, value[index] != ASCII.zero || end == index + 1
    else { return nil }
    return end
  }

  /// The end of the value at `index`, a word, or a number with a byte behind it; else `nil`.
  @inline(__always)
  static func endOfScalar(_ value: Span<UInt8>, _ index: Int) -> Int? {
    if let end = endOfInteger(value, index) { return end }
    let byte = value.byte(at: index)
    guard byte == ASCII.minus || ASCII.isDigit(byte) else { return endOfWord(value, index) }
    var (end, number) = (index, JSONNumberState.start)
    while let next = number.behind(value.byte(at: end)) { (end, number) = (end + 1, next) }
    return end < value.count && number.isWhole ? end : nil
  }

  @inline(__always)
  private static func endOfWord(_ value: Span<UInt8>, _ index: Int) -> Int? {
    if value.starts(with: "null", at: index) || value.starts(with: "true", at: index) {
      return index + 4
    }
    return value.starts(with: "false", at: index) ? index + 5 : nil
  }

  /// Puts the open brackets `open` into `outer`, so that others have room; false when that is too
  /// deep. It stands apart so that the loop keeps its registers.
  @inline(never)
  private mutating func hold(_ open: UInt64) -> Bool {
    if limitsDepth, outer.count == 7 { return false }
    if outer.isEmpty {
      heldLevel = level
      level = 0
    }
    outer.append(open)
    return true
  }

  private mutating func note(
    _ end: JSONStringEnd, isName: Bool, _ level: UInt64, _ members: inout Members
  ) {
    if !end.isUTF8 { isUTF8 = false }
    if isName, end.hasEscape { members.noteEscapedName(isInner: level != Self.outermost) }
  }

  private func outcome(_ value: Span<UInt8>, _ index: Int, _ expected: StaticString) -> Outcome {
    index < value.count ? .fault(expected) : .more
  }

  // The index of the loop would stand in memory if one of these moved it.

  /// The outcome where no literal stands at `index`, and the index of the wrong byte of a fault.
  @inline(never)
  private static func end(
    ofWord value: Span<UInt8>, _ index: Int
  ) -> (outcome: Outcome, index: Int) {
    let words: [StaticString] = ["null", "true", "false"]
    guard let word = words.first(where: { unsafe $0.utf8Start[0] == value.byte(at: index) }) else {
      return (index < value.count ? .fault("expected a value") : .more, index)
    }
    var end = index
    while end < value.count, unsafe word.utf8Start[end - index] == value[end] { end += 1 }
    if end < value.count { return (.fault("expected true, false or null"), end) }
    return (.more, index)
  }

  /// The outcome where a string cannot go on at `index`, and the index of the wrong byte of a fault.
  @inline(never)
  private static func end(
    inside value: Span<UInt8>, _ index: Int
  ) -> (outcome: Outcome, index: Int) {
    guard index < value.count, value[index] < 0x80 else { return (.more, index) }
    guard value[index] == ASCII.backslash else {
      return (.fault("a bare control character in a string"), index)
    }
    let letter = value.byte(at: index + 1)
    guard index + 1 < value.count else { return (.more, index) }
    guard letter == UInt8(ascii: "u") else {
      return (.fault("a backslash starts no escape that JSON knows"), index + 1)
    }
    for place in index + 2..<min(index + 6, value.count)
    where JSONString.hexDigit(value[place]) == nil {
      return (.fault("expected a hex digit"), place)
    }
    return (.more, index)
  }
}
