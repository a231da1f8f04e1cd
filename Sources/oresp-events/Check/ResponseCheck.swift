import Core

/// Follows one response from its first event to its end. `Event.step` says where it is.
struct ResponseCheck {
  private(set) var id = ""
  private var response: Response?
  /// Follows the rules that only the level of the standard has.
  private var standard = StandardCheck()
  /// What findings on its end are about: its last event.
  private var last = CheckReport.Subject()
  /// Whether its very first event came, else missing events may have come before; `nil` before any
  /// event.
  private var startsWhole: Bool?
  private var isWhole: Bool { startsWhole == true }
  /// Whether an event that begins it came, an error, and one that ends it.
  private var hasBegun = false
  private var hasFailed = false
  private var hasEnded = false
  private var hasEventAfterEnd = false
  private var expectedEnd = "response.completed, or another"
  private var sequence = SequenceCheck()
  private var router: ItemRouter { response?.items ?? ItemRouter() }
  /// The items by their numbers (`Event.item`); `nil` for one of which no event was checked.
  private var items: [ItemCheck?] = []
  private var itemCount: Int { items.count { $0 != nil } }
  /// The index after the highest of its items.
  private var nextIndex = 0

  /// Checks an event of the response, the subject of `report`.
  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    defer { last = report.subject }
    let isLifecycle = event.type?.family == .lifecycle
    let isDocument = report.isDocument(event, line)
    if event.step == .again, event.isTerminal {
      if !isDocument { report.add(.twoEnds, expected: "one terminal event") }
      return
    }
    let findings = report.count
    report.checkFrame(event, line)
    if report.level == .openResponses {
      standard.handle(event, line, isDocument: isDocument, &report)
      if isDocument, event.type != nil { return }
    }
    report.checkLine(event, line)
    // An event with a finding of its own does not differ because of extensions.
    report.hasExtensions = standard.hasExtensions && report.count == findings
    if event.step != .none { check(event, line, isLifecycle: isLifecycle, &report) }
  }

  private mutating func check(
    _ event: borrowing Event, _ line: Span<UInt8>, isLifecycle: Bool,
    _ report: inout CheckReport
  ) {
    let isCreated = isLifecycle && event.type?.phase == .start
    response = event.response
    if response?.isSecondEnd == true {
      return report.add(.twoEnds, expected: "one terminal event")
    }
    if isLifecycle { check(id: report.subject.responseID, &report) }
    sequence.check(report.subject.sequenceNumber, isFirst: isCreated, &report)
    guard let type = event.type, event.step != .again || hasEnded else { return }
    switch type.family {
    case .keepalive, .metadata, .websocket, .websocketClient: return
    default: break
    }
    if hasEnded { return checkAfterEnd(&report) }
    let standsAlone = type.family.standsAlone
    if startsWhole == nil {
      startsWhole = isCreated || standsAlone
      // By the standard a stream may go on from another, as its numbers show.
      let goesOn = report.level == .openResponses && report.subject.sequenceNumber ?? 0 > 0
      if !isWhole, event.step != .fails, !goesOn {
        report.add(.noBeginning, expected: "response.created first")
      }
    }
    hasBegun = hasBegun || event.isBeginning
    hasFailed = hasFailed || event.step == .fails
    hasEnded = event.step == .ends
    if hasEnded, !standsAlone { end(event, line, &report) }
    if event.step == .begins && !event.isBeginning || event.step == .inside, !standsAlone {
      checkItem(type, event, line, &report)
    }
    if standsAlone {
      expectedEnd = "the event that ends the \(type.family.rawValue)"
      if !type.values.isEmpty { checkItem(type, event, line, &report) }
    }
  }

  /// Ends the response's events.
  func finish(_ report: inout CheckReport) {
    report.subject = last
    report.subject.clear()
    standard.finish(&report, of: id)
    guard startsWhole != nil, !hasFailed, !hasEnded else { return }
    report.add(.noEnd, "no terminal event", expected: expectedEnd, isStrict: !hasBegun, of: id)
  }

  private mutating func check(id other: String, _ report: inout CheckReport) {
    if id.isEmpty { id = other }
    report.subject.responseID = id
    if !other.isEmpty, other != id {
      report.add(.idMismatch, "response \(other)", expected: id)
    }
  }

  /// Reports the first event behind the end.
  private mutating func checkAfterEnd(_ report: inout CheckReport) {
    if !hasEventAfterEnd {
      report.add(.eventAfterEnd, expected: "nothing after the terminal event")
    }
    hasEventAfterEnd = true
  }

  /// Hands an event that is about an item to that item.
  private mutating func checkItem(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    switch type.family {
    case .audio, .audioTranscript, .lifecycle: return
    default: break
    }
    // Most events go on with the value of the event before.
    let number = event.item
    guard router.items.indices.contains(number) else { return }
    while items.count <= number { items.append(nil) }
    if event.goesOn, items[number]?.append(event, line) == true { return }
    if type.family == .outputItem, event.object(of: "item", in: line) == nil { return }
    let starts = type.family == .outputItem && type.phase == .start
    let index = event.integer(of: "output_index", in: line) ?? router.items[number].place
    let isNew = items[number] == nil
    report.subject.outputIndex = index
    if starts, !isNew || router.isShared(index) {
      report.add(.addedTwice, "output[\(index)] again", expected: "an item once")
      // An item that is opened again behind its end comes again as a whole.
      if items[number]?.isDone == false { return }
    } else if !starts, isNew, !type.family.standsAlone,
      isWhole || report.level != .openResponses
    {
      report.add(
        type.phase == .done ? .doneWithoutAdded : .deltaWithoutAdded,
        expected: "response.output_item.added for output[\(index)] before", isStrict: !isWhole)
    }
    if isNew {
      checkGap(before: index, &report)
      nextIndex = max(nextIndex, index &+ 1)
    }
    if isNew || starts { items[number] = ItemCheck(wasAdded: starts, isWhole: isWhole) }
    items[number]?.handle(event, line, &report)
  }

  private func checkGap(before index: Int, _ report: inout CheckReport) {
    guard isWhole, index > nextIndex else { return }
    report.add(.indexGap, "output[\(index)]", expected: "output[\(nextIndex)]")
  }

  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let status = event.text(of: "response", "status", in: line)
    let isCompleted =
      status.isEmpty
      ? event.type?.row.name.description == "response.completed" : status == "completed"
    // Careful readers do not wait for the ends of the items of a response that was cut short.
    let isCut = status == "incomplete" && report.level == .openResponses
    if isCompleted || isCut { checkItemsAreDone(&report) }
    checkOutput(of: event, line, &report)
    // Nothing more is compared with the items.
    items = []
  }

  private func checkItemsAreDone(_ report: inout CheckReport) {
    for number in router.inOrder {
      guard let item = item(number), item.wasAdded, !item.isDone else { continue }
      let index = router.items[number].place
      let type = item.type
      report.subject.outputIndex = index
      report.add(
        .addedWithoutDone, "the end of the response",
        expected: "response.output_item.done for output[\(index)], "
          + (type.isEmpty ? "an item" : type) + ", before",
        isStrict: ItemCatalogue.row(of: type)?.quirks.contains(.mayLackEnd) == true)
    }
    report.subject.outputIndex = nil
  }

  /// Compares the output in the terminal event with the items that came.
  private mutating func checkOutput(
    of event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let output = event.output
    guard !output.isEmpty else {
      if itemCount == 0 { return }
      return report.add(.outputMissing, "no output", expected: "the \(itemCount) items that came")
    }
    guard isWhole else { return }
    if output.count != itemCount {
      report.add(
        .outputMismatch, "\(output.count) items of output", expected: "the \(itemCount) that came")
    }
    if isAsStreamed(output, in: line) { return }
    let known = router
    let matches = known.matches(of: output.map { ItemIdentity(line.extracting($0)) })
    var left: ArraySlice<Int> = []
    if matches.contains(nil) {
      let taken = Set(matches)
      left = known.inOrder.filter { item($0) != nil && !taken.contains($0) }[...]
    }
    for (index, place) in output.enumerated() {
      guard let number = matches[index] ?? left.popFirst(), item(number) != nil else { continue }
      report.subject.outputIndex = index
      items[number]?.compare(with: place, of: event, line, at: index, &report)
    }
    report.subject.outputIndex = nil
  }

  /// Whether each item of `output` has the very bytes with which it ended.
  private func isAsStreamed(_ output: [Range<Int>], in line: Span<UInt8>) -> Bool {
    guard output.count == itemCount else { return false }
    for (index, place) in output.enumerated() {
      guard let number = router.number(at: index), router.items[number].place == index,
        item(number)?.hasEnded(as: line.extracting(place)) == true
      else { return false }
    }
    return true
  }

  /// The item `number`; `nil` when no event of it was checked.
  private func item(_ number: Int) -> ItemCheck? { number < items.count ? items[number] : nil }
}
