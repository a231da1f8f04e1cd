/// Decides whose each event is: which response it belongs to, and what it does to that. A response
/// has a slot while it is open; an ended one is remembered by its ids.
///
///     {"type":"response.created","response":{"id":"r1"}}                begins 1 in slot 0
///     {"type":"response.output_item.added","item":{"id":"m1"}}          inside 1: none else is open
///     {"type":"response.created","response":{"id":"r2"}}                begins 2 in slot 1
///     {"type":"response.output_text.delta","item_id":"m1","delta":"a"}  inside 1, by its item
///     {"type":"response.completed","response":{"id":"r1"}}              ends 1, which frees slot 0
///     {"type":"response.completed","response":{"id":"r1"}}              again: it has the same bytes
///
/// A selection by type has no beginnings. Then an event that cannot follow begins the next:
///
///     {"type":"response.output_text.done","item_id":"m1","output_index":0,"text":"a"}   begins 3
///     {"type":"response.output_text.done","item_id":"m2","output_index":0,"text":"b"}   begins 4
///
/// The rules stand in `find`, in the order in which they are asked. Memory does not grow with the
/// number of responses: at most `mostOpen` are open, and `mostEnded` ended ones are remembered.
package struct ResponseTable {
  /// The most open responses; a further one takes the place of the one heard of longest ago.
  package static let mostOpen = 1024
  /// The most ended responses that are remembered.
  package static let mostEnded = 1024

  /// What an event does to its response.
  package enum Step: Sendable {
    case begins, inside, fails, ends
    /// It repeats an earlier event.
    case again
    /// It came after the end of its response, and changes nothing.
    case behind
    /// It belongs to no response.
    case none
  }

  /// The response of an event.
  package struct Placement: Equatable, Sendable {
    /// The number of the response, from 1 in the order in which they begin; 0 for none.
    package var response = 0
    /// Its slot; -1 when it is not open.
    package var slot = -1
    package var step = Step.none
    /// Whether the event is the first one of its response.
    package var isFirst = false
  }

  /// A response that is over.
  package struct Closed: Equatable, Sendable {
    package let number: Int
    package let slot: Int
    /// Whether its beginning came, and whether its end or an error did.
    package let hasBeginning: Bool
    package let hasEnd: Bool
  }

  /// A fact about the stream that a user is told once.
  package enum Report: Hashable, Sendable {
    /// An event repeats an earlier one, as in a resumed stream.
    case repeats
    /// A delta came behind a later event of its response.
    case late
    /// A response ends twice, with different ends, and counts twice.
    case countsTwice
    /// Two responses by turns in one stream, of which some events do not name theirs.
    case shared
    /// A response whose beginning came behind other parts of it.
    case parted
  }

  private enum Found {
    case open(Int)
    case begins
    /// An ended one, by its number.
    case ended(Int)
    case none
  }

  /// Responses that share a tag and a stream, or have none.
  private struct Lane {
    /// The number of keys that had this lane, so that an owner of an earlier one is known.
    var number = 1
    var open = Recency.List()
    /// The number of its responses that are open or remembered.
    var users = 0
    /// The response that closed last; 0 when none did.
    var closed = 0
  }

  private struct Response {
    let number: Int
    let lane: Int
    var isOpen = true
    /// Whether `created`, `queued`, `in_progress` or a whole Response came.
    var hasBeginning = false
    /// Whether it began with `queued` or `in_progress`.
    var beganWithStatus = false
    /// Whether it is the stream of another endpoint, around which no response stands.
    var isAlone = false
    var items = HeardItems()
    var gaps = Gaps()
    /// The number of the last event that was no repeat, and a hash that sets the event apart.
    var lastNumber: Int?
    var lastMark: UInt64 = 0
    /// The response before it that has neither beginning nor end; 0 when there is none.
    var headlessBefore = 0
    /// An earlier response that had its id; 0 when there is none.
    var namesake = 0
  }

  /// The response in each slot, open or over; a free slot is reused.
  private var slots: [Response] = []
  private var free: [Int] = []
  private var lanes = [Lane()]
  private var freeLanes: [Int] = []
  private var ids = ResponseIDs()
  private var ended = RememberedEnds(most: ResponseTable.mostEnded)
  private var inLane = Recency()
  private var inAll = Recency()
  private var all = Recency.List()
  private var told: Set<Report> = []
  /// The slot and the item id, as spelled, of the event before, if the next one may be placed by
  /// them alone; -1 when it may not.
  private var usualSlot = -1
  private var usualItem: [UInt8] = []

  /// The number of responses so far.
  package private(set) var count = 0
  /// Facts that were not told before.
  private var reports: [Report] = []

  package init() {}

  /// Returns the facts that were not told before, and forgets them.
  package mutating func takeReports() -> [Report] {
    if reports.isEmpty { return [] }
    defer { reports = [] }
    return reports
  }

  /// Says whose `event` is, whose line is `line`. Responses that it cuts or ends are appended to
  /// `closed`, those that it cuts before its own.
  package mutating func place(
    _ event: borrowing Event, _ line: Span<UInt8>, _ closed: inout [Closed]
  ) -> Placement {
    if let slot = placeUsual(event, line) {
      return Placement(response: slots[slot].number, slot: slot, step: .inside)
    }
    usualSlot = -1
    if event.type?.family == .ownEnd {
      return event.isOwnEnd(line) ? closeNamed(by: event, line, &closed) : Placement()
    }
    var clues = EventClues(event, line)
    clues.lane = lane(of: event, line)
    let isDocument = event.type?.family == .lifecycle && event.isSynthetic(line)
    if isDocument, let again = known(document: event, line, clues) { return again }
    switch find(clues, event, line, isDocument: isDocument) {
    case .none: return Placement()
    case .ended(let number): return placeBehind(number, event, line, &clues, &closed)
    case .open(let slot): return put(event, line, clues, in: slot, isFirst: false, &closed)
    case .begins:
      let slot = begin(event, line, &clues, isDocument: isDocument, &closed)
      return put(event, line, clues, in: slot, isFirst: true, &closed)
    }
  }

  /// Closes all responses, as the last input has ended.
  package mutating func finish(_ closed: inout [Closed]) {
    while all.first >= 0 { close(all.first, hasEnd: false, &closed) }
  }

  /// Places an event of the only open response and of the item of the event before, whose number
  /// rises, as most events are, and returns its slot; `nil` for any other.
  @inline(__always)
  mutating func placeUsual(_ event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    guard usualSlot >= 0, let type = event.type, type.isInside,
      let item = event.value(of: "item_id", in: line),
      line.extracting(item).equals(usualItem.span), !event.hasTag(in: line),
      event.value(of: "response_id", in: line) == nil
    else { return nil }
    guard let number = event.sequenceNumber(in: line), number > 0 else { return usualSlot }
    guard number > slots[usualSlot].gaps.highest ?? -1 else { return nil }
    _ = slots[usualSlot].gaps.note(number)
    slots[usualSlot].lastNumber = number
    slots[usualSlot].lastMark = Self.mark(of: event, line)
    return usualSlot
  }

  /// The response of an event: the first rule that fits.
  private func find(
    _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>, isDocument: Bool
  ) -> Found {
    guard clues.lane >= 0 else { return Self.mayBegin(event, line) ? .begins : .none }
    let lane = lanes[clues.lane]
    let isLifecycle = event.type?.family == .lifecycle
    let named = ids.owner(of: clues.response, in: line, .responses(clues.lane))
    // A beginning, or a whole Response.
    if isDocument { return .begins }
    if isLifecycle, event.type?.phase == .start {
      if let named, isOpen(named), slots[named.slot].beganWithStatus,
        slots[named.slot].items.isEmpty
      {
        return .open(named.slot)
      }
      return .begins
    }
    // A known id of a response, open or ended.
    if let named {
      if isOpen(named) { return .open(named.slot) }
      if ended[named.number] != nil { return .ended(named.number) }
    }
    let last = lane.open.last
    // Behind events without a beginning, an event that cannot be theirs.
    if last >= 0, !slots[last].hasBeginning, beginsNext(behind: last, clues, event, line) {
      return .begins
    }
    // A known id of an item. `output_item.added` may have the id of an item of a cut response.
    let item = ids.owner(of: clues.item, in: line, .items(clues.lane))
    if let item, isOpen(item), event.type?.opensItem != true { return .open(item.slot) }
    // The open response that was heard of last.
    if last >= 0, slots[last].isAlone != (event.type?.family.standsAlone == true),
      isLifecycle || event.type?.family.standsAlone == true
    {
      return .begins
    }
    if last >= 0 {
      let isStatus = isLifecycle && event.type?.phase == .status
      let isOther = isStatus && clues.response != nil && !slots[last].items.isEmpty
      return isOther ? .begins : .open(last)
    }
    // None is open.
    if let item, let known = ended[item.number], known.hasEnd { return .ended(item.number) }
    guard Self.mayBegin(event, line) else { return .none }
    if let known = ended[lane.closed], known.isSameFailure(as: event) {
      return .ended(known.number)
    }
    return .begins
  }

  /// Whether an event begins the response behind the one in `slot`, whose beginning did not come.
  private func beginsNext(
    behind slot: Int, _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Bool {
    guard Self.mayBegin(event, line) else { return false }
    let known = ids.owner(of: clues.item, in: line, .items(clues.lane)).flatMap {
      $0.number == slots[slot].number ? $0.item : nil
    }
    if known != nil, let number = clues.number, let first = slots[slot].gaps.first,
      let highest = slots[slot].gaps.highest, number > first, number <= highest
    {
      return false
    }
    if slots[slot].items.isNewFor(event, line, clues, known) { return true }
    guard let number = clues.number, let first = slots[slot].gaps.first else { return false }
    return number <= first || known == nil && number < slots[slot].lastNumber ?? first
  }

  /// Whether a response may begin with `event`.
  private static func mayBegin(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    switch event.type?.family {
    case .keepalive, .metadata, .websocket, .websocketClient, .ownEnd: return false
    case nil:
      guard let name = event.typeName else { return false }
      return line.extracting(name).starts(with: "response.")
    default: return true
    }
  }

  /// Begins a response in a slot, and returns the slot. In its lane it ends one without a beginning,
  /// and cuts one of the same id.
  private mutating func begin(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: inout EventClues, isDocument: Bool,
    _ closed: inout [Closed]
  ) -> Int {
    if clues.lane < 0 { clues.lane = newLane(event, line) }
    let last = lanes[clues.lane].open.last
    if last >= 0, !slots[last].hasBeginning { close(last, hasEnd: false, &closed) }
    if let named = ids.owner(of: clues.response, in: line, .responses(clues.lane)), isOpen(named) {
      close(named.slot, hasEnd: false, &closed)
    }
    if all.count >= Self.mostOpen { close(all.first, hasEnd: false, &closed) }
    count += 1
    var response = Response(number: count, lane: clues.lane)
    let isLifecycle = event.type?.family == .lifecycle
    response.beganWithStatus = isLifecycle && event.type?.phase == .status && !isDocument
    response.hasBeginning =
      isDocument || isLifecycle && event.type?.phase != .terminal
      || event.type?.family.standsAlone == true
    response.isAlone = event.type?.family.standsAlone == true
    if let before = ended[lanes[clues.lane].closed], !before.hasBeginning, !before.hasEnd {
      response.headlessBefore = before.number
    }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(response) } else { slots[slot] = response }
    lanes[clues.lane].users += 1
    inAll.append(slot, to: &all)
    inLane.append(slot, to: &lanes[clues.lane].open)
    return slot
  }

  /// Notes an event of the open response in `slot`.
  private mutating func put(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in slot: Int, isFirst: Bool,
    _ closed: inout [Closed]
  ) -> Placement {
    let number = slots[slot].number
    inAll.moveToEnd(slot, of: &all)
    inLane.moveToEnd(slot, of: &lanes[clues.lane].open)
    var placement = Placement(response: number, slot: slot, step: .inside, isFirst: isFirst)
    let owner = ResponseIDs.Owner(number: number, slot: slot)
    let former = give(clues.response, in: line, .responses(clues.lane), to: owner)
    if let former, former.number != number { slots[slot].namesake = former.number }
    if repeats(event, line, clues, in: slot) {
      tell(.repeats)
      placement.step = .again
      return placement
    }
    hear(event, line, clues, in: slot)
    if isFirst { placement.step = .begins }
    let isAlone = event.type?.family.standsAlone == true
    if event.isError {
      placement.step = .fails
      close(slot, hasEnd: true, &closed)
      ended[number]?.hasError = true
    } else if event.type?.family == .lifecycle,
      event.type?.phase == .terminal || event.isSynthetic(line)
    {
      placement.step = .ends
      end(event, line, clues, number, in: slot, &closed)
    } else if isAlone, event.type?.phase == .done {
      placement.step = .ends
      close(slot, hasEnd: true, &closed)
    }
    noteUsual(slot, event, line)
    return placement
  }

  /// Notes whether the next event may be placed by its item id alone.
  private mutating func noteUsual(_ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>) {
    guard lanes.count == 1, all.count == 1, slots[slot].isOpen, slots[slot].hasBeginning,
      event.type?.isInside == true, let item = event.value(of: "item_id", in: line)
    else { return }
    usualSlot = slot
    usualItem.removeAll(keepingCapacity: true)
    usualItem.append(copying: line.extracting(item))
  }

  /// Whether an event repeats one that came: its number did, and it falls behind the last event
  /// that was no repeat, or has the bytes of that.
  private mutating func repeats(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in slot: Int
  ) -> Bool {
    let isEnd = event.type?.family == .lifecycle && event.type?.phase == .terminal
    guard let number = clues.number, !event.isError, !isEnd else { return false }
    let mark = Self.mark(of: event, line)
    switch slots[slot].gaps.note(number) {
    case .cameAlready:
      let last = slots[slot].lastNumber ?? number
      if number < last || number == last && mark == slots[slot].lastMark { return true }
    case .fillsGap: if event.type?.phase == .delta { tell(.late) }
    case .rises: break
    }
    slots[slot].lastNumber = number
    slots[slot].lastMark = mark
    return false
  }

  /// Notes the item and the ids of an event of the response in `slot`.
  private mutating func hear(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in slot: Int
  ) {
    let family = event.type?.family
    guard
      clues.item != nil || clues.index != nil || family == .outputItem || family == .contentPart
        || family == .outputText || family == .refusal
    else { return }
    let known = ids.owner(of: clues.item, in: line, .items(clues.lane)).flatMap {
      $0.number == slots[slot].number && $0.item >= 0 ? $0.item : nil
    }
    let isHeadless = !slots[slot].hasBeginning
    let number = slots[slot].items.note(event, line, clues, known, keepsWholes: isHeadless)
    guard let id = clues.item else { return }
    let owner = ResponseIDs.Owner(number: slots[slot].number, slot: slot, item: number)
    let former = give(id, in: line, .items(clues.lane), to: owner)
    if slots[slot].hasBeginning, let former, former.number == slots[slot].headlessBefore {
      tell(.parted)
    }
  }

  /// Ends the response in `slot`, numbered `number`, with a terminal event or a whole Response.
  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ number: Int, in slot: Int,
    _ closed: inout [Closed]
  ) {
    let isDocument = event.isSynthetic(line)
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = JSONChildren.value(of: "id", in: item), id.count > 2 else { continue }
      let owner = ids.owner(of: id, in: item, .items(clues.lane))
      if let owner, owner.number == number { continue }
      if let owner, owner.item >= 0, !isDocument, owner.number != slots[slot].namesake,
        isOpen(owner) || ended[owner.number] != nil
      {
        tell(.shared)
      }
      give(id, in: item, .items(clues.lane), to: ResponseIDs.Owner(number: number, slot: slot))
    }
    let hasEnd = event.type?.phase == .terminal
    if hasEnd, ended[slots[slot].namesake]?.hasTerminal == true { tell(.countsTwice) }
    close(slot, hasEnd: hasEnd, &closed)
    ended[number]?.noteEnd(event, line, clues.number)
  }

  /// Places an event behind the end of the response numbered `number`.
  private mutating func placeBehind(
    _ number: Int, _ event: borrowing Event, _ line: Span<UInt8>, _ clues: inout EventClues,
    _ closed: inout [Closed]
  ) -> Placement {
    var placement = Placement(response: number, step: .behind)
    guard let known = ended[number] else { return placement }
    if event.isError, known.isFailed { ended[number]?.hasError = true }
    guard event.type?.family == .lifecycle, event.type?.phase == .terminal else {
      return placement
    }
    if event.type?.isFailed == true, known.hasError, !known.hasTerminal {
      ended[number]?.noteEnd(event, line, clues.number)
      placement.step = .ends
      return placement
    }
    guard known.hasEnd else { return placement }
    let name = line.extracting(event.typeName ?? 0..<0)
    if known.isSameEnd(line, clues.number) || name.equals("response.done") {
      placement.step = .again
      return placement
    }
    tell(.countsTwice)
    let slot = begin(event, line, &clues, isDocument: false, &closed)
    placement = put(event, line, clues, in: slot, isFirst: true, &closed)
    return placement
  }

  /// Places a whole Response whose id has ended: the same one again is a repeat.
  private mutating func known(
    document event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues
  ) -> Placement? {
    guard clues.lane >= 0,
      let owner = ids.owner(of: clues.response, in: line, .responses(clues.lane)),
      !isOpen(owner), let known = ended[owner.number], known.hasTerminal
    else { return nil }
    if known.hasSameBody(event, line) {
      return Placement(response: known.number, step: .again)
    }
    tell(.countsTwice)
    return nil
  }

  /// Closes the response that `oresp.end` names, or the one without a beginning.
  private mutating func closeNamed(
    by event: borrowing Event, _ line: Span<UInt8>, _ closed: inout [Closed]
  ) -> Placement {
    var clues = EventClues(event, line)
    clues.lane = lane(of: event, line)
    var slot = -1
    if clues.lane >= 0 {
      let named = ids.owner(of: clues.response, in: line, .responses(clues.lane))
      if let named, isOpen(named) {
        slot = named.slot
      } else if let named, ended[named.number] != nil {
        return Placement(response: named.number)
      } else {
        slot = lanes[clues.lane].open.last
        while slot >= 0, slots[slot].hasBeginning { slot = inLane.before(slot) }
      }
      if slot < 0, lanes[clues.lane].closed > 0 {
        return Placement(response: lanes[clues.lane].closed)
      }
    }
    let isFirst = slot < 0
    if isFirst { slot = begin(event, line, &clues, isDocument: false, &closed) }
    let number = slots[slot].number
    close(slot, hasEnd: true, &closed)
    return Placement(response: number, slot: slot, step: .ends, isFirst: isFirst)
  }

  /// Closes the response in `slot`, which gets free.
  private mutating func close(_ slot: Int, hasEnd: Bool, _ closed: inout [Closed]) {
    let number = slots[slot].number
    let lane = slots[slot].lane
    let hasBeginning = slots[slot].hasBeginning
    usualSlot = -1
    slots[slot] = Response(number: number, lane: lane, isOpen: false)
    free.append(slot)
    inAll.remove(slot, from: &all)
    inLane.remove(slot, from: &lanes[lane].open)
    lanes[lane].closed = number
    closed.append(
      Closed(number: number, slot: slot, hasBeginning: hasBeginning, hasEnd: hasEnd))
    let over = RememberedEnds.Response(
      number, lane: lane, hasBeginning: hasBeginning, hasEnd: hasEnd)
    if let forgotten = ended.remember(over) { drop(forgotten.lane) }
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
  private func isOpen(_ owner: ResponseIDs.Owner) -> Bool {
    slots[owner.slot].isOpen && slots[owner.slot].number == owner.number
  }

  private mutating func tell(_ report: Report) {
    if told.insert(report).inserted { reports.append(report) }
  }

  /// The lane of an event; 0 without a tag and a stream, -1 when they are new.
  private func lane(of event: borrowing Event, _ line: Span<UInt8>) -> Int {
    guard event.hasTag(in: line) else { return 0 }
    let key = Self.laneKey(event, line)
    guard let owner = ids.owner(of: key.span, .lanes) else { return -1 }
    return lanes[owner.slot].number == owner.number ? owner.slot : -1
  }

  /// The tag and the stream of an event, with a NUL byte between them.
  private static func laneKey(_ event: borrowing Event, _ line: Span<UInt8>) -> [UInt8] {
    var key = event.string(of: "oresp", "request", in: line)
    key.append(0)
    if let stream = event.value(of: "stream_id", in: line) {
      key.append(copying: line.extracting(stream))
    }
    return key
  }

  private mutating func newLane(_ event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let lane = freeLanes.popLast() ?? lanes.count
    if lane == lanes.count { lanes.append(Lane()) }
    let key = Self.laneKey(event, line)
    makeRoom()
    ids.give(key.span, .lanes, to: ResponseIDs.Owner(number: lanes[lane].number, slot: lane))
    return lane
  }

  /// Gives the id at `value` in `line` to `owner`, and returns the owner before.
  @discardableResult
  private mutating func give(
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
  }

  /// A hash that sets an event apart from another with its number.
  private static func mark(of event: borrowing Event, _ line: Span<UInt8>) -> UInt64 {
    var mark = UInt64(truncatingIfNeeded: line.count)
    if let name = event.typeName { mark = line.extracting(name).sampled(into: mark) }
    if let item = event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line) {
      mark = line.extracting(item).mixed(into: mark)
    }
    if let delta = event.value(of: "delta", in: line) {
      mark = line.extracting(delta).sampled(into: mark)
    }
    return mark
  }
}
