import Core

extension ItemCheck {
  /// Takes the start or the end of a part.
  mutating func takePart(
    _ part: Span<UInt8>, _ row: EventCatalogue.Row, _ kind: ValueKind, _ key: PartKey,
    _ report: inout CheckReport
  ) {
    let text = part.extracting(JSONChildren.value(of: kind.member, in: part) ?? 0..<0)
    if row.phase == .start {
      open(key, kind, with: text, &report)
    } else {
      close(key, kind, with: text, &report)
    }
  }

  /// Takes a piece of a value, its start or its end.
  mutating func takeValue(
    _ row: EventCatalogue.Row, _ kind: ValueKind, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let key = PartKey(kind, members)
    let final = line.extracting(members.final ?? 0..<0)
    switch row.phase {
    case .start: open(key, kind, with: final, &report)
    case .delta:
      ensure(key, kind, .deltaWithoutAdded, &report)
      if parts[key]?.isDone == true {
        return report.add(.deltaAfterDone, report.subject.type, expected: "nothing behind its end")
      }
      parts[key]?.take(delta: line.extracting(members.delta ?? 0..<0))
    default: finish(key, kind, with: final, &report)
    }
  }

  private mutating func open(
    _ key: PartKey, _ kind: ValueKind, with text: Span<UInt8>, _ report: inout CheckReport
  ) {
    guard parts[key] == nil else {
      return report.add(.addedTwice, "\(key.name) again", expected: "a part once")
    }
    checkGap(before: key, &report)
    var part = PartCheck(kind, wasAdded: true)
    part.start(text)
    parts[key] = part
  }

  /// Sees to it that there is a part at `key`; if there was none, that is reported by `rule`, unless
  /// its item was not opened either, or may have been before what was seen.
  private mutating func ensure(
    _ key: PartKey, _ kind: ValueKind, _ rule: CheckRule, _ report: inout CheckReport
  ) {
    guard parts[key] == nil else { return }
    if key.list != .itself, wasAdded {
      report.add(
        rule, report.subject.type, expected: "the part \(key.name) added before",
        isStrict: kind.isOftenUnopened || !isWhole)
    }
    checkGap(before: key, &report)
    parts[key] = PartCheck(kind, wasAdded: false)
  }

  private mutating func finish(
    _ key: PartKey, _ kind: ValueKind, with whole: Span<UInt8>, _ report: inout CheckReport
  ) {
    ensure(key, kind, .doneWithoutAdded, &report)
    guard parts[key]?.isDone == false else {
      return report.add(.doneTwice, report.subject.type, expected: "the end of a value once")
    }
    if kind == .command { parts[key]?.isClosed = true }
    reportIfNew(whole, at: key, &report)
    compare(whole, at: key, by: kind.mismatch, &report)
  }

  private mutating func close(
    _ key: PartKey, _ kind: ValueKind, with whole: Span<UInt8>, _ report: inout CheckReport
  ) {
    ensure(key, kind, .doneWithoutAdded, &report)
    guard parts[key]?.isClosed == false else {
      return report.add(.doneTwice, report.subject.type, expected: "the end of a part once")
    }
    parts[key]?.isClosed = true
    checkIsDone(key, &report)
    reportIfNew(whole, at: key, &report)
    compare(whole, at: key, by: kind.mismatch, &report)
  }

  private func checkGap(before key: PartKey, _ report: inout CheckReport) {
    let highest = parts.keys.filter { $0.list == key.list }.map(\.index).max()
    guard isWhole, key.list != .itself, key.index > (highest ?? -1) + 1 else { return }
    report.add(
      .indexGap, key.name, expected: PartKey(key.list, (highest ?? -1) + 1).name,
      isStrict: highest == nil)
  }

  func checkPartsAreDone(_ report: inout CheckReport) {
    for (key, part) in parts.sorted(by: { $0.key.index < $1.key.index }) {
      if part.wasAdded, !part.isClosed {
        report.add(
          .addedWithoutDone, "the end of \(shownType)",
          expected: "the end of its part \(key.name) before")
      }
      checkIsDone(key, &report)
    }
  }

  private func checkIsDone(_ key: PartKey, _ report: inout CheckReport) {
    guard let part = parts[key], part.hasDeltas, !part.isDone else { return }
    report.add(
      .deltaWithoutDone, report.subject.type, expected: "the done event of \(key.name) before")
  }

  /// Compares the values of `item`, a whole one, with those that came, by their order: indexes need
  /// not start at 0. They are what counts from then on.
  mutating func compareValues(
    with item: Span<UInt8>, by rule: CheckRule?, _ report: inout CheckReport
  ) {
    for list in PartKey.List.allCases {
      let keys = parts.keys.filter { $0.list == list }.sorted { $0.index < $1.index }
      let values = ItemValues.values(list, of: item)
      for (place, value) in values.enumerated() {
        let key = place < keys.count ? keys[place] : PartKey(list, (keys.last?.index ?? -1) + 1)
        if parts[key] == nil { parts[key] = PartCheck(value.kind, wasAdded: false) }
        let whole = item.extracting(value.text)
        if rule == nil { reportIfNew(whole, at: key, &report) }
        compare(whole, at: key, by: rule ?? value.kind.mismatch, &report)
      }
      for key in keys.dropFirst(values.count) {
        compare(Span(), at: key, by: rule ?? parts[key]?.kind.mismatch ?? .textMismatch, &report)
      }
    }
  }

  private func reportIfNew(
    _ whole: Span<UInt8>, at key: PartKey, _ report: inout CheckReport
  ) {
    guard isWhole, parts[key]?.isNew(whole) == true else { return }
    report.add(.doneWithoutDelta, "\(key.name) at once", expected: "pieces of it before")
  }

  private mutating func compare(
    _ whole: Span<UInt8>, at key: PartKey, by rule: CheckRule, _ report: inout CheckReport
  ) {
    // Of a response that was joined later, the first pieces are missing.
    if isWhole { parts[key]?.take(whole: whole, by: rule, &report) } else { parts[key]?.set(whole) }
  }
}
