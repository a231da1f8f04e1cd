/// Begins, continues and ends responses in their slots.
extension Responses {
  /// Begins a response in the slot `former`, or in a free one, and returns the slot.
  mutating func begin(in division: Int, over former: Int?, isJudged: Bool) -> Int {
    count += 1
    let slot = former ?? free.popLast() ?? newSlot()
    var response = OpenResponse(ResponseName(count, tag: divisions[division].tag))
    if slot < slots.count {
      if slots[slot].isOpen {
        // For a lifecycle event the verdict itself finds that the former one was cut.
        if !isJudged || former == nil { lose(slot) }
        noteStrays(slot)
        leave(slot)
      } else if !isJudged, slots[slot].verdict.hasFailed {
        lose(slot)
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

  /// Notes the numbers of the response in `slot`, which loses the slot, if it has no name.
  private mutating func noteStrays(_ slot: Int) {
    guard !slots[slot].hasIDs, !slots[slot].hasStart, let range = slots[slot].seen.range else {
      return
    }
    let strays = divisions[slots[slot].division].strays ?? range
    divisions[slots[slot].division].strays =
      min(strays.lowerBound, range.lowerBound)...max(strays.upperBound, range.upperBound)
  }

  /// Whether numbers that the response in `slot` lacks came in nameless responses before it, so
  /// that they may be its own.
  private mutating func lacksStrays(_ slot: Int) -> Bool {
    let division = slots[slot].division
    defer { divisions[division].strays = nil }
    guard let strays = divisions[division].strays, let last = slots[slot].number else {
      return false
    }
    return last > strays.upperBound && !slots[slot].seen.has(strays.upperBound)
  }

  /// Begins another response in `slot`, as `event` does not belong to the one there.
  mutating func renew(_ slot: Int, _ event: inout Event) {
    (count, steady) = (count + 1, -1)
    slots[slot].name = ResponseName(count, tag: slots[slot].name.tag)
    (slots[slot].items, slots[slot].itemIDs, slots[slot].began) = (0, 0, time)
    put(&event, in: slot)
    event.step.isFirst = true
  }

  mutating func newSlot() -> Int {
    guard slots.count >= Self.mostOpen else { return slots.count }
    return parked.first >= 0 ? parked.first : active.first
  }

  /// Gives up the response in `slot`.
  mutating func lose(_ slot: Int) {
    lost = slots[slot].verdict.conclude()
    lost?.isOfFormer = true
    doubt = doubt ?? slots[slot].guess
  }

  /// Removes the response in `slot` from the open ones.
  mutating func leave(_ slot: Int) {
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

  /// Notes an event of the response in `slot`, and the event's ids.
  mutating func note(
    _ clues: Clues, _ event: borrowing Event, _ line: Span<UInt8>, in slot: Int
  ) {
    hear(slot)
    let owner = Owner(slot: slot, number: slots[slot].name.number)
    let division = slots[slot].division
    if let number = clues.number { slots[slot].number = number }
    slots[slot].skims = skims
    if event.type?.family == .lifecycle, let id = clues.response {
      let id = line.extracting(id)
      if let known = set(spelled: id, 2 * division, owner), ended[known.number] != nil {
        slots[slot].isAgain = true
      }
      if slots[slot].name.id.isEmpty {
        slots[slot].name.id = JSONString.decoded(inside: id)
      }
      if event.type?.phase == .start { slots[slot].hasStart = true }
    }
    if event.type?.opensItem == true { slots[slot].items += 1 }
    guard let item = clues.item,
      event.type?.family == .outputItem || slots[slot].itemIDs < Self.mostOtherItems
    else { return }
    let former = set(spelled: line.extracting(item), 2 * division + 1, owner)
    if former != owner { slots[slot].itemIDs += 1 }
    if let former, former != owner, isOpen(former), event.type?.opensItem != true {
      doubt = event.inputPlace
    }
  }

  func owner(of id: Span<UInt8>, in space: Int) -> Owner? {
    ids.find(id, in: space).map { ids[$0] }
  }

  /// The owner of the id that is spelled `text`.
  func owner(spelled text: Span<UInt8>, in space: Int) -> Owner? {
    guard text.firstIndex(of: ASCII.backslash) != nil else { return owner(of: text, in: space) }
    return owner(of: JSONString.decoded(inside: text).span, in: space)
  }

  /// Gives the id that is spelled `text` to `owner`. Returns the owner before.
  @discardableResult
  mutating func set(spelled text: Span<UInt8>, _ space: Int, _ owner: Owner) -> Owner? {
    guard text.firstIndex(of: ASCII.backslash) != nil else { return set(text, space, owner) }
    return set(JSONString.decoded(inside: text).span, space, owner)
  }

  /// Gives `id` to `owner`. Returns the owner before; `nil` when there was none.
  @discardableResult
  mutating func set(_ id: Span<UInt8>, _ space: Int, _ owner: Owner) -> Owner? {
    if let known = ids.find(id, in: space) {
      defer { ids[known] = owner }
      return ids[known]
    }
    if ids.isFull {
      ids.keep { [slots, ended, divisions] space, owner in
        if space == -1 || space == -2 { return divisions[owner.slot].number == owner.number }
        return ended[owner.number] != nil || slots[owner.slot].name.number == owner.number
      }
    }
    ids.add(id, in: space, owner)
    return nil
  }

  /// Notes that an event of the response in `slot` came, so that it is not parked any more.
  mutating func hear(_ slot: Int) {
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

  /// Ends the response in `slot` with `line`, its terminal event. Parks the responses that were not
  /// heard of since this one began.
  mutating func end(_ slot: Int, with event: borrowing Event, _ line: Span<UInt8>) {
    let clues = clues(of: event, line)
    let division = slots[slot].division
    steady = -1
    isAgain = slots[slot].isAgain
    slots[slot].name.endID = JSONString.decoded(inside: line.extracting(clues.response ?? 0..<0))
    let (name, number) = (slots[slot].name, slots[slot].name.number)
    if lacksStrays(slot) { doubt = doubt ?? event.inputPlace }
    remember(
      EndedResponse(
        name: name, division: division, number: slots[slot].number,
        mark: Self.mark(clues, line), lacksStart: !slots[slot].hasStart,
        hasHoles: event.step.isLate, isDisordered: slots[slot].isDisordered))
    // Ends selected alone, without ids, end a response each: {"type":"response.completed"}
    if clues.response == nil, !slots[slot].verdict.step.isFirst {
      set(Span(), 2 * division, Owner(slot: slot, number: number))
    }
    leave(slot)
    free.append(slot)
    (divisions[division].last, divisions[division].lastSlot) = (number, slot)
    while active.first >= 0, slots[active.first].heard < slots[slot].began { park(active.first) }
    if divisions[division].hasGuesses { check(slot, event, line) }
    if event.step.isLate { noteItems(of: slot, in: line) }
  }

  /// Notes the items of the whole response in `line`: late events of them may follow.
  mutating func noteItems(of slot: Int, in line: Span<UInt8>) {
    let owner = Owner(slot: slot, number: slots[slot].name.number)
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item) else {
        continue
      }
      let space = 2 * slots[slot].division + 1
      if let known = self.owner(spelled: item.extracting(id), in: space), isOpen(known) { continue }
      set(spelled: item.extracting(id), space, owner)
    }
  }

  mutating func park(_ slot: Int) {
    let division = slots[slot].division
    slots[slot].isParked = true
    if parkedSeen + slots[slot].seen.count > Self.mostSeen { slots[slot].seen = SeenNumbers() }
    parkedSeen += slots[slot].seen.count
    inDivision.remove(slot, from: &divisions[division].active)
    inDivision.append(slot, to: &divisions[division].parked)
    inAll.remove(slot, from: &active)
    inAll.append(slot, to: &parked)
  }

  mutating func remember(_ response: EndedResponse) {
    divisions[response.division].users += 1
    if let former = ended.remember(response) { drop(former.division) }
  }

  /// Notes that a response of `division` is neither open nor remembered any more.
  mutating func drop(_ division: Int) {
    divisions[division].users -= 1
    guard divisions[division].users == 0, division > 0 else { return }
    let number = divisions[division].number + 1
    divisions[division] = Division()
    divisions[division].number = number
    freeDivisions.append(division)
  }

  /// Makes a division for the responses of a new tag, and returns its index.
  mutating func newDivision(_ event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let place = freeDivisions.popLast() ?? divisions.count
    if place == divisions.count { divisions.append(Division()) }
    let tag = Self.text(at: event.value(of: "oresp", "request", in: line), in: line)
    let owner = Owner(slot: place, number: divisions[place].number)
    if let stream = Self.text(at: event.value(of: "stream_id", in: line), in: line) {
      set(Self.key(tag, stream, line).span, -2, owner)
    } else {
      set(spelled: line.extracting(tag ?? 0..<0), -1, owner)
    }
    divisions[place].tag = tag.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
    return place
  }

  // MARK: Guesses

  /// Checks the guesses for the response in `slot` by the items that `line`, its end, lists.
  mutating func check(_ slot: Int, _ event: borrowing Event, _ line: Span<UInt8>) {
    let division = slots[slot].division
    var listed = 0
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = line.extracting(place)
      guard let id = Self.text(at: JSONChildren.value(of: "id", in: item), in: item),
        let owner = self.owner(spelled: item.extracting(id), in: 2 * division + 1)
      else { continue }
      if owner.number == slots[slot].name.number {
        listed += 1
      } else if isOpen(owner) {
        doubt = slots[owner.slot].guess ?? event.inputPlace
      } else if ended[owner.number] != nil {
        doubt = event.inputPlace
      }
    }
    // If no other response was heard of since this one began, a guess was right.
    let isAlone = divisions[division].active.count == 0
    if !isAlone, listed == 0 || listed < slots[slot].items { doubt = doubt ?? slots[slot].guess }
    slots[slot].guess = nil
  }

  /// Gives up the response in `slot` at the end of the input, and returns the judgement on it.
  mutating func conclude(_ slot: Int) -> Verdict.Judgement? {
    if slots[slot].isOpen { doubt = doubt ?? slots[slot].guess }
    return slots[slot].verdict.conclude()
  }
}
