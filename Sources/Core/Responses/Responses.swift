/// Which response each event of a stream belongs to: decided here once, before any reader.
///
/// A tag or the id of a WebSocket's stream divides first. Then the id of the response tells it, then
/// that of the item, then that only one is open, then the number or the output index that goes on;
/// last, of those that would do, the event belongs to the one heard of longest ago, or without a number
/// to the one heard of last: a guess. An open response has a slot; one that ended is remembered by its
/// ids, so that what still comes of it changes nothing.
package struct Responses {
  /// As many may be open; one more takes the slot of the one heard of longest ago.
  package static let mostOpen = 65_536
  /// Among as many open ones, those heard of last, the one is looked for whose number goes on.
  private static let mostRivals = 64

  /// Of a response that is parked the numbers are forgotten where all have more than these.
  private static let mostSeen = 262_144
  /// Of a response whose events have another id each, the ids of as many are kept.
  private static let mostOtherItems = 256

  /// The responses of one tag, or of none.
  private struct Division {
    var tag: [UInt8] = []
    /// Counts the tags that stood here.
    var number = 1
    /// Those that are open, and of these the ones that are parked.
    var (active, parked) = (Recency.List(), Recency.List())
    /// How many of its responses are open or remembered.
    var users = 0
    /// The response that ended last, and its slot.
    var last = 0
    var lastSlot = 0
    var hasGuesses = false
  }

  /// What an event tells of whose it is.
  struct Clues {
    /// -1 where its tag is new.
    var division = 0
    var response: Range<Int>?
    var item: Range<Int>?
    var number: Int?
    var index: Int?
  }

  private enum Whose {
    case open(Int)
    /// A new one, which may take the slot of one that gets no more events.
    case begins(over: Int?)
    /// One that ended, so that the event changes nothing.
    case ended(ResponseName, slot: Int)
    /// It comes behind an end and counts all the same.
    case late(slot: Int)
    case none
  }

  package private(set) var count = 0
  var slots: [OpenResponse] = []
  private var free: [Int] = []
  private var divisions = [Division()]
  private var freeDivisions: [Int] = []
  private var ids = IDTable()
  private var ended = EndedResponses()
  /// The active ones in the order in which they were heard of, in their division and in all.
  private var (inDivision, inAll) = (Recency(), Recency())
  private var (active, parked) = (Recency.List(), Recency.List())
  private var time = 0
  private var skims = 0
  /// How many sequence numbers are remembered of the parked responses.
  private var parkedSeen = 0
  private var hasTags = false

  /// How the response ended that lost its slot to the event placed last.
  private(set) var lost: Verdict.Judgement?
  /// Where a guess stands that the event placed last, or the end, proved wrong or left unproved.
  private(set) var doubt: Notice.Place?
  /// Whether the last end is of a response of whose id one had ended before.
  private(set) var isAgain = false
  /// The slot of the event placed last.
  private(set) var last = 0

  /// The response that the next event belongs to if it names no other and its number rises: the only
  /// active one; -1 where a closer look is needed.
  private var steady = -1
  /// The item id of the event that was looked at last, as it is spelled; empty when it had none.
  private var steadyItem: [UInt8] = []

  /// Whether more than one was open at a time, or a tag came.
  var tellsApart: Bool { slots.count > 1 || hasTags }

  /// Notes that events were passed over, so that numbers may have been, too.
  mutating func noteSkimmed() { skims += 1 }

  // MARK: Whose an event is

  /// Places an event that goes on where the one before left off, as most do; false when that needs a
  /// closer look.
  @inline(__always)
  mutating func placeSteady(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    guard steady >= 0, let type = event.type, type.isInside, !event.hasTag(in: line),
      event.value(of: "response_id", in: line) == nil
    else { return false }
    let item = event.value(of: "item_id", in: line)
    if let item, !line.extracting(item).equals(steadyItem.span) { return false }
    // Without an item it may be of a parked one, but for its number.
    let isNamed = item != nil || parked.count == 0
    if let number = event.sequenceNumber(in: line) {
      guard isNamed || goesOn(number, in: steady) else { return false }
      let mark = Self.mark(of: event, line)
      guard slots[steady].goesOn(number, mark, hasItem: item != nil, skims) else { return false }
    } else if !isNamed {
      return false
    }
    time += 1
    slots[steady].heard = time
    put(&event, in: steady)
    (event.step, last) = (.inside, steady)
    return true
  }

  /// Finds whose `event` is and notes it there: its slot, its response and whether it is its first.
  mutating func place(_ event: inout Event, _ line: Span<UInt8>) {
    time += 1
    (lost, doubt, steady) = (nil, nil, -1)
    event.step = .inside
    var clues = clues(of: event, line)
    switch find(clues, event, line) {
    case .open(let slot):
      let items = slots[slot].itemIDs
      note(clues, event, line, in: slot)
      put(&event, in: slot)
      noteNumber(clues, of: &event, line, in: slot, isOfNewItem: slots[slot].itemIDs > items)
      noteSteady(slot, event, line)
    case .begins(let former):
      if clues.division < 0 { clues.division = newDivision(event, line) }
      let slot = begin(in: clues.division, over: former, isJudged: event.type?.family == .lifecycle)
      note(clues, event, line, in: slot)
      put(&event, in: slot)
      noteNumber(clues, of: &event, line, in: slot, isOfNewItem: false)
      event.step.isFirst = true
      noteSteady(slot, event, line)
    case .late(let slot): put(&event, in: slot)
    case .ended(let name, let slot):
      (event.lane, event.response) = (slot, name)
      let isEnd = event.type?.family == .lifecycle && event.type?.phase == .terminal
      event.step = Lifecycle.Step(kind: isEnd ? .ends : .inside, isRepeated: true)
    case .none: (event.lane, event.response) = (0, nil)
    }
    last = event.lane
  }

  /// Notes whether an event of the response in `slot` came before, as in a resumed stream that overlaps:
  /// with its number, its type and its delta; or stands behind what has a higher number. Where nothing
  /// names the response its numbers begin another.
  private mutating func noteNumber(
    _ clues: Clues, of event: inout Event, _ line: Span<UInt8>, in slot: Int, isOfNewItem: Bool
  ) {
    guard let number = clues.number, event.typeName != nil, event.type?.family != .error,
      slots[slot].hasIDs
    else { return }
    if event.type?.family == .lifecycle, event.type?.phase == .terminal {
      event.step.isLate = skims == 0 && slots[slot].hasHoles(before: number)
      return
    }
    switch slots[slot].seen.note(number, Self.mark(of: event, line)) {
    case .new: break
    case .known: event.step.isRepeated = true
    case .late where isOfNewItem && slots[slot].mayBeSeveral: slots[slot].seen = SeenNumbers()
    case .late: noteDisorder(&event, in: slot)
    }
  }

  private mutating func noteDisorder(_ event: inout Event, in slot: Int) {
    (event.step.isLate, slots[slot].isDisordered) = (true, true)
    // A beginning that comes behind what it begins says nothing more.
    let isStart = event.type?.family == .lifecycle && event.type?.phase == .start
    event.step.isRepeated = isStart && slots[slot].verdict.life.isUnfinished
  }

  /// Notes whether what comes next may be placed without a closer look, `event` being of `slot`.
  private mutating func noteSteady(
    _ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    guard !hasTags, active.count == 1, slots[slot].isOpen, !slots[slot].isParked else { return }
    steady = slot
    steadyItem.removeAll(keepingCapacity: true)
    if event.type?.family != .lifecycle, let item = event.value(of: "item_id", in: line) {
      steadyItem.append(copying: line.extracting(item))
    }
  }

  /// What tells an event from another with its number: its type and of its delta the length and the ends.
  @inline(__always)
  private static func mark(of event: borrowing Event, _ line: Span<UInt8>) -> UInt32 {
    var mark: UInt64
    if let type = event.type {
      mark = UInt64(truncatingIfNeeded: type.index)
      if type.phase == .delta, let delta = event.value(of: "delta", in: line) {
        mark = line.extracting(delta).sampled(into: mark)
      }
    } else {
      mark = line.extracting(event.typeName ?? 0..<0).mixed(into: 0)
    }
    return UInt32(truncatingIfNeeded: mark) | 1
  }

  @inline(__always)
  private mutating func put(_ event: inout Event, in slot: Int) {
    event.lane = slot
    if event.response !== slots[slot].name { event.response = slots[slot].name }
  }

  /// The same of `line`, which `oresp-send --log` wrote: a response of its own that did end.
  mutating func place(logged event: inout Event, _ line: Span<UInt8>) {
    (lost, doubt, event.step, event.lane) = (nil, nil, .inside, 0)
    if let owner = ids.find(line, in: -3), let known = ended[owner.number] {
      (event.response, event.step.isRepeated) = (known.name, true)
      return
    }
    count += 1
    let name = ResponseName(count, tag: [])
    remember(
      EndedResponse(
        name: name, division: 0, number: nil, mark: 0, lacksStart: false, hasHoles: false))
    _ = set(line, -3, IDTable.Owner(slot: 0, number: count))
    event.response = name
  }

  private mutating func clues(of event: borrowing Event, _ line: Span<UInt8>) -> Clues {
    var clues = Clues()
    clues.division = division(of: event, line)
    clues.number = event.sequenceNumber(in: line)
    if event.type?.family == .lifecycle {
      clues.response = Self.text(at: event.value(of: "response", "id", in: line), in: line)
      return clues
    }
    clues.response = Self.text(at: event.value(of: "response_id", in: line), in: line)
    if let item = event.value(of: "item_id", in: line) {
      clues.item = Self.text(at: item, in: line)
    } else if event.type?.family == .outputItem {
      clues.item = Self.text(at: event.value(of: "item", "id", in: line), in: line)
      clues.index = event.integer(of: "output_index", in: line)
    }
    return clues
  }

  /// The division of an event, -1 where its tag is new.
  private mutating func division(of event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let tag = Self.text(at: event.value(of: "oresp", "request", in: line), in: line)
    let stream = Self.text(at: event.value(of: "stream_id", in: line), in: line)
    guard tag != nil || stream != nil else { return 0 }
    hasTags = true
    let found: IDTable.Owner?
    if let stream {
      found = ids.find(Self.key(tag, stream, line).span, in: -2)
    } else {
      found = ids.find(line.extracting(tag ?? 0..<0), in: -1)
    }
    guard let found, isDivision(found) else { return -1 }
    return found.slot
  }

  /// What names the stream `stream` of the tag `tag`.
  private static func key(
    _ tag: Range<Int>?, _ stream: Range<Int>, _ line: Span<UInt8>
  ) -> [UInt8] {
    var key = [UInt8](copying: line.extracting(tag ?? 0..<0))
    key.append(0)
    key.append(copying: line.extracting(stream))
    return key
  }

  private mutating func isDivision(_ owner: IDTable.Owner) -> Bool {
    divisions[owner.slot].number == owner.number && divisions[owner.slot].users > 0
  }

  private mutating func find(
    _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Whose {
    guard clues.division >= 0 else {
      return Self.mayBegin(event, line) ? .begins(over: nil) : .none
    }
    let isLifecycle = event.type?.family == .lifecycle
    let isStart = isLifecycle && event.type?.phase == .start
    if isLifecycle, event.type?.phase == .terminal, let known = end(clues, line) { return known }
    if !isLifecycle || isStart || event.type?.phase != .terminal, let id = clues.response,
      let owner = ids.find(line.extracting(id), in: 2 * clues.division)
    {
      if isOpen(owner) {
        let isOther = isStart && (slots[owner.slot].hasStart || rises(clues, in: owner.slot))
        return isOther ? .begins(over: owner.slot) : .open(owner.slot)
      }
      if let known = ended[owner.number],
        !isStart || known.lacksStart && known.isBehind(clues.number)
      {
        return .ended(known.name, slot: owner.slot)
      }
    }
    var former: IDTable.Owner?
    if let item = clues.item,
      let owner = ids.find(line.extracting(item), in: 2 * clues.division + 1)
    {
      let opens = event.type?.opensItem == true
      if !opens, isOpen(owner) {
        if divisions[clues.division].active.count > 1 { joinNewcomer(to: owner.slot) }
        return .open(owner.slot)
      }
      if let known = ended[owner.number], !opens || known.hasHoles && known.isBehind(clues.number) {
        former = owner
      }
    }
    guard let only = only(in: clues.division) else {
      return divisions[clues.division].active.count > 0
        ? find(amongRivals: clues, event, line) : find(amongEnded: clues, former, event, line)
    }
    if !goesOn(clues.number, in: only) {
      if let former, let known = ended[former.number] {
        return .ended(known.name, slot: former.slot)
      }
      if let parked = parked(clues, event) { return .open(parked) }
    }
    return isLifecycle ? find(only, lifecycle: clues, event, line) : find(only, clues, event)
  }

  /// Makes one of the response in `slot`, which nothing names, and the one heard of last, if that has only
  /// begun: of a stream in no order the beginning may come behind other events.
  private mutating func joinNewcomer(to slot: Int) {
    let division = slots[slot].division
    let newcomer = divisions[division].active.last
    guard slots[slot].name.id.isEmpty, newcomer != slot, !slots[newcomer].name.id.isEmpty,
      slots[newcomer].itemIDs == 0
    else { return }
    let name = slots[newcomer].name
    (slots[slot].verdict, slots[slot].hasStart) = (
      slots[newcomer].verdict, slots[newcomer].hasStart
    )
    (slots[slot].name.id, slots[slot].isDisordered) = (name.id, true)
    slots[newcomer].verdict = Verdict()
    leave(newcomer)
    free.append(newcomer)
    let owner = IDTable.Owner(slot: slot, number: slots[slot].name.number)
    _ = set(name.id.span, 2 * division, owner)
  }

  /// The response that has the items which `line`, the end of the one in `slot`, lists, and that nothing
  /// names: then both are one.
  private mutating func parts(of slot: Int, endingWith line: Span<UInt8>) -> Int {
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item),
        let owner = ids.find(item.extracting(id), in: 2 * slots[slot].division + 1), isOpen(owner)
      else { continue }
      hear(slot)
      joinNewcomer(to: owner.slot)
      return slots[slot].isOpen ? slot : owner.slot
    }
    return slot
  }

  /// Makes void what `oresp.end` said of a response that was cut, if `event` names that: by its id or
  /// tag, by an item that it had, or, having no id, by a number that goes on.
  mutating func voidOwnCut(before event: borrowing Event, _ line: Span<UInt8>) {
    let clues = clues(of: event, line)
    guard clues.division >= 0, event.type?.family != .ownEnd, event.type?.family != .lifecycle
    else { return }
    var named: Int?
    if let id = clues.response ?? clues.item {
      let space = 2 * clues.division + (clues.response == nil ? 1 : 0)
      named = ids.find(line.extracting(id), in: space).flatMap { isOpen($0) ? $0.slot : nil }
    }
    if named == nil, let only = only(in: clues.division) {
      let goesOn = clues.response == nil && clues.item == nil && goesOn(clues.number, in: only)
      if clues.division > 0 || goesOn { named = only }
    }
    if let named { slots[named].verdict.voidOwnCut() }
  }

  /// The only active response of `division`, or the only one at all.
  private mutating func only(in division: Int) -> Int? {
    if divisions[division].active.count == 1 { return divisions[division].active.first }
    let isAlone = divisions[division].parked.count == 1 && divisions[division].last == 0
    return isAlone && divisions[division].active.count == 0
      ? divisions[division].parked.first : nil
  }

  /// Whose a terminal event is whose id is known; `nil` where that does not tell it.
  private mutating func end(_ clues: Clues, _ line: Span<UInt8>) -> Whose? {
    guard
      let owner = ids.find(line.extracting(clues.response ?? 0..<0), in: 2 * clues.division)
    else { return nil }
    if isOpen(owner) {
      let isLone = slots[owner.slot].itemIDs == 0 && divisions[clues.division].active.count > 1
      return .open(isLone ? parts(of: owner.slot, endingWith: line) : owner.slot)
    }
    guard let known = ended[owner.number] else { return nil }
    // In a run like one before, an end belongs to the response that began like the former's.
    if clues.response == nil, hasOpen(clues.division) { return nil }
    let first = known.name.id
    if let again = ids.find(first.span, in: 2 * clues.division), isOpen(again) {
      return .open(again.slot)
    }
    if known.mark == Self.mark(clues, line) { return .ended(known.name, slot: owner.slot) }
    return .begins(over: nil)
  }

  /// Whose a lifecycle event is, its id being unknown, beside the only active response.
  private mutating func find(
    _ only: Int, lifecycle clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Whose {
    let life = slots[only].verdict.life
    let hasNoID = slots[only].name.id.isEmpty && (life.isOpen || slots[only].itemIDs == 0)
    // What stands in no order may begin with anything.
    if slots[only].isDisordered, slots[only].name.id.isEmpty { return .open(only) }
    if event.type?.phase == .start {
      return .begins(over: clues.response == nil || life.hasFailed || hasNoID ? only : nil)
    }
    guard clues.response != nil, !hasNoID || event.isSynthetic(line) else {
      return .open(only)
    }
    if event.type?.phase == .terminal {
      return !event.isSynthetic(line) && rises(clues, in: only)
        ? .open(only) : .begins(over: nil)
    }
    if life.hasFailed { return .begins(over: only) }
    return life.created != nil && goesOn(clues.number, in: only) ? .open(only) : .begins(over: nil)
  }

  /// Whose an event is that nothing known names, beside the only active response.
  private mutating func find(_ only: Int, _ clues: Clues, _ event: borrowing Event) -> Whose {
    guard !rises(clues, in: only), event.type?.family != .error else { return .open(only) }
    if clues.response != nil { return .begins(over: nil) }
    let isKnown = clues.item != nil || slots[only].hasIDs || slots[only].verdict.life.hasFailed
    return isKnown ? .open(only) : .begins(over: only)
  }

  /// Whose an event is that nothing known names, where several are active.
  private mutating func find(
    amongRivals clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Whose {
    let list = divisions[clues.division].active
    let isLifecycle = event.type?.family == .lifecycle
    if isLifecycle, event.type?.phase == .start {
      let isOver = clues.response == nil || slots[list.last].verdict.life.hasFailed
      return .begins(over: isOver ? list.last : nil)
    }
    if isLifecycle, clues.response != nil, event.isSynthetic(line) {
      return .begins(over: nil)
    }
    let (next, isSure) = next(clues, event, in: list)
    if next == nil, isLifecycle, clues.response != nil, event.type?.phase != .terminal {
      return .begins(over: nil)
    }
    let slot = next ?? list.last
    if !isSure, event.type?.family != .error, Self.mayBegin(event, line) {
      slots[slot].guess = slots[slot].guess ?? event.inputPlace
      divisions[clues.division].hasGuesses = true
    }
    return .open(slot)
  }

  /// The active one whose number and output index go on, and whether it is the only one. Of several it
  /// is the one heard of longest ago, if it came in its turn: one that was silent for longer was cut.
  private mutating func next(
    _ clues: Clues, _ event: borrowing Event, in list: Recency.List
  ) -> (slot: Int?, isSure: Bool) {
    var (best, bestFit, isSure) = (Int?.none, 0, false)
    var (slot, left) = (list.last, Self.mostRivals)
    while slot >= 0, left > 0 {
      let isNext = clues.number != nil && goesOn(clues.number, in: slot)
      let fit = (isNext ? 2 : 0) + (opens(clues, event, in: slot) ? 1 : 0)
      if fit > bestFit {
        (best, bestFit, isSure) = (slot, fit, true)
      } else if fit > 0, fit == bestFit {
        isSure = false
        if isNext, time - slots[slot].heard <= list.count { best = slot }
      }
      (slot, left) = (inDivision.before(slot), left - 1)
    }
    return (best, isSure)
  }

  /// The parked one whose number the event has right behind its last, or whose output index goes on
  /// where it is the only one open.
  private mutating func parked(_ clues: Clues, _ event: borrowing Event) -> Int? {
    let list = divisions[clues.division].parked
    guard list.count > 0, event.type?.family != .lifecycle || event.type?.phase != .start else {
      return nil
    }
    guard clues.number != nil else {
      let isAlone = list.count == 1 && divisions[clues.division].active.count == 0
      return isAlone && opens(clues, event, in: list.first) ? list.first : nil
    }
    var (slot, left) = (list.last, Self.mostRivals)
    while slot >= 0, left > 0 {
      if slots[slot].skims == skims, goesOn(clues.number, in: slot) { return slot }
      (slot, left) = (inDivision.before(slot), left - 1)
    }
    return nil
  }

  /// Whether the event opens the item behind the last of the response in `slot`.
  private mutating func opens(_ clues: Clues, _ event: borrowing Event, in slot: Int) -> Bool {
    event.type?.opensItem == true && clues.index.map { $0 == slots[slot].items } == true
  }

  /// Whose an event is that nothing known names, where none is active; `former` has its item.
  private mutating func find(
    amongEnded clues: Clues, _ former: IDTable.Owner?, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Whose {
    let division = clues.division
    let isLifecycle = event.type?.family == .lifecycle
    if let parked = parked(clues, event) { return .open(parked) }
    if let former, let known = ended[former.number] {
      return .ended(known.name, slot: former.slot)
    }
    let mayBegin = Self.mayBegin(event, line)
    guard let known = ended[divisions[division].last] else {
      return mayBegin ? .begins(over: nil) : .none
    }
    let slot = divisions[division].lastSlot
    if event.type?.family == .error {
      let isThere = slots[slot].name === known.name
      return isThere ? .late(slot: slot) : .begins(over: nil)
    }
    let step = known.number.flatMap { former in clues.number.map { $0 &- former } }
    let isOther = event.type?.family.standsAlone == true
    let hasIDs = clues.response != nil || clues.item != nil
    let isStatus = event.type?.phase == .status && clues.response == nil && step != nil
    let isEdge = isLifecycle && !isStatus
    // Something unknown that is not right behind the end is of a response whose beginning is not here.
    guard mayBegin, isOther || isEdge || (hasIDs ? step != 1 : step ?? 1 < 1) else {
      return .ended(known.name, slot: slot)
    }
    return .begins(over: nil)
  }

  /// Whether the number of an event is higher than all of its response in `slot`, as far as is known.
  private mutating func rises(_ clues: Clues, in slot: Int) -> Bool {
    guard let number = clues.number, let former = slots[slot].number else { return true }
    return number > former
  }

  /// Whether the number of an event is the next of the response in `slot`, as far as is known.
  private mutating func goesOn(_ number: Int?, in slot: Int) -> Bool {
    guard let number else { return slots[slot].number == nil }
    guard let former = slots[slot].number else { return false }
    return slots[slot].skims == skims ? number &- 1 == former : number > former
  }

  private mutating func isOpen(_ owner: IDTable.Owner) -> Bool {
    slots[owner.slot].isOpen && slots[owner.slot].name.number == owner.number
  }

  private mutating func hasOpen(_ division: Int) -> Bool {
    divisions[division].active.count + divisions[division].parked.count > 0
  }

  /// Whether a response may begin with an event.
  private static func mayBegin(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    switch event.type?.family {
    case .keepalive, .metadata, .websocket, .websocketClient: return false
    case nil:
      guard let name = event.typeName else { return false }
      return !line.extracting(name).starts(with: "oresp.")
    default: return true
    }
  }

  /// What tells an end from another of the same response.
  private static func mark(_ clues: Clues, _ line: Span<UInt8>) -> UInt64 {
    guard clues.response != nil, let number = clues.number else { return line.mixed(into: 1) }
    return UInt64(truncatingIfNeeded: number)
  }

  private static func text(at place: Range<Int>?, in line: Span<UInt8>) -> Range<Int>? {
    guard let place, place.count > 2, line[place.lowerBound] == ASCII.quote else { return nil }
    return place.lowerBound + 1..<place.upperBound - 1
  }

  // MARK: How a response begins, goes on and ends

  /// Begins a response in the slot `former`, or in a free one.
  private mutating func begin(in division: Int, over former: Int?, isJudged: Bool) -> Int {
    count += 1
    let slot = former ?? free.popLast() ?? newSlot()
    var response = OpenResponse(ResponseName(count, tag: divisions[division].tag))
    if slot < slots.count {
      if slots[slot].isOpen {
        // A lifecycle event tells by itself how it leaves what was there.
        if !isJudged || former == nil { lose(slot) }
        leave(slot)
      }
      (response.verdict, response.inputName) = (slots[slot].verdict, slots[slot].inputName)
      slots[slot] = response
    } else {
      slots.append(response)
    }
    (slots[slot].began, slots[slot].skims, slots[slot].division) = (time, skims, division)
    divisions[division].users += 1
    inAll.append(slot, to: &active)
    inDivision.append(slot, to: &divisions[division].active)
    return slot
  }

  /// Begins another response in `slot`, since an event is of another kind than what was there.
  mutating func renew(_ slot: Int, _ event: inout Event) {
    (count, steady) = (count + 1, -1)
    slots[slot].name = ResponseName(count, tag: slots[slot].name.tag)
    (slots[slot].items, slots[slot].itemIDs, slots[slot].began) = (0, 0, time)
    put(&event, in: slot)
    event.step.isFirst = true
  }

  private mutating func newSlot() -> Int {
    guard slots.count >= Self.mostOpen else { return slots.count }
    return parked.first >= 0 ? parked.first : active.first
  }

  /// Gives up the response in `slot`.
  private mutating func lose(_ slot: Int) {
    lost = slots[slot].verdict.conclude()
    lost?.isOfFormer = true
    doubt = doubt ?? slots[slot].guess
  }

  /// Takes the response in `slot` from the open ones.
  private mutating func leave(_ slot: Int) {
    let division = slots[slot].division
    if slots[slot].isParked {
      parkedSeen -= slots[slot].seen.count
      inAll.remove(slot, from: &parked)
      inDivision.remove(slot, from: &divisions[division].parked)
    } else {
      inAll.remove(slot, from: &active)
      inDivision.remove(slot, from: &divisions[division].active)
    }
    slots[slot].isOpen = false
    slots[slot].seen = SeenNumbers()
    drop(division)
  }

  /// Notes an event of the response in `slot`, and the ids that it has.
  private mutating func note(
    _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>, in slot: Int
  ) {
    hear(slot)
    let owner = IDTable.Owner(slot: slot, number: slots[slot].name.number)
    let division = slots[slot].division
    if let number = clues.number { slots[slot].number = number }
    slots[slot].skims = skims
    if event.type?.family == .lifecycle, let id = clues.response {
      let id = line.extracting(id)
      if let known = set(id, 2 * division, owner), ended[known.number] != nil {
        slots[slot].isAgain = true
      }
      if slots[slot].name.id.isEmpty {
        slots[slot].name.id = [UInt8](copying: id)
      }
      if event.type?.phase == .start { slots[slot].hasStart = true }
    }
    if event.type?.opensItem == true { slots[slot].items += 1 }
    guard let item = clues.item,
      event.type?.family == .outputItem || slots[slot].itemIDs < Self.mostOtherItems
    else { return }
    let former = set(line.extracting(item), 2 * division + 1, owner)
    if former != owner { slots[slot].itemIDs += 1 }
    if let former, former != owner, isOpen(former), event.type?.opensItem != true {
      doubt = event.inputPlace
    }
  }

  /// Notes that `id` is `owner`'s. Returns whose it was.
  private mutating func set(
    _ id: Span<UInt8>, _ space: Int, _ owner: IDTable.Owner
  ) -> IDTable.Owner? {
    let former = ids.find(id, in: space)
    if former == owner { return owner }
    ids.set(id, in: space, to: owner) { [slots, ended, divisions] space, owner in
      if space == -1 || space == -2 { return divisions[owner.slot].number == owner.number }
      return ended[owner.number] != nil || slots[owner.slot].name.number == owner.number
    }
    return former
  }

  /// Notes that something was heard of the response in `slot`, which is not parked any more.
  private mutating func hear(_ slot: Int) {
    let division = slots[slot].division
    slots[slot].heard = time
    guard slots[slot].isParked else {
      inAll.moveToEnd(slot, of: &active)
      inDivision.moveToEnd(slot, of: &divisions[division].active)
      return
    }
    slots[slot].isParked = false
    parkedSeen -= slots[slot].seen.count
    inDivision.remove(slot, from: &divisions[division].parked)
    inAll.remove(slot, from: &parked)
    inAll.append(slot, to: &active)
    inDivision.append(slot, to: &divisions[division].active)
  }

  /// Ends the response in `slot` with `line`, its terminal event. Parks those of which nothing was
  /// heard since it began.
  mutating func end(_ slot: Int, with event: borrowing Event, _ line: Span<UInt8>) {
    let clues = clues(of: event, line)
    let division = slots[slot].division
    steady = -1
    isAgain = slots[slot].isAgain
    slots[slot].name.endID = [UInt8](copying: line.extracting(clues.response ?? 0..<0))
    let (name, number) = (slots[slot].name, slots[slot].name.number)
    if event.step.isLate { noteItems(of: slot, in: line) }
    remember(
      EndedResponse(
        name: name, division: division, number: slots[slot].number,
        mark: Self.mark(clues, line), lacksStart: !slots[slot].hasStart,
        hasHoles: event.step.isLate))
    // Ends alone that have no id, as a selection passes them, are of a response each.
    if clues.response == nil, !slots[slot].verdict.step.isFirst {
      _ = set(Span(), 2 * division, IDTable.Owner(slot: slot, number: number))
    }
    leave(slot)
    free.append(slot)
    (divisions[division].last, divisions[division].lastSlot) = (number, slot)
    while active.first >= 0, slots[active.first].heard < slots[slot].began { park(active.first) }
    if divisions[division].hasGuesses { check(slot, event, line) }
  }

  /// Notes the items of the whole response in `line`: events of them may come behind it.
  private mutating func noteItems(of slot: Int, in line: Span<UInt8>) {
    let owner = IDTable.Owner(slot: slot, number: slots[slot].name.number)
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item) else {
        continue
      }
      let space = 2 * slots[slot].division + 1
      if let known = ids.find(item.extracting(id), in: space), isOpen(known) { continue }
      _ = set(item.extracting(id), space, owner)
    }
  }

  private mutating func park(_ slot: Int) {
    let division = slots[slot].division
    slots[slot].isParked = true
    if parkedSeen + slots[slot].seen.count > Self.mostSeen { slots[slot].seen = SeenNumbers() }
    parkedSeen += slots[slot].seen.count
    inDivision.remove(slot, from: &divisions[division].active)
    inDivision.append(slot, to: &divisions[division].parked)
    inAll.remove(slot, from: &active)
    inAll.append(slot, to: &parked)
  }

  private mutating func remember(_ response: EndedResponse) {
    divisions[response.division].users += 1
    if let former = ended.remember(response) { drop(former.division) }
  }

  /// Notes that a response of `division` is neither open nor remembered any more.
  private mutating func drop(_ division: Int) {
    divisions[division].users -= 1
    guard divisions[division].users == 0, division > 0 else { return }
    let number = divisions[division].number + 1
    divisions[division] = Division()
    divisions[division].number = number
    freeDivisions.append(division)
  }

  /// Makes room for the responses of a tag that is new.
  private mutating func newDivision(_ event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let place = freeDivisions.popLast() ?? divisions.count
    if place == divisions.count { divisions.append(Division()) }
    let tag = Self.text(at: event.value(of: "oresp", "request", in: line), in: line)
    let owner = IDTable.Owner(slot: place, number: divisions[place].number)
    if let stream = Self.text(at: event.value(of: "stream_id", in: line), in: line) {
      _ = set(Self.key(tag, stream, line).span, -2, owner)
    } else {
      _ = set(line.extracting(tag ?? 0..<0), -1, owner)
    }
    divisions[place].tag = tag.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
    return place
  }

  // MARK: Guesses

  /// Compares the items that the end of the response in `slot` lists with those it was given.
  private mutating func check(_ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>) {
    let division = slots[slot].division
    var listed = 0
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item),
        let owner = ids.find(item.extracting(id), in: 2 * division + 1)
      else { continue }
      if owner.number == slots[slot].name.number {
        listed += 1
      } else if isOpen(owner) {
        doubt = slots[owner.slot].guess ?? event.inputPlace
      }
    }
    // Where nothing was heard of any other all the while, a guess was right.
    let isAlone = divisions[division].active.count == 0
    if !isAlone, listed == 0 || listed < slots[slot].items { doubt = doubt ?? slots[slot].guess }
    slots[slot].guess = nil
  }

  /// Gives up the response in `slot` at the end of the input.
  mutating func conclude(_ slot: Int) -> Verdict.Judgement? {
    if slots[slot].isOpen { doubt = doubt ?? slots[slot].guess }
    return slots[slot].verdict.conclude()
  }
}
