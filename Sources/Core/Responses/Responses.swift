/// Decides which response each event of a stream belongs to, once, before any filter gets it.
///
/// A tag or the id of a WebSocket's stream divides events first. Then the first of these decides:
/// the response's id; the item's id; the open response, if there is only one; a sequence number or
/// output index that goes on. If several responses fit, this guesses: the one heard of longest ago,
/// or for an event without a number the one heard of last. An open response has a slot. One that
/// ended is remembered by its ids, so that late events of it change nothing.
///
///     {"type":"response.created","response":{"id":"r1"}}               begins r1 in slot 0
///     {"type":"response.created","response":{"id":"r2"}}               begins r2 in slot 1
///     {"type":"response.output_item.added","item":{"id":"m1"},
///      "sequence_number":1,"output_index":0}                           is r1's, a guess
///     {"type":"response.output_text.delta","item_id":"m1","delta":"a"} is r1's, by its item
///     {"type":"response.completed","response":{"id":"r1"}}             ends r1, which frees slot 0
///
/// A response without a beginning ends where an event cannot be its own (`Outline`).
package struct Responses {
  /// The most open responses; a further one gets the slot of the one heard of longest ago.
  package static let mostOpen = 65_536
  /// The most open responses, the last heard of, whose numbers are compared with an event's.
  static let mostRivals = 64

  /// The most numbers that all parked responses keep; one parked beyond that keeps none.
  static let mostSeen = 262_144
  /// The most item ids kept of a response whose events have another id each.
  static let mostOtherItems = 256

  /// The responses of one tag, or of none.
  struct Division {
    var tag: [UInt8] = []
    /// The number of tags that had this division, the current one included.
    var number = 1
    /// Its open responses: the active and the parked ones.
    var (active, parked) = (Recency.List(), Recency.List())
    /// The number of its responses that are open or remembered.
    var users = 0
    /// The response that ended last, and its slot.
    var last = 0
    var lastSlot = 0
    var hasGuesses = false
    /// The lowest and the highest number of its nameless responses that lost their slots.
    var strays: ClosedRange<Int>?
  }

  /// All that an event says of its response.
  struct Clues {
    /// The index in `divisions`; -1 when the event's tag is new.
    var division = 0
    var response: Range<Int>?
    var item: Range<Int>?
    var number: Int?
    var index: Int?
  }

  /// The owner of an id: a slot, and the number of the response that has or had the slot.
  struct Owner: Equatable, Sendable {
    var slot: Int
    var number: Int
  }

  enum Whose {
    case open(Int)
    /// A new one, in the slot `over`, whose response gets no more events, or in a free slot.
    case begins(over: Int?)
    /// One that ended: the event changes nothing.
    case ended(ResponseName, slot: Int)
    /// One that ended: the event, an error, counts all the same.
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
  /// The order in which responses were heard of: within their division and in all.
  var (inDivision, inAll) = (Recency(), Recency())
  var (active, parked) = (Recency.List(), Recency.List())
  var time = 0
  var skims = 0
  /// The number of sequence numbers remembered of the parked responses.
  var parkedSeen = 0
  var hasTags = false

  /// The judgement on the response that lost its slot to the event placed last; else `nil`.
  var lost: Verdict.Judgement?
  /// The place of a guess that the event placed last, or the end, proved wrong or left unproved.
  var doubt: Notice.Place?
  /// Whether the response that ended last has the id of one that ended before.
  var isAgain = false
  /// The slot of the event placed last.
  var last = 0

  /// The only active response, to which the next event belongs if it names no other and its number
  /// rises; -1 when a closer look is needed.
  var steady = -1
  /// Whether a continuation of the event placed last belongs to the slot `last`, too.
  var takesContinuation = false
  /// The item id of the last event given a closer look, as spelled; empty when it had none.
  var steadyItem: [UInt8] = []

  /// Whether several responses were open at a time, or a tag came.
  var tellsApart: Bool { slots.count > 1 || hasTags }

  /// Notes that events were skimmed, so that numbers may be missing.
  mutating func noteSkimmed() { (skims, takesContinuation) = (skims + 1, false) }

  /// Places an event that continues the response of the one before, as most do; false when it needs
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

  /// Notes the number of an event, if it has one; false when that does not go on in `slot`.
  @inline(__always)
  private mutating func goesOn(
    _ event: borrowing Event, _ line: Span<UInt8>, in slot: Int
  ) -> Bool {
    guard let number = event.sequenceNumber(in: line) else { return true }
    return slots[slot].goesOn(number, Self.mark(of: event, line), skims)
  }

  /// Places an event of the only active response and of its last item; false for any other.
  private mutating func placeKnown(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    guard steady >= 0, let type = event.type, type.isInside, !event.hasTag(in: line),
      event.value(of: "response_id", in: line) == nil
    else { return false }
    let item = event.value(of: "item_id", in: line)
    if let item, !line.extracting(item).equals(steadyItem.span) { return false }
    // Without an item it may belong to a parked response, unless its number goes on here.
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

  /// Places an event whose item or tag belongs to one response only; false when it needs a closer
  /// look.
  private mutating func placeNamed(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    guard let type = event.type, type.isInside, event.value(of: "response_id", in: line) == nil
    else { return false }
    let division = division(of: event, line)
    let item = Self.text(at: event.value(of: "item_id", in: line), in: line)
    guard division >= 0, let slot = named(item, of: line, in: division),
      !slots[slot].lacksBeginning, goesOn(event, line, in: slot)
    else { return false }
    hear(slot)
    put(&event, in: slot)
    noteSteady(slot, event, line)
    (last, takesContinuation) = (slot, true)
    return true
  }

  /// The active response that owns `item`, or is the only one of its tag; `nil` when there is none.
  private mutating func named(
    _ item: Range<Int>?, of line: Span<UInt8>, in division: Int
  ) -> Int? {
    guard let item else {
      let isAlone = divisions[division].active.count == 1 && divisions[division].parked.count == 0
      return isAlone && division > 0 ? divisions[division].active.first : nil
    }
    guard let owner = owner(spelled: line.extracting(item), in: 2 * division + 1), isOpen(owner),
      !slots[owner.slot].isParked, !slots[owner.slot].isDisordered,
      !slots[owner.slot].name.id.isEmpty
    else { return nil }
    return owner.slot
  }

  /// Finds the response of `event`; sets the event's slot, response and whether it is the first.
  mutating func place(_ event: inout Event, _ line: Span<UInt8>) {
    time += 1
    (lost, doubt, steady) = (nil, nil, -1)
    event.step = .inside
    if placeNamed(&event, line) { return }
    var clues = clues(of: event, line)
    switch find(clues, event, line) {
    case .open(let slot):
      note(clues, event, line, in: slot)
      put(&event, in: slot)
      noteNumber(clues, of: &event, line, in: slot)
      noteOutline(of: slot, clues, event, line)
      noteSteady(slot, event, line)
    case .begins(let former):
      if clues.division < 0 { clues.division = newDivision(event, line) }
      let slot = begin(in: clues.division, over: former, isJudged: event.type?.family == .lifecycle)
      note(clues, event, line, in: slot)
      put(&event, in: slot)
      noteNumber(clues, of: &event, line, in: slot)
      noteOutline(of: slot, clues, event, line)
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

  /// Notes the number of an event in `slot`, and whether the event is a repeat (its number came
  /// with its type and delta, as a resumed stream sends it) or late (a higher number came).
  mutating func noteNumber(
    _ clues: Clues, of event: inout Event, _ line: Span<UInt8>, in slot: Int
  ) {
    guard let number = clues.number, event.typeName != nil, event.type?.family != .error
    else { return }
    let hasIDs = slots[slot].hasIDs
    if hasIDs, event.type?.family == .lifecycle, event.type?.phase == .terminal {
      event.step.isLate = skims == 0 && slots[slot].hasHoles(before: number)
      return
    }
    switch slots[slot].seen.note(number, Self.mark(of: event, line)) {
    case .known: event.step.isRepeated = hasIDs
    case .new: event.step.isLate = slots[slot].isDisordered
    case .late: noteDisorder(&event, in: slot)
    }
  }

  /// Notes what an event in `slot` shows, if the beginning of its response has not come.
  private mutating func noteOutline(
    of slot: Int, _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    guard slots[slot].lacksBeginning, !event.step.isRepeated else { return }
    slots[slot].outline.note(event, line, item: clues.item, clues.number)
  }

  mutating func noteDisorder(_ event: inout Event, in slot: Int) {
    (event.step.isLate, slots[slot].isDisordered) = (true, true)
    // `response.created` behind other events of its response says nothing more.
    let isStart = event.type?.family == .lifecycle && event.type?.phase == .start
    event.step.isRepeated = isStart && slots[slot].verdict.life.isUnfinished
  }

  /// Notes whether an event behind `event`, which is in `slot`, may be placed without a closer
  /// look.
  mutating func noteSteady(
    _ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    guard slots[slot].isOpen, !slots[slot].isParked, !slots[slot].isDisordered else { return }
    if slots[slot].lacksBeginning {
      // Behind a delta a continuation is another one of its part.
      let isPlain = event.type?.isInside == true && event.type?.phase == .delta
      takesContinuation = isPlain && !event.step.isRepeated && !event.step.isLate
      return
    }
    guard !hasTags, active.count == 1 else { return }
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

  /// Places `line`, which `oresp-send --log` wrote, as a response of its own that has ended.
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
