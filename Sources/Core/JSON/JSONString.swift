/// The string grammar of JSON (RFC 8259, section 7), from and to UTF-8.
package enum JSONString {
  /// The value of `byte` as a hex digit; `nil` when it is none.
  package static func hexDigit(_ byte: UInt8) -> UInt16? {
    if ASCII.isDigit(byte) { return UInt16(byte - ASCII.zero) }
    let letter = ASCII.lowercased(byte)
    let isDigit = UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter
    return isDigit ? UInt16(letter - UInt8(ascii: "a") + 10) : nil
  }

  /// The byte that a backslash and `letter` mean; `nil` for `u` and for no escape.
  @inline(__always)
  static func unescaped(_ letter: UInt8) -> UInt8? {
    switch letter {
    case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): letter
    case UInt8(ascii: "n"): ASCII.lf
    case UInt8(ascii: "t"): ASCII.tab
    case UInt8(ascii: "r"): ASCII.cr
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: nil
    }
  }

  /// The length of the whole escape at `index`, in bytes; `nil` when none stands there.
  @inline(__always)
  static func escapeLength(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    guard index + 1 < bytes.count, bytes[index] == ASCII.backslash else { return nil }
    if unescaped(bytes[index + 1]) != nil { return 2 }
    guard bytes[index + 1] == UInt8(ascii: "u"), index + 6 <= bytes.count else { return nil }
    for place in index + 2..<index + 6 where hexDigit(bytes[place]) == nil { return nil }
    return 6
  }

  /// The text of the string `value`, a whole JSON string with its quotes, as UTF-8. A surrogate
  /// without its other half becomes U+FFFD.
  package static func decoded(_ value: Span<UInt8>) -> [UInt8] {
    decoded(inside: value.extracting(inside(value)))
  }

  /// The same of `text`, which stands between the quotes of a string.
  package static func decoded(inside text: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var decoder = JSONStringDecoder()
    decoder.decode(inside: text, into: &output)
    decoder.finish(into: &output)
    return output
  }

  /// The text of the string `value`, quotes included; empty when `value` is no string.
  package static func text(_ value: Span<UInt8>) -> String {
    !value.isEmpty && value[0] == ASCII.quote ? text(inside: value.extracting(inside(value))) : ""
  }

  /// The same of `text`, which stands between the quotes of a string.
  package static func text(inside text: Span<UInt8>) -> String {
    if text.firstIndex(of: ASCII.backslash) == nil, let utf8 = try? UTF8Span(validating: text) {
      return String(copying: utf8)
    }
    return String(decoding: decoded(inside: text), as: UTF8.self)
  }

  /// Calls `body` with the text of the string `value`, quotes included, and returns its result.
  package static func withText<Result>(
    of value: Span<UInt8>, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    let text = value.extracting(inside(value))
    return text.endOfStringRun(from: 0) == text.count
      ? body(text) : body(decoded(inside: text).span)
  }

  /// The range between the quotes of the string `value`.
  fileprivate static func inside(_ value: Span<UInt8>) -> Range<Int> {
    value.count < 2 ? 0..<0 : 1..<value.count - 1
  }

  /// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD;
  /// false if there were any.
  @discardableResult
  package static func encode(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool {
    guard UTF8Repair.isValid(text) else {
      var repaired: [UInt8] = []
      UTF8Repair.append(text, to: &repaired)
      encode(repaired.span, into: &output)
      return false
    }
    output.append(ASCII.quote)
    var (index, end) = (0, output.count)
    // Room for a text of quotes only, and for its closing quote: JSON in a string has many, and to
    // overwrite bytes takes a fifth of the time of appending them.
    output.append(contentsOf: repeatElement(0, count: 2 * text.count + 1))
    while true {
      let count = output.overwrite(at: end, withStringRunOf: text, from: index)
      (index, end) = (index + count, end + count)
      guard index < text.count else { break }
      let byte = text[index]
      output[end] = ASCII.backslash
      if let letter = escapeLetter(of: byte) {
        output[end + 1] = letter
        end += 2
      } else {
        output.append(contentsOf: repeatElement(0, count: 4))
        let digits = "u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
        output.overwrite(at: end + 1, with: Array(digits.utf8).span)
        end += 6
      }
      index += 1
    }
    output[end] = ASCII.quote
    output.removeLast(output.count - end - 1)
    return true
  }

  /// The letter of the escape for `byte`, if it has one.
  @inline(__always)
  private static func escapeLetter(of byte: UInt8) -> UInt8? {
    switch byte {
    case ASCII.quote, ASCII.backslash: byte
    case ASCII.lf: UInt8(ascii: "n")
    case ASCII.cr: UInt8(ascii: "r")
    case ASCII.tab: UInt8(ascii: "t")
    default: nil
    }
  }
}

/// Decodes JSON strings that continue each other, such as the deltas of one text: a surrogate pair
/// may have its halves in two of them.
package struct JSONStringDecoder {
  /// A first half of a surrogate pair whose second half may still come.
  private var high: UInt16?

  package init() {}

  /// Whether the last string ended in half a character.
  var isPending: Bool { high != nil }

  /// Appends the text of the string `value`, a whole JSON string with its quotes.
  package mutating func decode(_ value: Span<UInt8>, into output: inout [UInt8]) {
    decode(inside: value.extracting(JSONString.inside(value)), into: &output)
  }

  fileprivate mutating func decode(inside text: Span<UInt8>, into output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      let end = text.endOfStringRun(from: index)
      if end > index {
        finish(into: &output)
        output.append(copying: text.extracting(index..<end))
      }
      guard end + 1 < text.count, text[end] == ASCII.backslash else { return }
      index = end + 2
      if text[end + 1] == UInt8(ascii: "u") {
        var unit: UInt16 = 0
        while index < min(end + 6, text.count) {
          unit = unit << 4 | (JSONString.hexDigit(text[index]) ?? 0)
          index += 1
        }
        append(unit, to: &output)
      } else {
        finish(into: &output)
        output.append(JSONString.unescaped(text[end + 1]) ?? text[end + 1])
      }
    }
  }

  /// Appends U+FFFD if half a surrogate pair is left, as no other half follows.
  package mutating func finish(into output: inout [UInt8]) {
    if high != nil { output.append("\u{FFFD}") }
    high = nil
  }

  private mutating func append(_ unit: UInt16, to output: inout [UInt8]) {
    var value = UInt32(unit)
    if let first = high, UTF16.isTrailSurrogate(unit) {
      high = nil
      value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (value - 0xDC00)
    }
    finish(into: &output)
    if UTF16.isLeadSurrogate(unit) {
      high = unit
    } else {
      output.append(contentsOf: (Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }
  }
}
