/// Walks one JSON value without building it (RFC 8259), however its bytes arrive.
///
/// It holds where in the grammar it stands and one bit for each open bracket, so a value may be
/// nested as deep as its bytes allow; nothing recurses. It checks the grammar only: whether the
/// bytes are UTF-8 is for `UTF8Repair`.
package struct JSONScanner: ~Copyable {
  /// What a call to `scan` came to.
  package enum Outcome {
    /// All bytes were taken and the value goes on.
    case more
    /// The value ended; the position is after its last byte.
    case end
    /// The byte at the position cannot stand there; the text says what was expected.
    case fault(StaticString)
  }

  private enum State {
    case value, firstMember, member, colon, firstElement, separator
    case string, escape, hex
    case literal, minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits
    case ended
  }

  private var state = State.value
  /// Whether the string being walked is the name of a member.
  private var isName = false
  /// What is left of `true`, `false` or `null`, or how many hex digits of an escape are to come.
  private var literal: StaticString = ""
  private var pending = 0
  private var depth = 0
  /// The innermost open brackets, up to 64, the innermost lowest: a bit is set for an object.
  private var innermost: UInt64 = 0
  /// Those outside of them, 64 a word, for values nested deeper than that.
  private var outer: [UInt64] = []

  package init() {}

  /// Goes on with `bytes` from `position`, and leaves `position` after what was walked.
  @inline(__always)
  package mutating func scan(_ bytes: Span<UInt8>, _ position: inout Int) -> Outcome {
    while position < bytes.count {
      let byte = bytes[position]
      switch state {
      case .string:
        position = bytes.endOfStringRun(from: position)
        guard position < bytes.count else { return .more }
        switch bytes[position] {
        case ASCII.quote:
          position += 1
          if isName { endName(bytes, &position) } else { endValue(bytes, &position) }
          if state == .ended { return .end }
          continue
        case ASCII.backslash: state = .escape
        default: return .fault("a control character stands bare in a string")
        }
      case .escape:
        switch byte {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"),
          UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          state = .string
        case UInt8(ascii: "u"): (state, pending) = (.hex, 4)
        default: return .fault("a backslash starts no escape that JSON knows")
        }
      case .hex:
        guard JSONString.hexDigit(byte) != nil else { return .fault("expected a hex digit") }
        pending -= 1
        if pending == 0 { state = .string }
      case .value, .firstElement:
        if ASCII.isSpace(byte) { break }
        if state == .firstElement, byte == ASCII.closeBracket {
          close()
        } else if let fault = beginValue(byte) {
          return fault
        }
      case .firstMember, .member:
        if ASCII.isSpace(byte) { break }
        if state == .firstMember, byte == ASCII.closeBrace {
          close()
        } else {
          guard byte == ASCII.quote else { return .fault("expected a member's name") }
          (state, isName) = (.string, true)
        }
      case .colon:
        if ASCII.isSpace(byte) { break }
        guard byte == ASCII.colon else { return .fault("expected a colon") }
        state = .value
      case .separator:
        if ASCII.isSpace(byte) { break }
        let inObject = isInObject
        if byte == ASCII.comma {
          state = inObject ? .member : .value
        } else if byte == (inObject ? ASCII.closeBrace : ASCII.closeBracket) {
          close()
        } else {
          return .fault(inObject ? "expected a comma or }" : "expected a comma or ]")
        }
      case .literal:
        guard unsafe byte == literal.utf8Start[literal.utf8CodeUnitCount - pending] else {
          return .fault("expected true, false or null")
        }
        pending -= 1
        if pending == 0 { endValue() }
      case .minus, .point, .exponentSign:
        guard ASCII.isDigit(byte) else { return .fault("expected a digit") }
        switch state {
        case .minus: state = byte == ASCII.zero ? .zero : .digits
        case .point: state = .fraction
        default: state = .exponentDigits
        }
      case .exponent:
        if byte == UInt8(ascii: "+") || byte == ASCII.minus {
          state = .exponentSign
        } else if ASCII.isDigit(byte) {
          state = .exponentDigits
        } else {
          return .fault("expected a digit")
        }
      case .zero, .digits, .fraction, .exponentDigits:
        if state != .zero {
          while position < bytes.count, ASCII.isDigit(bytes[position]) { position += 1 }
          guard position < bytes.count else { return .more }
        }
        if !goesOn(bytes[position]) {
          endValue(bytes, &position)
          if state == .ended { return .end }
          continue
        }
      case .ended: return .end
      }
      position += 1
      if state == .ended { return .end }
    }
    return state == .ended ? .end : .more
  }

  /// Whether the value is whole when no byte follows: only then can a bare number end.
  package var canEnd: Bool {
    switch state {
    case .ended: true
    case .zero, .digits, .fraction, .exponentDigits: depth == 0
    default: false
    }
  }

  /// What keeps `bytes` from being one JSON value, white space around it aside; `nil` when it is.
  package static func fault(in bytes: Span<UInt8>) -> StaticString? {
    var place = 0
    return fault(in: bytes, at: &place)
  }

  /// The same; `place` becomes the place of the fault.
  package static func fault(in bytes: Span<UInt8>, at place: inout Int) -> StaticString? {
    var scanner = JSONScanner()
    place = 0
    switch scanner.scan(bytes, &place) {
    case .fault(let expected): return expected
    case .more: return scanner.canEnd ? nil : "the value does not end"
    case .end:
      while place < bytes.count {
        guard ASCII.isSpace(bytes[place]) else { return "expected nothing behind the value" }
        place += 1
      }
      return nil
    }
  }

  /// Whether `bytes` are one JSON value.
  package static func accepts(_ bytes: Span<UInt8>) -> Bool { fault(in: bytes) == nil }

  /// Takes the first byte of a value; the fault when there is none that begins so.
  @inline(__always)
  private mutating func beginValue(_ byte: UInt8) -> Outcome? {
    switch byte {
    case ASCII.quote: (state, isName) = (.string, false)
    case ASCII.openBrace: open(object: true)
    case ASCII.openBracket: open(object: false)
    case ASCII.minus: state = .minus
    case ASCII.zero: state = .zero
    case UInt8(ascii: "1")...ASCII.nine: state = .digits
    case UInt8(ascii: "t"): (state, literal, pending) = (.literal, "true", 3)
    case UInt8(ascii: "f"): (state, literal, pending) = (.literal, "false", 4)
    case UInt8(ascii: "n"): (state, literal, pending) = (.literal, "null", 3)
    default: return .fault("expected a value")
    }
    return nil
  }

  /// Takes the byte behind the digits of a number; false when it is no part of it.
  @inline(__always)
  private mutating func goesOn(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ".") where state == .zero || state == .digits: state = .point
    case UInt8(ascii: "e") where state != .exponentDigits: state = .exponent
    case UInt8(ascii: "E") where state != .exponentDigits: state = .exponent
    default: return false
    }
    return true
  }

  /// Ends a name, and takes the colon right behind it, if it is there.
  @inline(__always)
  private mutating func endName(_ bytes: Span<UInt8>, _ position: inout Int) {
    state = .colon
    guard position < bytes.count, bytes[position] == ASCII.colon else { return }
    state = .value
    position += 1
  }

  /// Ends a value, and begins the name right behind it, if there is one: JSON without white space
  /// goes through half as many states so.
  @inline(__always)
  private mutating func endValue(_ bytes: Span<UInt8>, _ position: inout Int) {
    endValue()
    guard state == .separator, isInObject, position + 1 < bytes.count,
      bytes[position] == ASCII.comma, bytes[position + 1] == ASCII.quote
    else { return }
    (state, isName) = (.string, true)
    position += 2
  }

  private var isInObject: Bool { innermost & 1 == 1 }

  @inline(__always)
  private mutating func open(object: Bool) {
    if depth > 0, depth % 64 == 0 { outer.append(innermost) }
    innermost = innermost << 1 | (object ? 1 : 0)
    depth += 1
    state = object ? .firstMember : .firstElement
  }

  @inline(__always)
  private mutating func close() {
    depth -= 1
    innermost >>= 1
    if depth > 0, depth % 64 == 0 { innermost = outer.popLast() ?? 0 }
    endValue()
  }

  @inline(__always)
  private mutating func endValue() { state = depth == 0 ? .ended : .separator }
}
