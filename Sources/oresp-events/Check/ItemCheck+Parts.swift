import Core

extension ItemCheck {
  /// Reports what is found about a part, a value or the identity of the item.
  func addOfPart(
    _ rule: CheckRule, _ got: String, expected: String, isStrict: Bool = false
  ) {
    report.add(rule, got, expected: expected, isStrict: isStrict, ofPart: true)
  }

  /// Takes the start or the end of a part.
  mutating func checkPart(_ json: Span<UInt8>, _ event: EventType, _ index: Int) {
    guard let value = Self.value(of: json, among: event.values) else { return }
    let key = PartKey(value, index)
    let text = json.extracting(JSONChildren.value(at: value.members, in: json) ?? 0..<0)
    if event.phase == .start { return open(key, value.name, with: text) }
    let part = part(key, value.name, .doneWithoutAdded)
    if part.isClosed {
      return addOfPart(.doneTwice, report.subject.type, expected: "the end of a part once")
    }
    part.isClosed = true
    checkIsDone(part)
    compare(part, with: text, by: value.name.mismatch, tellsNew: true)
  }

  /// Takes a piece of a value, its start or its end.
  mutating func checkValue(
    _ value: ItemValue, _ phase: EventPhase, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    let key = PartKey(value, members.partIndex)
    let final = line.extracting(members.final ?? 0..<0)
    if phase == .start { return open(key, value.name, with: final) }
    let isDelta = phase == .delta
    let part = part(key, value.name, isDelta ? .deltaWithoutAdded : .doneWithoutAdded)
    if part.isDone {
      let (rule, expected): (CheckRule, _) =
        isDelta
        ? (.deltaAfterDone, "nothing behind its end") : (.doneTwice, "the end of a value once")
      return addOfPart(rule, report.subject.type, expected: expected)
    }
    if isDelta {
      growing = (value, members.partIndex, part)
      return part.append(delta: line.extracting(members.delta ?? 0..<0))
    }
    if value.part == nil { part.isClosed = true }
    compare(part, with: final, by: value.name.mismatch, tellsNew: true)
  }

  func checkPartsAreDone() {
    for part in parts {
      if part.wasAdded, !part.isClosed {
        addOfPart(
          .addedWithoutDone, "the end of \(shownType)",
          expected: "the end of its part \(part.key.name) before")
      }
      checkIsDone(part)
    }
  }

  /// Compares the values of `item`, a whole one, with those that came, by their order: indexes need
  /// not start at 0. They are what counts from then on.
  mutating func compareValues(with item: Span<UInt8>, by rule: CheckRule?) {
    var left: [String: ArraySlice<PartCheck>] = [:]
    for part in parts.sorted(by: { ($0.key.index ?? 0) < ($1.key.index ?? 0) }) {
      left[part.key.list, default: []].append(part)
    }
    for (value, index, text) in values(of: item) {
      var key = PartKey(value, index)
      let known = left[key.list]?.popFirst()
      if known == nil, places[key] != nil { key.index = (highest[key.list] ?? -1) + 1 }
      let part = known ?? add(key, value.name)
      compare(
        part, with: item.extracting(text), by: rule ?? value.name.mismatch,
        tellsNew: rule == nil && value.name != .output)
    }
    let missing = Set(left.values.joined().map(\.key))
    for part in parts where missing.contains(part.key) {
      compare(part, with: Span(), by: rule ?? part.name.mismatch, tellsNew: false)
    }
  }

  /// The values of `item`, a whole one, that could have come in pieces: each with its place in its
  /// list, and where its text stands.
  func values(of item: Span<UInt8>) -> [(value: ItemValue, index: Int, text: Range<Int>)] {
    let values = ItemCatalogue.row(of: type)?.values.filter { !$0.families.isEmpty } ?? []
    let all = values.filter { value in
      value.part != nil || values.count { $0.families == value.families } == 1
    }
    var found: [(value: ItemValue, index: Int, text: Range<Int>)] = []
    var lists: Set<String> = []
    for value in all {
      guard !value.list.isEmpty else {
        let text = JSONChildren.value(at: value.members, in: item)
        if let text { found.append((value, 0, text)) }
        continue
      }
      guard lists.insert(value.listName).inserted else { continue }
      let list = JSONChildren.value(at: value.list, in: item)
      let among = all.filter { $0.listName == value.listName }
      for (index, place) in JSONChildren.elements(at: list, in: item).enumerated() {
        let element = item.extracting(place)
        let value = value.part == nil ? value : Self.value(of: element, among: among) ?? value
        let text = JSONChildren.value(at: value.members, in: element) ?? 0..<0
        found.append(
          (value, index, place.lowerBound + text.lowerBound..<place.lowerBound + text.upperBound))
      }
    }
    return found
  }

  /// Of `values`, the one that `part` holds by its type; the first when it tells none of them.
  private static func value(of part: Span<UInt8>, among values: [ItemValue]) -> ItemValue? {
    let type = JSONChildren.text(of: "type", in: part)
    return values.first { $0.part?.description == type } ?? values.first
  }

  private mutating func open(_ key: PartKey, _ name: TextName, with text: Span<UInt8>) {
    let known = places[key]
    if let known, !known.wasBrought {
      return addOfPart(.addedTwice, "\(key.name) again", expected: "a part once")
    }
    if known == nil { checkGap(before: key) }
    (known ?? add(key, name)).open(name, with: text, wasBrought: false)
  }

  /// The part at `key`; if there was none, that is reported by `rule`, unless its item was not opened
  /// either, or may have been before what was seen.
  private mutating func part(_ key: PartKey, _ name: TextName, _ rule: CheckRule) -> PartCheck {
    if let known = places[key] { return known }
    if key.index != nil, wasAdded {
      addOfPart(
        rule, report.subject.type, expected: "the part \(key.name) added before",
        isStrict: name.isOftenUnopened || !isWhole)
    }
    checkGap(before: key)
    return add(key, name)
  }

  private func checkGap(before key: PartKey) {
    let known = highest[key.list]
    guard isWhole, let index = key.index, index > (known ?? -1) + 1 else { return }
    var next = key
    next.index = (known ?? -1) + 1
    addOfPart(.indexGap, key.name, expected: next.name, isStrict: known == nil)
  }

  private func checkIsDone(_ part: PartCheck) {
    guard part.hasDeltas, !part.isDone else { return }
    addOfPart(
      .deltaWithoutDone, report.subject.type, expected: "the done event of \(part.key.name) before")
  }

  /// Compares `whole` with what came of `part`. Of a response that was joined later, the first
  /// pieces are missing.
  private func compare(
    _ part: PartCheck, with whole: Span<UInt8>, by rule: CheckRule, tellsNew: Bool
  ) {
    guard isWhole else { return part.replace(with: whole) }
    if tellsNew, part.isNew(whole) {
      addOfPart(.doneWithoutDelta, "\(part.key.name) at once", expected: "pieces of it before")
    }
    if let (got, expected) = part.complete(with: whole) {
      addOfPart(rule, got, expected: expected)
    }
  }

  mutating func add(_ key: PartKey, _ name: TextName) -> PartCheck {
    let part = PartCheck(key, name)
    parts.append(part)
    places[key] = part
    if let index = key.index { highest[key.list] = max(highest[key.list] ?? index, index) }
    return part
  }
}
