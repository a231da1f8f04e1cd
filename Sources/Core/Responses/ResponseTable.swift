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

  private enum Found {
    case open(Int)
    case begins
    /// An ended one, by its number.
    case ended(Int)
    case none
  }

  private var open = ResponseSlots()
  /// Whether events passed by unseen.
  private var hasSkimmed = false
  /// Whether the usual event is placed by `placeUsual`, which must give what the rules give; a test
  /// compares both.
  var takesShortCut = true
  private var reports = StreamReports()

  package init() {}

  /// The number of responses so far.
  package var count: Int { open.count }

  /// Whether an event had a tag or the name of a stream.
  var hasTags: Bool { open.lanes.count > 1 }

  /// Counts a response that no event is of: a line of a log.
  mutating func countAlone() -> Int { open.countAlone() }

  /// Whether the rules need not see events of items, parts and texts: each can only be of the
  /// response of its lane that is heard of, whose beginning and first item came. Behind the end of
  /// one whose items passed by unseen, too: theirs may still come.
  var allowsSkimming: Bool { (open.openCount > 0 || hasSkimmed) && open.areClear }

  /// Notes that such events passed by unseen.
  mutating func noteSkimmed() { hasSkimmed = true }

  /// Returns the facts that were not told before, and forgets them.
  package mutating func takeReports() -> [StreamReport] { reports.take() }

  /// Says whose `event` is, whose line is `line`. Responses that it cuts or ends are appended to
  /// `closed`, those that it cuts before its own.
  package mutating func place(
    _ event: borrowing Event, _ line: Span<UInt8>, _ closed: inout [ClosedResponse]
  ) -> Placement {
    if let slot = placeUsual(event, line, numbered: event.sequenceNumber(in: line)) {
      return Placement(response: open.slots[slot].number, slot: slot, step: .inside)
    }
    return placeByRules(event, line, &closed)
  }

  /// Does the same for an event that `placeUsual` refused.
  mutating func placeByRules(
    _ event: borrowing Event, _ line: Span<UInt8>, _ closed: inout [ClosedResponse]
  ) -> Placement {
    if event.type?.family == .ownEnd {
      return event.isOwnEnd(line) ? closeNamed(by: event, line, &closed) : Placement()
    }
    var clues = EventClues(event, line)
    clues.lane = open.lane(of: event, line)
    switch find(clues, event, line) {
    case .none: return Placement()
    case .ended(let number): return placeBehind(number, event, line, &clues, &closed)
    case .open(let slot): return put(event, line, clues, in: slot, isFirst: false, &closed)
    case .begins:
      let slot = begin(event, line, &clues, &closed)
      return put(event, line, clues, in: slot, isFirst: true, &closed)
    }
  }

  /// The sequence number of the last event in `slot` that was no repeat.
  func lastNumber(in slot: Int) -> Int? { open.slots[slot].lastNumber }

  /// Notes that an input has ended: what comes next may go on with a response, but is no failure of
  /// one that ended.
  mutating func endInput() { open.endInput() }

  /// Closes all responses, as the last input has ended.
  package mutating func finish(_ closed: inout [ClosedResponse]) {
    while open.all.first >= 0 { open.close(open.all.first, hasEnd: false, &closed) }
  }

  /// Places an event as `ResponseSlots.placeUsual` does, and returns its slot; `nil` for one that the
  /// rules must place.
  @inline(__always)
  mutating func placeUsual(
    _ event: borrowing Event, _ line: Span<UInt8>, numbered number: Int?
  ) -> Int? {
    guard takesShortCut, let type = event.type, type.isInside,
      event.value(of: "response_id", in: line) == nil
    else { return nil }
    return open.placeUsual(event, line, numbered: number)
  }

  /// The response of an event: the first rule that fits.
  private mutating func find(
    _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Found {
    guard clues.lane >= 0 else { return event.mayBegin(line) ? .begins : .none }
    let lane = open.lanes[clues.lane]
    let isLifecycle = event.type?.family == .lifecycle
    let named = open.owner(of: clues.response, in: line, .responses(clues.lane))
    // A beginning, or a whole Response. One that has not ended may come again, as by a poll.
    if clues.isDocument {
      guard let named else { return .begins }
      if open.isOpen(named) {
        return open.slots[named.slot].isOfDocument ? .open(named.slot) : .begins
      }
      return open.ended[named.number]?.hasTerminal == true ? .ended(named.number) : .begins
    }
    if isLifecycle, event.type?.phase == .start {
      if let named, open.isOpen(named), open.slots[named.slot].beganWithStatus,
        !open.slots[named.slot].hasItems
      {
        return .open(named.slot)
      }
      return .begins
    }
    let last = lane.open.last
    // A known id of a response, open or ended. Azure gives a response another id at its end: if it
    // comes once more, that id is of the one that began last with the same id.
    if let named {
      if open.isOpen(named) { return .open(named.slot) }
      if last >= 0, open.slots[last].namesake == named.number { return .open(last) }
      if open.ended[named.number] != nil { return .ended(named.number) }
    }
    // One that was a document, before a tool of ours made an event of it.
    if isLifecycle, event.isSynthetic(line) { return .begins }
    // Behind events without a beginning, an event that cannot be theirs.
    if last >= 0, !open.slots[last].hasBeginning, beginsNext(behind: last, clues, event, line) {
      return .begins
    }
    // A known id of an item. `output_item.added` may have the id of an item of a cut response.
    let item = open.owner(of: clues.item, in: line, .items(clues.lane))
    if let item, open.isOpen(item), event.type?.opensItem != true { return .open(item.slot) }
    // The open response that was heard of last.
    if last >= 0, open.slots[last].isAlone != (event.type?.family.standsAlone == true),
      isLifecycle || event.type?.family.standsAlone == true
    {
      return .begins
    }
    if last >= 0 {
      let isStatus = isLifecycle && event.type?.phase == .status
      let isOther = isStatus && clues.response != nil && open.slots[last].hasItems
      if isOther { return .begins }
      if event.mayBegin(line), open.isByTurns(last) { reports.tell(.shared) }
      return .open(last)
    }
    // None is open.
    if let item, let known = open.ended[item.number], known.hasEnd { return .ended(item.number) }
    guard event.mayBegin(line) else { return .none }
    if let known = open.ended[lane.closed], known.time >= open.inputStart,
      known.isSameFailure(as: event, line)
    {
      return .ended(known.number)
    }
    return .begins
  }

  /// Whether an event begins the response behind the one in `slot`, whose beginning did not come.
  private func beginsNext(
    behind slot: Int, _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Bool {
    guard event.mayBegin(line) else { return false }
    let known = open.owner(of: clues.item, in: line, .items(clues.lane)).flatMap {
      $0.number == open.slots[slot].number ? $0.item : nil
    }
    if known != nil, let number = clues.number, let first = open.slots[slot].gaps.first,
      let highest = open.slots[slot].gaps.highest, number > first, number <= highest
    {
      return false
    }
    if open.slots[slot].items.isNewFor(event, line, clues, known) { return true }
    guard let number = clues.number, let first = open.slots[slot].gaps.first else { return false }
    return number <= first || known == nil && number < open.slots[slot].lastNumber ?? first
  }

  /// Begins a response in a slot, and returns the slot. In its lane it ends one without a beginning,
  /// and cuts one of the same id.
  private mutating func begin(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: inout EventClues,
    _ closed: inout [ClosedResponse]
  ) -> Int {
    if clues.lane < 0 { clues.lane = open.newLane(event, line) }
    open.closeFailed(in: clues.lane, &closed)
    let last = open.lanes[clues.lane].open.last
    if last >= 0, !open.slots[last].hasBeginning { open.close(last, hasEnd: false, &closed) }
    if let named = open.owner(of: clues.response, in: line, .responses(clues.lane)),
      open.isOpen(named)
    {
      open.close(named.slot, hasEnd: false, &closed)
    }
    if open.all.count >= Self.mostOpen { open.close(open.all.first, hasEnd: false, &closed) }
    let isLifecycle = event.type?.family == .lifecycle
    let isAlone = event.type?.family.standsAlone == true
    var response = ResponseSlots.Response(number: open.count + 1, lane: clues.lane)
    response.isOfDocument = clues.isDocument
    response.beganWithStatus = isLifecycle && event.type?.phase == .status && !clues.isDocument
    response.hasBeginning =
      clues.isDocument || isAlone || isLifecycle && event.type?.phase != .terminal
    response.isAlone = isAlone
    return open.add(response)
  }

  /// Notes an event of the open response in `slot`.
  private mutating func put(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in slot: Int, isFirst: Bool,
    _ closed: inout [ClosedResponse]
  ) -> Placement {
    let number = open.slots[slot].number
    open.noteHeard(slot)
    var placement = Placement(
      response: number, slot: slot, lane: clues.lane, step: .inside, isFirst: isFirst)
    let owner = ResponseIDs.Owner(number: number, slot: slot)
    let former = open.give(clues.response, in: line, .responses(clues.lane), to: owner)
    if let former, former.number != number { open.slots[slot].namesake = former.number }
    if repeats(event, line, clues, in: slot) {
      open.noteRepeat(of: clues.item, in: line, slot)
      reports.tell(.repeats)
      placement.step = .again
      return placement
    }
    hear(event, line, clues, in: slot)
    if isFirst { placement.step = .begins }
    if event.isError {
      placement.step = .fails
      open.fail(slot, &closed)
    } else if event.isTerminal {
      placement.step = .ends
      end(event, line, clues, number, in: slot, &closed)
    } else if event.type?.family.standsAlone == true, event.type?.phase == .done {
      placement.step = .ends
      open.close(slot, hasEnd: true, &closed)
    }
    open.noteUsual(slot, event, line)
    return placement
  }

  /// Whether an event repeats one that came: its number did, and it falls behind the last event
  /// that was no repeat, or has the bytes of that.
  private mutating func repeats(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in slot: Int
  ) -> Bool {
    guard let number = clues.number, !event.isError, !event.isTerminal else { return false }
    let mark = event.mark(line)
    switch open.slots[slot].gaps.note(number) {
    case .cameAlready:
      let last = open.slots[slot].lastNumber ?? number
      if number < last || number == last && mark == open.slots[slot].lastMark { return true }
    case .fillsGap: if event.type?.phase == .delta { reports.tell(.late) }
    case .rises: break
    }
    open.slots[slot].lastNumber = number
    open.slots[slot].lastMark = mark
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
    let known = open.owner(of: clues.item, in: line, .items(clues.lane)).flatMap {
      $0.number == open.slots[slot].number && $0.item >= 0 ? $0.item : nil
    }
    let number = open.noteItem(event, line, clues, known, in: slot)
    guard let id = clues.item else { return }
    let owner = ResponseIDs.Owner(number: open.slots[slot].number, slot: slot, item: number)
    let former = open.give(id, in: line, .items(clues.lane), to: owner)
    if open.slots[slot].hasBeginning, let former,
      former.number == open.slots[slot].headlessBefore
    {
      reports.tell(.parted)
    }
    // One that ended while this one was open had its item.
    if clues.response == nil, let former, former.number != owner.number, former.item >= 0,
      let other = open.ended[former.number], other.hasEnd, other.time > open.slots[slot].began
    {
      reports.tell(.shared)
    }
  }

  /// Ends the response in `slot`, numbered `number`, with a terminal event or a whole Response.
  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ number: Int, in slot: Int,
    _ closed: inout [ClosedResponse]
  ) {
    for place in event.output {
      let item = line.extracting(place)
      guard let id = JSONChildren.value(of: "id", in: item), id.count > 2 else { continue }
      let owner = open.owner(of: id, in: item, .items(clues.lane))
      if let owner, owner.number == number { continue }
      if let owner, owner.item >= 0, !clues.isDocument, owner.number != open.slots[slot].namesake,
        open.isOpen(owner) || open.ended[owner.number] != nil
      {
        reports.tell(.shared)
      }
      open.give(id, in: item, .items(clues.lane), to: ResponseIDs.Owner(number: number, slot: slot))
    }
    let hasNamesake = open.ended[open.slots[slot].namesake]?.hasTerminal == true
    if clues.response != nil, hasNamesake { reports.tell(.countsTwice) }
    open.close(slot, hasEnd: true, &closed)
    open.ended[number]?.noteEnd(event, line, clues.number)
  }

  /// Places an event behind the end of the response numbered `number`.
  private mutating func placeBehind(
    _ number: Int, _ event: borrowing Event, _ line: Span<UInt8>, _ clues: inout EventClues,
    _ closed: inout [ClosedResponse]
  ) -> Placement {
    var placement = Placement(response: number, step: .behind)
    guard let known = open.ended[number] else { return placement }
    if known.keepsSlot { placement.slot = known.slot }
    if event.isError, known.isFailed { open.ended[number]?.hasError = true }
    guard event.isTerminal || clues.isDocument else { return placement }
    if event.type?.isFailed == true, known.hasError, !known.hasTerminal {
      open.ended[number]?.noteEnd(event, line, clues.number)
      guard known.keepsSlot else { return placement }
      placement.step = .ends
      open.close(known.slot, hasEnd: true, &closed)
      return placement
    }
    guard known.hasEnd else { return placement }
    let isDone = line.extracting(event.typeName ?? 0..<0).equals("response.done")
    let isSame =
      clues.isDocument
      ? known.hasSameBody(event, line) : known.isSameEnd(event, line, clues.number)
    if isDone || isSame {
      placement.step = .again
      if !isDone { reports.tell(.endRepeats) }
      return placement
    }
    reports.tell(.countsTwice)
    let slot = begin(event, line, &clues, &closed)
    return put(event, line, clues, in: slot, isFirst: true, &closed)
  }

  /// Closes the response that `oresp.end` names, or the one without a beginning.
  private mutating func closeNamed(
    by event: borrowing Event, _ line: Span<UInt8>, _ closed: inout [ClosedResponse]
  ) -> Placement {
    var clues = EventClues(event, line)
    clues.lane = open.lane(of: event, line)
    var slot = -1
    if clues.lane >= 0 {
      let named = open.owner(of: clues.response, in: line, .responses(clues.lane))
      if let named, open.isOpen(named) {
        slot = named.slot
      } else if let named, let known = open.ended[named.number] {
        return closeBehind(known, &closed)
      } else {
        slot = open.lanes[clues.lane].open.last
        while slot >= 0, open.slots[slot].hasBeginning { slot = open.before(slot) }
      }
      if slot < 0, let known = open.ended[open.lanes[clues.lane].closed] {
        return closeBehind(known, &closed)
      }
    }
    let isFirst = slot < 0
    if isFirst { slot = begin(event, line, &clues, &closed) }
    let number = open.slots[slot].number
    open.close(slot, hasEnd: true, &closed)
    return Placement(
      response: number, slot: slot, lane: clues.lane, step: .ends, isFirst: isFirst)
  }

  /// Places an `oresp.end` behind the end of its response, which it closes if that failed.
  private mutating func closeBehind(
    _ known: RememberedEnds.Response, _ closed: inout [ClosedResponse]
  ) -> Placement {
    guard known.keepsSlot else { return Placement(response: known.number) }
    open.close(known.slot, hasEnd: true, &closed)
    return Placement(response: known.number, slot: known.slot, lane: known.lane, step: .ends)
  }
}
