import Core

/// Follows one item of a response's output.
struct ItemCheck {
  private(set) var type = ""
  private(set) var id = ""
  private(set) var isDone = false
  /// Whether it was opened, and so its parts must be.
  let wasAdded: Bool
  /// Whether nothing can have come before what was seen.
  let isWhole: Bool
  /// The last state that events told which is an end.
  private var state = ""
  private var hasToldType = false
  var parts: [PartKey: PartCheck] = [:]

  init(wasAdded: Bool, isWhole: Bool) { (self.wasAdded, self.isWhole) = (wasAdded, isWhole) }

  var shownType: String { type.isEmpty ? "an item" : type }

  mutating func take(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    if row.family == .outputItem {
      guard let place = members.item else { return }
      let item = line.extracting(place)
      if row.phase == .start { note(item) } else { takeDone(item, &report) }
      return
    }
    checkIdentity(row, members, line, &report)
    if isDone {
      return report.add(
        .deltaAfterDone, report.subject.type, expected: "nothing behind the end of \(shownType)")
    }
    let part = line.extracting(members.part ?? 0..<0)
    let partType = JSONChildren.text(of: "type", in: part)
    guard let kind = ValueKind(row, part: partType) else { return takeState(row) }
    if !part.isEmpty {
      takePart(part, row, kind, PartKey(kind, members), &report)
    } else {
      takeValue(row, kind, members, line, &report)
    }
  }

  private mutating func note(_ item: Span<UInt8>) {
    type = JSONChildren.text(of: "type", in: item)
    id = JSONChildren.text(of: "id", in: item)
  }

  private mutating func takeState(_ row: EventCatalogue.Row) {
    let name = row.name.description
    for end in ["completed", "failed"] where row.phase == .status && name.hasSuffix("." + end) {
      state = end
    }
  }

  private mutating func checkIdentity(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let told = members.itemID.map { JSONString.text(line.extracting($0)) } ?? ""
    if !told.isEmpty, !id.isEmpty, told != id {
      report.add(.idMismatch, "item_id \(told)", expected: id)
    }
    guard let expected = row.family.itemType, !type.isEmpty, expected != type,
      !hasToldType
    else { return }
    hasToldType = true
    report.add(
      .itemType, "\(report.subject.type) for an item of type \(type)",
      expected: "one of type \(expected)", isStrict: row.standing != .official)
  }

  private mutating func takeDone(_ item: Span<UInt8>, _ report: inout CheckReport) {
    if isDone { return report.add(.doneTwice, "the item again", expected: "its end once") }
    isDone = true
    let (known, knownID) = (type, id)
    note(item)
    if !known.isEmpty, known != type {
      report.add(.itemType, "an item of type \(type)", expected: known)
    }
    if !knownID.isEmpty, knownID != id { report.add(.idMismatch, "item \(id)", expected: knownID) }
    checkStatus(of: item, &report)
    checkPartsAreDone(&report)
    compareValues(with: item, by: nil, &report)
  }

  /// Images are told to be generated still when they are done.
  private func checkStatus(of item: Span<UInt8>, _ report: inout CheckReport) {
    let status = JSONChildren.text(of: "status", in: item)
    if ["in_progress", "queued", "searching", "interpreting", "generating"].contains(status) {
      report.add(
        .itemStatus, "\(shownType) that is \(status) at its end", expected: "completed, or another",
        isStrict: type == "image_generation_call")
    } else if !state.isEmpty, status == "completed" || status == "failed", status != state {
      report.add(.itemStatus, "\(shownType) that is \(status)", expected: "\(state), as was told")
    }
  }

  /// Compares with `item`, which the terminal event has at `index`.
  mutating func compare(with item: Span<UInt8>, at index: Int, _ report: inout CheckReport) {
    let told = JSONChildren.text(of: "type", in: item)
    guard told == type || type.isEmpty else {
      return report.add(
        .outputMismatch, "output[\(index)] of type \(told)", expected: "type \(type), as it came")
    }
    let toldID = JSONChildren.text(of: "id", in: item)
    if !id.isEmpty, toldID != id { report.add(.idMismatch, "item \(toldID)", expected: id) }
    compareValues(with: item, by: .outputMismatch, &report)
  }
}
