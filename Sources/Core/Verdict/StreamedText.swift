/// The length and a hash of the text that came so far: a later whole text can be compared with it,
/// and the text itself is not held.
///
/// The hash mixes eight bytes at a time, eight times as fast as a byte at a time, and is the same
/// however the text was cut.
package struct StreamedText: Sendable {
  /// Its length so far, in bytes of UTF-8.
  package private(set) var count = 0
  /// The hash of all whole words.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The bytes behind the whole words, the first byte lowest.
  private var word: UInt64 = 0

  package init() {}

  /// The relation of a whole text to the text that came.
  package enum Comparison: Equatable, Sendable {
    /// It begins with that text and goes on at the given byte, or ends there.
    case continues(from: Int)
    /// It is shorter than that text.
    case isShorter
    /// It does not begin with that text.
    case conflicts
  }

  package mutating func append(_ text: Span<UInt8>) {
    var index = 0
    while index + 8 <= text.count {
      append(UInt64(littleEndian: text.word(at: index)), 8)
      index += 8
    }
    var rest: UInt64 = 0
    var place = text.count
    while place > index {
      place &-= 1
      rest = rest &<< 8 | UInt64(text[place])
    }
    append(rest, text.count - index)
  }

  /// Becomes `whole`, and returns its relation to the text that came.
  package mutating func replace(with whole: Span<UInt8>) -> Comparison {
    let former = self
    let shared = min(count, whole.count)
    self = StreamedText()
    append(whole.extracting(0..<shared))
    let isSame = hash == former.hash && word == former.word
    append(whole.extracting(shared...))
    guard shared == former.count else { return .isShorter }
    return isSame ? .continues(from: shared) : .conflicts
  }

  /// Whether a whole text ends with the text that came behind `start`, an earlier state of it.
  package func isEnd(of whole: Span<UInt8>, behind start: StreamedText = .init()) -> Bool {
    let length = count - start.count
    guard whole.count >= length else { return false }
    let end = whole.extracting((whole.count - length)...)
    return compare(with: end, behind: start) == .continues(from: length)
  }

  /// The relation of a whole text to the text that came behind `start`, an earlier state of it.
  package func compare(
    with whole: Span<UInt8>, behind start: StreamedText = .init()
  ) -> Comparison {
    let length = count - start.count
    guard whole.count >= length else { return .isShorter }
    var beginning = start
    beginning.append(whole.extracting(0..<length))
    let isSame = beginning.hash == hash && beginning.word == word
    return isSame ? .continues(from: length) : .conflicts
  }

  /// Appends `length` bytes, 8 at most, of which `bytes` has the first lowest, and zeros behind.
  @inline(__always)
  private mutating func append(_ bytes: UInt64, _ length: Int) {
    let held = count & 7
    word |= bytes &<< UInt64(8 * held)
    count += length
    guard held + length >= 8 else { return }
    mix(word)
    word = held == 0 ? 0 : bytes &>> UInt64(64 - 8 * held)
  }

  /// Mixes a whole word in, using both halves of the product, so that each bit changes many.
  private mutating func mix(_ word: UInt64) {
    let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    hash = product.high ^ product.low
  }
}
