import Core

/// Follows one item of a response's output.
struct ItemCheck {
  private(set) var type = ""
  private(set) var isDone = false
  /// Whether it was opened, and so its parts must be.
  let wasAdded: Bool
  /// Whether nothing can have come before what was seen.
  let isWhole: Bool
  private var id = ""
  /// An `item_id` that was compared with it, as it is spelled.
  private var comparedID: [UInt8] = []
  /// The last state that events told which is an end.
  private var state = ""
  private var hasToldType = false
  /// Its values, in the order in which they came, and by their places.
  var parts: [PartCheck] = []
  var places: [PartKey: PartCheck] = [:]
  /// What the last event was a delta of.
  var growing: (value: ItemValue, index: Int, part: PartCheck)?
  /// The highest index of each list.
  var highest: [String: Int] = [:]

  let report: CheckReport

  init(_ report: CheckReport, wasAdded: Bool, isWhole: Bool) {
    (self.report, self.wasAdded, self.isWhole) = (report, wasAdded, isWhole)
  }

  var shownType: String { type.isEmpty ? "an item" : type }

  mutating func handle(
    _ event: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    let former = growing
    growing = nil
    if event.family == .outputItem {
      guard let place = members.item else { return }
      let item = line.extracting(place)
      if event.phase == .start { open(item) } else { end(item) }
      return
    }
    checkIdentity(event, members, line)
    if isDone {
      return report.add(
        .deltaAfterDone, report.subject.type, expected: "nothing behind the end of \(shownType)")
    }
    if let part = members.part, !event.values.isEmpty {
      checkPart(line.extracting(part), event, members.partIndex)
    } else if event.values.count == 1, let value = event.values.first {
      if event.phase == .delta, let former, former.value === value,
        former.index == members.partIndex, !former.part.isDone
      {
        growing = former
        former.part.append(delta: line.extracting(members.delta ?? 0..<0))
      } else {
        checkValue(value, event.phase, members, line)
      }
    } else if event.phase == .status {
      let name = event.row.name.description
      for end in ["completed", "failed"] where name.hasSuffix("." + end) { state = end }
    }
  }

  /// Takes the item as it is opened. Parts that it has then need no opening of their own.
  private mutating func open(_ item: Span<UInt8>) {
    note(item)
    for (value, index, text) in values(of: item) where !value.list.isEmpty {
      let key = PartKey(value, index)
      add(key, value.name).open(value.name, with: item.extracting(text), wasBrought: true)
    }
  }

  private mutating func note(_ item: Span<UInt8>) {
    type = ItemCatalogue.kin(of: JSONChildren.text(of: "type", in: item))
    (id, comparedID) = (JSONChildren.text(of: "id", in: item), [])
  }

  private mutating func checkIdentity(
    _ event: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    let spelled = line.extracting(members.itemID ?? 0..<0)
    if !id.isEmpty, !spelled.equals(comparedID.span) {
      comparedID = [UInt8](copying: spelled)
      let told = JSONString.text(spelled)
      if !told.isEmpty, told != id {
        comparedID = []
        addOfPart(.idMismatch, "item_id \(told)", expected: id)
      }
    }
    guard let expected = event.itemType, !type.isEmpty, expected != type, !hasToldType else {
      return
    }
    hasToldType = true
    report.add(
      .itemType, "\(report.subject.type) for an item of type \(type)",
      expected: "one of type \(expected)", isStrict: !event.row.standing.isDocumented)
  }

  private mutating func end(_ item: Span<UInt8>) {
    if isDone { return report.add(.doneTwice, "the item again", expected: "its end once") }
    isDone = true
    let (known, knownID) = (type, id)
    note(item)
    if !known.isEmpty, known != type {
      addOfPart(.itemType, "an item of type \(type)", expected: known)
    }
    if !knownID.isEmpty, knownID != id { addOfPart(.idMismatch, "item \(id)", expected: knownID) }
    checkStatus(of: item)
    checkPartsAreDone()
    compareValues(with: item, by: nil)
  }

  /// What no item is at its end.
  static let runningStates: Set<String> = [
    "in_progress", "queued", "searching", "interpreting", "generating",
  ]

  /// Images are told to be generated still when they are done, and calls that a program makes are
  /// left in progress.
  private func checkStatus(of item: Span<UInt8>) {
    let status = JSONChildren.text(of: "status", in: item)
    if Self.runningStates.contains(status) {
      let mayRun = ItemCatalogue.row(of: type)?.quirks.contains(.mayEndRunning) == true
      report.add(
        .itemStatus, "\(shownType) that is \(status) at its end", expected: "completed, or another",
        isStrict: mayRun || JSONChildren.text(of: "caller", "type", in: item) == "program")
    } else if !state.isEmpty, status == "completed" || status == "failed", status != state {
      report.add(.itemStatus, "\(shownType) that is \(status)", expected: "\(state), as was told")
    }
  }

  /// Compares with `item`, which the terminal event has at `index`.
  mutating func compare(with item: Span<UInt8>, at index: Int) {
    let told = ItemCatalogue.kin(of: JSONChildren.text(of: "type", in: item))
    guard told == type || type.isEmpty else {
      return report.add(
        .outputMismatch, "output[\(index)] of type \(told)", expected: "type \(type), as it came")
    }
    type = told
    let toldID = JSONChildren.text(of: "id", in: item)
    if !id.isEmpty, toldID != id { addOfPart(.idMismatch, "item \(toldID)", expected: id) }
    compareValues(with: item, by: .outputMismatch)
  }
}
