import Core

/// Follows one item of a response's output.
///
///     {"type":"response.output_item.added",…,"item":{"id":"m1","type":"message","content":[]}}
///         keeps the id and the type; later parts must be added (wasAdded)
///     {"type":"response.output_text.delta",…,"content_index":0,"item_id":"m1","delta":"Hel"}
///         delta-without-added; makes the part content[0]
///     {"type":"response.output_text.delta",…,"content_index":0,"item_id":"m1","delta":"lo"}
///         goes on with the event before (`Event.goesOn`): its item_id is not looked at
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
  private var id = ""
  /// The last end that events named: `completed` or `failed`.
  private var state = ""
  private var hasReportedType = false
  /// Its values, in the order in which they came, and the index of each in `parts` once they are
  /// many.
  private var parts: [PartCheck] = []
  private var numbers: [PartKey: Int] = [:]
  private static let fewParts = 8

  init(wasAdded: Bool, isWhole: Bool) { (self.wasAdded, self.isWhole) = (wasAdded, isWhole) }

  /// Its type, in words.
  var shownType: String { type.isEmpty ? "an item" : type }

  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
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
    if !event.goesOn { checkIdentity(type, event, line, &report) }
    if isDone {
      return report.add(.deltaAfterDone, expected: "nothing after the end of \(shownType)")
    }
    let values = type.values
    if let part = event.part(in: line) {
      guard let first = values.first else { return }
      let value = Self.value(of: part, event, line, or: first)
      let text = event.value(at: value.members, inside: part, in: line)
      check(value, text, isPart: true, of: event, line, &report)
    } else if values.count == 1 {
      let text = type.phase == .delta ? event.piece(in: line) : event.whole(in: line)
      check(values[0], text, isPart: false, of: event, line, &report)
    } else if type.phase == .status {
      let name = type.row.name.description
      for end in ["completed", "failed"] where name.hasSuffix("." + end) { state = end }
    }
  }

  /// Notes the item as it is opened. Its parts need no opening of their own.
  private mutating func open(
    _ item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>
  ) {
    note(ItemHead(item, of: event, line))
    for (value, index, text) in values(at: item, of: event, line) where !value.list.isEmpty {
      let part = add(PartCheck(PartKey(value, index), value.name))
      parts[part].open(value.name, with: line.extracting(text), wasBrought: true)
    }
  }

  private mutating func note(_ head: ItemHead) {
    type = ItemCatalogue.kin(of: head.type)
    id = head.id
  }

  private mutating func checkIdentity(
    _ kind: EventType, _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let other = event.text(of: "item_id", in: line)
    if !id.isEmpty, !other.isEmpty, other != id {
      report.add(.idMismatch, "item_id \(other)", expected: id, ofPart: true)
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
    note(head)
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
      let mayRun = ItemCatalogue.row(of: type)?.mayEndRunning == true
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

  /// Checks the start, a piece or the end of `value`, whose text is at `text`; of the part that
  /// holds it, if it `isPart`.
  private mutating func check(
    _ value: ItemValue, _ text: Range<Int>?, isPart: Bool, of event: borrowing Event,
    _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let key = PartKey(value, event.partIndex(in: line))
    let text = line.extracting(text ?? 0..<0)
    let phase = event.type?.phase
    if phase == .start { return open(key, value.name, with: text, &report) }
    let isDelta = phase == .delta && !isPart
    let part = part(key, value.name, isDelta ? .deltaWithoutAdded : .doneWithoutAdded, &report)
    if isPart ? parts[part].isClosed : parts[part].isDone {
      let expected =
        isDelta
        ? "nothing after its end" : "the end of a \(isPart ? "part" : "value") once"
      return report.add(
        isDelta ? .deltaAfterDone : .doneTwice, expected: expected, ofPart: true)
    }
    if isDelta { return parts[part].append(delta: text) }
    if isPart { checkIsDone(parts[part], &report) }
    if isPart || value.part == nil { parts[part].isClosed = true }
    compare(part, with: text, by: value.name.mismatch, reportsNew: true, &report)
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
    let order = parts.indices.sorted { (parts[$0].key.index, $0) < (parts[$1].key.index, $1) }
    var left: [PartKey: ArraySlice<Int>] = [:]
    for part in order { left[parts[part].key.first, default: []].append(part) }
    for (value, index, text) in values(at: item, of: event, line) {
      var key = PartKey(value, index)
      let known = left[key.first]?.popFirst()
      if known == nil, number(of: key) != nil { key.index = (highestIndex(of: key.list) ?? -1) + 1 }
      compare(
        known ?? add(PartCheck(key, value.name)), with: line.extracting(text),
        by: rule ?? value.name.mismatch,
        reportsNew: rule == nil && value.name != .output, &report)
    }
    for part in left.values.joined().sorted() {
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
        let own = value.part == nil ? value : Self.value(of: element, event, line, or: value)
        let text = event.value(at: own.members, inside: element, in: line)
        found.append((own, index, text ?? element.lowerBound..<element.lowerBound))
      }
    }
    return found
  }

  /// The value that the part at `part` holds, by its type: one of the list of `first`, or else that.
  private static func value(
    of part: Range<Int>, _ event: borrowing Event, _ line: Span<UInt8>, or first: ItemValue
  ) -> ItemValue {
    let named = ItemCatalogue.value(ofPart: event.text(of: "type", inside: part, in: line))
    return named.flatMap { $0.listName == first.listName ? $0 : nil } ?? first
  }

  private mutating func open(
    _ key: PartKey, _ name: TextName, with text: Span<UInt8>, _ report: inout CheckReport
  ) {
    let known = number(of: key)
    if let known, !parts[known].wasBrought {
      return report.add(.addedTwice, "\(key.name) again", expected: "a part once", ofPart: true)
    }
    let part = known ?? begin(key, name, &report)
    parts[part].open(name, with: text, wasBrought: false)
  }

  /// The index of the part at `key`. A part that was not opened is reported by `rule`, if its item
  /// was opened.
  private mutating func part(
    _ key: PartKey, _ name: TextName, _ rule: CheckRule, _ report: inout CheckReport
  ) -> Int {
    if let known = number(of: key) { return known }
    if !key.list.isEmpty, wasAdded {
      report.add(
        rule, expected: "the part \(key.name) added before",
        isStrict: name.isOftenUnopened || !isWhole, ofPart: true)
    }
    return begin(key, name, &report)
  }

  /// Adds the part at `key`, which an event is about.
  private mutating func begin(
    _ key: PartKey, _ name: TextName, _ report: inout CheckReport
  ) -> Int {
    let highest = highestIndex(of: key.list)
    if isWhole, !key.list.isEmpty, key.index > (highest ?? -1) + 1 {
      var next = key
      next.index = (highest ?? -1) + 1
      report.add(
        .indexGap, key.name, expected: next.name, isStrict: highest == nil, ofPart: true)
    }
    return add(PartCheck(key, name))
  }

  private func highestIndex(of list: String) -> Int? {
    parts.last { $0.key.list == list }?.highestIndex
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

  /// The index of the part at `key`; `nil` when there is none.
  private func number(of key: PartKey) -> Int? {
    parts.count <= Self.fewParts ? parts.firstIndex { $0.key == key } : numbers[key]
  }

  private mutating func add(_ part: PartCheck) -> Int {
    var part = part
    part.highestIndex = max(highestIndex(of: part.key.list) ?? -1, part.key.index)
    parts.append(part)
    if parts.count > Self.fewParts {
      for number in numbers.count..<parts.count { numbers[parts[number].key] = number }
    }
    return parts.count - 1
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
