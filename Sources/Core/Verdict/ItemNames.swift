/// The texts that name the items of one response, each held once, and which item each named last.
struct ItemNames: Sendable {
  /// What a text is; the same text may be two of them.
  enum Kind: UInt8, Sendable { case id, callID, type }

  private struct Name {
    var start: UInt32
    /// Its length, and in the lowest two bits its kind.
    var shape: UInt32
    var hash: UInt32
    var owner: Int32 = -1
  }

  private var arena: [UInt8] = []
  /// By their numbers, which begin at 1.
  private var names: [Name] = []
  /// The number of a text at the first free place from its hash on; 0 where none is.
  private var slots = [Int32](repeating: 0, count: 16)

  mutating func removeAll() {
    if names.isEmpty { return }
    arena.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    for slot in slots.indices { slots[slot] = 0 }
  }

  /// The number of `text`; 0 of an empty one, -1 when it is not known.
  func find(_ text: Span<UInt8>, _ kind: Kind) -> Int32 {
    if text.isEmpty { return 0 }
    let number = slots[slot(of: text, kind, Self.hash(text, kind))]
    return number == 0 ? -1 : number
  }

  /// The number of `text`, which is made known if it was not; 0 when there is no room for it.
  mutating func number(of text: Span<UInt8>, _ kind: Kind) -> Int32 {
    guard !text.isEmpty, let start = UInt32(exactly: arena.count), text.count < 1 << 30 else {
      return 0
    }
    let hash = Self.hash(text, kind)
    var slot = slot(of: text, kind, hash)
    if slots[slot] != 0 { return slots[slot] }
    if 2 * names.count >= slots.count {
      grow()
      slot = self.slot(of: text, kind, hash)
    }
    names.append(Name(start: start, shape: Self.shape(text, kind), hash: hash))
    arena.append(copying: text)
    slots[slot] = Int32(clamping: names.count)
    return slots[slot]
  }

  /// The item that the text `number` named last; `nil` when it named none.
  func owner(of number: Int32) -> Int? {
    guard number > 0, names[Int(number) - 1].owner >= 0 else { return nil }
    return Int(names[Int(number) - 1].owner)
  }

  mutating func setOwner(of number: Int32, to item: Int) {
    names[Int(number) - 1].owner = Int32(clamping: item)
  }

  func text(_ number: Int32) -> String {
    guard number > 0 else { return "" }
    let name = names[Int(number) - 1]
    let (start, count) = (Int(name.start), Int(name.shape >> 2))
    return String(decoding: arena.span.extracting(start..<start + count))
  }

  private static func shape(_ text: Span<UInt8>, _ kind: Kind) -> UInt32 {
    UInt32(truncatingIfNeeded: text.count) << 2 | UInt32(kind.rawValue)
  }

  /// Where `text` stands in `slots`, or would.
  private func slot(of text: Span<UInt8>, _ kind: Kind, _ hash: UInt32) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0, !isName(Int(slots[slot]) - 1, text, kind, hash) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func isName(
    _ index: Int, _ text: Span<UInt8>, _ kind: Kind, _ hash: UInt32
  ) -> Bool {
    let name = names[index]
    guard name.hash == hash, name.shape == Self.shape(text, kind) else { return false }
    let start = Int(name.start)
    return arena.span.extracting(start..<start + text.count).equals(text)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: 2 * slots.count)
    for (index, name) in names.enumerated() {
      var slot = Int(name.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(clamping: index + 1)
    }
  }

  private static func hash(_ text: Span<UInt8>, _ kind: Kind) -> UInt32 {
    UInt32(truncatingIfNeeded: text.mixed(into: UInt64(kind.rawValue)))
  }
}
