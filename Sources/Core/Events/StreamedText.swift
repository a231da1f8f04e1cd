/// How much of a text came, kept as its length and a hash, so that a later whole can be compared
/// with it without the text being held.
package struct StreamedText: Sendable {
  /// Its length so far, in bytes of UTF-8.
  package private(set) var count = 0
  /// FNV-1a, 64 bits.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// How a whole text relates to what came.
  package enum Comparison: Equatable, Sendable {
    /// It goes on from `index`; nothing is missing when that is its end.
    case continues(from: Int)
    /// It is shorter than what came.
    case isShorter
    /// It begins otherwise.
    case conflicts
  }

  package mutating func append(_ text: Span<UInt8>) {
    count += text.count
    hash = Self.hash(text, from: hash)
  }

  package func compare(with whole: Span<UInt8>) -> Comparison {
    guard whole.count >= count else { return .isShorter }
    let beginning = Self.hash(whole.extracting(0..<count), from: StreamedText().hash)
    return beginning == hash ? .continues(from: count) : .conflicts
  }

  private static func hash(_ text: Span<UInt8>, from start: UInt64) -> UInt64 {
    var hash = start
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3 }
    return hash
  }
}
