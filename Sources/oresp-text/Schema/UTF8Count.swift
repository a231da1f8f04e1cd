import Core

/// Counts the characters of UTF-8 text as the API does: in Unicode code points.
enum UTF8Count {
  /// Whether `byte` continues a character.
  @inline(__always)
  static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  static func characters(in text: Span<UInt8>) -> Int {
    var count = 0
    for index in text.indices where !continues(text[index]) { count += 1 }
    return count
  }
}
