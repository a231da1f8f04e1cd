/// Finds whose an id is, at the same cost however many there are.
///
/// Ids of one kind and one tag have a space of their own. An id takes some 40 bytes beside its own.
/// Those whose owner is forgotten are left out when the table grows.
struct IDTable: Sendable {
  /// Whose an id is: where that stands, and the number that tells it from what stood there before.
  struct Owner: Equatable, Sendable {
    var slot: Int
    var number: Int
  }

  private struct Entry {
    /// Where its bytes begin in `arena`, and how many there are.
    var start: Int
    var count: Int32
    var space: Int32
    var slot: Int32
    /// The highest 32 bits of its hash.
    var mark: UInt32
    var number: Int
  }

  private var entries: [Entry] = []
  private var arena: [UInt8] = []
  /// The place of an entry, counted from 1, at the first free place from its hash on; 0 where none
  /// is. A power of two in number.
  private var places = [UInt32](repeating: 0, count: 16)
  /// The entry that was asked for last: most events have the id of the one before. -1 if none was.
  private var last = -1

  /// Whose `id` was last in `space`.
  mutating func find(_ id: Span<UInt8>, in space: Int) -> Owner? {
    if last < 0 || !holds(id, space, at: last) { last = entry(of: id, in: space) }
    guard last >= 0 else { return nil }
    return Owner(slot: Int(entries[last].slot), number: entries[last].number)
  }

  /// Notes that `id` is `owner`'s from now on; `isKnown` tells whose ids are still of use.
  mutating func set(
    _ id: Span<UInt8>, in space: Int, to owner: Owner, keeping isKnown: (Int, Owner) -> Bool
  ) {
    if find(id, in: space) == nil {
      if 3 * (entries.count + 1) > 2 * places.count { renew(keeping: isKnown) }
      let hash = Self.hash(id, space)
      last = entries.count
      entries.append(
        Entry(
          start: arena.count, count: Int32(clamping: id.count), space: Int32(space), slot: 0,
          mark: UInt32(truncatingIfNeeded: hash >> 32), number: 0))
      arena.append(copying: id)
      place(last, by: hash)
    }
    (entries[last].slot, entries[last].number) = (Int32(owner.slot), owner.number)
  }

  private func holds(_ id: Span<UInt8>, _ space: Int, at index: Int) -> Bool {
    let entry = entries[index]
    guard entry.space == space, entry.count == id.count else { return false }
    return arena.span.extracting(entry.start..<entry.start + id.count).equals(id)
  }

  /// The entry of `id`; -1 where there is none.
  private func entry(of id: Span<UInt8>, in space: Int) -> Int {
    let hash = Self.hash(id, space)
    let mark = UInt32(truncatingIfNeeded: hash >> 32)
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while places[place] > 0 {
      let index = Int(places[place]) - 1
      if entries[index].mark == mark, holds(id, space, at: index) { return index }
      place = (place + 1) & (places.count - 1)
    }
    return -1
  }

  private mutating func place(_ index: Int, by hash: UInt64) {
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while places[place] > 0 { place = (place + 1) & (places.count - 1) }
    places[place] = UInt32(index + 1)
  }

  /// Leaves out what is not known any more, and makes room for twice as many as are left.
  private mutating func renew(keeping isKnown: (Int, Owner) -> Bool) {
    entries.removeAll {
      !isKnown(Int($0.space), Owner(slot: Int($0.slot), number: $0.number))
    }
    var room = 16
    while room < 3 * (entries.count + 1) { room *= 2 }
    // The ids that are left stand in their order, so each moves towards the start.
    var end = 0
    (places, last) = (Array(repeating: 0, count: room), -1)
    for index in entries.indices {
      let (start, count) = (entries[index].start, Int(entries[index].count))
      if start > end {
        for offset in 0..<count { arena[end + offset] = arena[start + offset] }
      }
      entries[index].start = end
      end += count
      place(index, by: hash(at: index))
    }
    arena.removeSubrange(end...)
  }

  private func hash(at index: Int) -> UInt64 {
    let entry = entries[index]
    let id = arena.span.extracting(entry.start..<entry.start + Int(entry.count))
    return Self.hash(id, Int(entry.space))
  }

  private static func hash(_ id: Span<UInt8>, _ space: Int) -> UInt64 {
    id.mixed(into: UInt64(truncatingIfNeeded: space) &* 0x9E37_79B9_7F4A_7C15)
  }
}

@inline(__always)
private func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
  let product = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
  return product.high ^ product.low
}

extension Span<UInt8> {
  /// A hash of the length and of the first and the last eight bytes.
  @inline(__always)
  func sampled(into seed: UInt64) -> UInt64 {
    guard count > 16 else { return mixed(into: seed) }
    let ends = mix(word(at: 0), word(at: count - 8))
    return mix(seed ^ ends, UInt64(truncatingIfNeeded: count))
  }

  /// A hash of all bytes, eight at a time.
  @inline(__always)
  package func mixed(into seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var index = 0
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
