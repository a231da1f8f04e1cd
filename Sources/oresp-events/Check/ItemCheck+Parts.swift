import Core

extension ItemCheck {
  /// Checks the start or the end of a part.
  mutating func checkPart(
    _ told: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>,
    among values: ArraySlice<ItemValue>,
    _ phase: EventPhase, _ index: Int, _ report: inout CheckReport
  ) {
    guard let value = Self.value(of: told, event, line, among: values) else { return }
    let key = PartKey(value, index)
    let text = line.extracting(Self.value(at: value.members, of: told, event, line) ?? 0..<0)
    if phase == .start { return open(key, value.name, with: text, &report) }
    let part = part(key, value.name, .doneWithoutAdded, &report)
    if parts[part].isClosed {
      return report.add(
        .doneTwice, report.subject.type, expected: "the end of a part once", ofPart: true)
    }
    parts[part].isClosed = true
    checkIsDone(parts[part], &report)
    compare(part, with: text, by: value.name.mismatch, tellsNew: true, &report)
  }

  /// Checks a piece of a value, its start or its end.
  mutating func checkValue(
    _ value: ItemValue, _ event: EventType, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let key = PartKey(value, members.partIndex)
    let final = line.extracting(members.final ?? 0..<0)
    if event.phase == .start { return open(key, value.name, with: final, &report) }
    let isDelta = event.phase == .delta
    let part = part(key, value.name, isDelta ? .deltaWithoutAdded : .doneWithoutAdded, &report)
    if parts[part].isDone {
      let (rule, expected): (CheckRule, _) =
        isDelta
        ? (.deltaAfterDone, "nothing after its end") : (.doneTwice, "the end of a value once")
      return report.add(rule, report.subject.type, expected: expected, ofPart: true)
    }
    if isDelta {
      growing = (event, members.partIndex, part)
      return parts[part].append(delta: line.extracting(members.delta ?? 0..<0))
    }
    if value.part == nil { parts[part].isClosed = true }
    compare(part, with: final, by: value.name.mismatch, tellsNew: true, &report)
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

  /// Compares the values of `item`, a whole one, with those that came, by their order: indexes need
  /// not start at 0. They are what counts from then on.
  mutating func compareValues(
    with item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, by rule: CheckRule?,
    _ report: inout CheckReport
  ) {
    let order = parts.indices.sorted {
      (parts[$0].key.index ?? 0, $0) < (parts[$1].key.index ?? 0, $1)
    }
    var isFound = [Bool](repeating: false, count: order.count)
    // How far each list was compared.
    var cursors: [(list: TextName, place: Int)] = []
    func next(in list: TextName) -> Int? {
      let cursor = cursors.firstIndex { $0.list == list } ?? cursors.count
      if cursor == cursors.count { cursors.append((list, 0)) }
      while cursors[cursor].place < order.count {
        let part = order[cursors[cursor].place]
        cursors[cursor].place += 1
        if parts[part].key.list == list { return part }
      }
      return nil
    }
    for (value, index, text) in values(at: item, of: event, line) {
      var key = PartKey(value, index)
      let known = next(in: key.list)
      if let known { isFound[known] = true }
      if known == nil, places[key] != nil { key.index = (highestIndex(of: key.list) ?? -1) + 1 }
      compare(
        known ?? add(PartCheck(key, value.name)), with: line.extracting(text),
        by: rule ?? value.name.mismatch,
        tellsNew: rule == nil && value.name != .output, &report)
    }
    for (part, isFound) in isFound.enumerated() where !isFound {
      compare(
        part, with: Span(), by: rule ?? parts[part].name.mismatch, tellsNew: false, &report)
    }
  }

  /// The values of the items of each type that can come in pieces.
  private static let streamed = Dictionary(
    uniqueKeysWithValues: ItemCatalogue.rows.map { row in
      let values = row.values.filter { !$0.families.isEmpty }
      let whole = values.filter { value in
        value.part != nil || values.count { $0.families == value.families } == 1
      }
      return (row.type.description, whole)
    })

  /// The values of `item`, a whole one, that could have come in pieces: each with its place in its
  /// list, and where its text stands.
  func values(
    at item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>
  ) -> [(value: ItemValue, index: Int, text: Range<Int>)] {
    let all = Self.streamed[type] ?? []
    var found: [(value: ItemValue, index: Int, text: Range<Int>)] = []
    for (place, value) in all.enumerated() {
      guard !value.list.isEmpty else {
        let text = Self.value(at: value.members, of: item, event, line)
        if let text { found.append((value, 0, text)) }
        continue
      }
      // The values of one list are found together.
      guard !all[..<place].contains(where: { $0.listName == value.listName }) else { continue }
      let list = Self.value(at: value.list, of: item, event, line)
      for (index, element) in JSONChildren.elements(at: list, in: line).enumerated() {
        let own =
          value.part == nil ? value : Self.value(of: element, event, line, among: all[place...])
        let text = Self.value(at: (own ?? value).members, of: element, event, line)
        found.append((own ?? value, index, text ?? element.lowerBound..<element.lowerBound))
      }
    }
    return found
  }

  /// Of `values`, the first in the list of the first that `part` holds by its type; the first when
  /// it tells none of them.
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

  /// The value that `path` leads to in `item`.
  private static func value(
    at path: ArraySlice<StaticString>, of item: Range<Int>, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Range<Int>? {
    guard let first = path.first else { return item }
    guard let value = event.members.value(of: first, inside: item, of: line)
    else { return nil }
    if path.count == 1 { return value }
    return JSONChildren.value(at: path.dropFirst(), in: line.extracting(value)).map {
      value.lowerBound + $0.lowerBound..<value.lowerBound + $0.upperBound
    }
  }

  private mutating func open(
    _ key: PartKey, _ name: TextName, with text: Span<UInt8>, _ report: inout CheckReport
  ) {
    let known = places[key]
    if let known, !parts[known].wasBrought {
      return report.add(.addedTwice, "\(key.name) again", expected: "a part once", ofPart: true)
    }
    if known == nil { checkGap(before: key, &report) }
    let part = known ?? add(PartCheck(key, name))
    parts[part].open(name, with: text, wasBrought: false)
  }

  /// The part at `key`; if there was none, that is reported by `rule`, unless its item was not
  /// opened either, or may have been before what was seen.
  private mutating func part(
    _ key: PartKey, _ name: TextName, _ rule: CheckRule, _ report: inout CheckReport
  ) -> Int {
    if let known = places[key] { return known }
    if key.index != nil, wasAdded {
      report.add(
        rule, report.subject.type, expected: "the part \(key.name) added before",
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
      .deltaWithoutDone, report.subject.type,
      expected: "the done event of \(part.key.name) before", ofPart: true)
  }

  /// Compares `whole` with what came of the value `part`. Of a response that was joined later, the
  /// first pieces are missing.
  private mutating func compare(
    _ part: Int, with whole: Span<UInt8>, by rule: CheckRule, tellsNew: Bool,
    _ report: inout CheckReport
  ) {
    if isWhole, tellsNew, parts[part].isNew(whole) {
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
    places[part.key] = parts.count - 1
    guard let index = part.key.index else { return parts.count - 1 }
    if let known = highest.firstIndex(where: { $0.list == part.key.list }) {
      highest[known].index = max(highest[known].index, index)
    } else {
      highest.append((part.key.list, index))
    }
    return parts.count - 1
  }
}
