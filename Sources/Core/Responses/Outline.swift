/// What a response without a beginning has shown, by which the response behind it is known: of
/// events that were selected by type no `response.created` stands between two responses.
///
///     {"type":"response.output_text.done","item_id":"m1","output_index":0,"text":"a"}
///     {"type":"response.output_text.done","item_id":"m2","output_index":0,"text":"b"}
///                                   a second `done` of one part: the next response begins
struct Outline {
  /// The most items and the most whole values that are noted; what comes then tells nothing.
  private static let most = 4096

  private struct Item {
    /// The hash of the first id that its events had; 0 as long as none had one.
    var id: UInt64 = 0
    /// Whether its events have one id, as far as they have any.
    var hasOneID = true
    /// The number of its events.
    var events = 0
    var isDone = false
  }

  /// The first sequence number; `nil` when none came.
  private(set) var first: Int?
  /// The items by their indexes, and the highest index.
  private var items: [Int: Item] = [:]
  private var highest = Int.min
  /// Hashes of the kinds and places of `added` and `done` events.
  private var wholes: Set<UInt64> = []
  private(set) var isEmpty = true

  /// Notes an event of the response, with the item id at `item` and `number`.
  mutating func note(
    _ event: borrowing Event, _ line: Span<UInt8>, item: Range<Int>?, _ number: Int?
  ) {
    isEmpty = false
    first = first ?? number
    if let whole = Self.whole(event, line, item), !whole.isDelta, wholes.count < Self.most {
      wholes.insert(whole.mark)
    }
    guard let index = event.integer(of: "output_index", in: line),
      items[index] != nil || items.count < Self.most
    else { return }
    var known = items[index] ?? Item()
    known.events += 1
    if let item {
      let id = line.extracting(item).mixed(into: 0)
      if known.id == 0 { known.id = id }
      known.hasOneID = known.hasOneID && known.id == id
    }
    if event.type?.family == .outputItem, event.type?.phase == .done { known.isDone = true }
    items[index] = known
    highest = max(highest, index)
  }

  /// Whether `event` cannot be of the response, by its kind and its item. The id of the item, at
  /// `item`, is new to the response unless `isKnown`.
  func excludes(
    _ event: borrowing Event, _ line: Span<UInt8>, item: Range<Int>?, isKnown: Bool
  ) -> Bool {
    if let whole = Self.whole(event, line, item), wholes.contains(whole.mark) { return true }
    guard !isKnown, let index = event.integer(of: "output_index", in: line) else { return false }
    guard let known = items[index] else { return index < highest }
    return item != nil
      && (known.isDone || known.events > 1 && known.id != 0 && known.hasOneID)
  }

  /// The mark of the whole value that `event` opens, ends or adds to: a hash of its kind and of its
  /// part, or without an index of its item. `nil` for another event.
  private static func whole(
    _ event: borrowing Event, _ line: Span<UInt8>, _ item: Range<Int>?
  ) -> (mark: UInt64, isDelta: Bool)? {
    guard let place = event.typeName, event.type?.phase != .annotation else { return nil }
    let name = line.extracting(place)
    var dot = name.count - 1
    while dot >= 0, name[dot] != ASCII.point { dot -= 1 }
    guard dot >= 0 else { return nil }
    let verb = name.extracting(dot...)
    let isDelta = verb.equals(".delta")
    guard isDelta || verb.equals(".done") || verb.equals(".added") else { return nil }
    var mark = name.extracting(..<dot).mixed(into: verb.equals(".added") ? 1 : 2)
    func mix(_ number: Int?) {
      mark = (mark ^ UInt64(truncatingIfNeeded: number ?? -1)) &* 0x9E37_79B9_7F4A_7C15
      mark ^= mark >> 29
    }
    let index = event.integer(of: "output_index", in: line)
    mix(index)
    mix(event.integer(of: "content_index", in: line))
    mix(event.integer(of: "summary_index", in: line))
    mix(event.integer(of: "command_index", in: line))
    if index == nil, let item { mark = line.extracting(item).mixed(into: mark) }
    return (mark, isDelta)
  }
}
