/// What tells one output item from another.
package struct ItemIdentity: Hashable, Sendable {
  /// Its type, or the kin of that (`ItemCatalogue.kin`).
  package var type = ""
  /// The id; empty when there is none.
  package var id = ""
  /// Parallel calls of some servers have one id, and this apart.
  package var callID = ""

  package init() {}

  /// Reads `item`, an output item.
  package init(_ item: Span<UInt8>) {
    var members = JSONChildren()
    // Texts, which are long, are not read to their end for what they do not have.
    while id.isEmpty || callID.isEmpty && type != "message" && type != "reasoning" || type.isEmpty,
      let member = members.next(in: item)
    {
      let name = item.extracting(member.name)
      let value = item.extracting(member.value)
      if type.isEmpty, JSONChildren.isName(name, "type") {
        type = ItemCatalogue.kin(of: JSONString.text(value))
      } else if id.isEmpty, JSONChildren.isName(name, "id") {
        id = JSONString.text(value)
      } else if callID.isEmpty, JSONChildren.isName(name, "call_id") {
        callID = JSONString.text(value)
      }
    }
  }

  /// Reads what the item of an event says of itself.
  init(_ members: EventMembers, _ line: Span<UInt8>) {
    func text(_ place: Range<Int>?) -> String {
      place.map { JSONString.text(line.extracting($0)) } ?? ""
    }
    type = ItemCatalogue.kin(of: text(members.itemType))
    (id, callID) = (text(members.ownID), text(members.callID))
  }

  /// Whether the item of an event says the same of itself, without escapes.
  fileprivate func isSpelled(in members: EventMembers, _ line: Span<UInt8>) -> Bool {
    func isText(_ text: String, _ place: Range<Int>?) -> Bool {
      guard let place, place.count >= 2 else { return place == nil && text.isEmpty }
      return line.extracting(place.lowerBound + 1..<place.upperBound - 1)
        .equals(text.utf8Span.span)
    }
    return isText(type, members.itemType) && isText(id, members.ownID)
      && isText(callID, members.callID)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(id.isEmpty ? callID : id) }

  /// Whether it can be the item `other`: nothing that both tell differs.
  fileprivate func agrees(with other: ItemIdentity) -> Bool {
    (type.isEmpty || other.type.isEmpty || type == other.type)
      && (id.isEmpty || other.id.isEmpty || id == other.id)
      && (callID.isEmpty || other.callID.isEmpty || callID == other.callID)
  }
}

/// Tells which item of a response's output an event is about. Items are numbered from 0 in the
/// order in which they were first heard of; one router is for one response.
///
/// An `output_index` tells it, whatever the ids: GitHub Copilot gives each event another. Without one
/// the id does (`item.id` and `item_id` are the same), and without that an event is about the last
/// item of its kind that is open. An item that is opened under an index that another has, or once
/// more under another index, is told by its id. An event costs the same however many items there
/// are.
package struct ItemRouter: Sendable {
  package struct Item: Sendable {
    package fileprivate(set) var identity: ItemIdentity
    /// Where the output has it, as its events tell; `nil` when none did.
    package fileprivate(set) var outputIndex: Int?
    /// Where the output has it, as far as is known.
    package fileprivate(set) var place: Int
    /// Whether its end came.
    package fileprivate(set) var isDone = false
  }

  package private(set) var items: [Item] = []
  /// The item that each index stands for by now.
  private var indexes: [Int: Int] = [:]
  /// Indexes that more than one item had.
  private var sharedIndexes: Set<Int> = []
  private var identities: [ItemIdentity: Int] = [:]
  /// The last item of each id.
  private var ids: [String: Int] = [:]
  /// What was told of an item last.
  private var noted: (told: ItemIdentity, number: Int)?
  /// The items of each type, in order, but for those at the end that were found to be done.
  private var open: [String: [Int]] = [:]
  /// The place behind the last item's.
  private var nextPlace = 0
  /// The index of the last event that had one which stands for one item, and that item: most events
  /// are about the item of the one before.
  private var last: (index: Int, number: Int)?

  /// As many items are usual: their room is used again.
  package static let usual = 64

  package init() {}

  /// Forgets all items.
  package mutating func removeAll() {
    guard items.count <= Self.usual else {
      self = ItemRouter()
      return
    }
    items.removeAll(keepingCapacity: true)
    indexes.removeAll(keepingCapacity: true)
    identities.removeAll(keepingCapacity: true)
    ids.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    if !sharedIndexes.isEmpty { sharedIndexes = [] }
    (noted, nextPlace, last) = (nil, 0, nil)
  }

  /// The number of the item that an event is about, which is made known if it was not: then it is
  /// the last of `items`.
  package mutating func item(
    of type: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) -> Int {
    if type.family == .outputItem, members.item != nil {
      if let noted, members.outputIndex.map({ indexes[$0] == noted.number }) != false,
        noted.told.isSpelled(in: members, line)
      {
        if type.phase == .done { items[noted.number].isDone = true }
        return noted.number
      }
      let told = ItemIdentity(members, line)
      let number = type.phase == .start ? opened(told, members) : ended(told, members)
      note(told, of: number)
      if type.phase == .done { items[number].isDone = true }
      return number
    }
    if let last = last(at: members.outputIndex) { return last }
    if let index = members.outputIndex, let known = indexes[index] {
      guard items[known].isDone || isShared(index) else {
        last = (index, known)
        return known
      }
      var told = ItemIdentity()
      (told.id, told.type) = (Self.id(members, line), Self.kind(of: type, members, line))
      // Under an index of several the id tells, and behind an end, if the event fits no better there.
      if let other = ids[told.id], other != known {
        let isOther = items[other].outputIndex == index || items[known].identity.type != told.type
        return isOther && items[other].identity.type == told.type ? other : known
      }
      // Behind the end of an item of another type the next response goes on, whose beginning is not
      // here.
      guard items[known].isDone, !told.id.isEmpty, ids[told.id] == nil,
        ItemCatalogue.row(of: told.type) != nil, items[known].identity.type != told.type
      else { return known }
      let number = add(told, at: index)
      note(told, of: number)
      return number
    }
    var told = ItemIdentity()
    told.id = Self.id(members, line)
    if let known = ids[told.id], members.outputIndex == nil || items[known].outputIndex == nil {
      place(known, at: members.outputIndex)
      return known
    }
    told.type = Self.kind(of: type, members, line)
    let known = lastOpen(told, members)
    let number = known ?? add(told, at: members.outputIndex)
    if !told.id.isEmpty { note(told, of: number) }
    return number
  }

  /// The item of the event before, if that is open and another event with `index` is about it.
  @inline(__always)
  package func last(at index: Int?) -> Int? {
    guard let index, let last, last.index == index, !items[last.number].isDone else { return nil }
    return last.number
  }

  /// Whether more than one item had `index`.
  package func isShared(_ index: Int) -> Bool { sharedIndexes.contains(index) }

  /// The items in the order of the output, as far as is known.
  package var inOrder: [Int] {
    items.indices.sorted { (items[$0].place, $0) < (items[$1].place, $1) }
  }

  /// For each item of `output`, a response's whole output, the number of the one that was streamed:
  /// told by its id; where the server has changed that, by its place; where it has moved it too, by
  /// the order of the items of its type.
  package func matches(of output: [ItemIdentity]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: output.count)
    var isTaken = [Bool](repeating: false, count: items.count)
    func match(_ place: Int, _ number: Int?) {
      guard let number, matches[place] == nil, !isTaken[number] else { return }
      (matches[place], isTaken[number]) = (number, true)
    }
    // Several items of some servers have one id, and their places apart.
    for (place, told) in output.enumerated() where !told.id.isEmpty {
      match(place, indexes[place].flatMap { items[$0].identity == told ? $0 : nil })
    }
    for (place, told) in output.enumerated() where !told.id.isEmpty || !told.callID.isEmpty {
      match(place, find(told))
    }
    for (place, told) in output.enumerated() {
      match(place, indexes[place].flatMap { items[$0].identity.type == told.type ? $0 : nil })
    }
    var left: [String: ArraySlice<Int>] = [:]
    for number in inOrder where !isTaken[number] {
      left[items[number].identity.type, default: []].append(number)
    }
    for (place, told) in output.enumerated() where matches[place] == nil {
      match(place, left[told.type]?.popFirst())
    }
    return matches
  }

  /// The item that an `output_item.added` opens.
  private mutating func opened(_ told: ItemIdentity, _ members: EventMembers) -> Int {
    if let index = members.outputIndex, let known = indexes[index],
      items[known].identity.agrees(with: told)
    {
      return known
    }
    if let known = find(told) {
      place(known, at: members.outputIndex)
      return known
    }
    return add(told, at: members.outputIndex)
  }

  /// The item that an `output_item.done` ends.
  private mutating func ended(_ told: ItemIdentity, _ members: EventMembers) -> Int {
    let found = find(told)
    guard let index = members.outputIndex else {
      return found ?? lastOpen(told, members) ?? add(told, at: nil)
    }
    let known = indexes[index]
    if let known {
      if let found, found != known, items[found].outputIndex == index { return found }
      if !items[known].isDone || items[known].identity.agrees(with: told) { return known }
    }
    guard let found, known != nil || items[found].outputIndex == nil || !items[found].isDone else {
      return add(told, at: index)
    }
    place(found, at: index)
    return found
  }

  private func find(_ told: ItemIdentity) -> Int? {
    guard !told.id.isEmpty || !told.callID.isEmpty else { return nil }
    if let noted, noted.told == told { return noted.number }
    if let known = identities[told] { return known }
    return ids[told.id].flatMap { items[$0].identity.agrees(with: told) ? $0 : nil }
  }

  /// The last open item of the type of `told`; only where one of the two has no id.
  private mutating func lastOpen(_ told: ItemIdentity, _ members: EventMembers) -> Int? {
    guard members.outputIndex == nil else { return nil }
    while let last = open[told.type]?.last {
      if !items[last].isDone { return items[last].identity.agrees(with: told) ? last : nil }
      open[told.type]?.removeLast()
    }
    return nil
  }

  private mutating func add(_ told: ItemIdentity, at index: Int?) -> Int {
    let place = index ?? nextPlace
    items.append(Item(identity: told, place: place))
    nextPlace = max(nextPlace, place &+ 1)
    open[told.type, default: []].append(items.count - 1)
    self.place(items.count - 1, at: index)
    return items.count - 1
  }

  /// Notes that `index` stands for the item `number` from now on.
  private mutating func place(_ number: Int, at index: Int?) {
    guard let index else { return }
    last = nil
    if let former = indexes.updateValue(number, forKey: index), former != number {
      sharedIndexes.insert(index)
    }
    guard items[number].outputIndex == nil else { return }
    (items[number].outputIndex, items[number].place) = (index, index)
    nextPlace = max(nextPlace, index &+ 1)
  }

  private mutating func note(_ told: ItemIdentity, of number: Int) {
    if let noted, noted.number == number, noted.told == told { return }
    noted = (told, number)
    if !told.type.isEmpty { items[number].identity.type = told.type }
    if !told.id.isEmpty {
      items[number].identity.id = told.id
      ids[told.id] = number
    }
    if !told.callID.isEmpty { items[number].identity.callID = told.callID }
    identities[items[number].identity] = number
  }

  private static func id(_ members: EventMembers, _ line: Span<UInt8>) -> String {
    members.itemID.map { JSONString.text(line.extracting($0)) } ?? ""
  }

  /// The type of the item that an event is about, as far as the event tells it.
  private static func kind(
    of type: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) -> String {
    if let known = type.itemType { return known }
    guard type.family == .contentPart, let part = members.part else { return type.family.rawValue }
    let isReasoning = JSONChildren.text(of: "type", in: line.extracting(part)) == "reasoning_text"
    return isReasoning ? "reasoning" : "message"
  }
}
