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
  let isWhole: Bool
  private(set) var id = ""
  /// The last `item_id` that was compared with `id`, as it is spelled.
  private var comparedID: [UInt8] = []
  /// The last end that events named: `completed` or `failed`.
  private var state = ""
  private(set) var hasReportedType = false
  /// Its values, in the order in which they came, and the index of each in `parts`.
  var parts: [PartCheck] = []
  var numbers: [PartKey: Int] = [:]
  /// The last event, if it brought a delta: its type, the number of its part, and that part's
  /// index.
  var growing: (type: EventType, index: Int, part: Int)?
  /// The highest index in each list.
  var highest: [(list: TextName, index: Int)] = []

  init(wasAdded: Bool, isWhole: Bool) { (self.wasAdded, self.isWhole) = (wasAdded, isWhole) }

  /// An item that ended, with the values that were kept of it.
  init(ended: ArraySlice<EndedPart>, type: String, id: String, hasReportedType: Bool) {
    self.init(wasAdded: true, isWhole: true)
    (self.type, self.id, self.hasReportedType, isDone) = (type, id, hasReportedType, true)
    for part in ended { add(PartCheck(part)) }
  }

  var shownType: String { type.isEmpty ? "an item" : type }

  /// Appends the delta of an event, if it goes on with the value of the event before; else false.
  @inline(__always)
  mutating func append(_ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard let growing, growing.type == type, growing.index == event.partIndex(in: line),
      !type.hasOwnDelta, let delta = event.value(of: "delta", in: line),
      event.object(of: "part", in: line) == nil, !parts[growing.part].isDone,
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
    if let part = event.object(of: "part", in: line), !values.isEmpty {
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
