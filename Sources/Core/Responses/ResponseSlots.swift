/// The open responses by their slots, the lanes in which they stand, and what is remembered of ended
/// ones; `ResponseTable` decides with it.
struct ResponseSlots {
  /// Responses that share a tag and a stream, or have none.
  struct Lane {
    /// The number of keys that had this lane, so that an owner of an earlier one is known.
    var number = 1
    var open = Recency.List()
    /// Those that an error ended, of which `response.failed` may come: they keep their slots.
    var failed = Recency.List()
    /// The number of its responses that are open or remembered.
    var users = 0
    /// The response that closed last; 0 when none did.
    var closed = 0
    /// An open response that was not heard of since this time was silent while another began and
    /// ended.
    var wakingTime = 0
    /// Whether two open responses of it are heard of.
    var isCrowded = false
  }

  struct Response {
    let number: Int
    let lane: Int
    var isOpen = true
    /// Whether `created`, `queued`, `in_progress` or a whole Response came.
    var hasBeginning = false
    /// Whether it began with `queued` or `in_progress`.
    var beganWithStatus = false
    /// Whether it began with a whole Response, which had not ended.
    var isOfDocument = false
    /// Whether it is the stream of another endpoint, around which no response stands.
    var isAlone = false
    /// When it began and was heard of last, in events.
    var began = 0
    var heard = 0
    /// Whether an event about an item came.
    var hasItems = false
    /// Those that its events were about, if its beginning did not come.
    var items = HeardItems()
    var gaps = Gaps()
    /// Whether its next event may be placed by the id of its item alone, which must be the one at
    /// this index of `ids`; `nil` if the last event had none.
    var isUsual = false
    var usualItem: Int?
    /// The number of the last event that was no repeat, and a hash that sets the event apart.
    var lastNumber: Int?
    var lastMark: UInt64 = 0
    /// The response before it that has neither beginning nor end; 0 when there is none.
    var headlessBefore = 0
    /// An earlier response that had its id; 0 when there is none.
    var namesake = 0

    /// Notes the number of an event, whose hash is `mark`, if the number rises; else false.
    @inline(__always)
    mutating func noteRise(_ number: Int, _ mark: UInt64) -> Bool {
      guard gaps.noteRise(number) else { return false }
      lastNumber = number
      lastMark = mark
      return true
    }

    /// Whether its beginning or its first item has not come.
    var isUnclear: Bool { !hasBeginning || !hasItems }
  }

  /// The response in each slot, open or over; a free slot is reused.
  var slots: [Response] = []
  private var free: [Int] = []
  private(set) var lanes = [Lane()]
  private var freeLanes: [Int] = []
  private var ids = ResponseIDs()
  var ended = RememberedEnds(most: ResponseTable.mostEnded)
  private var inLane = Recency()
  private var inAll = Recency()
  /// The open ones, and those that failed and keep their slots.
  private(set) var all = Recency.List()
  /// The number of events that were placed, but for the usual ones.
  private var clock = 0
  /// When the input began that is read.
  private(set) var inputStart = 0
  /// The number of open responses without a beginning or an item, and of lanes that are crowded.
  private var unclearCount = 0
  private var crowdedCount = 0
  /// The number of those that failed and keep their slots.
  private var failedCount = 0

  /// The number of responses so far.
  private(set) var count = 0

  var openCount: Int { all.count - failedCount }

  /// Whether each event of an item can only be of the response of its lane that is heard of, whose
  /// beginning and first item came.
  var areClear: Bool { unclearCount == 0 && crowdedCount == 0 }

  /// Notes that an input has ended.
  mutating func endInput() {
    clock += 1
    inputStart = clock
  }

  /// Counts a response that no event is of: a line of a log.
  mutating func countAlone() -> Int {
    count += 1
    return count
  }

  /// The slot before `slot` in its lane, in the order in which they were heard of; -1 for none.
  func before(_ slot: Int) -> Int { inLane.before(slot) }

  /// The response that an id at `value` in `line` named last.
  func owner(of value: Range<Int>?, in line: Span<UInt8>, _ space: ResponseIDs.Space)
    -> ResponseIDs.Owner?
  {
    ids.owner(of: value, in: line, space)
  }

  /// Puts `response`, the next one, into a slot of its lane, and returns the slot.
  mutating func add(_ response: Response) -> Int {
    count += 1
    var response = response
    response.began = clock
    unclearCount += 1
    if let before = ended[lanes[response.lane].closed], !before.hasBeginning, !before.hasEnd {
      response.headlessBefore = before.number
    }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(response) } else { slots[slot] = response }
    lanes[response.lane].users += 1
    inAll.append(slot, to: &all)
    inLane.append(slot, to: &lanes[response.lane].open)
    return slot
  }

  /// The slot of an event of the response that its lane heard last and of the item of the event
  /// before there, with a number that rises, as most events have, or none; `nil` for any other.
  @inline(__always)
  mutating func placeUsual(
    _ event: borrowing Event, _ line: Span<UInt8>, numbered number: Int?
  ) -> Int? {
    let lane = lane(of: event, line)
    guard lane >= 0 else { return nil }
    let open = lanes[lane].open
    let slot = open.last
    guard slot >= 0, slots[slot].isUsual else { return nil }
    if let item = event.value(of: "item_id", in: line) {
      guard let usual = slots[slot].usualItem, ids.isSpelled(usual, at: item, in: line) else {
        return nil
      }
    } else {
      guard slots[slot].usualItem == nil, open.count == 1 else { return nil }
    }
    if let number, number > 0 {
      guard slots[slot].noteRise(number, event.mark(line)) else { return nil }
    }
    inAll.moveToEnd(slot, of: &all)
    return slot
  }

  /// Notes whether the event behind this one may be placed by `placeUsual`.
  mutating func noteUsual(_ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>) {
    slots[slot].isUsual = false
    guard slots[slot].isOpen, slots[slot].hasBeginning, event.type?.isInside == true else { return }
    let item = event.value(of: "item_id", in: line)
    slots[slot].usualItem = item.flatMap { ids.index(of: $0, in: line, .items(slots[slot].lane)) }
    slots[slot].isUsual = item == nil || slots[slot].usualItem != nil
  }

  /// Notes that the response in `slot` was heard of.
  mutating func noteHeard(_ slot: Int) {
    let lane = slots[slot].lane
    let last = lanes[lane].open.last
    if last >= 0 { slots[last].isUsual = false }
    inAll.moveToEnd(slot, of: &all)
    inLane.moveToEnd(slot, of: &lanes[lane].open)
    clock += 1
    slots[slot].heard = clock
    noteCrowd(in: lane)
  }

  /// Notes an event about an item of the response in `slot`, and returns the number of the item,
  /// which says nothing if the beginning of the response came.
  mutating func noteItem(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ known: Int?, in slot: Int
  ) -> Int {
    let wasUnclear = slots[slot].isUnclear
    slots[slot].hasItems = true
    if slots[slot].hasBeginning {
      if wasUnclear { unclearCount -= 1 }
      return 0
    }
    return slots[slot].items.note(event, line, clues, known)
  }

  /// Notes the id of an item of which the response in `slot` heard by a repeat alone: the end of
  /// another may list it, whose event was taken for one.
  mutating func noteRepeat(of item: Range<Int>?, in line: Span<UInt8>, _ slot: Int) {
    let response = slots[slot]
    let space = ResponseIDs.Space.items(response.lane)
    guard response.hasBeginning, owner(of: item, in: line, space) == nil else { return }
    give(item, in: line, space, to: ResponseIDs.Owner(number: response.number, slot: slot, item: 0))
  }

  /// Closes the response in `slot`, which gets free.
  mutating func close(_ slot: Int, hasEnd: Bool, _ closed: inout [ClosedResponse]) {
    if ended[slots[slot].number]?.keepsSlot != true { end(slot, hasEnd: hasEnd, &closed) }
    leave(slot, &closed)
  }

  /// Ends the response in `slot` by an error. It is closed later: its `response.failed` may come.
  mutating func fail(_ slot: Int, _ closed: inout [ClosedResponse]) {
    let response = slots[slot]
    end(slot, hasEnd: true, &closed)
    ended[response.number]?.keepsSlot = true
    ended[response.number]?.hasError = true
    inLane.append(slot, to: &lanes[response.lane].failed)
    failedCount += 1
  }

  /// Closes those of `lane` that failed.
  mutating func closeFailed(in lane: Int, _ closed: inout [ClosedResponse]) {
    while lanes[lane].failed.first >= 0 { leave(lanes[lane].failed.first, &closed) }
  }

  /// Notes that the response in `slot` is open no more.
  private mutating func end(_ slot: Int, hasEnd: Bool, _ closed: inout [ClosedResponse]) {
    let response = slots[slot]
    let lane = response.lane
    if response.isUnclear { unclearCount -= 1 }
    lanes[lane].wakingTime = max(lanes[lane].wakingTime, response.began)
    slots[slot] = Response(number: response.number, lane: lane, isOpen: false)
    slots[slot].lastNumber = response.lastNumber
    inLane.remove(slot, from: &lanes[lane].open)
    noteCrowd(in: lane)
    lanes[lane].closed = response.number
    let over = RememberedEnds.Response(
      response.number, lane: lane, slot: slot, hasBeginning: response.hasBeginning, hasEnd: hasEnd,
      time: clock)
    guard let forgotten = ended.remember(over) else { return }
    if forgotten.keepsSlot { leave(forgotten.slot, &closed) }
    drop(forgotten.lane)
  }

  /// Frees the slot of a response that is open no more, and notes that it is closed.
  private mutating func leave(_ slot: Int, _ closed: inout [ClosedResponse]) {
    let response = slots[slot]
    if ended[response.number]?.keepsSlot != false {
      inLane.remove(slot, from: &lanes[response.lane].failed)
      failedCount -= 1
      ended[response.number]?.keepsSlot = false
    }
    inAll.remove(slot, from: &all)
    free.append(slot)
    closed.append(
      ClosedResponse(number: response.number, slot: slot, lastNumber: response.lastNumber))
  }

  /// Whether another open response of its lane was heard of since the one in `slot`, which was heard
  /// of last, began.
  func isByTurns(_ slot: Int) -> Bool {
    let other = inLane.before(slot)
    return other >= 0 && slots[other].heard > slots[slot].began
  }

  /// Notes whether two open responses of `lane` are heard of.
  private mutating func noteCrowd(in lane: Int) {
    let last = lanes[lane].open.last
    let second = last >= 0 ? inLane.before(last) : -1
    let isCrowded = second >= 0 && slots[second].heard >= lanes[lane].wakingTime
    guard isCrowded != lanes[lane].isCrowded else { return }
    lanes[lane].isCrowded = isCrowded
    crowdedCount += isCrowded ? 1 : -1
  }

  /// Lets go of a response of `lane`, which gets free with its last one.
  private mutating func drop(_ lane: Int) {
    lanes[lane].users -= 1
    guard lane > 0, lanes[lane].users == 0 else { return }
    lanes[lane].number += 1
    lanes[lane].closed = 0
    freeLanes.append(lane)
  }

  /// Whether the response of `owner` is open.
  func isOpen(_ owner: ResponseIDs.Owner) -> Bool {
    slots[owner.slot].isOpen && slots[owner.slot].number == owner.number
  }

  /// The lane of an event; 0 without a tag and a stream, -1 when they are new.
  @inline(__always)
  func lane(of event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let owner: ResponseIDs.Owner?
    if let stream = event.stream(in: line) {
      owner = ids.owner(of: Self.laneKey(event, line, stream).span, .streams)
    } else if let tag = event.tag(in: line) {
      owner = ids.owner(of: tag, in: line, .tags)
    } else {
      return 0
    }
    guard let owner else { return -1 }
    return lanes[owner.slot].number == owner.number ? owner.slot : -1
  }

  /// The tag of an event and its stream, with a NUL byte between them.
  private static func laneKey(
    _ event: borrowing Event, _ line: Span<UInt8>, _ stream: Range<Int>
  ) -> [UInt8] {
    var key = event.string(of: "oresp", "request", in: line)
    key.append(0)
    key += JSONString.decoded(line.extracting(stream))
    return key
  }

  /// Makes the lane of an event, whose tag or stream is new.
  mutating func newLane(_ event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let lane = freeLanes.popLast() ?? lanes.count
    if lane == lanes.count { lanes.append(Lane()) }
    let owner = ResponseIDs.Owner(number: lanes[lane].number, slot: lane)
    makeRoom()
    if let stream = event.stream(in: line) {
      ids.give(Self.laneKey(event, line, stream).span, .streams, to: owner)
    } else {
      ids.give(event.tag(in: line), in: line, .tags, to: owner)
    }
    return lane
  }

  /// Gives the id at `value` in `line` to `owner`, and returns the owner before.
  @discardableResult
  mutating func give(
    _ value: Range<Int>?, in line: Span<UInt8>, _ space: ResponseIDs.Space,
    to owner: ResponseIDs.Owner
  ) -> ResponseIDs.Owner? {
    makeRoom()
    return ids.give(value, in: line, space, to: owner)
  }

  /// Forgets the ids of responses that are neither open nor remembered, and the keys of lanes that
  /// are free, when the next id needs room.
  private mutating func makeRoom() {
    guard ids.isFull else { return }
    ids.keep { [slots, lanes, ended] isLane, owner in
      if isLane { return lanes[owner.slot].number == owner.number }
      let response = slots[owner.slot]
      return response.isOpen && response.number == owner.number || ended[owner.number] != nil
    }
    for slot in slots.indices { slots[slot].isUsual = false }
  }
}
