/// The characters that do something to a terminal, or to how its text reads, instead of showing
/// themselves.
package enum TerminalHarm {
  /// Whether the code point `value` is one: the controls (C0, DEL, C1), the marks that change the
  /// direction of writing, line and paragraph separators, and characters that show nothing, such as
  /// tags, fillers, U+200B and U+FEFF. The marks that join or part letters (U+200C, U+200D) and the
  /// variation selectors of emoji are none: many texts need them. Tabs, line ends and the tags of
  /// a flag are for the caller to judge.
  package static func isHarmful(_ value: UInt32) -> Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x00AD, 0x034F, 0x061C, 0x115F...0x1160, 0x180E, 0x200B,
      0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0x2800, 0x3164, 0xFEFF,
      0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE007F, 0xE0100...0xE01EF:
      true
    default: false
    }
  }

  /// `json`, a text of JSON, with escapes for these characters. Bytes of a name that are no UTF-8
  /// are spelled out, as `\\xE9`.
  package static func escaped(json: [UInt8]) -> [UInt8] {
    guard json.span.endOfPrintableRun(from: 0) < json.count else { return json }
    var text = ""
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x10FF80...0x10FFFF: text += "\\" + String(scalar).harmless
      case let value where isHarmful(value):
        for unit in scalar.utf16 {
          text += "\\u" + String(0x10000 | UInt32(unit), radix: 16).dropFirst()
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return Array(text.utf8)
  }
}

/// Makes text to a terminal harmless, in chunks cut anywhere: the characters of `TerminalHarm`
/// become visible, as `^[` for the controls of ASCII and as `<U+202E>` for others, and so do bytes
/// that are not UTF-8, as `<FF>`. Line ends (LF and CR LF), tabs and the tags behind a black flag,
/// which spell whose flag it is, stay.
package struct TerminalSanitizer {
  /// The start of a character, or a CR, whose other half may still come; three bytes at most.
  private var held: [UInt8] = []
  /// Whether the last character was U+1F3F4, or a tag behind it but not the one that ends them.
  private var isInFlag = false

  package init() {}

  /// Appends the next part of the text to `output`.
  package mutating func append(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard !held.isEmpty else { return sanitize(text, isEnd: false, into: &output) }
    var joined = held
    held = []
    joined.append(copying: text)
    sanitize(joined.span, isEnd: false, into: &output)
  }

  /// Ends the text: a character that is held is broken.
  package mutating func finish(into output: inout [UInt8]) {
    let rest = held
    held = []
    sanitize(rest.span, isEnd: true, into: &output)
  }

  /// Copies `text` in runs, between the characters that it makes visible.
  private mutating func sanitize(_ text: Span<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
    var start = 0
    var index = 0
    while true {
      let end = text.endOfPrintableRun(from: index)
      if end > index { isInFlag = false }
      index = end
      guard index < text.count else { break }
      let (length, visible) = found(text, at: index)
      if length == 0, !isEnd {
        held = [UInt8](copying: text.extracting(index...))
        break
      }
      if let visible {
        output.append(copying: text.extracting(start..<index))
        output.append(visible)
        start = index + max(length, 1)
      }
      index += max(length, 1)
    }
    output.append(copying: text.extracting(start..<min(index, text.count)))
  }

  /// The character at `index`, where a printable run of ASCII ended: its length, 0 when the text
  /// ends within it, and the text that shows it if it is harmful, or stays cut.
  private mutating func found(
    _ text: Span<UInt8>, at index: Int
  ) -> (length: Int, visible: String?) {
    let byte = text[index]
    if byte < 0x80 {
      isInFlag = false
      let isBeforeLF = index + 1 < text.count && text[index + 1] == ASCII.lf
      if byte == ASCII.lf || byte == ASCII.tab { return (1, nil) }
      if byte == ASCII.cr, isBeforeLF { return (2, nil) }
      let isCut = byte == ASCII.cr && index + 1 == text.count
      return (isCut ? 0 : 1, "^\(Unicode.Scalar(byte ^ 0x40))")
    }
    let length = UTF8Repair.character(text, at: index)
    guard length > 0 else {
      let isCut = 0xC2...0xF4 ~= byte && index - length == text.count
      isInFlag = isInFlag && isCut
      return (isCut ? 0 : 1, "<\(Self.hex(UInt32(byte), digits: 2))>")
    }
    let character = String(decoding: text.extracting(index..<index + length))
    let value = character.unicodeScalars.first?.value ?? 0
    let isTag = isInFlag && 0xE0020...0xE007F ~= value
    isInFlag = value == 0x1F3F4 || isTag && value != 0xE007F
    let isShown = !isTag && TerminalHarm.isHarmful(value)
    return (length, isShown ? "<U+\(Self.hex(value, digits: 4))>" : nil)
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
