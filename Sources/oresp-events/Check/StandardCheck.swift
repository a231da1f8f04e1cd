import Core

/// Follows one response by those rules of Open Responses that no other level has.
struct StandardCheck {
  private enum State { case unknown, queued, running, ended }

  private let report: CheckReport
  private var state = State.unknown
  /// The ids of its items, with the places of those.
  private var ids: [String: Int?] = [:]
  /// How many items events opened, the places of those that they opened or ended, and the highest.
  private var addedCount = 0
  private var places: Set<Int> = []
  private var lastPlace = 0
  /// What its Response objects lack, as far as that was told.
  private var lacking: Set<String> = []
  /// Whether the event that begins it came.
  private var isCreated = false
  /// Whether events came that are extensions.
  private(set) var hasExtensions = false
  /// Whether its last event but others than `response.failed` was an error.
  private var hasError = false
  /// The type of an item that ended incomplete.
  private var incomplete: String?

  init(_ report: CheckReport) { self.report = report }

  /// Takes an event; `isDocument` says that it was made of a whole document, and never sent so.
  mutating func handle(
    _ event: Event, _ members: EventMembers, _ line: Span<UInt8>, isDocument: Bool
  ) {
    let isLifecycle = event.type?.family == .lifecycle
    if event.step.isFirst || event.step.leavesCut || isDocument && isLifecycle {
      finish()
      self = StandardCheck(report)
    }
    // What is found about the end of the response before is told of that.
    let former = report.subject.responseID
    defer { report.subject.responseID = former }
    let response = line.extracting(members.response ?? 0..<0)
    let told = JSONChildren.text(of: "id", in: response)
    if isLifecycle, !told.isEmpty { report.subject.responseID = told }
    if !isDocument { check(event, members, line) }
    guard let type = event.type else { return }
    switch type.family {
    case .lifecycle where LineShape.isObject(response):
      checkMembers(of: response)
      if isDocument {
        checkOutput(of: response, isNew: true)
      } else {
        checkStatus(of: response, type)
      }
    case .error:
      checkError(line)
      let isInside = state == .queued || state == .running
      hasError = !isDocument && state != .ended && (isInside || event.block != nil)
    case .outputItem where !isDocument:
      if let item = members.item, line[item.lowerBound] == ASCII.openBrace {
        check(item: line.extracting(item), at: members.outputIndex, isDone: type.phase == .done)
      }
    default: break
    }
  }

  /// Takes the end of the response's events.
  func finish() {
    guard hasError else { return }
    report.add(.errorThenFailed, "the end of the stream", expected: "response.failed")
  }

  /// Checks what holds for every event, extensions too.
  private mutating func check(_ event: Event, _ members: EventMembers, _ line: Span<UInt8>) {
    let type = report.subject.type
    if let block = event.block {
      if block.id != nil { report.add(.noID, "an id field", expected: "none") }
      let name = block.name
      if !type.isEmpty, name.isEmpty || name.span.equals("message") {
        report.add(.eventName, "no event field", expected: "event: \(type)")
      }
    }
    if event.isUntypedBlock {
      report.add(.eventMembers, "no member type", expected: "the type of an event")
    }
    let isOwn = event.type == nil && Self.hasSlug(type)
    hasExtensions = hasExtensions || isOwn
    // What clients send, servers do not.
    let isStandard =
      event.type?.row.standing == .standard && event.type?.family != .websocketClient
    if !isStandard, !isOwn, !type.isEmpty {
      report.add(.eventType, type, expected: "a type of the standard, or one with a slug")
    }
    if members.sequenceNumber == nil {
      report.add(.eventMembers, "no integer sequence_number", expected: "one in each event")
    }
  }

  /// Whether `type` is that of an implementer's own events or items: a slug, a colon and a name.
  private static func hasSlug(_ type: String) -> Bool {
    let parts = type.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && !parts.contains("")
  }

  private mutating func check(item: Span<UInt8>, at place: Int?, isDone: Bool) {
    let type = checkMembers(of: item, isNew: !isDone, at: place)
    let status = JSONChildren.text(of: "status", in: item)
    let members = Self.itemMembers[type]
    if let place {
      places.insert(place)
      lastPlace = max(lastPlace, place)
    }
    if isDone {
      let isKnown = ["completed", "incomplete", ""].contains(status)
      if members != nil, !isKnown, !ItemCheck.runningStates.contains(status) {
        report.add(
          .itemState, "\(type) that is \(status)", expected: "completed or incomplete")
      }
      guard status == "incomplete" else { return }
      incomplete = type
      if let place, place < lastPlace {
        report.add(.incompleteLast, "an incomplete \(type) before another item", expected: "none")
      }
      return
    }
    addedCount += 1
    if state == .queued {
      state = .running
      report.add(
        .responseStatus, "an item of a queued response", expected: "response.in_progress before")
    }
    if let incomplete {
      report.add(.incompleteLast, "\(type) behind an incomplete \(incomplete)", expected: "none")
    }
    guard let members else { return }
    if !status.isEmpty, status != "in_progress" {
      report.add(
        .itemState, "\(type) that is \(status) at its beginning", expected: "in_progress")
    }
    if let faults = MemberList.words(of: members.faults(in: item)) {
      report.add(.itemBegins, faults, expected: "it, in \(type)")
    }
  }

  /// Checks what every item has, and gives its type.
  private mutating func checkMembers(
    of item: Span<UInt8>, isNew: Bool, at place: Int?
  ) -> String {
    let names: [StaticString] = ["id", "type", "status"]
    let missing = names.filter { JSONChildren.text(of: $0, in: item).isEmpty }
    let type = JSONChildren.text(of: "type", in: item)
    if !missing.isEmpty {
      let all = missing.map(\.description).joined(separator: ", ")
      report.add(.itemMembers, "no \(all)", expected: "it, in each item")
    }
    guard isNew else { return type }
    let id = JSONChildren.text(of: "id", in: item)
    if !id.isEmpty, let known = ids.updateValue(place, forKey: id), known != place {
      report.add(.itemMembers, "the id \(id) again", expected: "an id of its own")
    }
    let isNamed = type == "file_search_call" || Self.itemMembers[type] != nil
    if !type.isEmpty, !isNamed, !Self.hasSlug(type) {
      report.add(.itemKind, type, expected: "a type of the standard, or one with a slug")
    }
    return type
  }

  /// Checks the items of a whole Response; `isNew` says that they were not told of in events.
  private mutating func checkOutput(of response: Span<UInt8>, isNew: Bool) {
    let status = JSONChildren.text(of: "status", in: response)
    let output = JSONChildren.elements(of: "output", in: response)
    let cameCount = max(places.count, addedCount)
    if !isNew, isCreated, output.count > cameCount {
      report.add(
        .itemBegins, "\(output.count) items of output", expected: "the \(cameCount) that came")
    }
    for (index, place) in output.enumerated() {
      let item = response.extracting(place)
      report.subject.outputIndex = index
      let type = checkMembers(of: item, isNew: isNew, at: index)
      let itemStatus = JSONChildren.text(of: "status", in: item)
      if itemStatus == "in_progress", status == "completed" || status == "incomplete" {
        report.add(
          .itemState, "\(type) that is in_progress in a response that is \(status)",
          expected: "completed or incomplete")
      }
      if itemStatus == "incomplete", incomplete == nil,
        status == "completed" || index < output.count - 1
      {
        report.add(
          .incompleteLast, "an incomplete \(type) in a response that is \(status)",
          expected: "it last, in one that is incomplete")
      }
    }
    report.subject.outputIndex = nil
  }

  /// Checks that an event tells of the state that its response is in.
  private mutating func checkStatus(of response: Span<UInt8>, _ type: EventType) {
    let name = String(type.row.name.description.dropFirst("response.".count))
    let status = JSONChildren.text(of: "status", in: response)
    let expected = type.phase == .start ? ["in_progress", "queued"] : [name]
    if !status.isEmpty, type.row.standing == .standard, !expected.contains(status) {
      report.add(
        .responseStatus, "a response that is \(status)",
        expected: expected.joined(separator: " or "))
    }
    if state == .running, status == "queued" {
      report.add(.responseStatus, "queued behind in_progress", expected: "no way back")
    }
    if state == .queued, name == "completed" || name == "incomplete" {
      report.add(
        .responseStatus, "\(type.row.name) of a queued response",
        expected: "response.in_progress before")
    }
    isCreated = isCreated || type.phase == .start
    state = status == "queued" ? .queued : .running
    guard type.phase == .terminal else { return }
    state = .ended
    if hasError, name != "failed" {
      report.add(
        .errorThenFailed, "\(type.row.name) behind an error", expected: "response.failed")
    }
    hasError = false
    if let incomplete, name != "incomplete" {
      report.add(
        .incompleteLast, "\(type.row.name) with an incomplete \(incomplete)",
        expected: "response.incomplete")
    }
    checkOutput(of: response, isNew: false)
  }

  /// Checks an error event or an error body, whose `error` has four members. One that the toolkit
  /// made of a lost connection is not the server's.
  private func checkError(_ line: Span<UInt8>) {
    let error = line.extracting(JSONChildren.value(of: "error", in: line) ?? 0..<0)
    let type = JSONChildren.text(of: "type", in: error)
    let isMade = JSONChildren.value(of: "oresp", "synthetic", in: line) != nil
    if isMade, type == "api_connection_error" { return }
    if let faults = MemberList.words(of: Self.errorMembers.faults(in: error)) {
      report.add(
        .errorMembers, "\(faults) of error",
        expected: "all four; code and param may be null")
    }
    let statuses = [
      "server_error": 500, "invalid_request": 400, "not_found": 404, "model_error": 500,
      "too_many_requests": 429,
    ]
    if let status = JSONChildren.integer(of: "status", in: line), let expected = statuses[type],
      status != expected
    {
      report.add(.errorStatus, "\(type) with status \(status)", expected: "\(expected)")
    }
  }

  /// Checks that a Response has all its members; what is wrong is told once a response. What stands
  /// in a member that is null or missing is not asked for. The answer to a compaction has fewer.
  private mutating func checkMembers(of response: Span<UInt8>) {
    let isCompaction = JSONChildren.text(of: "object", in: response) == "response.compaction"
    var faults = (isCompaction ? Self.compaction : Self.members).faults(in: response)
    if let object = JSONChildren.string(of: "object", in: response),
      !isCompaction, !object.span.equals("response")
    {
      let told = String(decoding: object, as: UTF8.self)
      faults.append(.init(name: "object", got: told, expected: "response"))
    }
    for (path, members) in Self.innerMembers {
      guard let place = JSONChildren.value(at: path[...], in: response),
        response[place.lowerBound] == ASCII.openBrace
      else { continue }
      let name = path.map(\.description).joined(separator: ".")
      faults += members.faults(in: response.extracting(place)).map {
        .init(name: "\(name).\($0.name)", got: $0.got, expected: $0.expected)
      }
    }
    faults = faults.filter { lacking.insert($0.name).inserted }
    if let words = MemberList.words(of: faults) {
      report.add(.responseMembers, words, expected: "each, in a Response")
    }
  }
}
