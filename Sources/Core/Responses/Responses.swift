/// Which response each event of a stream belongs to: decided here once, before any reader.
///
/// A tag or the id of a WebSocket's stream divides events first. Then the first of these decides:
/// the response's id; the item's id; that only one response is open; a sequence number or output
/// index that goes on. If several responses fit, this guesses: the one heard of longest ago, or for
/// an event without a number the one heard of last. An open response has a slot. One that ended is
/// remembered by its ids, so that late events of it change nothing.
///
///     {"type":"response.created","response":{"id":"r1"}}               begins r1 in slot 0
///     {"type":"response.created","response":{"id":"r2"}}               begins r2 in slot 1
///     {"type":"response.output_item.added","item":{"id":"m1"},
///      "sequence_number":1,"output_index":0}                           is r1's, a guess
///     {"type":"response.output_text.delta","item_id":"m1","delta":"a"} is r1's, by its item
///     {"type":"response.completed","response":{"id":"r1"}}             ends r1, which frees slot 0
package struct Responses {
  /// The most that may be open; one more gets the slot of the one heard of longest ago.
  package static let mostOpen = 65_536
  /// How many open ones, the last heard of, are compared for a number that goes on.
  static let mostRivals = 64

  /// How many numbers all parked responses may keep; one that is parked beyond that keeps none.
  static let mostSeen = 262_144
  /// How many ids are kept of a response whose events have another id each.
  static let mostOtherItems = 256

  /// The responses of one tag, or of none.
  struct Division {
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
    /// The lowest and the highest number of the events that nothing names and whose response was
    /// left last.
    var strays: ClosedRange<Int>?
  }

  /// All that an event says of its response.
  struct Clues {
    /// -1 where its tag is new.
    var division = 0
    var response: Range<Int>?
    var item: Range<Int>?
    var number: Int?
    var index: Int?
  }

  /// Whose an id is: a slot, and the number of the response that has it or had it then.
  struct Owner: Equatable, Sendable {
    var slot: Int
    var number: Int
  }

  enum Whose {
    case open(Int)
    /// A new one, in the slot of `over`, which gets no more events, or in a free one.
    case begins(over: Int?)
    /// One that ended, so that the event changes nothing.
    case ended(ResponseName, slot: Int)
    /// It comes behind an end and counts all the same.
    case late(slot: Int)
    case none
  }

  package internal(set) var count = 0
  var slots: [OpenResponse] = []
  var free: [Int] = []
  var divisions = [Division()]
  var freeDivisions: [Int] = []
  var ids = TextTable<Owner>()
  var ended = EndedResponses()
  /// The active ones in the order in which they were heard of, in their division and in all.
  var (inDivision, inAll) = (Recency(), Recency())
  var (active, parked) = (Recency.List(), Recency.List())
  var time = 0
  var skims = 0
  /// How many sequence numbers are remembered of the parked responses.
  var parkedSeen = 0
  var hasTags = false

  /// How the response ended that lost its slot to the event placed last.
  var lost: Verdict.Judgement?
  /// Where a guess stands that the event placed last, or the end, proved wrong or left unproved.
  var doubt: Notice.Place?
  /// Whether the last end is of a response of whose id one had ended before.
  var isAgain = false
  /// The slot of the event placed last.
  var last = 0

  /// The response that the next event belongs to if it names no other and its number rises: the
  /// only active one; -1 where a closer look is needed.
  var steady = -1
  /// Whether a continuation of the event placed last belongs where that does, to the slot `last`.
  var takesContinuation = false
  /// The item id of the event that was looked at last, as it is spelled; empty when it had none.
  var steadyItem: [UInt8] = []

  /// Whether more than one was open at a time, or a tag came.
  var tellsApart: Bool { slots.count > 1 || hasTags }

  /// Notes that events were passed over, so that numbers may have been, too.
  mutating func noteSkimmed() { (skims, takesContinuation) = (skims + 1, false) }

  /// Places an event that goes on where the one before left off, as most do; false when that needs
  /// a closer look.
  @inline(__always)
  mutating func placeSteady(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    if event.isContinuation {
      if takesContinuation, goesOn(event, line, in: last) {
        time += 1
        slots[last].heard = time
        put(&event, in: last)
        return true
      }
      event.isContinuation = false
    }
    takesContinuation = false
    return placeKnown(&event, line)
  }

  /// Whether the number of an event, if it has one, goes on in `slot`.
  @inline(__always)
  private mutating func goesOn(
    _ event: borrowing Event, _ line: Span<UInt8>, in slot: Int
  ) -> Bool {
    guard let number = event.sequenceNumber(in: line) else { return true }
    return slots[slot].goesOn(number, Self.mark(of: event, line), skims)
  }

  /// Places an event of the only active response, and of the item of the event before.
  private mutating func placeKnown(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    guard steady >= 0, let type = event.type, type.isInside, !event.hasTag(in: line),
      event.value(of: "response_id", in: line) == nil
    else { return false }
    let item = event.value(of: "item_id", in: line)
    if let item, !line.extracting(item).equals(steadyItem.span) { return false }
    // Without an item it may be of a parked one, but for its number.
    let isNamed = item != nil || parked.count == 0
    if !isNamed {
      guard let number = event.sequenceNumber(in: line), goesOn(number, in: steady) else {
        return false
      }
    }
    guard goesOn(event, line, in: steady) else { return false }
    time += 1
    slots[steady].heard = time
    put(&event, in: steady)
    (event.step, last, takesContinuation) = (.inside, steady, isNamed)
    return true
  }

  /// Places an event that goes on with an item, or in a tag, of one response; false when that needs
  /// a closer look.
  private mutating func placeNamed(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    guard let type = event.type, type.isInside, event.value(of: "response_id", in: line) == nil
    else { return false }
    let division = division(of: event, line)
    let item = Self.text(at: event.value(of: "item_id", in: line), in: line)
    guard division >= 0, let slot = named(item, of: line, in: division),
      goesOn(event, line, in: slot)
    else { return false }
    hear(slot)
    put(&event, in: slot)
    noteSteady(slot, event, line)
    (last, takesContinuation) = (slot, true)
    return true
  }

  /// The active response that owns `item`, or that is the only one of its tag.
  private mutating func named(
    _ item: Range<Int>?, of line: Span<UInt8>, in division: Int
  ) -> Int? {
    guard let item else {
      let isAlone = divisions[division].active.count == 1 && divisions[division].parked.count == 0
      return isAlone && division > 0 ? divisions[division].active.first : nil
    }
    guard let owner = owner(of: line.extracting(item), in: 2 * division + 1), isOpen(owner),
      !slots[owner.slot].isParked, !slots[owner.slot].isDisordered,
      slots[owner.slot].itemsAnew == nil, !slots[owner.slot].name.id.isEmpty
    else { return nil }
    return owner.slot
  }

  /// Finds whose `event` is and notes it there: its slot, its response and whether it is its first.
  mutating func place(_ event: inout Event, _ line: Span<UInt8>) {
    time += 1
    (lost, doubt, steady) = (nil, nil, -1)
    event.step = .inside
    if placeNamed(&event, line) { return }
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

  /// Notes whether an event of the response in `slot` came before, as in a resumed stream that
  /// overlaps: with its number, its type and its delta; or stands behind what has a higher number.
  /// Where nothing names the response its numbers begin another.
  mutating func noteNumber(
    _ clues: Clues, of event: inout Event, _ line: Span<UInt8>, in slot: Int, isOfNewItem: Bool
  ) {
    guard let number = clues.number, event.typeName != nil, event.type?.family != .error
    else { return }
    let hasIDs = slots[slot].hasIDs
    if hasIDs, event.type?.family == .lifecycle, event.type?.phase == .terminal {
      event.step.isLate = skims == 0 && slots[slot].hasHoles(before: number)
      return
    }
    let mark = Self.mark(of: event, line)
    let item = line.extracting(clues.item ?? 0..<0)
    switch slots[slot].seen.note(number, mark) {
    case .known: event.step.isRepeated = hasIDs
    case .late where isOfNewItem && slots[slot].mayBeSeveral:
      slots[slot].beginAnew(with: item)
      _ = slots[slot].seen.note(number, mark)
    case .new where slots[slot].goesOn(with: item, isNew: isOfNewItem):
      event.step.isLate = slots[slot].isDisordered
    case .new, .late: noteDisorder(&event, in: slot)
    }
  }

  mutating func noteDisorder(_ event: inout Event, in slot: Int) {
    (event.step.isLate, slots[slot].isDisordered) = (true, true)
    // A beginning that comes behind what it begins says nothing more.
    let isStart = event.type?.family == .lifecycle && event.type?.phase == .start
    event.step.isRepeated = isStart && slots[slot].verdict.life.isUnfinished
  }

  /// Notes whether what comes next may be placed without a closer look, `event` being of `slot`.
  mutating func noteSteady(
    _ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    guard !hasTags, active.count == 1, slots[slot].isOpen, !slots[slot].isParked,
      !slots[slot].isDisordered
    else { return }
    steady = slot
    steadyItem.removeAll(keepingCapacity: true)
    if event.type?.family != .lifecycle, let item = event.value(of: "item_id", in: line) {
      steadyItem.append(copying: line.extracting(item))
    }
    takesContinuation =
      event.type?.isInside == true && !event.step.isRepeated && !event.step.isLate
      && (!steadyItem.isEmpty || parked.count == 0)
  }

  /// The mark that sets an event apart from another with its number: a hash of its type and of its
  /// delta's length and ends.
  @inline(__always)
  static func mark(of event: borrowing Event, _ line: Span<UInt8>) -> UInt32 {
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
  mutating func put(_ event: inout Event, in slot: Int) {
    event.lane = slot
    if event.response !== slots[slot].name { event.response = slots[slot].name }
  }

  /// The same of `line`, which `oresp-send --log` wrote: a response of its own that did end.
  mutating func place(logged event: inout Event, _ line: Span<UInt8>) {
    (lost, doubt, event.step, event.lane) = (nil, nil, .inside, 0)
    if let owner = owner(of: line, in: -3), let known = ended[owner.number] {
      (event.response, event.step.isRepeated) = (known.name, true)
      return
    }
    count += 1
    let name = ResponseName(count, tag: [])
    remember(
      EndedResponse(
        name: name, division: 0, number: nil, mark: 0, lacksStart: false, hasHoles: false))
    set(line, -3, Owner(slot: 0, number: count))
    event.response = name
  }
}
