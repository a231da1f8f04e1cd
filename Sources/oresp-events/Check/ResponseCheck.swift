import Core

/// Follows one response from its first event to its end. `Event.step` says where it is.
struct ResponseCheck {
  /// Follows the rules that only the level of the standard has.
  private var standard = StandardCheck()
  private var sequence = SequenceCheck()
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
  /// The items by their numbers (`Event.item`); `nil` for one of which no event was checked.
  private var items: [ItemCheck?] = []
  private var itemCount = 0
  /// The index after the highest of its items.
  private var nextIndex = 0

  /// Checks an event of `response`, the subject of `report`.
  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, of response: Response,
    _ report: inout CheckReport
  ) {
    defer { last = report.subject }
    let isDocument = report.isDocument(event, line)
    if event.isTerminal, event.step == .again || response.isSecondEnd && !isDocument {
      if !isDocument { report.add(.twoEnds, expected: "one terminal event") }
      return
    }
    report.checkFrame(event, line)
    if report.level == .openResponses {
      standard.handle(
        event, line, isDocument: isDocument, behind: isWhole ? itemCount : nil, nextIndex, &report)
      if isDocument, event.type != nil { return }
    }
    report.checkLine(event, line)
    report.hasExtensions = standard.hasExtensions
    if event.step != .none { check(event, line, of: response, &report) }
  }

  private mutating func check(
    _ event: borrowing Event, _ line: Span<UInt8>, of response: Response,
    _ report: inout CheckReport
  ) {
    let isLifecycle = event.type?.family == .lifecycle
    let isCreated = isLifecycle && event.type?.phase == .start
    if isLifecycle {
      let id = event.text(of: "response", "id", in: line)
      let own = String(decoding: response.id, as: UTF8.self)
      if !id.isEmpty, !own.isEmpty, id != own {
        report.add(.idMismatch, "response \(id)", expected: own)
      }
    }
    sequence.check(report.subject.sequenceNumber, isFirst: isCreated, &report)
    guard let type = event.type, event.step != .again || hasEnded else { return }
    switch type.family {
    case .keepalive, .metadata, .websocket, .websocketClient: return
    default: break
    }
    if hasEnded {
      if !hasEventAfterEnd {
        report.add(.eventAfterEnd, expected: "nothing after the terminal event")
      }
      hasEventAfterEnd = true
      return
    }
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
    if hasEnded, !standsAlone {
      end(event, line, response.items, &report)
    } else if event.item >= 0 {
      checkItem(type, event, line, of: response, &report)
    }
  }

  /// Ends the response's events.
  func finish(_ report: inout CheckReport) {
    report.subject = last
    report.subject.clear()
    standard.finish(&report)
    guard startsWhole != nil, !hasFailed, !hasEnded else { return }
    report.add(.noEnd, "no terminal event", expected: "one", isStrict: !hasBegun)
  }

  /// Hands an event that is about an item of `response` to that item.
  private mutating func checkItem(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>, of response: Response,
    _ report: inout CheckReport
  ) {
    // No item has sound that comes in events.
    if type.family == .audio || type.family == .audioTranscript { return }
    let number = event.item
    while items.count <= number { items.append(nil) }
    if type.family == .outputItem, event.object(of: "item", in: line) == nil { return }
    let starts = type.family == .outputItem && type.phase == .start
    let index = report.subject.outputIndex ?? response.place(ofItem: number) ?? number
    let isNew = items[number] == nil
    report.subject.outputIndex = index
    if starts, !isNew || response.items.isShared(index) {
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
      if isWhole, index > nextIndex {
        report.add(.indexGap, "output[\(index)]", expected: "output[\(nextIndex)]")
      }
      nextIndex = max(nextIndex, index &+ 1)
      itemCount += 1
    }
    if isNew || starts { items[number] = ItemCheck(wasAdded: starts, isWhole: isWhole) }
    items[number]?.handle(event, line, &report)
  }

  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, _ known: ItemRouter,
    _ report: inout CheckReport
  ) {
    let status = event.text(of: "response", "status", in: line)
    let isCompleted =
      status.isEmpty
      ? event.type?.row.name.description == "response.completed" : status == "completed"
    // Careful readers do not wait for the ends of the items of a response that was cut short.
    let isCut = status == "incomplete" && report.level == .openResponses
    if isCompleted || isCut { checkItemsAreDone(known, &report) }
    checkOutput(of: event, line, known, &report)
    report.subject.outputIndex = nil
    // Nothing more is compared with the items.
    items = []
  }

  private func checkItemsAreDone(_ known: ItemRouter, _ report: inout CheckReport) {
    for number in known.inOrder {
      guard let item = item(number), item.wasAdded, !item.isDone else { continue }
      let index = known.items[number].place
      report.subject.outputIndex = index
      report.add(
        .addedWithoutDone, "the end of the response",
        expected: "response.output_item.done for output[\(index)], \(item.shownType), before",
        isStrict: ItemCatalogue.row(of: item.type)?.mayLackEnd == true)
    }
    report.subject.outputIndex = nil
  }

  /// Compares the output in the terminal event with the items that came.
  private mutating func checkOutput(
    of event: borrowing Event, _ line: Span<UInt8>, _ known: ItemRouter,
    _ report: inout CheckReport
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
    let matches = known.matches(of: output, in: line)
    let taken = Set(matches)
    var left = known.inOrder.filter { item($0) != nil && !taken.contains($0) }[...]
    for (index, place) in output.enumerated() {
      guard let number = matches[index] ?? left.popFirst(), item(number) != nil else { continue }
      report.subject.outputIndex = index
      items[number]?.compare(with: place, of: event, line, at: index, &report)
    }
  }

  /// The item `number`; `nil` when no event of it was checked.
  private func item(_ number: Int) -> ItemCheck? { number < items.count ? items[number] : nil }
}
