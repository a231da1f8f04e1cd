/// The items of a response that its events were about, as far as they say where the next response
/// begins when that has no beginning of its own.
struct HeardItems {
  private struct Item {
    /// A hash of its type, or of the type that its first event shows.
    let kind: UInt64
    /// The last of its ids, hashed, and the number of ids that it had.
    var id: UInt64 = 0
    var idCount = 0
    var events = 0
    var isDone = false
    /// The item before it of the same kind; -1 when there is none.
    let before: Int
  }

  private var items: [Item] = []
  /// Whether the next event of the same item, part and type may be of the next response: the last
  /// one was the first of its item, or a delta of a text that had come whole.
  private(set) var isDoubtful = true
  /// The last item at each `output_index`.
  private var indexes: [Int: Int] = [:]
  /// The last item of each kind that may be open.
  private var lastOpen: [UInt64: Int] = [:]
  private var highestIndex = Int.min
  /// The whole items and parts that came, each by a hash of its kind and place.
  private var wholes: Set<UInt64> = []

  /// Notes an event, and returns the number of its item; `known` is the item that its id names. An
  /// unknown id under the index of an item that is done is of a new one.
  mutating func note(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ known: Int?
  ) -> Int {
    let number = known ?? find(event, line, clues) ?? add(event, line, clues)
    items[number].events += 1
    isDoubtful = items[number].events == 1
    if event.type?.family == .outputItem, event.type?.phase == .done {
      items[number].isDone = true
    }
    if let id = clues.item {
      let hash = line.extracting(id).mixed(into: 0)
      if items[number].id != hash {
        items[number].id = hash
        items[number].idCount += 1
      }
    }
    if let (key, isWhole) = Self.key(event, line, clues, number) {
      if isWhole { wholes.insert(key) } else if wholes.contains(key) { isDoubtful = true }
    }
    return number
  }

  /// Whether an event cannot be of this response: its part or item came whole, or its item has
  /// another id than the one at its index, or a lower index than one that came.
  func isNewFor(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ known: Int?
  ) -> Bool {
    let item = known ?? (clues.item == nil ? items.count - 1 : -1)
    if let (key, _) = Self.key(event, line, clues, item), wholes.contains(key) { return true }
    guard let index = clues.index, known == nil else { return false }
    guard let number = indexes[index] else { return index < highestIndex }
    // An id that came once says nothing: GitHub Copilot gives each event another.
    let isKept = items[number].events > 1 && items[number].idCount == 1
    return clues.item != nil && (items[number].isDone || isKept)
  }

  private mutating func find(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues
  ) -> Int? {
    if let index = clues.index, let number = indexes[index] {
      return clues.item == nil || !items[number].isDone ? number : nil
    }
    guard clues.item == nil, clues.index == nil, event.type?.opensItem != true else { return nil }
    let kind = Self.kind(of: event, line)
    // A done item is passed once: however many there are, no event searches them again.
    var last = lastOpen[kind] ?? -1
    while last >= 0, items[last].isDone { last = items[last].before }
    lastOpen[kind] = last
    return last >= 0 ? last : nil
  }

  private mutating func add(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues
  ) -> Int {
    let kind = Self.kind(of: event, line)
    items.append(Item(kind: kind, before: lastOpen[kind] ?? -1))
    lastOpen[kind] = items.count - 1
    if let index = clues.index {
      indexes[index] = items.count - 1
      highestIndex = max(highestIndex, index)
    }
    return items.count - 1
  }

  /// A hash of the type of the item that an event is about, as far as the event shows it.
  private static func kind(of event: borrowing Event, _ line: Span<UInt8>) -> UInt64 {
    if let type = event.value(of: "item", "type", in: line) {
      return line.extracting(type).mixed(into: 0)
    }
    let isPart = event.type?.family == .contentPart
    let name = isPart ? "message" : event.type?.itemType ?? event.type?.family.rawValue ?? ""
    return Array("\"\(name)\"".utf8).span.mixed(into: 0)
  }

  /// A hash of the kind and the place of a whole item or part, or of the whole that a delta is a
  /// piece of, and whether the event is the whole; `nil` for any other event. `item` is the number
  /// of its item, which is the place if there is no index.
  private static func key(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ item: Int
  ) -> (key: UInt64, isWhole: Bool)? {
    guard let typeName = event.typeName, event.type?.phase != .annotation else { return nil }
    let name = line.extracting(typeName)
    let isDelta = ends(name, with: ".delta", 6)
    let isDone = ends(name, with: ".done", 5)
    guard isDelta || isDone || ends(name, with: ".added", 6) else { return nil }
    let stem = isDelta ? name.count - 6 : isDone ? name.count - 5 : name.count
    var key = name.extracting(first: stem).mixed(into: 7)
    func mix(_ number: Int?) {
      key ^= UInt64(truncatingIfNeeded: number.map { $0 &+ 1 } ?? 0)
      key = key &* 0x9E37_79B9_7F4A_7C15
      key ^= key >> 29
    }
    mix(clues.index)
    mix(event.partIndex(in: line))
    if clues.index == nil { mix(item) }
    return (key, !isDelta)
  }

  private static func ends(_ name: Span<UInt8>, with end: StaticString, _ count: Int) -> Bool {
    name.count > count && name.starts(with: end, at: name.count - count)
  }
}
