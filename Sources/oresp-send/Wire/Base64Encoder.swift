import Core

/// Base64 (RFC 4648, section 4).
enum Base64Encoder {
  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    let start = output.count
    // Places that no byte fills keep this padding.
    output += repeatElement(UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4)
    let (source, alphabet) = (bytes.span, alphabet.span)
    var room = output.mutableSpan
    for index in stride(from: 0, to: bytes.count, by: 3) {
      let second = index + 1 < source.count ? source[index + 1] : 0
      let third = index + 2 < source.count ? source[index + 2] : 0
      let place = start + index / 3 * 4
      room[place] = alphabet[Int(source[index] >> 2)]
      room[place + 1] = alphabet[Int(source[index] << 4 & 0x30 | second >> 4)]
      if index + 1 < source.count {
        room[place + 2] = alphabet[Int(second << 2 & 0x3C | third >> 6)]
      }
      if index + 2 < source.count { room[place + 3] = alphabet[Int(third & 0x3F)] }
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
