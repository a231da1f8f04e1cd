/// The string grammar of JSON (RFC 8259, section 7), from and to UTF-8.
package enum JSONString {
  /// The value of `byte` as a hex digit.
  package static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case ASCII.zero...ASCII.nine: UInt16(byte - ASCII.zero)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Where the string ends, after its closing quote, whose text goes on at `start`; `nil` when it is
  /// broken, or goes on.
  package static func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while true {
      index = bytes.endOfStringRun(from: index)
      guard index < bytes.count else { return nil }
      if bytes[index] == ASCII.quote { return index + 1 }
      guard let length = escapeLength(bytes, at: index) else { return nil }
      index += length
    }
  }

  /// The length of the escape whose backslash should stand at `index`; `nil` when none is there.
  @inline(__always)
  package static func escapeLength(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    guard index + 1 < bytes.count, bytes[index] == ASCII.backslash else { return nil }
    switch bytes[index + 1] {
    case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard index + 6 <= bytes.count else { return nil }
      for place in index + 2..<index + 6 where hexDigit(bytes[place]) == nil { return nil }
      return 6
    default: return nil
    }
  }

  /// Appends what the string `value`, quotes included, stands for. `value` must be a whole JSON
  /// string. A surrogate without its other half becomes U+FFFD.
  package static func decode(_ value: Span<UInt8>, into output: inout [UInt8]) {
    var decoder = JSONStringDecoder()
    decoder.decode(value, into: &output)
    decoder.finish(into: &output)
  }

  /// What the string `value`, quotes included, stands for.
  package static func decoded(_ value: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    decode(value, into: &output)
    return output
  }

  /// What the text between a string's quotes stands for.
  package static func decoded(inside text: Span<UInt8>) -> [UInt8] {
    var quoted = [ASCII.quote]
    quoted.append(copying: text)
    quoted.append(ASCII.quote)
    return decoded(quoted.span)
  }

  /// Appends `text` as a JSON string, quotes included. What is not UTF-8 in it becomes U+FFFD.
  package static func encode(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard UTF8Repair.isValid(text) else {
      var repaired: [UInt8] = []
      UTF8Repair.append(text, to: &repaired)
      return encode(repaired.span, into: &output)
    }
    output.append(ASCII.quote)
    var index = 0
    while true {
      let end = text.endOfStringRun(from: index)
      output.append(copying: text.extracting(index..<end))
      guard end < text.count else { break }
      appendEscape(of: text[end], to: &output)
      index = end + 1
    }
    output.append(ASCII.quote)
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(ASCII.backslash)
    switch byte {
    case ASCII.quote, ASCII.backslash: output.append(byte)
    case ASCII.lf: output.append(UInt8(ascii: "n"))
    case ASCII.cr: output.append(UInt8(ascii: "r"))
    case ASCII.tab: output.append(UInt8(ascii: "t"))
    default:
      output.append("u00")
      output.append(ASCII.zero + byte >> 4)
      let low = byte & 15
      output.append(low < 10 ? ASCII.zero + low : UInt8(ascii: "a") + low - 10)
    }
  }
}

/// Decodes JSON strings that continue each other, such as the deltas of one text: a surrogate pair
/// may have its halves in two of them.
package struct JSONStringDecoder {
  /// A first half of a surrogate pair whose second half may still come.
  private var high: UInt16?

  package init() {}

  /// Appends what the string `value`, quotes included, stands for. `value` must be a whole JSON
  /// string.
  package mutating func decode(_ value: Span<UInt8>, into output: inout [UInt8]) {
    var index = 1
    while index < value.count {
      let end = value.endOfStringRun(from: index)
      if end > index {
        finish(into: &output)
        output.append(copying: value.extracting(index..<end))
      }
      guard end + 1 < value.count, value[end] == ASCII.backslash else { return }
      index = end + 2
      if value[end + 1] == UInt8(ascii: "u") {
        var unit: UInt16 = 0
        while index < min(end + 6, value.count) {
          unit = unit << 4 | (JSONString.hexDigit(value[index]) ?? 0)
          index += 1
        }
        append(unit, to: &output)
      } else {
        finish(into: &output)
        output.append(Self.unescaped(value[end + 1]))
      }
    }
  }

  /// Appends U+FFFD when half a surrogate pair was left; nothing follows it any more.
  package mutating func finish(into output: inout [UInt8]) {
    if high != nil { output.append("\u{FFFD}") }
    high = nil
  }

  private mutating func append(_ unit: UInt16, to output: inout [UInt8]) {
    if let first = high, 0xDC00...0xDFFF ~= unit {
      high = nil
      let scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
      appendScalar(scalar, to: &output)
      return
    }
    finish(into: &output)
    if 0xD800...0xDBFF ~= unit { high = unit } else { appendScalar(UInt32(unit), to: &output) }
  }

  private func appendScalar(_ value: UInt32, to output: inout [UInt8]) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): ASCII.lf
    case UInt8(ascii: "t"): ASCII.tab
    case UInt8(ascii: "r"): ASCII.cr
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: byte
    }
  }
}
