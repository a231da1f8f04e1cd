import Core

/// The items of one response, by their numbers (`Event.item`). An open item is kept whole; of an item that
/// ended, only what the end of the response is compared with.
struct ItemChecks {
  private struct Item {
    /// A hash of the item as it ended; 0 while it is open.
    var mark: UInt64 = 0
    /// The range of its values in `ended`.
    var parts: Range<UInt32> = 0..<0
    /// Its index in `open`; -1 when it ended, or no event of it was checked.
    var slot: Int32
    var isKnown = true
    var hasID = false
    var hasReportedType = false
  }

  private var items: [Item] = []
  private var open: [ItemCheck] = []
  /// The indices in `open` of items that ended, to be used again.
  private var free: [Int] = []
  /// The values of the items that ended.
  private var ended: [EndedPart] = []

  /// The number of items of which an event was checked.
  private(set) var count = 0

  /// Whether an event of the item `number` was checked.
  func has(_ number: Int) -> Bool { number < items.count && items[number].isKnown }

  /// The items that an event opened and none ended.
  var openNumbers: [Int] {
    items.indices.filter { items[$0].slot >= 0 && open[Int(items[$0].slot)].wasAdded }
  }

  func isDone(_ number: Int) -> Bool { items[number].slot < 0 }

  /// The type of an open item.
  func type(of number: Int) -> String { open[Int(items[number].slot)].type }

  /// Begins `item`, which is new or opened again.
  mutating func set(_ number: Int, _ item: ItemCheck) {
    let slot = free.popLast() ?? open.count
    if slot == open.count { open.append(item) } else { open[slot] = item }
    if !has(number) { count += 1 }
    while items.count <= number { items.append(Item(slot: -1, isKnown: false)) }
    items[number] = Item(slot: Int32(clamping: slot))
  }

  /// Appends the delta of an event to the value that grew last, if it goes on with that; else
  /// false.
  @inline(__always)
  mutating func append(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>, to number: Int
  ) -> Bool {
    guard number >= 0, has(number) else { return false }
    let slot = Int(items[number].slot)
    return slot >= 0 && open[slot].append(type, event, line)
  }

  /// Whether item `number` ended with the bytes of `item`.
  func ended(_ number: Int, as item: Span<UInt8>) -> Bool {
    items[number].mark == Self.mark(item)
  }

  private static func mark(_ item: Span<UInt8>) -> UInt64 { item.mixed(into: 0) | 1 }

  /// Hands an event to the item `number`, which it is about.
  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, of number: Int,
    _ identity: @autoclosure () -> ItemIdentity, _ report: inout CheckReport
  ) {
    let slot = Int(items[number].slot)
    guard slot >= 0 else {
      var item = item(number, identity())
      item.handle(event, line, &report)
      items[number].hasReportedType = item.hasReportedType
      return
    }
    open[slot].handle(event, line, &report)
    guard open[slot].isDone else { return }
    end(number, slot)
    items[number].mark = Self.mark(line.extracting(event.object(of: "item", in: line) ?? 0..<0))
  }

  /// Compares `item`, which the terminal event has at `index`, with item `number`.
  mutating func compare(
    _ number: Int, _ identity: @autoclosure () -> ItemIdentity,
    with item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, at index: Int,
    _ report: inout CheckReport
  ) {
    let slot = Int(items[number].slot)
    var known = slot >= 0 ? open[slot] : self.item(number, identity())
    known.compare(with: item, of: event, line, at: index, &report)
  }

  private mutating func end(_ number: Int, _ slot: Int) {
    let start = ended.count
    ended += open[slot].parts.map(EndedPart.init)
    items[number].parts = UInt32(clamping: start)..<UInt32(clamping: ended.count)
    (items[number].hasID, items[number].slot) = (!open[slot].id.isEmpty, -1)
    items[number].hasReportedType = open[slot].hasReportedType
    open[slot] = ItemCheck(wasAdded: false, isWhole: false)
    free.append(slot)
  }

  /// An item that ended, as far as it is kept.
  private func item(_ number: Int, _ identity: ItemIdentity) -> ItemCheck {
    let item = items[number]
    return ItemCheck(
      ended: ended[Int(item.parts.lowerBound)..<Int(item.parts.upperBound)], type: identity.type,
      id: item.hasID ? identity.id : "", hasReportedType: item.hasReportedType)
  }
}
