/// The rules that find an event's response, from certain names to a guess.
extension Responses {
  mutating func find(
    _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Whose {
    guard clues.division >= 0 else {
      return Self.mayBegin(event, line) ? .begins(over: nil) : .none
    }
    let isLifecycle = event.type?.family == .lifecycle
    let isStart = isLifecycle && event.type?.phase == .start
    if isLifecycle, event.type?.phase == .terminal,
      let known = end(clues, line, isDone: event.type?.isDone == true)
    {
      return known
    }
    if !isLifecycle || isStart || event.type?.phase != .terminal, let id = clues.response,
      let owner = self.owner(spelled: line.extracting(id), in: 2 * clues.division)
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
    if let former = beginsNext(clues, event, line) { return .begins(over: former) }
    var former: Owner?
    if let item = clues.item,
      let owner = self.owner(spelled: line.extracting(item), in: 2 * clues.division + 1)
    {
      let opens = event.type?.opensItem == true
      if isOpen(owner), !opens || isLate(clues, line, in: owner.slot) {
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

  /// Joins the response in `slot`, which has no id, with the one heard of last, if that has an id
  /// and no item yet: in a stream out of order `response.created` may come behind other events.
  mutating func joinNewcomer(to slot: Int) {
    let division = slots[slot].division
    let newcomer = divisions[division].active.last
    guard slots[slot].name.id.isEmpty, newcomer != slot, !slots[newcomer].name.id.isEmpty,
      slots[newcomer].itemIDs == 0
    else { return }
    let id = slots[newcomer].name.id
    (slots[slot].verdict, slots[slot].hasStart) = (
      slots[newcomer].verdict, slots[newcomer].hasStart
    )
    slots[slot].name.id = id
    absorb(newcomer, into: slot)
    let owner = Owner(slot: slot, number: slots[slot].name.number)
    set(id.span, 2 * division, owner)
  }

  /// Joins the response in the slot `part` to the one in `slot`, whose events are out of order.
  private mutating func absorb(_ part: Int, into slot: Int) {
    (slots[part].name.whole, slots[slot].isDisordered) = (slots[slot].name, true)
    slots[part].verdict = Verdict()
    leave(part)
    free.append(part)
  }

  /// The response heard of last, if it has no beginning and `event` begins the next one.
  private mutating func beginsNext(
    _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Int? {
    let slot = divisions[clues.division].active.last
    let isLifecycle = event.type?.family == .lifecycle
    guard slot >= 0, slots[slot].lacksBeginning, Self.mayBeginNext(event, line),
      !isLifecycle || event.type?.phase != .start
    else { return nil }
    let outline = slots[slot].outline
    if isLifecycle, event.type?.phase == .status, clues.response != nil, !outline.isEmpty {
      return slot
    }
    let owner = clues.item.flatMap {
      self.owner(spelled: line.extracting($0), in: 2 * clues.division + 1)
    }
    let isKnown = owner == Owner(slot: slot, number: slots[slot].name.number)
    if slots[slot].verdict.hasFailed {
      return isKnown || isLifecycle || event.isError ? nil : slot
    }
    if let number = clues.number, let first = outline.first, let last = slots[slot].number {
      // A resumed stream that overlaps may bring a known item again.
      if isKnown, number > first, number <= slots[slot].seen.last ?? last { return nil }
      // A server may give all events one number, which says nothing: "sequence_number":1
      let isConstant = number == first && number == last && (isKnown || clues.item == nil)
      if number <= first, !isConstant { return slot }
      if number < last, !isKnown { return slot }
    }
    return outline.excludes(event, line, item: clues.item, isKnown: isKnown) ? slot : nil
  }

  /// Whether an event fills a hole of the response in `slot`, while one without a beginning is open.
  private mutating func isLate(_ clues: Clues, _ line: Span<UInt8>, in slot: Int) -> Bool {
    guard let number = clues.number, let last = slots[slot].seen.last, isNew(number, in: slot),
      number < last
    else { return false }
    var (other, left) = (divisions[clues.division].active.last, Self.mostRivals)
    while other >= 0, left > 0, !slots[other].lacksBeginning {
      (other, left) = (inDivision.before(other), left - 1)
    }
    return other >= 0 && left > 0
  }

  private func isNew(_ number: Int?, in slot: Int) -> Bool {
    number.map { !slots[slot].seen.has($0) } ?? false
  }

  /// Joins the response in `slot` with those without a beginning whose items `line`, its end,
  /// lists. Returns the slot of the joined response.
  private mutating func joinParts(of slot: Int, endingWith line: Span<UInt8>) -> Int {
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item),
        let owner = self.owner(spelled: item.extracting(id), in: 2 * slots[slot].division + 1),
        isOpen(owner)
      else { continue }
      if slots[slot].itemIDs == 0 {
        hear(slot)
        joinNewcomer(to: owner.slot)
        return slots[slot].isOpen ? slot : owner.slot
      }
      if owner.slot != slot, slots[owner.slot].lacksBeginning { absorb(owner.slot, into: slot) }
    }
    return slot
  }

  /// Makes void a cut that `oresp.end` reported, if `event` is of the same response by its id or
  /// item.
  mutating func voidOwnCut(before event: borrowing Event, _ line: Span<UInt8>) {
    let clues = clues(of: event, line)
    guard clues.division >= 0, event.type?.family != .ownEnd, event.type?.family != .lifecycle
    else { return }
    guard let id = clues.response ?? clues.item else { return }
    let space = 2 * clues.division + (clues.response == nil ? 1 : 0)
    guard let owner = self.owner(spelled: line.extracting(id), in: space), isOpen(owner) else {
      return
    }
    slots[owner.slot].verdict.voidOwnCut()
  }

  /// The only active response of `division`, or its parked one if it never had another; else `nil`.
  mutating func only(in division: Int) -> Int? {
    if divisions[division].active.count == 1 { return divisions[division].active.first }
    let isAlone = divisions[division].parked.count == 1 && divisions[division].last == 0
    return isAlone && divisions[division].active.count == 0
      ? divisions[division].parked.first : nil
  }

  /// The response of a terminal event whose id is known; `nil` when the id does not decide it. A
  /// `response.done` behind another end is the same end.
  mutating func end(_ clues: Clues, _ line: Span<UInt8>, isDone: Bool) -> Whose? {
    guard
      let owner = self.owner(
        spelled: line.extracting(clues.response ?? 0..<0), in: 2 * clues.division)
    else { return nil }
    if isOpen(owner) {
      let mayBeParts = divisions[clues.division].active.count > 1
      return .open(mayBeParts ? joinParts(of: owner.slot, endingWith: line) : owner.slot)
    }
    guard let known = ended[owner.number] else { return nil }
    // In a run that repeats another, an end belongs to the response that began with the same id.
    if clues.response == nil, hasOpen(clues.division) { return nil }
    let first = known.name.id
    if let again = self.owner(of: first.span, in: 2 * clues.division), isOpen(again) {
      return .open(again.slot)
    }
    if isDone || known.mark == Self.mark(clues, line) {
      return .ended(known.name, slot: owner.slot)
    }
    return .begins(over: nil)
  }

  /// The response of a lifecycle event with an unknown id, beside the only active response.
  mutating func find(
    _ only: Int, lifecycle clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Whose {
    let life = slots[only].verdict.life
    let hasNoID = slots[only].name.id.isEmpty && (life.isOpen || slots[only].itemIDs == 0)
    // A response out of order may begin with any event.
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

  /// The response of an event without a known id, beside the only active response.
  mutating func find(_ only: Int, _ clues: Clues, _ event: borrowing Event) -> Whose {
    guard !rises(clues, in: only), event.type?.family != .error else { return .open(only) }
    if clues.response != nil { return .begins(over: nil) }
    let isKnown =
      clues.item != nil || slots[only].hasIDs || slots[only].verdict.life.hasFailed
      || isNew(clues.number, in: only)
    return isKnown ? .open(only) : .begins(over: only)
  }

  /// The response of an event without a known id, when several are active.
  mutating func find(
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

  /// The active response whose number and output index go on, and whether no other fits as well. Of
  /// several, it is the one heard of longest ago, if it was silent no longer than one event of
  /// each: one silent for longer was cut.
  mutating func next(
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

  /// The parked response whose last number the event's follows or, for an event without a number,
  /// the only open one if its output index goes on; else `nil`.
  mutating func parked(_ clues: Clues, _ event: borrowing Event) -> Int? {
    let list = divisions[clues.division].parked
    guard list.count > 0, event.type?.family != .lifecycle || event.type?.phase != .start else {
      return nil
    }
    guard clues.number != nil else {
      if slots[list.first].lacksBeginning { return nil }
      let isAlone = list.count == 1 && divisions[clues.division].active.count == 0
      let hasNone = clues.index == nil && event.type?.opensItem == true
      return isAlone && (hasNone || opens(clues, event, in: list.first)) ? list.first : nil
    }
    var (slot, left) = (list.last, Self.mostRivals)
    while slot >= 0, left > 0 {
      if slots[slot].skims == skims, goesOn(clues.number, in: slot), !slots[slot].lacksBeginning {
        return slot
      }
      (slot, left) = (inDivision.before(slot), left - 1)
    }
    return nil
  }

  /// Whether the event opens the next item of the response in `slot`.
  mutating func opens(_ clues: Clues, _ event: borrowing Event, in slot: Int) -> Bool {
    event.type?.opensItem == true && clues.index.map { $0 == slots[slot].items } == true
  }

  /// The response of an event without a known id, when none is active; `former` has its item.
  mutating func find(
    amongEnded clues: Clues, _ former: Owner?, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Whose {
    let division = clues.division
    let isLifecycle = event.type?.family == .lifecycle
    if let parked = parked(clues, event) { return .open(parked) }
    // {"type":"response.done"} without an id, behind the end of a response that came from its start
    if isLifecycle, event.type?.isDone == true, clues.response == nil,
      let known = ended[divisions[division].last], !known.lacksStart
    {
      return .ended(known.name, slot: divisions[division].lastSlot)
    }
    if let former, let known = ended[former.number] {
      return .ended(known.name, slot: former.slot)
    }
    let mayBegin = Self.mayBegin(event, line)
    guard let known = ended[divisions[division].last] else {
      return mayBegin ? .begins(over: nil) : .none
    }
    let slot = divisions[division].lastSlot
    let isNameless = clues.response == nil && clues.item == nil
    if isNameless, !isLifecycle, known.mayLack(clues.number) {
      doubt = event.inputPlace
      return .ended(known.name, slot: slot)
    }
    if event.type?.family == .error {
      let isThere = slots[slot].name === known.name
      return isThere ? .late(slot: slot) : .begins(over: nil)
    }
    let step = known.number.flatMap { former in clues.number.map { $0 &- former } }
    let isOther = event.type?.family.standsAlone == true
    let hasIDs = clues.response != nil || clues.item != nil
    let isStatus = event.type?.phase == .status && clues.response == nil && step != nil
    let isEdge = isLifecycle && !isStatus
    // The next response may lack its beginning.
    let isKnown = event.type != nil || clues.item != nil
    let isInside = !isLifecycle && isKnown && Self.mayBeginNext(event, line)
    guard mayBegin, isOther || isEdge || isInside || (hasIDs ? step != 1 : step ?? 1 < 1) else {
      return .ended(known.name, slot: slot)
    }
    return .begins(over: nil)
  }

  /// Whether the number of an event is higher than the last in `slot`; true when either has none.
  mutating func rises(_ clues: Clues, in slot: Int) -> Bool {
    guard let number = clues.number, let former = slots[slot].number else { return true }
    return number > former
  }

  /// Whether `number` is right behind the last in `slot`, or above it if events were skimmed since.
  mutating func goesOn(_ number: Int?, in slot: Int) -> Bool {
    guard let number else { return slots[slot].number == nil }
    guard let former = slots[slot].number else { return false }
    return slots[slot].skims == skims ? number &- 1 == former : number > former
  }

  mutating func isOpen(_ owner: Owner) -> Bool {
    slots[owner.slot].isOpen && slots[owner.slot].name.number == owner.number
  }

  mutating func hasOpen(_ division: Int) -> Bool {
    divisions[division].active.count + divisions[division].parked.count > 0
  }
}
