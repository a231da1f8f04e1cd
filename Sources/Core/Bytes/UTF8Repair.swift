/// UTF-8 as the Encoding standard decodes it: other bytes become U+FFFD, one for each maximal part
/// of a character (Unicode 16, section 3.9, table 3-8).
package enum UTF8Repair {
  /// Whether all of `bytes` is UTF-8.
  package static func isValid(_ bytes: Span<UInt8>) -> Bool { firstFault(in: bytes) == nil }

  /// The index of the first byte that is not UTF-8; `nil` when all are.
  package static func firstFault(in bytes: Span<UInt8>) -> Int? {
    var index = 0
    while true {
      index = bytes.endOfASCIIRun(from: index)
      guard index < bytes.count else { return nil }
      let step = character(bytes, at: index)
      guard step > 0 else { return index }
      index += step
    }
  }

  /// Appends `bytes` to `output`, each part that is not UTF-8 replaced by U+FFFD.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    output.append(String(decoding: bytes))
  }

  /// The length of the character at `index`; if it is none, the negative length of the part to
  /// replace.
  package static func character(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let lead = bytes[index]
    let length: Int
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { lowest = 0xA0 }
      if lead == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { lowest = 0x90 }
      if lead == 0xF4 { highest = 0x8F }
    default: return -1
    }
    for offset in 1..<length {
      guard index + offset < bytes.count, (lowest...highest).contains(bytes[index + offset])
      else { return -offset }
      lowest = 0x80
      highest = 0xBF
    }
    return length
  }
}
