import Core

/// How much of a text was printed, kept as its length and a hash, so that a later whole can be
/// compared with it without the text being held.
struct PrintedText {
  private(set) var count = 0
  /// FNV-1a, 64 bits.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// How a whole text relates to what was printed.
  enum Comparison {
    /// It goes on from `index`; nothing is missing when that is its end.
    case continues(from: Int)
    /// It is shorter than what was printed.
    case isShorter
    /// It begins otherwise.
    case conflicts
  }

  mutating func append(_ text: Span<UInt8>) {
    count += text.count
    hash = Self.hash(text, from: hash)
  }

  func compare(with whole: Span<UInt8>) -> Comparison {
    guard whole.count >= count else { return .isShorter }
    let beginning = Self.hash(whole.extracting(0..<count), from: PrintedText().hash)
    return beginning == hash ? .continues(from: count) : .conflicts
  }

  private static func hash(_ text: Span<UInt8>, from start: UInt64) -> UInt64 {
    var hash = start
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3 }
    return hash
  }
}
