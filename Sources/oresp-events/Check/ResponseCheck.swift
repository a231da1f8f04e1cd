import Core

/// Follows one response from its first event to its end.
struct ResponseCheck {
  private(set) var id = ""
  /// That of the stream, over all its responses.
  private var life: Lifecycle
  /// Whether an event of the response came.
  private var isSeen = false
  /// Whether its very first event was seen; otherwise what is missing may have come before.
  private var isWhole = false
  private var hasEventAfterEnd = false
  private var expectedEnd = "response.completed, or another"
  private var sequence: SequenceCheck
  private var router = ItemRouter()
  /// The items, by the router's numbers.
  private var items: [ItemCheck] = []
  /// The place behind the last item's.
  private var nextIndex = 0

  private let report: CheckReport

  init(_ report: CheckReport, after life: Lifecycle = Lifecycle()) {
    (self.report, self.life, sequence) = (report, life, SequenceCheck(report))
  }

  mutating func handle(_ event: Event, _ members: EventMembers, _ line: Span<UInt8>) {
    let type = event.type
    if event.step.isFirst, [.fails, .inside].contains(event.step.kind) {
      finish()
      self = ResponseCheck(report)
    }
    // The flags alone: a copy of all of it costs each event a string.
    let (wasOpen, hadFailed, hadEnded) = (life.isOpen, life.hasFailed, life.hasEnded)
    let isAboutResponse = type?.family == .lifecycle
    let told = isAboutResponse ? event.text(of: "response", "id", in: line) : ""
    let isOfFormer = hadEnded && !told.isEmpty && told == life.id
    var step = life.handle(event, line)
    if step.kind == .ends, isOfFormer { step.isFirst = false }
    let isCreated = isAboutResponse && type?.phase == .start
    if step.isFirst, isCreated || step.leavesCut || hadEnded {
      finish(wasOpen: wasOpen, isOver: hadFailed || hadEnded)
      self = ResponseCheck(report, after: life)
    }
    if isAboutResponse { check(id: told) }
    if let number = members.sequenceNumber {
      sequence.take(number, isFirst: isCreated)
    } else {
      sequence.passUnnumbered()
    }
    guard let type else { return }
    let family = type.family
    switch family {
    case .keepalive, .metadata, .websocket, .websocketClient: return
    default: break
    }
    if hadEnded, !step.isFirst { return checkAfterEnd(step) }
    let standsAlone = family.standsAlone
    // By the standard a stream may go on from another, as its numbers tell.
    let goesOn = report.level == .openResponses && members.sequenceNumber ?? 0 > 0
    begin(isCreated: isCreated || standsAlone, isLater: step.kind == .fails || goesOn)
    switch step.kind {
    case _ where standsAlone:
      expectedEnd = "the event that ends the \(family.rawValue)"
      if !type.values.isEmpty { checkItem(type, members, line) }
    case .ends: end(type, members, line)
    case .inside: checkItem(type, members, line)
    default: break
    }
  }

  /// Takes the end of the input.
  mutating func finish() {
    finish(wasOpen: life.isOpen, isOver: life.hasFailed || life.hasEnded)
  }

  /// Takes the end of the response's events.
  private func finish(wasOpen: Bool, isOver: Bool) {
    guard isSeen, !isOver else { return }
    report.add(.noEnd, "no terminal event", expected: expectedEnd, isStrict: !wasOpen)
  }

  private mutating func check(id told: String) {
    if !id.isEmpty, !told.isEmpty, told != id {
      report.add(.idMismatch, "response \(told)", expected: id)
    }
    if id.isEmpty { id = told }
    report.subject.responseID = id
  }

  private mutating func begin(isCreated: Bool, isLater: Bool) {
    guard !isSeen else { return }
    (isSeen, isWhole) = (true, isCreated)
    if !isCreated, !isLater {
      report.add(.noBeginning, report.subject.type, expected: "response.created first")
    }
  }

  /// What comes behind the end is reported once, another end each time.
  private mutating func checkAfterEnd(_ step: Lifecycle.Step) {
    if step.kind == .ends {
      return report.add(.twoEnds, report.subject.type, expected: "one terminal event")
    }
    if !hasEventAfterEnd {
      report.add(.eventAfterEnd, report.subject.type, expected: "nothing behind the terminal event")
    }
    hasEventAfterEnd = true
  }

  /// Hands an event that is about an item to that item.
  private mutating func checkItem(
    _ type: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    switch type.family {
    case .audio, .audioTranscript, .lifecycle: return
    default: break
    }
    let starts = type.family == .outputItem && type.phase == .start
    let number = router.item(of: type, members, line)
    let index = members.outputIndex ?? router.items[number].place
    let isNew = number == items.count
    report.subject.outputIndex = index
    if starts, !isNew || router.isShared(index) {
      report.add(.addedTwice, "output[\(index)] again", expected: "an item once")
      // One that is opened again behind its end comes again as a whole.
      if !isNew, !items[number].isDone { return }
    } else if !starts, isNew, !type.family.standsAlone,
      isWhole || report.level != .openResponses
    {
      report.add(
        type.phase == .done ? .doneWithoutAdded : .deltaWithoutAdded, report.subject.type,
        expected: "response.output_item.added for output[\(index)] before", isStrict: !isWhole)
    }
    if isNew {
      checkGap(before: index)
      nextIndex = max(nextIndex, index &+ 1)
      items.append(ItemCheck(report, wasAdded: starts, isWhole: isWhole))
    } else if starts {
      items[number] = ItemCheck(report, wasAdded: true, isWhole: isWhole)
    }
    items[number].handle(type, members, line)
  }

  private func checkGap(before index: Int) {
    guard isWhole, index > nextIndex else { return }
    report.add(.indexGap, "output[\(index)]", expected: "output[\(nextIndex)]")
  }

  private mutating func end(
    _ type: EventType, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    let response = line.extracting(members.response ?? 0..<0)
    let status = JSONChildren.text(of: "status", in: response)
    let isCompleted =
      status.isEmpty ? type.row.name.description == "response.completed" : status == "completed"
    // Careful readers do not wait for the ends of the items of a response that was cut short.
    let isCut = status == "incomplete" && report.level == .openResponses
    if isCompleted || isCut { checkItemsAreDone() }
    checkOutput(of: response)
    // Nothing more is compared with them.
    (items, router) = ([], ItemRouter())
  }

  private func checkItemsAreDone() {
    for number in router.inOrder where items[number].wasAdded && !items[number].isDone {
      let (index, item) = (router.items[number].place, items[number])
      report.subject.outputIndex = index
      report.add(
        .addedWithoutDone, "the end of the response",
        expected: "response.output_item.done for output[\(index)], \(item.shownType), before",
        isStrict: ItemCatalogue.row(of: item.type)?.quirks.contains(.mayLackEnd) == true)
    }
    report.subject.outputIndex = nil
  }

  /// Compares the output of the terminal event with the items that came.
  private mutating func checkOutput(of response: Span<UInt8>) {
    let output = JSONChildren.elements(of: "output", in: response)
    guard !output.isEmpty else {
      if items.isEmpty { return }
      return report.add(.outputMissing, "no output", expected: "the \(items.count) items that came")
    }
    guard isWhole else { return }
    if output.count != items.count {
      report.add(
        .outputMismatch, "\(output.count) items of output",
        expected: "the \(items.count) that came")
    }
    let matches = router.matches(of: output.map { ItemIdentity(response.extracting($0)) })
    let known = Set(matches)
    var left = router.inOrder.filter { !known.contains($0) }[...]
    for (index, place) in output.enumerated() {
      guard let number = matches[index] ?? left.popFirst() else { continue }
      report.subject.outputIndex = index
      items[number].compare(with: response.extracting(place), at: index)
    }
    report.subject.outputIndex = nil
  }
}
