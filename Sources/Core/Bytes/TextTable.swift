/// Texts, each held once with its owner, and found at the same cost however many there are.
///
/// The same text may stand in several spaces. A text takes some 30 bytes beside its own. Texts that
/// together have more than 4 GiB are not kept.
struct TextTable<Owner> {
  fileprivate struct Entry {
    /// The place of its first byte in `arena`, and the number of its bytes.
    var (start, count): (UInt32, UInt32)
    var space: Int32
    /// The highest 32 bits of its hash.
    let mark: UInt32
    var owner: Owner

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  private var entries: [Entry] = []
  private var arena: [UInt8] = []
  /// The indices of entries, counted from 1, each at the first free place from its hash on; 0 where
  /// there is none. A power of two in number.
  private var places = [UInt32](repeating: 0, count: 16)

  /// Whether one more text needs more room.
  var isFull: Bool { 3 * (entries.count + 1) > 2 * places.count }

  /// The owner of the text at `index`.
  subscript(index: Int) -> Owner {
    get { entries[index].owner }
    set { entries[index].owner = newValue }
  }

  /// The index of `text` in `space`; `nil` when it is not there.
  func find(_ text: Span<UInt8>, in space: Int) -> Int? {
    let hash = Self.hash(text, space)
    let mark = UInt32(truncatingIfNeeded: hash >> 32)
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while places[place] > 0 {
      let index = Int(places[place]) - 1
      let entry = entries[index]
      if entry.mark == mark, entry.space == space,
        arena.span.extracting(entry.range).equals(text)
      {
        return index
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Adds `text`, which is not there, to `space`. Returns its index; `nil` when there is no room.
  @discardableResult
  mutating func add(_ text: Span<UInt8>, in space: Int, _ owner: Owner) -> Int? {
    guard let start = UInt32(exactly: arena.count), let count = UInt32(exactly: text.count),
      let space = Int32(exactly: space), entries.count < Int32.max
    else { return nil }
    if isFull { keep { _, _ in true } }
    let hash = Self.hash(text, Int(space))
    let mark = UInt32(truncatingIfNeeded: hash >> 32)
    entries.append(Entry(start: start, count: count, space: space, mark: mark, owner: owner))
    arena.append(copying: text)
    place(entries.count - 1, by: hash)
    return entries.count - 1
  }

  @inline(__always)
  func text(at index: Int, equals text: Span<UInt8>) -> Bool {
    arena.span.extracting(entries[index].range).equals(text)
  }

  /// Keeps the texts that `isKept` accepts, removes all others, and makes room for twice as many as
  /// are left. Their indices change.
  mutating func keep(where isKept: (_ space: Int, Owner) -> Bool) {
    entries.removeAll { !isKept(Int($0.space), $0.owner) }
    var room = 16
    while room < 3 * (entries.count + 1) { room *= 2 }
    places = Array(repeating: 0, count: room)
    // The texts that are left stand in their order, so each moves towards the start.
    var end = 0
    for index in entries.indices {
      let range = entries[index].range
      if range.lowerBound > end {
        for offset in range.indices { arena[end + offset - range.lowerBound] = arena[offset] }
      }
      entries[index].start = UInt32(end)
      end += range.count
      let entry = entries[index]
      let hash = Self.hash(arena.span.extracting(entry.range), Int(entry.space))
      place(index, by: hash)
    }
    arena.removeSubrange(end...)
  }

  private mutating func place(_ index: Int, by hash: UInt64) {
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while places[place] > 0 { place = (place + 1) & (places.count - 1) }
    places[place] = UInt32(index + 1)
  }

  private static func hash(_ text: Span<UInt8>, _ space: Int) -> UInt64 {
    text.mixed(into: UInt64(truncatingIfNeeded: space) &* 0x9E37_79B9_7F4A_7C15)
  }
}

extension TextTable: Sendable where Owner: Sendable {}

extension TextTable.Entry: Sendable where Owner: Sendable {}

@inline(__always)
private func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
  let product = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
  return product.high ^ product.low
}

extension Span<UInt8> {
  /// A hash of the length and of the first and the last eight bytes of `range`.
  @inline(__always)
  func sampled(_ range: Range<Int>, into seed: UInt64) -> UInt64 {
    let hash = seed ^ UInt64(truncatingIfNeeded: range.count)
    guard range.count < 8 else {
      return mix(mix(hash, word(at: range.lowerBound)), word(at: range.upperBound - 8))
    }
    guard range.lowerBound + 8 <= count else {
      // Too near to the end for a whole word.
      let word = range.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64(self[$1]) }
      return mix(hash, word)
    }
    let bits = UInt64(truncatingIfNeeded: 8 * range.count)
    return mix(hash, UInt64(littleEndian: word(at: range.lowerBound)) & ((1 &<< bits) &- 1))
  }

  /// A hash of all bytes, eight at a time.
  @inline(__always)
  package func mixed(into seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var index = 0
    if count >= 64 {
      // Each product waits for the one before: of long texts four go side by side.
      var lanes = (hash, ~hash, hash &+ 1, hash &+ 2)
      while index + 32 < count {
        lanes.0 = mix(lanes.0, word(at: index))
        lanes.1 = mix(lanes.1, word(at: index + 8))
        lanes.2 = mix(lanes.2, word(at: index + 16))
        lanes.3 = mix(lanes.3, word(at: index + 24))
        index += 32
      }
      hash = mix(mix(lanes.0, lanes.1), mix(lanes.2, lanes.3))
    }
    while index + 8 < count {
      hash = mix(hash, word(at: index))
      index += 8
    }
    // The last eight; some may be in the word before.
    if count >= 8 { return mix(hash, word(at: count - 8)) }
    var rest: UInt64 = 1
    for index in indices { rest = rest << 8 | UInt64(self[index]) }
    return mix(hash, rest)
  }
}
