/// Walks objects and arrays that are written as servers write them, all of whose bytes are there: with no white
/// space but single spaces, and nested less than 64 deep. What it takes is valid JSON and UTF-8.
///
/// It keeps its place in the grammar in the code, not in a state, and so takes a third of the time
/// that `JSONScan` takes. What it does not take may be valid all the same.
package enum CompactJSON {
  /// Where the object or array that opens at `start` ends; `nil` when it is not of that kind.
  package static func end(
    of bytes: Span<UInt8>, at start: Int, checksUTF8: Bool = true
  ) -> Int? {
    guard start < bytes.count,
      bytes[start] == ASCII.openBrace || bytes[start] == ASCII.openBracket
    else { return nil }
    return end(of: bytes, from: start, open: 1, isValue: true, checksUTF8: checksUTF8)
  }

  /// Where the object ends that goes on at `start`, outside of its strings, as far as its braces
  /// tell: what stands between them is not read. `nil` when it does not end, or a control character
  /// comes first. Up to `known` there is neither a brace nor a control character.
  ///
  /// Most events have no brace but their first and their last byte: one search finds that, which
  /// costs no more than one for the end of the line. What has more takes twice as long.
  @inline(__always)
  static func endByBraces(_ bytes: Span<UInt8>, from start: Int, flatTo known: Int = 0) -> Int? {
    let end = bytes.endOfFlatRun(from: max(start, known))
    guard end < bytes.count, bytes[end] > 0x20 else { return nil }
    let isLast = end + 1 == bytes.count || bytes[end + 1] <= 0x20
    if bytes[end] == ASCII.closeBrace, isLast { return end + 1 }
    return bytes.endOfObject(from: start)
  }

  /// Where the value that starts at `start` ends, if it is of that kind; whether it is UTF-8 is not
  /// looked at.
  @inline(__always)
  static func endOfValue(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case ASCII.openBrace, ASCII.openBracket:
      return end(of: bytes, from: start, open: 1, isValue: true, checksUTF8: false)
    default: return endOfScalar(bytes, at: start, checksUTF8: false)
    }
  }

  /// Where the object ends that has a member which ends at `start`; `nil` when it is not of that
  /// kind.
  static func end(of bytes: Span<UInt8>, afterMember start: Int) -> Int? {
    end(of: bytes, from: start, open: 0b11, isValue: false, checksUTF8: true)
  }

  /// Goes on at `start`, where a value begins or else has ended. `open` has one bit for each open
  /// bracket, the innermost lowest, set for an object; above them all a 1.
  private static func end(
    of bytes: Span<UInt8>, from start: Int, open: UInt64, isValue: Bool, checksUTF8: Bool
  ) -> Int? {
    var index = start
    var (open, isValue) = (open, isValue)
    while index < bytes.count {
      let byte = bytes[index]
      let isInObject = open & 1 == 1
      if isValue {
        switch byte {
        case ASCII.openBrace, ASCII.openBracket:
          guard open >> 63 == 0, index + 1 < bytes.count else { return nil }
          open = open << 1 | (byte == ASCII.openBrace ? 1 : 0)
          index += 1
          if bytes[index] != byte + 2 {
            guard byte == ASCII.openBrace else { continue }
            guard let value = endOfName(bytes, at: index, checksUTF8) else { return nil }
            index = value
            continue
          }
        default:
          guard let end = endOfScalar(bytes, at: index, checksUTF8: checksUTF8) else { return nil }
          index = end
        }
        isValue = false
      } else if byte == ASCII.comma {
        index += 1
        if index < bytes.count, bytes[index] == ASCII.space { index += 1 }
        if isInObject {
          guard let value = endOfName(bytes, at: index, checksUTF8) else { return nil }
          index = value
        }
        isValue = true
      } else {
        guard byte == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else { return nil }
        open >>= 1
        index += 1
        if open == 1 { return index }
      }
    }
    return nil
  }

  /// Where the string, number or literal ends that starts at `start`.
  @inline(__always)
  private static func endOfScalar(
    _ bytes: Span<UInt8>, at start: Int, checksUTF8: Bool
  ) -> Int? {
    switch bytes[start] {
    case ASCII.quote: endOfString(bytes, from: start + 1, checksUTF8)
    case UInt8(ascii: "t"): bytes.starts(with: "true", at: start) ? start + 4 : nil
    case UInt8(ascii: "f"): bytes.starts(with: "false", at: start) ? start + 5 : nil
    case UInt8(ascii: "n"): bytes.starts(with: "null", at: start) ? start + 4 : nil
    default: endOfNumber(bytes, at: start)
    }
  }

  /// Where the value starts of the member whose name starts at `start`.
  @inline(__always)
  private static func endOfName(
    _ bytes: Span<UInt8>, at start: Int, _ checksUTF8: Bool
  ) -> Int? {
    guard start < bytes.count, bytes[start] == ASCII.quote,
      let end = endOfString(bytes, from: start + 1, checksUTF8), end < bytes.count,
      bytes[end] == ASCII.colon
    else { return nil }
    return end + 1 < bytes.count && bytes[end + 1] == ASCII.space ? end + 2 : end + 1
  }

  /// Where the string ends, after its quote, whose text goes on at `start`.
  @inline(__always)
  static func endOfString(
    _ bytes: Span<UInt8>, from start: Int, _ checksUTF8: Bool
  ) -> Int? {
    let end =
      checksUTF8 ? bytes.endOfASCIIStringRun(from: start) : bytes.endOfStringRun(from: start)
    guard end < bytes.count else { return nil }
    if bytes[end] == ASCII.quote { return end + 1 }
    return JSONString.end(of: bytes, from: end, checksUTF8: checksUTF8)
  }

  @inline(__always)
  private static func endOfNumber(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    let digits = bytes[start] == ASCII.minus ? start + 1 : start
    guard var index = endOfDigits(bytes, from: digits),
      bytes[digits] != ASCII.zero || index == digits + 1
    else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      guard let end = endOfDigits(bytes, from: index + 1) else { return nil }
      index = end
    }
    guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return index }
    index += 1
    let isSigned =
      index < bytes.count && (bytes[index] == ASCII.minus || bytes[index] == UInt8(ascii: "+"))
    return endOfDigits(bytes, from: isSigned ? index + 1 : index)
  }

  /// Where the digits end that start at `start`; `nil` when none is there.
  @inline(__always)
  private static func endOfDigits(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
    return index > start ? index : nil
  }
}
