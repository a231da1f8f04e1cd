import Core

/// Follows one item of a response's output.
struct ItemCheck {
  private(set) var type = ""
  private(set) var isDone = false
  /// Whether it was opened, and so its parts must be.
  let wasAdded: Bool
  /// Whether nothing can have come before what was seen.
  let isWhole: Bool
  private(set) var id = ""
  /// An `item_id` that was compared with it, as it is spelled.
  private var comparedID: [UInt8] = []
  /// The last state that events told which is an end.
  private var state = ""
  private(set) var hasToldType = false
  /// Its values, in the order in which they came, and where each is among them.
  var parts: [PartCheck] = []
  var places: [PartKey: Int] = [:]
  /// The delta that the last event brought: its type, the number of its part, and where that is.
  var growing: (type: EventType, index: Int, part: Int)?
  /// The highest index of each list.
  var highest: [(list: TextName, index: Int)] = []

  init(wasAdded: Bool, isWhole: Bool) { (self.wasAdded, self.isWhole) = (wasAdded, isWhole) }

  /// One that ended, with what was kept of it.
  init(ended: ArraySlice<EndedPart>, type: String, id: String, hasToldType: Bool) {
    self.init(wasAdded: true, isWhole: true)
    (self.type, self.id, self.hasToldType, isDone) = (type, id, hasToldType, true)
    for part in ended { add(PartCheck(part)) }
  }

  var shownType: String { type.isEmpty ? "an item" : type }

  /// Appends a delta that is the next piece of what the event before brought one of; false when it
  /// is another.
  @inline(__always)
  mutating func append(_ type: EventType, _ place: EventPlace, _ line: Span<UInt8>) -> Bool {
    guard let growing, growing.type == type, growing.index == place.partIndex,
      let delta = place.delta, !parts[growing.part].isDone,
      id.isEmpty || line.extracting(place.itemID ?? 0..<0).equals(comparedID.span)
    else { return false }
    parts[growing.part].append(delta: line.extracting(delta))
    return true
  }

  mutating func handle(
    _ event: borrowing Event, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    growing = nil
    guard let type = event.type else { return }
    if type.family == .outputItem {
      guard let place = members.item else { return }
      if type.phase == .start {
        open(place, of: event, line)
      } else {
        end(place, of: event, line, &report)
      }
      return
    }
    checkIdentity(type, members, line, &report)
    if isDone {
      return report.add(
        .deltaAfterDone, report.subject.type, expected: "nothing after the end of \(shownType)")
    }
    let values = type.values
    if let part = members.part, !values.isEmpty {
      checkPart(part, of: event, line, among: values[...], type.phase, members.partIndex, &report)
    } else if values.count == 1 {
      checkValue(values[0], type, members, line, &report)
    } else if type.phase == .status {
      let name = type.row.name.description
      for end in ["completed", "failed"] where name.hasSuffix("." + end) { state = end }
    }
  }

  /// Notes the item as it is opened. Parts that it has then need no opening of their own.
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
    let spelled = event.members.value(of: "id", inside: item, of: line)
    comparedID = [UInt8](copying: line.extracting(spelled ?? 0..<0))
  }

  private mutating func checkIdentity(
    _ event: EventType, _ members: EventMembers, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let spelled = line.extracting(members.itemID ?? 0..<0)
    if !id.isEmpty, !spelled.equals(comparedID.span) {
      comparedID = [UInt8](copying: spelled)
      let told = JSONString.text(spelled)
      if !told.isEmpty, told != id {
        comparedID = []
        report.add(.idMismatch, "item_id \(told)", expected: id, ofPart: true)
      }
    }
    guard !hasToldType, let expected = event.itemType, !type.isEmpty, expected != type else {
      return
    }
    hasToldType = true
    report.add(
      .itemType, "\(report.subject.type) for an item of type \(type)",
      expected: "one of type \(expected)", isStrict: !event.row.standing.isDocumented)
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

  /// What no item is at its end.
  static let runningStates: Set<String> = [
    "in_progress", "queued", "searching", "interpreting", "generating",
  ]

  /// Images are told to be generated still when they are done, Azure's searches are searching, and
  /// calls that a program makes are left in progress.
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

  /// Compares with `item`, which the terminal event has at `index`.
  mutating func compare(
    with item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>, at index: Int,
    _ report: inout CheckReport
  ) {
    let head = ItemHead(line.extracting(item))
    let told = ItemCatalogue.kin(of: head.type)
    guard told == type || type.isEmpty else {
      return report.add(
        .outputMismatch, "output[\(index)] of type \(told)", expected: "type \(type), as it came")
    }
    type = told
    if !id.isEmpty, head.id != id {
      report.add(.idMismatch, "item \(head.id)", expected: id, ofPart: true)
    }
    compareValues(with: item, of: event, line, by: .outputMismatch, &report)
  }
}

/// What every item has; empty what it does not.
struct ItemHead {
  private(set) var (id, type, status) = ("", "", "")
  /// A hash of the id.
  var idHash: UInt64 { Array(id.utf8).span.mixed(into: 0) }

  /// That of the item at `place` in the line of `event`.
  init(_ place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    func text(_ value: Range<Int>?) -> String {
      value.map { JSONString.text(line.extracting($0)) } ?? ""
    }
    id = text(event.members.value(of: "id", inside: place, of: line))
    type = text(event.members.value(of: "type", inside: place, of: line))
    status = text(event.members.value(of: "status", inside: place, of: line))
  }

  /// The same in one walk.
  init(_ item: Span<UInt8>) {
    var members = JSONChildren()
    var left = 3
    var (id, type, status): (Range<Int>?, Range<Int>?, Range<Int>?)
    while left > 0, let member = members.next(in: item) {
      let name = item.extracting(member.name)
      if id == nil, JSONChildren.isName(name, "id") {
        (id, left) = (member.value, left - 1)
      } else if type == nil, JSONChildren.isName(name, "type") {
        (type, left) = (member.value, left - 1)
      } else if status == nil, JSONChildren.isName(name, "status") {
        (status, left) = (member.value, left - 1)
      }
    }
    func text(_ place: Range<Int>?) -> String {
      place.map { JSONString.text(item.extracting($0)) } ?? ""
    }
    (self.id, self.type, self.status) = (text(id), text(type), text(status))
  }
}
