import Core

extension ItemCheck {
  /// Takes the start or the end of a part.
  mutating func checkPart(
    _ part: Span<UInt8>, _ event: EventType, _ members: EventMembers, _ report: inout CheckReport
  ) {
    guard let value = Self.value(of: part, among: event.values) else { return }
    let key = PartKey(value, members.partIndex)
    let text = part.extracting(JSONChildren.value(at: value.members, in: part) ?? 0..<0)
    if event.phase == .start {
      return open(key, value.name, with: text, &report)
    }
    ensure(key, value.name, .doneWithoutAdded, &report)
    guard self[key]?.isClosed == false else {
      return report.add(.doneTwice, report.subject.type, expected: "the end of a part once")
    }
    change(key) { $0.isClosed = true }
    if let part = self[key] { checkIsDone(part, &report) }
    compare(text, at: key, by: value.name.mismatch, tellsNew: true, &report)
  }

  /// Takes a piece of a value, its start or its end.
  mutating func checkValue(
    _ value: ItemValue, _ phase: EventPhase, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let key = PartKey(value, members.partIndex)
    let final = line.extracting(members.final ?? 0..<0)
    switch phase {
    case .start: open(key, value.name, with: final, &report)
    case .delta:
      ensure(key, value.name, .deltaWithoutAdded, &report)
      if self[key]?.isDone == true {
        return report.add(.deltaAfterDone, report.subject.type, expected: "nothing behind its end")
      }
      change(key) { $0.append(delta: line.extracting(members.delta ?? 0..<0)) }
    default:
      ensure(key, value.name, .doneWithoutAdded, &report)
      guard self[key]?.isDone == false else {
        return report.add(.doneTwice, report.subject.type, expected: "the end of a value once")
      }
      if value.part == nil { change(key) { $0.isClosed = true } }
      compare(final, at: key, by: value.name.mismatch, tellsNew: true, &report)
    }
  }

  func checkPartsAreDone(_ report: inout CheckReport) {
    for part in parts {
      if part.wasAdded, !part.isClosed {
        report.add(
          .addedWithoutDone, "the end of \(shownType)",
          expected: "the end of its part \(part.key.name) before")
      }
      checkIsDone(part, &report)
    }
  }

  /// Compares the values of `item`, a whole one, with those that came, by their order: indexes need
  /// not start at 0. They are what counts from then on.
  mutating func compareValues(
    with item: Span<UInt8>, by rule: CheckRule?, _ report: inout CheckReport
  ) {
    var left: [String: ArraySlice<PartKey>] = [:]
    for part in parts.sorted(by: { ($0.key.index ?? 0) < ($1.key.index ?? 0) }) {
      left[part.key.list, default: []].append(part.key)
    }
    for (value, index, text) in values(of: item) {
      var key = PartKey(value, index)
      if let known = left[key.list]?.popFirst() {
        key = known
      } else {
        if self[key] != nil { key.index = (highest[key.list] ?? -1) + 1 }
        add(key, value.name)
      }
      compare(
        item.extracting(text), at: key, by: rule ?? value.name.mismatch,
        tellsNew: rule == nil && value.name != .output, &report)
    }
    let missing = Set(left.values.joined())
    for part in parts where missing.contains(part.key) {
      compare(Span(), at: part.key, by: rule ?? part.name.mismatch, tellsNew: false, &report)
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

  private mutating func open(
    _ key: PartKey, _ name: TextName, with text: Span<UInt8>, _ report: inout CheckReport
  ) {
    if let known = self[key], !known.wasBrought {
      return report.add(.addedTwice, "\(key.name) again", expected: "a part once")
    }
    if self[key] == nil {
      checkGap(before: key, &report)
      add(key, name)
    }
    change(key) {
      $0 = PartCheck(key, name, wasAdded: true)
      $0.start(text)
    }
  }

  /// Sees to it that there is a part at `key`; if there was none, that is reported by `rule`, unless
  /// its item was not opened either, or may have been before what was seen.
  private mutating func ensure(
    _ key: PartKey, _ name: TextName, _ rule: CheckRule, _ report: inout CheckReport
  ) {
    guard self[key] == nil else { return }
    if key.index != nil, wasAdded {
      report.add(
        rule, report.subject.type, expected: "the part \(key.name) added before",
        isStrict: name.isOftenUnopened || !isWhole)
    }
    checkGap(before: key, &report)
    add(key, name)
  }

  private func checkGap(before key: PartKey, _ report: inout CheckReport) {
    let known = highest[key.list]
    guard isWhole, let index = key.index, index > (known ?? -1) + 1 else { return }
    var next = key
    next.index = (known ?? -1) + 1
    report.add(.indexGap, key.name, expected: next.name, isStrict: known == nil)
  }

  private func checkIsDone(_ part: PartCheck, _ report: inout CheckReport) {
    guard part.hasDeltas, !part.isDone else { return }
    report.add(
      .deltaWithoutDone, report.subject.type, expected: "the done event of \(part.key.name) before")
  }

  /// Compares `whole` with what came at `key`. Of a response that was joined later, the first pieces
  /// are missing.
  private mutating func compare(
    _ whole: Span<UInt8>, at key: PartKey, by rule: CheckRule, tellsNew: Bool,
    _ report: inout CheckReport
  ) {
    guard isWhole, let place = places[key] else { return change(key) { $0.replace(with: whole) } }
    if tellsNew, parts[place].isNew(whole) {
      report.add(.doneWithoutDelta, "\(key.name) at once", expected: "pieces of it before")
    }
    parts[place].complete(with: whole, by: rule, &report)
  }

  private subscript(key: PartKey) -> PartCheck? { places[key].map { parts[$0] } }

  mutating func add(_ key: PartKey, _ name: TextName) {
    places[key] = parts.count
    parts.append(PartCheck(key, name))
    if let index = key.index { highest[key.list] = max(highest[key.list] ?? index, index) }
  }

  mutating func change(_ key: PartKey, _ change: (inout PartCheck) -> Void) {
    if let place = places[key] { change(&parts[place]) }
  }
}
