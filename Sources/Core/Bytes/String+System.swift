/// Text of the system (an argument, the name of a file, a variable) is bytes, which need not be
/// UTF-8. A String keeps them: a byte that is part of no character becomes the character U+10FF00
/// plus its value, to which nobody assigns a meaning. Where the bytes spell such a character
/// themselves, each of the four counts as such a byte, so that every name comes out as it went in.
extension String {
  /// The text that stands for `bytes`.
  package init(system bytes: [UInt8]) {
    let span = bytes.span
    guard !UTF8Repair.isValid(span) || Self.hasStandIn(span) else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let length = UTF8Repair.character(span, at: index)
      if length > 0, !Self.isStandIn(span, at: index) {
        text += bytes[index..<index + length]
        index += length
      } else {
        text += [0xF4, 0x8F, 0xBE | bytes[index] >> 6 & 1, 0x80 | bytes[index] & 0x3F]
        index += 1
      }
    }
    self.init(decoding: text, as: UTF8.self)
  }

  /// The bytes that the text stands for.
  package var systemBytes: [UInt8] {
    let text = Array(utf8)
    guard Self.hasStandIn(text.span) else { return text }
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      let isStandIn = Self.isStandIn(text.span, at: index)
      bytes.append(isStandIn ? text[index + 2] << 6 | text[index + 3] & 0x3F | 0x80 : text[index])
      index += isStandIn ? 4 : 1
    }
    return bytes
  }

  /// The bytes that the text stands for, with a NUL behind them, for a call of the system.
  package var cString: [CChar] { (systemBytes + [0]).map { CChar(bitPattern: $0) } }

  /// Whether the text stands for UTF-8.
  package var isUTF8: Bool { !Self.hasStandIn(Array(utf8).span) }

  /// The text with U+FFFD for bytes that are not UTF-8, for JSON.
  package var repaired: String { String(decoding: systemBytes, as: UTF8.self) }

  /// The text as one line that does nothing to a terminal: line ends become spaces, and control
  /// characters, marks that change the direction of writing, and bytes that are not UTF-8 become
  /// visible escapes.
  package var harmless: String {
    if utf8Span.span.endOfPrintableRun(from: 0) == utf8.count { return self }
    var shown = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: shown.append(" ")
      case 0x10FF80...0x10FFFF: shown += "\\x" + String(scalar.value & 0xFF, radix: 16)
      case let value where TerminalHarm.isHarmful(value):
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func hasStandIn(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while let found = text.firstIndex(of: 0xF4, from: index) {
      if isStandIn(text, at: found) { return true }
      index = found + 1
    }
    return false
  }

  /// Whether a character from U+10FF80 to U+10FFFF is at `index`.
  private static func isStandIn(_ text: Span<UInt8>, at index: Int) -> Bool {
    index + 3 < text.count && text[index] == 0xF4 && text[index + 1] == 0x8F
      && text[index + 2] & 0xFE == 0xBE
  }
}

extension Substring {
  /// The parts before and behind the first `mark`, by its bytes; `nil` when there is none. A mark
  /// that combines with it, as in `=\u{301}`, stands behind.
  package func cut(at mark: String) -> (before: Substring, after: Substring)? {
    let start = utf8.indices.first { utf8[$0...].starts(with: mark.utf8) }
    guard let start else { return nil }
    return (self[..<start], self[utf8.index(start, offsetBy: mark.utf8.count)...])
  }
}
