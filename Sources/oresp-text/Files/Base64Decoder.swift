import Core

/// Decodes base64 that comes in chunks (RFC 4648, sections 4 and 5), in either alphabet. It skips
/// white space; the padding at the end must be complete or absent.
///
/// It holds the bits of an unfinished byte, so it needs no limit.
struct Base64Decoder: Sendable {
  /// The bytes of text before the next.
  private var position = 0
  /// Whether padding came, after which nothing may follow.
  var isPadded: Bool { padding > 0 }

  /// The number of characters so far, without white space and padding, and their last bits.
  private var (count, bits) = (0, 0 as UInt16)
  private var padding = 0

  /// Appends to `output` the bytes that `text`, the next part, encodes, up to a fault.
  mutating func decode(
    _ text: Span<UInt8>, into output: inout [UInt8]
  ) throws(Failure) {
    let start = position
    for index in text.indices {
      let value = Self.value(of: text[index])
      if let value, !isPadded {
        (count, bits) = (count + 1, bits << 6 | value)
        // Four characters are three bytes: the first of four completes none.
        guard count % 4 != 1 else { continue }
        output.append(UInt8(truncatingIfNeeded: bits >> ((4 - count % 4) % 4 * 2)))
      } else if !ASCII.isSpace(text[index]) {
        position = start + index
        guard text[index] == UInt8(ascii: "=") else {
          throw fault(value == nil ? "a character is no base64" : "something follows the padding")
        }
        // A group of four that has two characters needs two pads, one of three needs one.
        guard count % 4 > 1 else { throw fault("padding in the wrong place") }
        guard count % 4 + padding < 4 else { throw fault("there is too much padding") }
        padding += 1
      }
    }
    position = start + text.count
  }

  /// Ends the text.
  func finish() throws(Failure) {
    guard !isPadded || count % 4 + padding == 4 else { throw fault("the padding is not complete") }
    guard count % 4 != 1 else { throw fault("it ends within a byte") }
  }

  private func fault(_ reason: String) -> Failure {
    .other("not base64: \(reason) (character \(position))", .badInput)
  }

  private static func value(of byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt16(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt16(byte - UInt8(ascii: "a") + 26)
    case ASCII.zero...ASCII.nine: UInt16(byte - ASCII.zero + 52)
    case UInt8(ascii: "+"), ASCII.minus: 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
