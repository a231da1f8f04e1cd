import Core

extension ItemCheck {
  /// Checks the start or the end of the part at `part`.
  mutating func checkPart(
    _ part: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>,
    among values: ArraySlice<ItemValue>,
    _ phase: EventPhase, _ index: Int, _ report: inout CheckReport
  ) {
    guard let value = Self.value(of: part, event, line, among: values) else { return }
    let key = PartKey(value, index)
    let text = line.extracting(event.value(at: value.members, inside: part, in: line) ?? 0..<0)
    if phase == .start { return open(key, value.name, with: text, &report) }
    let known = self.part(key, value.name, .doneWithoutAdded, &report)
    if parts[known].isClosed {
      return report.add(.doneTwice, expected: "the end of a part once", ofPart: true)
    }
    parts[known].isClosed = true
    checkIsDone(parts[known], &report)
    compare(known, with: text, by: value.name.mismatch, reportsNew: true, &report)
  }

  /// Checks a piece of a value, its start or its end.
  mutating func checkValue(
    _ value: ItemValue, _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let key = PartKey(value, event.partIndex(in: line))
    let final = line.extracting(event.whole(in: line) ?? 0..<0)
    if type.phase == .start { return open(key, value.name, with: final, &report) }
    let isDelta = type.phase == .delta
    let part = part(key, value.name, isDelta ? .deltaWithoutAdded : .doneWithoutAdded, &report)
    if parts[part].isDone {
      let (rule, expected): (CheckRule, _) =
        isDelta
        ? (.deltaAfterDone, "nothing after its end") : (.doneTwice, "the end of a value once")
      return report.add(rule, expected: expected, ofPart: true)
    }
    if isDelta {
      growing = (type, event.partIndex(in: line), part)
      return parts[part].append(delta: line.extracting(event.piece(in: line) ?? 0..<0))
    }
    if value.part == nil { parts[part].isClosed = true }
    compare(part, with: final, by: value.name.mismatch, reportsNew: true, &report)
  }

  func checkPartsAreDone(_ report: inout CheckReport) {
    for part in parts {
      if part.wasAdded, !part.isClosed {
        report.add(
          .addedWithoutDone, "the end of \(shownType)",
          expected: "the end of its part \(part.key.name) before", ofPart: true)
      }
      checkIsDone(part, &report)
    }
  }

  /// Compares the values of `item`, a whole one, with the values that came, by their order, as
  /// indexes need not start at 0. The values of `item` count from then on.
  mutating func compareValues(
    with item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, by rule: CheckRule?,
    _ report: inout CheckReport
  ) {
    let order = parts.indices.sorted {
      (parts[$0].key.index ?? 0, $0) < (parts[$1].key.index ?? 0, $1)
    }
    var isFound = [Bool](repeating: false, count: order.count)
    // Behind the last part of each list that was compared, counted in `order`.
    var cursors: [(list: TextName, next: Int)] = []
    func next(in list: TextName) -> Int? {
      let cursor = cursors.firstIndex { $0.list == list } ?? cursors.count
      if cursor == cursors.count { cursors.append((list, 0)) }
      while cursors[cursor].next < order.count {
        let part = order[cursors[cursor].next]
        cursors[cursor].next += 1
        if parts[part].key.list == list { return part }
      }
      return nil
    }
    for (value, index, text) in values(at: item, of: event, line) {
      var key = PartKey(value, index)
      let known = next(in: key.list)
      if let known { isFound[known] = true }
      if known == nil, numbers[key] != nil { key.index = (highestIndex(of: key.list) ?? -1) + 1 }
      compare(
        known ?? add(PartCheck(key, value.name)), with: line.extracting(text),
        by: rule ?? value.name.mismatch,
        reportsNew: rule == nil && value.name != .output, &report)
    }
    for (part, isFound) in isFound.enumerated() where !isFound {
      compare(
        part, with: Span(), by: rule ?? parts[part].name.mismatch, reportsNew: false, &report)
    }
  }

  /// The values that can come in pieces, by the types of items.
  private static let streamed = Dictionary(
    uniqueKeysWithValues: ItemCatalogue.rows.map { row in
      let values = row.values.filter { !$0.families.isEmpty }
      let whole = values.filter { value in
        value.part != nil || values.count { $0.families == value.families } == 1
      }
      return (row.type.description, whole)
    })

  /// The values of `item`, a whole one, that can come in pieces: each with its index in its list,
  /// and the place of its text.
  func values(
    at item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>
  ) -> [(value: ItemValue, index: Int, text: Range<Int>)] {
    let all = Self.streamed[type] ?? []
    var found: [(value: ItemValue, index: Int, text: Range<Int>)] = []
    for (first, value) in all.enumerated() {
      guard !value.list.isEmpty else {
        let text = event.value(at: value.members, inside: item, in: line)
        if let text { found.append((value, 0, text)) }
        continue
      }
      // The values of one list are found together.
      guard !all[..<first].contains(where: { $0.listName == value.listName }) else { continue }
      let list = event.value(at: value.list, inside: item, in: line)
      for (index, element) in JSONChildren.elements(at: list, in: line).enumerated() {
        let own =
          value.part == nil ? value : Self.value(of: element, event, line, among: all[first...])
        let text = event.value(at: (own ?? value).members, inside: element, in: line)
        found.append((own ?? value, index, text ?? element.lowerBound..<element.lowerBound))
      }
    }
    return found
  }

  /// The value that the part at `part` holds: the first of `values` that stands in the list of the
  /// first and has the type of the part; else the first.
  private static func value(
    of part: Range<Int>, _ event: borrowing Event, _ line: Span<UInt8>,
    among values: ArraySlice<ItemValue>
  ) -> ItemValue? {
    guard values.count > 1, let first = values.first,
      let type = event.members.value(of: "type", inside: part, of: line),
      line[type.lowerBound] == ASCII.quote
    else { return values.first }
    let name = line.extracting(type.lowerBound + 1..<type.upperBound - 1)
    let named = values.first {
      $0.listName == first.listName && $0.part.map { JSONChildren.isName(name, $0) } == true
    }
    return named ?? first
  }

  private mutating func open(
    _ key: PartKey, _ name: TextName, with text: Span<UInt8>, _ report: inout CheckReport
  ) {
    let known = numbers[key]
    if let known, !parts[known].wasBrought {
      return report.add(.addedTwice, "\(key.name) again", expected: "a part once", ofPart: true)
    }
    if known == nil { checkGap(before: key, &report) }
    let part = known ?? add(PartCheck(key, name))
    parts[part].open(name, with: text, wasBrought: false)
  }

  /// The index of the part at `key`. A part that was not opened is reported by `rule`, if its item
  /// was opened.
  private mutating func part(
    _ key: PartKey, _ name: TextName, _ rule: CheckRule, _ report: inout CheckReport
  ) -> Int {
    if let known = numbers[key] { return known }
    if key.index != nil, wasAdded {
      report.add(
        rule, expected: "the part \(key.name) added before",
        isStrict: name.isOftenUnopened || !isWhole, ofPart: true)
    }
    checkGap(before: key, &report)
    return add(PartCheck(key, name))
  }

  private func highestIndex(of list: TextName) -> Int? {
    highest.first { $0.list == list }?.index
  }

  private func checkGap(before key: PartKey, _ report: inout CheckReport) {
    let known = highestIndex(of: key.list)
    guard isWhole, let index = key.index, index > (known ?? -1) + 1 else { return }
    let next = PartKey(key.list, (known ?? -1) + 1)
    report.add(.indexGap, key.name, expected: next.name, isStrict: known == nil, ofPart: true)
  }

  private func checkIsDone(_ part: PartCheck, _ report: inout CheckReport) {
    guard part.hasDeltas, !part.isDone else { return }
    report.add(
      .deltaWithoutDone, expected: "the done event of \(part.key.name) before", ofPart: true)
  }

  /// Compares `whole` with the pieces that came of the value `part`. The first pieces may be
  /// missing where the response was not read from its first event on.
  private mutating func compare(
    _ part: Int, with whole: Span<UInt8>, by rule: CheckRule, reportsNew: Bool,
    _ report: inout CheckReport
  ) {
    if isWhole, reportsNew, parts[part].isNew(whole) {
      report.add(
        .doneWithoutDelta, "\(parts[part].key.name) at once", expected: "pieces of it before",
        ofPart: true)
    }
    guard let (got, expected) = parts[part].complete(with: whole), isWhole else { return }
    report.add(rule, got, expected: expected, ofPart: true)
  }

  @discardableResult
  mutating func add(_ part: PartCheck) -> Int {
    parts.append(part)
    numbers[part.key] = parts.count - 1
    guard let index = part.key.index else { return parts.count - 1 }
    if let known = highest.firstIndex(where: { $0.list == part.key.list }) {
      highest[known].index = max(highest[known].index, index)
    } else {
      highest.append((part.key.list, index))
    }
    return parts.count - 1
  }
}
