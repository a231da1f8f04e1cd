import Core

/// Follows one item of a response's output.
///
///     {"type":"response.output_item.added",…,"item":{"id":"m1","type":"message","content":[]}}
///         keeps the id and the type; later parts must be added (wasAdded)
///     {"type":"response.output_text.delta",…,"content_index":0,"item_id":"m1","delta":"Hel"}
///         delta-without-added; makes the part content[0], which `growing` now names
///     {"type":"response.output_text.delta",…,"content_index":0,"item_id":"m1","delta":"lo"}
///         goes on with the part that is growing: nothing but its text is looked at
///     {"type":"response.output_text.done",…,"content_index":0,"item_id":"m2","text":"Hallo"}
///         id-mismatch; text-mismatch: 5 other bytes; from now on the text is "Hallo"
///     {"type":"response.output_item.done",…,"item":{"id":"m1",…,"status":"in_progress"}}
///         item-status; compares the values of the item with its parts
struct ItemCheck {
  private(set) var type = ""
  private(set) var isDone = false
  /// Whether an event opened it, so that its parts must be opened, too.
  let wasAdded: Bool
  /// Whether the events of its response were read from the first on.
  private let isWhole: Bool
  private(set) var id = ""
  /// The last `item_id` that was compared with `id`, as it is spelled.
  private var comparedID: [UInt8] = []
  /// The last end that events named: `completed` or `failed`.
  private var state = ""
  private(set) var hasReportedType = false
  /// Its values, in the order in which they came, and the index of each in `parts`.
  var parts: [PartCheck] = []
  private var numbers: [PartKey: Int] = [:]
  /// The last event, if it brought a delta: its type, the number of its part, and that part's
  /// index.
  private var growing: (type: EventType, index: Int, part: Int)?
  /// The highest index in each list.
  private var highest: [(list: TextName, index: Int)] = []

  init(wasAdded: Bool, isWhole: Bool) { (self.wasAdded, self.isWhole) = (wasAdded, isWhole) }

  /// An item that ended, with the values that were kept of it.
  init(ended: ArraySlice<EndedPart>, type: String, id: String, hasReportedType: Bool) {
    self.init(wasAdded: true, isWhole: true)
    (self.type, self.id, self.hasReportedType, isDone) = (type, id, hasReportedType, true)
    for part in ended { add(PartCheck(part)) }
  }

  private var shownType: String { type.isEmpty ? "an item" : type }

  /// Appends the delta of an event, if it goes on with the value of the event before; else false.
  @inline(__always)
  mutating func append(_ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard let growing, growing.type == type, growing.index == event.partIndex(in: line),
      !type.hasOwnDelta, let delta = event.value(of: "delta", in: line),
      !parts[growing.part].isDone,
      id.isEmpty || isOfItem(event, line)
    else { return false }
    parts[growing.part].append(delta: line.extracting(delta))
    return true
  }

  /// Whether the id of its item in `event` is spelled as the one that was compared last.
  @inline(__always)
  private func isOfItem(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    let id = event.value(of: "item_id", in: line)
    return line.extracting(id ?? 0..<0).equals(comparedID.span)
  }

  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    growing = nil
    guard let type = event.type else { return }
    if type.family == .outputItem {
      guard let place = event.object(of: "item", in: line) else { return }
      if type.phase == .start {
        open(place, of: event, line)
      } else {
        end(place, of: event, line, &report)
      }
      return
    }
    checkIdentity(type, event, line, &report)
    if isDone {
      return report.add(.deltaAfterDone, expected: "nothing after the end of \(shownType)")
    }
    let values = type.values
    if let part = event.part(in: line) {
      checkPart(
        part, of: event, line, among: values[...], type.phase, event.partIndex(in: line), &report)
    } else if values.count == 1 {
      checkValue(values[0], type, event, line, &report)
    } else if type.phase == .status {
      let name = type.row.name.description
      for end in ["completed", "failed"] where name.hasSuffix("." + end) { state = end }
    }
  }

  /// Notes the item as it is opened. Its parts need no opening of their own.
  private mutating func open(
    _ item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>
  ) {
    note(ItemHead(item, of: event, line), item, of: event, line)
    for (value, index, text) in values(at: item, of: event, line) where !value.list.isEmpty {
      let part = add(PartCheck(PartKey(value, index), value.name))
      parts[part].open(value.name, with: line.extracting(text), wasBrought: true)
    }
  }

  private mutating func note(
    _ head: ItemHead, _ item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>
  ) {
    (type, id) = (ItemCatalogue.kin(of: head.type), head.id)
    let spelled = event.value(of: "id", inside: item, in: line)
    comparedID = [UInt8](copying: line.extracting(spelled ?? 0..<0))
  }

  private mutating func checkIdentity(
    _ kind: EventType, _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let spelled = line.extracting(event.value(of: "item_id", in: line) ?? 0..<0)
    if !id.isEmpty, !spelled.equals(comparedID.span) {
      comparedID = [UInt8](copying: spelled)
      let other = JSONString.text(spelled)
      if !other.isEmpty, other != id {
        comparedID = []
        report.add(.idMismatch, "item_id \(other)", expected: id, ofPart: true)
      }
    }
    guard !hasReportedType, let expected = kind.itemType, !type.isEmpty, expected != type else {
      return
    }
    hasReportedType = true
    report.add(
      .itemType, "\(report.subject.type) for an item of type \(type)",
      expected: "one of type \(expected)", isStrict: !kind.row.standing.isDocumented)
  }

  private mutating func end(
    _ item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    if isDone { return report.add(.doneTwice, "the item again", expected: "its end once") }
    isDone = true
    let (known, knownID) = (type, id)
    let head = ItemHead(item, of: event, line)
    note(head, item, of: event, line)
    if !known.isEmpty, known != type {
      report.add(.itemType, "an item of type \(type)", expected: known, ofPart: true)
    }
    if !knownID.isEmpty, knownID != id {
      report.add(.idMismatch, "item \(id)", expected: knownID, ofPart: true)
    }
    checkStatus(head.status, of: line.extracting(item), &report)
    checkPartsAreDone(&report)
    compareValues(with: item, of: event, line, by: nil, &report)
  }

  /// States in which no item ends.
  static let runningStates: Set<String> = [
    "in_progress", "queued", "searching", "interpreting", "generating",
  ]

  /// Checks the status of an item that ended. Images may still be `generating` then, Azure's
  /// searches `searching`, and calls that a program makes `in_progress`.
  private func checkStatus(
    _ status: String, of item: Span<UInt8>, _ report: inout CheckReport
  ) {
    if Self.runningStates.contains(status) {
      let mayRun = ItemCatalogue.row(of: type)?.quirks.contains(.mayEndRunning) == true
      report.add(
        .itemStatus, "\(shownType) that is \(status) at its end", expected: "completed, or another",
        isStrict: mayRun || status == "searching"
          || JSONChildren.text(of: "caller", "type", in: item) == "program")
    } else if !state.isEmpty, status == "completed" || status == "failed", status != state {
      report.add(.itemStatus, "\(shownType) that is \(status)", expected: "\(state), as before")
    }
  }

  /// Compares it with `item`, which the terminal event has at `index`.
  mutating func compare(
    with item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, at index: Int,
    _ report: inout CheckReport
  ) {
    let head = ItemHead(item, of: event, line)
    let kin = ItemCatalogue.kin(of: head.type)
    guard kin == type || type.isEmpty else {
      return report.add(
        .outputMismatch, "output[\(index)] of type \(kin)", expected: "type \(type), as it came")
    }
    type = kin
    if !id.isEmpty, head.id != id {
      report.add(.idMismatch, "item \(head.id)", expected: id, ofPart: true)
    }
    compareValues(with: item, of: event, line, by: .outputMismatch, &report)
  }
}

/// The members that every item has, each empty where it is missing.
struct ItemHead {
  private(set) var (id, type, status) = ("", "", "")
  /// A hash of the id.
  var idHash: UInt64 { Array(id.utf8).span.mixed(into: 0) }

  /// Reads the item at `place` in the line of `event`.
  init(_ place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    id = event.text(of: "id", inside: place, in: line)
    type = event.text(of: "type", inside: place, in: line)
    status = event.text(of: "status", inside: place, in: line)
  }
}

extension ItemCheck {
  /// Checks the start or the end of the part at `part`.
  private mutating func checkPart(
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
  private mutating func checkValue(
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

  private func checkPartsAreDone(_ report: inout CheckReport) {
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
  private mutating func compareValues(
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
  private func values(
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
  mutating func compare(
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
