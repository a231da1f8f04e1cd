import Core

/// Follows one response from its first event to its end.
struct ResponseCheck {
  private enum State {
    case waiting, open
    /// An error was told; a terminal event may follow.
    case failed
    case ended
  }

  private(set) var id = ""
  private var state = State.waiting
  /// Whether its very first event was seen; otherwise what is missing may have come before.
  private(set) var isWhole = false
  /// Whether it was seen to run, so that it must end.
  private var hasBeginning = false
  private var hasEventAfterEnd = false
  private var sequence = SequenceCheck()
  /// By their place in the output.
  var items: [Int: ItemCheck] = [:]
  /// The place behind the last item's.
  var nextIndex = 0
  /// The place of the item that the last event was about.
  var lastIndex: Int?

  /// Takes an event; `row` is `nil` when its type is not known.
  mutating func take(
    _ row: EventCatalogue.Row?, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    let isAboutResponse = row?.family == .lifecycle
    let told = isAboutResponse ? JSONChildren.text(of: "response", "id", in: line) : ""
    if let row, startsAnother(row, id: told) {
      finish(&report)
      self = ResponseCheck()
      report.subject.responseID = told
    }
    if let number = members.sequenceNumber {
      sequence.take(number, isFirst: isAboutResponse && row?.phase == .start, &report)
    }
    guard let row else { return }
    switch row.family {
    case .keepalive, .metadata, .websocket, .websocketClient: break
    case .lifecycle:
      check(id: told, &report)
      takeLifecycle(row, members, line, &report)
    case .error: if isBeforeEnd(&report) { state = .failed }
    default:
      guard isBeforeEnd(&report) else { return }
      begin(&report)
      takeItemEvent(row, members, line, &report)
    }
  }

  /// Takes the end of the response's events.
  mutating func finish(_ report: inout CheckReport) {
    guard state == .open else { return }
    report.add(
      .noEnd, "no terminal event", expected: "response.completed, or another",
      isStrict: !hasBeginning)
  }

  private func startsAnother(_ row: EventCatalogue.Row, id told: String) -> Bool {
    guard row.family == .lifecycle else { return false }
    if row.phase == .start { return true }
    return row.phase == .status && state == .ended && !told.isEmpty && told != id
  }

  private mutating func check(id told: String, _ report: inout CheckReport) {
    if !id.isEmpty, !told.isEmpty, told != id {
      report.add(.idMismatch, "response \(told)", expected: id)
    }
    if id.isEmpty { id = told }
    report.subject.responseID = id
  }

  private mutating func takeLifecycle(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    switch row.phase {
    case .start: (state, isWhole, hasBeginning) = (.open, true, true)
    case .terminal: end(row, members, line, &report)
    default:
      // It is about the connection.
      if row.name.description == "response.connecting" { return }
      guard isBeforeEnd(&report) else { return }
      begin(&report)
      hasBeginning = true
    }
  }

  private mutating func begin(_ report: inout CheckReport) {
    guard state == .waiting else { return }
    state = .open
    report.add(.noBeginning, report.subject.type, expected: "response.created first")
  }

  /// Whether the response goes on; what comes behind its end is reported once.
  private mutating func isBeforeEnd(_ report: inout CheckReport) -> Bool {
    guard state == .ended else { return true }
    if !hasEventAfterEnd {
      report.add(.eventAfterEnd, report.subject.type, expected: "nothing behind the terminal event")
    }
    hasEventAfterEnd = true
    return false
  }

  private mutating func end(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    if state == .ended {
      return report.add(.twoEnds, report.subject.type, expected: "one terminal event")
    }
    begin(&report)
    state = .ended
    let response = line.extracting(members.response ?? 0..<0)
    let status = JSONChildren.text(of: "status", in: response)
    let isCompleted =
      status.isEmpty ? row.name.description == "response.completed" : status == "completed"
    if isCompleted { checkItemsAreDone(&report) }
    checkOutput(of: response, &report)
    // Nothing more is compared with them.
    items = [:]
  }
}
