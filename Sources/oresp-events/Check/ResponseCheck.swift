import Core

/// Follows one response from its first event to its end. `Event.step` says where it is.
struct ResponseCheck {
  private enum State {
    /// No event of it came.
    case unseen
    /// Events of it came, but none that begins it.
    case inside
    case open, failed, ended
  }

  private(set) var id = ""
  private var name: Response?
  private var state = State.unseen
  /// Whether its very first event came; else missing events may have come before.
  private var isWhole = false
  private var hasEventAfterEnd = false
  private var expectedEnd = "response.completed, or another"
  private var sequence = SequenceCheck()
  /// The items that came, of which `items` keeps the values.
  private var router: ItemRouter { name?.items ?? ItemRouter() }
  private var items = ItemChecks()
  /// The index after the highest of its items.
  private var nextIndex = 0

  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, isLifecycle: Bool,
    _ report: inout CheckReport
  ) {
    let isCreated = isLifecycle && event.type?.phase == .start
    name = event.response
    if name?.isSecondEnd == true {
      return report.add(.twoEnds, expected: "one terminal event")
    }
    if isLifecycle { check(id: report.subject.responseID, &report) }
    sequence.check(report.subject.sequenceNumber, isFirst: isCreated, &report)
    guard let type = event.type, event.step != .again || state == .ended else { return }
    switch type.family {
    case .keepalive, .metadata, .websocket, .websocketClient: return
    default: break
    }
    if state == .ended { return checkAfterEnd(&report) }
    let standsAlone = type.family.standsAlone
    if state == .unseen {
      (state, isWhole) = (.inside, isCreated || standsAlone)
      // By the standard a stream may go on from another, as its numbers show.
      let goesOn = report.level == .openResponses && report.subject.sequenceNumber ?? 0 > 0
      if !isWhole, event.step != .fails, !goesOn {
        report.add(.noBeginning, expected: "response.created first")
      }
    }
    switch event.step {
    case .begins where event.isBeginning: state = .open
    case .begins, .inside:
      if !standsAlone { checkItem(type, event, line, &report) }
    case .fails: state = .failed
    case .ends:
      state = .ended
      if !standsAlone { end(event, line, &report) }
    case .none, .again: break
    }
    if standsAlone {
      expectedEnd = "the event that ends the \(type.family.rawValue)"
      if !type.values.isEmpty { checkItem(type, event, line, &report) }
    }
  }

  /// Ends the response's events.
  func finish(_ report: inout CheckReport) {
    guard state == .inside || state == .open else { return }
    report.add(
      .noEnd, "no terminal event", expected: expectedEnd, isStrict: state == .inside, of: id)
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
    if type.phase == .delta, items.append(type, event, line, to: number) { return }
    guard router.items.indices.contains(number) else { return }
    if type.family == .outputItem, event.object(of: "item", in: line) == nil { return }
    let starts = type.family == .outputItem && type.phase == .start
    let index = event.integer(of: "output_index", in: line) ?? router.items[number].place
    let isNew = !items.has(number)
    report.subject.outputIndex = index
    if starts, !isNew || router.isShared(index) {
      report.add(.addedTwice, "output[\(index)] again", expected: "an item once")
      // An item that is opened again behind its end comes again as a whole.
      if !isNew, !items.isDone(number) { return }
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
    if isNew || starts { items.set(number, ItemCheck(wasAdded: starts, isWhole: isWhole)) }
    let known = router
    items.handle(event, line, of: number, known.identity(of: number), &report)
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
    items = ItemChecks()
  }

  private func checkItemsAreDone(_ report: inout CheckReport) {
    let open = items.openNumbers.sorted {
      (router.items[$0].place, $0) < (router.items[$1].place, $1)
    }
    for number in open {
      let (index, type) = (router.items[number].place, items.type(of: number))
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
      if items.count == 0 { return }
      return report.add(.outputMissing, "no output", expected: "the \(items.count) items that came")
    }
    guard isWhole else { return }
    if output.count != items.count {
      report.add(
        .outputMismatch, "\(output.count) items of output",
        expected: "the \(items.count) that came")
    }
    if isAsStreamed(output, in: line) { return }
    let known = router
    let matches = known.matches(of: output.map { ItemIdentity(line.extracting($0)) })
    var left: ArraySlice<Int> = []
    if matches.contains(nil) {
      let taken = Set(matches)
      left = known.inOrder.filter { items.has($0) && !taken.contains($0) }[...]
    }
    for (index, place) in output.enumerated() {
      guard let number = matches[index] ?? left.popFirst(), items.has(number) else { continue }
      report.subject.outputIndex = index
      items.compare(
        number, known.identity(of: number), with: place, of: event, line, at: index, &report)
    }
    report.subject.outputIndex = nil
  }

  /// Whether each item of `output` has the very bytes with which it ended.
  private func isAsStreamed(_ output: [Range<Int>], in line: Span<UInt8>) -> Bool {
    guard output.count == items.count else { return false }
    for (index, place) in output.enumerated() {
      guard let number = router.number(at: index), router.items[number].place == index,
        items.has(number), items.ended(number, as: line.extracting(place))
      else { return false }
    }
    return true
  }
}
