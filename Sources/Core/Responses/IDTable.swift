/// Finds whose an id is, at the same cost however many there are: open addressing over one arena.
///
/// Ids of one kind and one tag have a space of their own. Those whose owner is forgotten are left
/// out when the table grows.
struct IDTable: Sendable {
  /// Whose an id is: where that stands, and the number that tells it from what stood there before.
  struct Owner: Equatable, Sendable {
    var slot: Int
    var number: Int
  }

  private struct Entry {
    var hash: UInt64
    var start: Int
    var count: Int32
    var space: Int32
    var slot: Int32
    /// 0 where nothing stands.
    var number: Int
  }

  private var entries = [Entry](repeating: free, count: 16)
  private var arena: [UInt8] = []
  private var used = 0
  /// Where the id stands that was asked for last: most events have the id of the one before.
  private var last = 0

  private static let free = Entry(hash: 0, start: 0, count: 0, space: 0, slot: 0, number: 0)

  /// Whose `id` was last in `space`.
  mutating func find(_ id: Span<UInt8>, in space: Int) -> Owner? {
    if !holds(id, space, at: last) { last = place(of: id, in: space, Self.hash(id, space)) }
    let entry = entries[last]
    return entry.number > 0 ? Owner(slot: Int(entry.slot), number: entry.number) : nil
  }

  /// Notes that `id` is `owner`'s from now on; `isKnown` tells whose ids are still of use.
  mutating func set(
    _ id: Span<UInt8>, in space: Int, to owner: Owner, keeping isKnown: (Int, Owner) -> Bool
  ) {
    if holds(id, space, at: last) {
      (entries[last].slot, entries[last].number) = (Int32(owner.slot), owner.number)
      return
    }
    if 3 * (used + 1) > 2 * entries.count { renew(keeping: isKnown) }
    let hash = Self.hash(id, space)
    last = place(of: id, in: space, hash)
    if entries[last].number == 0 {
      (entries[last], used) = (Self.free, used + 1)
      (entries[last].hash, entries[last].space) = (hash, Int32(space))
      (entries[last].start, entries[last].count) = (arena.count, Int32(clamping: id.count))
      arena.append(copying: id)
    }
    (entries[last].slot, entries[last].number) = (Int32(owner.slot), owner.number)
  }

  private func holds(_ id: Span<UInt8>, _ space: Int, at index: Int) -> Bool {
    let entry = entries[index]
    guard entry.number > 0, entry.space == space, entry.count == id.count else { return false }
    return arena.span.extracting(entry.start..<entry.start + id.count).equals(id)
  }

  /// Where `id` stands, or would.
  private func place(of id: Span<UInt8>, in space: Int, _ hash: UInt64) -> Int {
    var index = Int(truncatingIfNeeded: hash) & (entries.count - 1)
    while entries[index].number > 0 {
      if entries[index].hash == hash, holds(id, space, at: index) { return index }
      index = (index + 1) & (entries.count - 1)
    }
    return index
  }

  /// Leaves out what is not known any more, and makes room for twice as many as are left.
  private mutating func renew(keeping isKnown: (Int, Owner) -> Bool) {
    let kept = entries.filter {
      $0.number > 0 && isKnown(Int($0.space), Owner(slot: Int($0.slot), number: $0.number))
    }
    var room = 16
    while room < 3 * (kept.count + 1) { room *= 2 }
    let former = arena
    (entries, arena) = (Array(repeating: Self.free, count: room), [])
    (used, last) = (kept.count, 0)
    for var entry in kept {
      let id = former.span.extracting(entry.start..<entry.start + Int(entry.count))
      entry.start = arena.count
      arena.append(copying: id)
      var index = Int(truncatingIfNeeded: entry.hash) & (room - 1)
      while entries[index].number > 0 { index = (index + 1) & (room - 1) }
      entries[index] = entry
    }
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
