/// The items of one response: finds the one that an event is about. They are numbered from 0 in the
/// order in which they were first heard of. `Responses` alone asks; an event has the number.
///
/// The open item under the `output_index` is it, whatever the ids: GitHub Copilot gives each event
/// another id. Else a known id decides (`item.id` and `item_id` are the same), whatever the index.
/// An unknown id under the index of an item that is done is a new item, and an event without an id
/// and an index is about the last open item of its kind. An event takes the same time for any
/// number of items, and an item keeps its ids and some 60 bytes.
package struct ItemRouter: Sendable {
  /// The member from which the name of an item comes; two members may have the same text.
  private enum Space: Int { case id, callID }

  /// An identity, by the numbers of its texts, which begin at 1; 0 stands for no text, -1 for one
  /// that is not known.
  fileprivate struct Key: Hashable, Sendable {
    var (type, id, callID): (Int32, Int32, Int32) = (0, 0, 0)

    /// Whether it can be the item `other`: no name that both have differs.
    func agrees(with other: Key) -> Bool {
      (type == 0 || other.type == 0 || type == other.type)
        && (id == 0 || other.id == 0 || id == other.id)
        && (callID == 0 || other.callID == 0 || callID == other.callID)
    }
  }

  package struct Item: Sendable {
    fileprivate var key: Key
    /// The item before it of the same type; -1 when there is none.
    fileprivate var before: Int32
    /// Whether its `place` came from an event.
    fileprivate var hasIndex = false
    /// A hash of its texts at its end; 0 before.
    fileprivate var texts: UInt64 = 0
    /// Whether its end came.
    package var isDone: Bool { texts != 0 }
    /// Its index in the output, as far as is known.
    package fileprivate(set) var place: Int
  }

  package private(set) var items: [Item] = []
  /// The texts that name items, each with the item that it named last, or -1 for none.
  private var names = TextTable<Int32>()
  /// The types by their numbers, the empty one first, each with its last item that may be open. There
  /// are some 30; past `mostTypes` another counts as the empty one.
  private var types: [(name: String, last: Int32)] = [("", -1)]
  private static let mostTypes = 256
  /// The current item of each index that does not stand for the item of the same number.
  private var indexes: [Int: Int] = [:]
  /// Indexes that more than one item had.
  private var sharedIndexes: Set<Int> = []
  /// Identities with an id or a call that more than one item had.
  private var shared: [Key: Int] = [:]
  /// The place behind the last item's.
  private var nextPlace = 0

  package init() {}

  /// The item that an event names by its id, or else its index; `nil` for none.
  func known(of event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    let id = event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line)
    return owner(of: known(id, .id, in: line))
      ?? event.integer(of: "output_index", in: line).flatMap { number(at: $0) }
  }

  /// The number of the item that an event is about, whose `output_index` is `index`; a new item is
  /// appended to `items`. `nil` for an event that should have an item and has none.
  mutating func item(
    of type: EventType, _ event: borrowing Event, _ line: Span<UInt8>, at index: Int?
  ) -> Int? {
    if type.family == .outputItem {
      guard let item = event.object(of: "item", in: line) else {
        return index.flatMap { self.number(at: $0) }
      }
      let wanted = key(of: event, item, line)
      let isEnd = type.phase == .done
      let texts = isEnd ? texts(of: wanted, in: line.extracting(item)) : 0
      let number = whole(wanted, endingWith: texts, at: index)
      note(wanted, of: number)
      if isEnd { items[number].texts = texts }
      return number
    }
    let current = index.flatMap { self.number(at: $0) }
    if let index, let current, !items[current].isDone, !isShared(index) { return current }
    let id = event.value(of: "item_id", in: line)
    if let known = owner(of: known(id, .id, in: line)),
      // Of two open items of one id, each stands under its index.
      current != nil || index == nil || !items[known].hasIndex || items[known].isDone
    {
      if current == nil { place(known, at: index) }
      return known
    }
    if let current, !items[current].isDone { return current }
    var wanted = Key()
    wanted.id = number(at: id, .id, in: line)
    if let current, wanted.id == 0 { return current }
    wanted.type = kind(of: type, event, line)
    let open = index == nil ? lastOpen(wanted) : nil
    let number = open ?? add(wanted, at: index)
    note(wanted, of: number)
    return number
  }

  package func type(of number: Int) -> String { types[Int(items[number].key.type)].name }

  /// The type of `item`, an output item, or the kin of that (`ItemCatalogue.kin`). One without a
  /// type may be a message: {"role":"assistant","content":"Hi"}
  package static func type(of item: Span<UInt8>) -> String {
    if let type = JSONChildren.value(of: "type", in: item) {
      return ItemCatalogue.kin(of: JSONString.text(item.extracting(type)))
    }
    let isMessage =
      JSONChildren.string(of: "role", in: item) != nil
      && JSONChildren.value(of: "content", in: item) != nil
    return isMessage ? "message" : ""
  }

  /// Whether more than one item had `index`.
  package func isShared(_ index: Int) -> Bool { sharedIndexes.contains(index) }

  /// The items in the order of the output, as far as is known.
  package var inOrder: [Int] {
    items.indices.sorted { (items[$0].place, $0) < (items[$1].place, $1) }
  }

  /// The number of the streamed item for each item at `output` in `line`, a response's whole
  /// output; `nil` for none. An item is found by its id; if the server changed that, by its place;
  /// if it also moved, by the order of the items of its type.
  package func matches(of output: [Range<Int>], in line: Span<UInt8>) -> [Int?] {
    let output = output.map { knownKey(of: line.extracting($0)) }
    var matches = [Int?](repeating: nil, count: output.count)
    var isTaken = [Bool](repeating: false, count: items.count)
    func match(_ place: Int, _ number: Int?) {
      guard let number, matches[place] == nil, !isTaken[number] else { return }
      (matches[place], isTaken[number]) = (number, true)
    }
    for (place, wanted) in output.enumerated() {
      // Some servers give several items one id: their places set them apart.
      let same = number(at: place).flatMap { items[$0].key == wanted ? $0 : nil }
      match(place, same ?? find(wanted))
    }
    for (place, wanted) in output.enumerated() {
      match(place, number(at: place).flatMap { items[$0].key.type == wanted.type ? $0 : nil })
    }
    guard matches.contains(nil) else { return matches }
    var left: [Int32: ArraySlice<Int>] = [:]
    for number in inOrder where !isTaken[number] {
      left[items[number].key.type, default: []].append(number)
    }
    for (place, wanted) in output.enumerated() where matches[place] == nil {
      match(place, left[wanted.type]?.popFirst())
    }
    return matches
  }

  /// The item that `index` stands for now; `nil` when it stands for none.
  package func number(at index: Int) -> Int? {
    if !indexes.isEmpty, let known = indexes[index] { return known }
    guard index >= 0, index < items.count, items[index].hasIndex, items[index].place == index
    else { return nil }
    return index
  }

  /// The item that a whole one, `wanted`, opens or, if it has `texts`, ends. An item that has ended
  /// under another index with other texts had the same id only.
  private mutating func whole(_ wanted: Key, endingWith texts: UInt64, at index: Int?) -> Int {
    let current = index.flatMap { number(at: $0) }
    var found = find(wanted)
    if texts != 0, let known = found, items[known].isDone, items[known].texts != texts,
      items[known].place != index
    {
      found = nil
      if current ?? known == known { return add(wanted, at: index) }
    }
    if let found, items[found].hasIndex, items[found].place == index { return found }
    if let current, items[current].key.agrees(with: wanted) { return current }
    if let found {
      place(found, at: index)
      return found
    }
    let open = index == nil ? lastOpen(wanted) : current
    if texts != 0, let open, !items[open].isDone { return open }
    return add(wanted, at: index)
  }

  /// A hash of the name and the texts of `item`, a whole one, or of all of one without texts; never
  /// 0.
  private func texts(of wanted: Key, in item: Span<UInt8>) -> UInt64 {
    guard let row = ItemCatalogue.row(of: types[Int(wanted.type)].name),
      !row.streamedTexts.isEmpty || !row.streamedLists.isEmpty
    else { return item.mixed(into: 1) | 1 }
    var hash: UInt64 = 1
    func mix(_ place: Range<Int>?, of value: Span<UInt8>) {
      hash = value.extracting(place ?? 0..<0).mixed(into: hash)
    }
    // Messages and reasoning have no name.
    if !row.streamedTexts.isEmpty { mix(JSONChildren.value(of: "name", in: item), of: item) }
    for value in row.streamedTexts {
      mix(JSONChildren.value(at: value.members, in: item), of: item)
    }
    for values in row.streamedLists {
      for place in JSONChildren.elements(at: values[0].list, in: item) {
        let element = item.extracting(place)
        for value in values {
          let text = JSONChildren.value(at: value.members, in: element)
          mix(text, of: element)
          // A part has one text.
          if text != nil, value.part != nil { break }
        }
      }
    }
    return hash | 1
  }

  /// The item that had the id of `wanted`, or else its call id, and whose names agree.
  private func find(_ wanted: Key) -> Int? {
    guard wanted.id != 0 || wanted.callID != 0 else { return nil }
    if let known = shared[wanted] { return known }
    let last = owner(of: wanted.id != 0 ? wanted.id : wanted.callID)
    return last.flatMap { items[$0].key.agrees(with: wanted) ? $0 : nil }
  }

  /// The last open item of `wanted`'s type, for an event without an index; `nil` if a name differs.
  private mutating func lastOpen(_ wanted: Key) -> Int? {
    let type = Int(wanted.type)
    while types[type].last >= 0 {
      let last = Int(types[type].last)
      if !items[last].isDone { return items[last].key.agrees(with: wanted) ? last : nil }
      types[type].last = items[last].before
    }
    return nil
  }

  private mutating func add(_ wanted: Key, at index: Int?) -> Int {
    let (number, type) = (items.count, Int(wanted.type))
    items.append(Item(key: wanted, before: types[type].last, place: index ?? nextPlace))
    nextPlace = max(nextPlace, items[number].place &+ 1)
    types[type].last = Int32(clamping: number)
    place(number, at: index)
    return number
  }

  /// Notes that `index` stands for the item `number` from now on.
  private mutating func place(_ number: Int, at index: Int?) {
    guard let index else { return }
    let former = self.number(at: index)
    if let former, former != number { sharedIndexes.insert(index) }
    if !items[number].hasIndex {
      (items[number].hasIndex, items[number].place) = (true, index)
      nextPlace = max(nextPlace, index &+ 1)
    }
    if self.number(at: index) != number { indexes[index] = number }
  }

  private mutating func note(_ wanted: Key, of number: Int) {
    if wanted.type != 0 { items[number].key.type = wanted.type }
    if wanted.id != 0 { items[number].key.id = wanted.id }
    if wanted.callID != 0 { items[number].key.callID = wanted.callID }
    let isShared = name(wanted.id, number)
    if name(wanted.callID, number) || isShared { shared[items[number].key] = number }
  }

  /// Notes that the text `name` names the item `number`. Returns whether it named another before.
  private mutating func name(_ name: Int32, _ number: Int) -> Bool {
    guard name > 0 else { return false }
    let former = owner(of: name)
    guard former != number else { return false }
    names[Int(name) - 1] = Int32(clamping: number)
    if let former { shared[items[former].key] = former }
    return former != nil
  }

  /// The key of the item at `item` in an event; gives numbers to its new texts.
  private mutating func key(
    of event: borrowing Event, _ item: Range<Int>, _ line: Span<UInt8>
  ) -> Key {
    var key = Key()
    key.id = number(at: event.value(of: "id", inside: item, in: line), .id, in: line)
    key.callID = number(at: event.value(of: "call_id", inside: item, in: line), .callID, in: line)
    let type = event.value(of: "type", inside: item, in: line).map {
      ItemCatalogue.kin(of: JSONString.text(line.extracting($0)))
    }
    key.type = number(addingType: type ?? Self.type(of: line.extracting(item)))
    return key
  }

  /// The number of the string at `place` in `line`; 0 for none or an empty one, -1 when it is not
  /// known.
  private func known(_ place: Range<Int>?, _ space: Space, in line: Span<UInt8>) -> Int32 {
    guard let place, line[place.lowerBound] == ASCII.quote else { return 0 }
    return JSONString.withText(of: line.extracting(place)) { text in
      if text.isEmpty { return 0 }
      return names.find(text, in: space.rawValue).map { Int32(clamping: $0 + 1) } ?? -1
    }
  }

  /// The same; one that is not known gets a number, or 0 when there is no room for it.
  private mutating func number(
    at place: Range<Int>?, _ space: Space, in line: Span<UInt8>
  ) -> Int32 {
    let known = known(place, space, in: line)
    guard known < 0, let place else { return known }
    return JSONString.withText(of: line.extracting(place)) { text in
      names.add(text, in: space.rawValue, -1).map { Int32(clamping: $0 + 1) } ?? 0
    }
  }

  /// The item that the text `number` named last; `nil` when it named none.
  private func owner(of number: Int32) -> Int? {
    guard number > 0, names[Int(number) - 1] >= 0 else { return nil }
    return Int(names[Int(number) - 1])
  }

  /// The key of `item`, an output item; -1 stands for texts that are not known.
  private func knownKey(of item: Span<UInt8>) -> Key {
    var key = Key()
    let type = Self.type(of: item)
    key.type = number(ofType: type) ?? (types.count < Self.mostTypes ? -1 : 0)
    key.id = known(JSONChildren.value(of: "id", in: item), .id, in: item)
    // Messages and reasoning, which are long and have no call id, are not read to their end for it.
    guard type != "message", type != "reasoning" else { return key }
    key.callID = known(JSONChildren.value(of: "call_id", in: item), .callID, in: item)
    return key
  }

  /// The number of the type `name`; a new one if it is not known.
  private mutating func number(addingType name: String) -> Int32 {
    if let known = number(ofType: name) { return known }
    guard types.count < Self.mostTypes else { return 0 }
    types.append((name, -1))
    return Int32(clamping: types.count - 1)
  }

  /// The number of the type `name`; `nil` when it is not known.
  private func number(ofType name: String) -> Int32? {
    types.firstIndex { $0.name == name }.map { Int32(clamping: $0) }
  }

  /// The number of the type of an event's item, as far as the event shows it.
  private mutating func kind(
    of type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Int32 {
    var kind = type.itemType ?? type.family.rawValue
    if type.itemType == nil, type.family == .contentPart,
      let part = event.object(of: "part", in: line)
    {
      let name = JSONChildren.text(of: "type", in: line.extracting(part))
      kind = name == "reasoning_text" ? "reasoning" : "message"
    }
    return number(addingType: kind)
  }
}
