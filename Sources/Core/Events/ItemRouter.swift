/// The items of one response: finds the one that an event is about. They are numbered from 0 in the
/// order in which they were first heard of. `Responses` alone asks; an event has the number.
///
/// The `output_index` decides, whatever the ids: GitHub Copilot gives each event another id.
/// Without an index the id decides (`item.id` and `item_id` are the same), and without an id the
/// event is about the last open item of its kind. An item opened under another item's index, or
/// again under another index, is recognised by its id. An event takes the same time for any number
/// of items, and an item keeps its ids and some 60 bytes.
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
      let number = isEnd ? ended(wanted, with: texts, at: index) : opened(wanted, at: index)
      note(wanted, of: number)
      if isEnd { items[number].texts = texts }
      return number
    }
    if let index, let known = number(at: index) {
      guard items[known].isDone || isShared(index) else { return known }
      return item(at: index, behind: known, type, event, line)
    }
    var wanted = Key()
    wanted.id = number(at: event.value(of: "item_id", in: line), .id, in: line)
    if let known = owner(of: wanted.id), index == nil || !items[known].hasIndex {
      place(known, at: index)
      return known
    }
    wanted.type = kind(of: type, event, line)
    let known = index == nil ? lastOpen(wanted) : nil
    let number = known ?? add(wanted, at: index)
    if wanted.id != 0 { note(wanted, of: number) }
    return number
  }

  /// The item of an event under an `index` that several items had, or whose item `known` has ended.
  /// The id decides if its item fits better than `known`, by index or type.
  private mutating func item(
    at index: Int, behind known: Int, _ type: EventType, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Int {
    var wanted = Key()
    wanted.type = kind(of: type, event, line)
    let id = event.value(of: "item_id", in: line)
    wanted.id = self.known(id, .id, in: line)
    let isSameType = items[known].key.type == wanted.type
    if let other = owner(of: wanted.id), other != known {
      let isOther = items[other].hasIndex && items[other].place == index || !isSameType
      return isOther && items[other].key.type == wanted.type ? other : known
    }
    // Behind the end of an item of another type, a new id is of the next response, whose beginning
    // is missing.
    guard items[known].isDone, wanted.id != 0, owner(of: wanted.id) == nil, !isSameType,
      ItemCatalogue.row(of: types[Int(wanted.type)].name) != nil
    else { return known }
    wanted.id = number(at: id, .id, in: line)
    let number = add(wanted, at: index)
    note(wanted, of: number)
    return number
  }

  package func type(of number: Int) -> String { types[Int(items[number].key.type)].name }

  /// The type of `item`, an output item, or the kin of that (`ItemCatalogue.kin`). One without a
  /// type may be a message: {"role":"assistant","content":"Hi"}
  package static func type(of item: Span<UInt8>) -> String {
    let type = JSONChildren.text(of: "type", in: item)
    guard type.isEmpty else { return ItemCatalogue.kin(of: type) }
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
    // Some servers give several items one id: their places set them apart.
    for (place, wanted) in output.enumerated() where wanted.id != 0 {
      match(place, number(at: place).flatMap { items[$0].key == wanted ? $0 : nil })
    }
    for (place, wanted) in output.enumerated() { match(place, find(wanted)) }
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

  /// The item that an `output_item.added` opens.
  private mutating func opened(_ wanted: Key, at index: Int?) -> Int {
    if let index, let known = number(at: index), items[known].key.agrees(with: wanted) {
      return known
    }
    if let known = find(wanted) {
      place(known, at: index)
      return known
    }
    return add(wanted, at: index)
  }

  /// The item that an `output_item.done` with `texts` ends. One that has ended under another index,
  /// with other texts, had the same id only.
  private mutating func ended(_ wanted: Key, with texts: UInt64, at index: Int?) -> Int {
    var found = find(wanted)
    if let known = found, items[known].isDone, items[known].texts != texts,
      index == nil || items[known].place != index
    {
      found = nil
      if index.flatMap({ number(at: $0) }) ?? known == known { return add(wanted, at: index) }
    }
    guard let index else { return found ?? lastOpen(wanted) ?? add(wanted, at: nil) }
    let known = number(at: index)
    if let known {
      if let found, found != known, items[found].hasIndex, items[found].place == index {
        return found
      }
      if !items[known].isDone || items[known].key.agrees(with: wanted) { return known }
    }
    guard let found,
      known != nil || !items[found].hasIndex || !items[found].isDone || isText(wanted)
    else { return add(wanted, at: index) }
    place(found, at: index)
    return found
  }

  /// Whether an item is one of text: a call may be made twice.
  private func isText(_ wanted: Key) -> Bool {
    ["message", "reasoning"].contains(types[Int(wanted.type)].name)
  }

  /// A hash of the name, the texts and the file of `item`, a whole one: strings as they are spelled,
  /// or the strings in their parts; never 0.
  private func texts(of wanted: Key, in item: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 1
    guard let row = ItemCatalogue.row(of: types[Int(wanted.type)].name) else {
      return item.mixed(into: hash) | 1
    }
    func mix(_ place: Range<Int>?) { hash = item.extracting(place ?? 0..<0).mixed(into: hash) }
    // Items of parts have no name.
    if row.values.first?.part == nil { mix(JSONChildren.value(of: "name", in: item)) }
    for path in row.files where path.count == 1 { mix(JSONChildren.value(at: path[...], in: item)) }
    for value in row.streamedTexts { mix(JSONChildren.value(at: value.members, in: item)) }
    for values in row.streamedLists {
      for element in JSONChildren.elements(at: values[0].list, in: item) {
        hash = item.extracting(element).mixedTexts(into: hash)
      }
    }
    return hash | 1
  }

  private func find(_ wanted: Key) -> Int? {
    guard wanted.id != 0 || wanted.callID != 0 else { return nil }
    let last = owner(of: wanted.id != 0 ? wanted.id : wanted.callID)
    if let last, items[last].key == wanted { return last }
    if let known = shared[wanted] { return known }
    return wanted.id == 0 ? nil : last.flatMap { items[$0].key.agrees(with: wanted) ? $0 : nil }
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

extension Span<UInt8> {
  /// A hash of the strings in these bytes, a JSON value: itself, or the members but `type` of an
  /// object.
  fileprivate func mixedTexts(into seed: UInt64) -> UInt64 {
    guard self[0] == ASCII.openBrace else { return mixed(into: seed) }
    var hash = seed
    var members = JSONChildren()
    while let member = members.next(in: self) {
      guard self[member.value.lowerBound] == ASCII.quote,
        !JSONChildren.isName(extracting(member.name), "type")
      else { continue }
      hash = extracting(member.value).mixed(into: hash)
    }
    return hash
  }
}
