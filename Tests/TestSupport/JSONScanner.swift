import Core

/// Walks one JSON value a byte at a time (RFC 8259), and says what is wrong with one that is
/// broken: the plain way, with which `JSONScan` is compared.
///
/// It holds where in the grammar it stands and what brackets are open, so a value may be nested as
/// deep as its bytes allow; nothing recurses. It checks the grammar only: whether the bytes are
/// UTF-8 is for `UTF8Repair`.
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

  /// Up to `separator` white space may come first.
  private enum State: UInt8 {
    case value, firstElement, member, firstMember, colon, separator
    case string, escape, hex, literal
    case minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits
    case ended

    /// Whether a number that ends here is whole.
    var isWholeNumber: Bool {
      self == .zero || self == .digits || self == .fraction || self == .exponentDigits
    }

    /// Where `byte` leads to within a number; `nil` where it is no part of it.
    func inNumber(_ byte: UInt8) -> State? {
      let (isDigit, isPoint) = (ASCII.isDigit(byte), byte == UInt8(ascii: "."))
      let isPower = byte | 0x20 == UInt8(ascii: "e")
      let isSign = byte == ASCII.minus || byte == UInt8(ascii: "+")
      return switch self {
      case .minus: byte == ASCII.zero ? .zero : isDigit ? .digits : nil
      case .zero: isPoint ? .point : isPower ? .exponent : nil
      case .digits: isDigit ? .digits : isPoint ? .point : isPower ? .exponent : nil
      case .point: isDigit ? .fraction : nil
      case .fraction: isDigit ? .fraction : isPower ? .exponent : nil
      case .exponent where isSign: .exponentSign
      case .exponent, .exponentSign, .exponentDigits: isDigit ? .exponentDigits : nil
      default: nil
      }
    }
  }

  private var state = State.value
  /// Whether the string being walked is the name of a member.
  private var isName = false
  /// What is being walked of `true`, `false` or `null`.
  private var literal: StaticString = ""
  /// How many bytes of the literal, or hex digits of an escape, are to come.
  private var pending = 0
  /// For each open bracket whether it is that of an object.
  private var open: [Bool] = []

  package init() {}

  /// Goes on with `bytes` from `position`, and leaves `position` after what was walked.
  package mutating func scan(_ bytes: Span<UInt8>, _ position: inout Int) -> Outcome {
    while position < bytes.count, state != .ended {
      if state == .string {
        position = bytes.endOfStringRun(from: position)
        guard position < bytes.count else { break }
      }
      let byte = bytes[position]
      if state.isWholeNumber, state.inNumber(byte) == nil {
        // Only the byte behind a number shows that it has ended.
        endValue()
      } else {
        if let expected = take(byte) { return .fault(expected) }
        position += 1
      }
    }
    return state == .ended ? .end : .more
  }

  /// Whether the value is whole when no byte follows: only then can a bare number end.
  package var canEnd: Bool { state == .ended || state.isWholeNumber && open.isEmpty }

  /// Takes the next byte; what was expected when it cannot stand here.
  private mutating func take(_ byte: UInt8) -> StaticString? {
    if ASCII.isSpace(byte), state.rawValue <= State.separator.rawValue { return nil }
    let isInObject = open.last == true
    switch state {
    case .firstElement where byte == ASCII.closeBracket: close()
    case .firstMember where byte == ASCII.closeBrace: close()
    case .value, .firstElement: return beginValue(byte)
    case .member, .firstMember:
      guard byte == ASCII.quote else { return "expected a member's name" }
      (state, isName) = (.string, true)
    case .colon:
      guard byte == ASCII.colon else { return "expected a colon" }
      state = .value
    case .separator where byte == ASCII.comma: state = isInObject ? .member : .value
    case .separator:
      guard byte == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else {
        return isInObject ? "expected a comma or }" : "expected a comma or ]"
      }
      close()
    case .string where byte == ASCII.quote: if isName { state = .colon } else { endValue() }
    case .string:
      guard byte == ASCII.backslash else { return "a bare control character in a string" }
      state = .escape
    case .escape where byte == UInt8(ascii: "u"): (state, pending) = (.hex, 4)
    case .escape:
      guard "\"\\/bfnrt".utf8.contains(byte) else {
        return "a backslash starts no escape that JSON knows"
      }
      state = .string
    case .hex:
      guard JSONString.hexDigit(byte) != nil else { return "expected a hex digit" }
      pending -= 1
      if pending == 0 { state = .string }
    case .literal:
      guard unsafe byte == literal.utf8Start[literal.utf8CodeUnitCount - pending] else {
        return "expected true, false or null"
      }
      pending -= 1
      if pending == 0 { endValue() }
    default:
      guard let next = state.inNumber(byte) else { return "expected a digit" }
      state = next
    }
    return nil
  }

  /// Takes the first byte of a value.
  private mutating func beginValue(_ byte: UInt8) -> StaticString? {
    switch byte {
    case ASCII.quote: (state, isName) = (.string, false)
    case ASCII.openBrace, ASCII.openBracket:
      let isObject = byte == ASCII.openBrace
      open.append(isObject)
      state = isObject ? .firstMember : .firstElement
    case ASCII.minus: state = .minus
    case UInt8(ascii: "t"): (state, literal, pending) = (.literal, "true", 3)
    case UInt8(ascii: "f"): (state, literal, pending) = (.literal, "false", 4)
    case UInt8(ascii: "n"): (state, literal, pending) = (.literal, "null", 3)
    default:
      guard let number = State.minus.inNumber(byte) else { return "expected a value" }
      state = number
    }
    return nil
  }

  private mutating func close() {
    open.removeLast()
    endValue()
  }

  private mutating func endValue() { state = open.isEmpty ? .ended : .separator }
}
