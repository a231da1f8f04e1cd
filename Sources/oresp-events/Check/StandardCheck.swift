import Core

/// Follows one response by those rules of Open Responses that no other level has.
struct StandardCheck {
  private let report: CheckReport
  /// The ids of its items.
  private var ids: Set<String> = []
  /// What its Response objects lack, as far as that was told.
  private var lacking: Set<String> = []
  private var hasBegun = false
  /// Whether its last event but others than `response.failed` was an error.
  private var hasError = false
  private var isQueued = false
  /// The type of an item that ended incomplete.
  private var incomplete: String?

  init(_ report: CheckReport) { self.report = report }

  /// The types of items that are the standard's.
  private static let itemTypes: Set<String> = [
    "message", "function_call", "function_call_output", "reasoning", "compaction",
  ]
  /// What an item has from its beginning, besides what all have.
  private static let beginnings: [String: [StaticString]] = [
    "message": ["role", "content"], "function_call": ["call_id", "name", "arguments"],
    "reasoning": ["summary"],
  ]

  /// Takes an event; `isDocument` says that it was made of a whole document, and never sent so.
  mutating func handle(
    _ event: Event, _ members: EventMembers, _ line: Span<UInt8>, isDocument: Bool
  ) {
    if event.step.isFirst || event.step.leavesCut {
      finish()
      self = StandardCheck(report)
    }
    if !isDocument { check(event, members, line) }
    guard let type = event.type else { return }
    switch type.family {
    case .lifecycle:
      hasBegun = true
      let response = line.extracting(members.response ?? 0..<0)
      checkMembers(of: response)
      if isDocument { checkOutput(of: response) } else { checkStatus(of: response, type) }
    case .error:
      checkError(line)
      hasError = hasBegun && !isDocument
    case .outputItem where !isDocument:
      if let item = members.item { check(item: line.extracting(item), isDone: type.phase == .done) }
    default: break
    }
  }

  /// Takes the end of the response's events.
  func finish() {
    guard hasError else { return }
    report.add(.errorThenFailed, "the end of the stream", expected: "response.failed")
  }

  /// Checks what holds for every event, extensions too.
  private func check(_ event: Event, _ members: EventMembers, _ line: Span<UInt8>) {
    let type = report.subject.type
    if let block = event.block {
      if block.id != nil { report.add(.noID, "an id field", expected: "none") }
      let name = block.name
      if name.isEmpty || name.span.equals("message") {
        report.add(.eventName, "no event field", expected: "event: \(type)")
      }
    }
    if event.type.map({ $0.row.standing != .standard }) ?? !type.contains(":"), !type.isEmpty {
      report.add(.eventType, type, expected: "a type of the standard, or one with a slug")
    }
    if members.sequenceNumber == nil {
      report.add(.eventMembers, "no integer sequence_number", expected: "one in each event")
    }
  }

  private mutating func check(item: Span<UInt8>, isDone: Bool) {
    let type = checkMembers(of: item, isNew: !isDone)
    let status = JSONChildren.text(of: "status", in: item)
    let isOwn = Self.itemTypes.contains(type)
    if isDone {
      if status == "incomplete" { incomplete = type }
      if isOwn, status == "failed" {
        report.add(
          .itemState, "\(type) that is \(status)", expected: "completed or incomplete")
      }
      return
    }
    if let incomplete {
      report.add(.incompleteLast, "\(type) behind an incomplete \(incomplete)", expected: "none")
    }
    if isOwn, !status.isEmpty, status != "in_progress" {
      report.add(
        .itemState, "\(type) that is \(status) at its beginning", expected: "in_progress")
    }
    let missing = (Self.beginnings[type] ?? []).filter {
      JSONChildren.value(at: [$0], in: item) == nil
    }
    if !missing.isEmpty { report.add(.itemBegins, Self.no(missing), expected: "it, in \(type)") }
  }

  /// Checks what every item has, and gives its type.
  private mutating func checkMembers(of item: Span<UInt8>, isNew: Bool) -> String {
    let names: [StaticString] = ["id", "type", "status"]
    let missing = names.filter {
      JSONChildren.value(at: [$0], in: item).map { item[$0.lowerBound] != ASCII.quote } ?? true
    }
    let type = JSONChildren.text(of: "type", in: item)
    if !missing.isEmpty {
      report.add(.itemMembers, Self.no(missing), expected: "it, in each item")
    }
    let id = JSONChildren.text(of: "id", in: item)
    if isNew, !id.isEmpty, !ids.insert(id).inserted {
      report.add(.itemMembers, "the id \(id) again", expected: "an id of its own")
    }
    if isNew, !type.isEmpty, !type.contains(":"), !Self.itemTypes.contains(type) {
      report.add(
        .itemKind, type, expected: "a type of the standard, or one with a slug")
    }
    return type
  }

  /// Checks the items of a whole Response.
  private mutating func checkOutput(of response: Span<UInt8>) {
    for place in JSONChildren.elements(of: "output", in: response) {
      _ = checkMembers(of: response.extracting(place), isNew: true)
    }
  }

  /// Checks that an event tells of the state that its response is in.
  private mutating func checkStatus(of response: Span<UInt8>, _ type: EventType) {
    let name = type.row.name.description.dropFirst("response.".count)
    let status = JSONChildren.text(of: "status", in: response)
    let expected = type.phase == .start ? ["in_progress", "queued"] : [String(name)]
    if !status.isEmpty, !expected.contains(status) {
      report.add(
        .responseStatus, "a response that is \(status)",
        expected: expected.joined(separator: " or "))
    }
    if isQueued, name == "completed" || name == "incomplete" {
      report.add(
        .responseStatus, "\(type.row.name) of a queued response",
        expected: "response.in_progress before")
    }
    isQueued = status == "queued"
    guard type.phase == .terminal else { return }
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
  }

  /// Checks an error event or an error body, whose `error` has four members. One that the toolkit
  /// made of a lost connection is not the server's.
  private func checkError(_ line: Span<UInt8>) {
    let error = JSONChildren.value(of: "error", in: line) ?? 0..<0
    let type = JSONChildren.text(of: "type", in: line.extracting(error))
    let isMade = JSONChildren.value(of: "oresp", "synthetic", in: line) != nil
    if isMade, type == "api_connection_error" { return }
    let names: [StaticString] = ["type", "code", "message", "param"]
    let missing = names.filter { JSONChildren.value(at: [$0], in: line.extracting(error)) == nil }
    if !missing.isEmpty {
      report.add(.errorMembers, "\(Self.no(missing)) of error", expected: "it, null or not")
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

  /// What each Response has, and whether it may be null.
  private static let members: [(path: [StaticString], mayBeNull: Bool)] = {
    let all: [StaticString] = [
      "id", "object", "created_at", "status", "model", "output", "tools", "tool_choice",
      "truncation", "parallel_tool_calls", "text", "top_p", "presence_penalty",
      "frequency_penalty", "top_logprobs", "temperature", "store", "background", "service_tier",
      "metadata",
    ]
    let nullable: [StaticString] = [
      "completed_at", "incomplete_details", "previous_response_id", "instructions", "error",
      "reasoning", "usage", "max_output_tokens", "max_tool_calls", "safety_identifier",
      "prompt_cache_key",
    ]
    let inner: [[StaticString]] = [
      ["incomplete_details", "reason"], ["error", "code"], ["error", "message"],
      ["usage", "input_tokens"], ["usage", "output_tokens"], ["usage", "total_tokens"],
      ["usage", "input_tokens_details", "cached_tokens"],
      ["usage", "output_tokens_details", "reasoning_tokens"],
    ]
    return all.map { ([$0], false) } + nullable.map { ([$0], true) } + inner.map { ($0, false) }
  }()

  /// What the answer to a compaction has besides the tokens of `usage`.
  private static let compaction: [StaticString] = ["id", "object", "output", "created_at", "usage"]

  /// Checks that a Response has all its members; what it lacks is told once a response. What stands
  /// in a member that is null or missing is not asked for. The answer to a compaction has fewer.
  private mutating func checkMembers(of response: Span<UInt8>) {
    func value(_ path: ArraySlice<StaticString>) -> Range<Int>? {
      JSONChildren.value(at: path, in: response)
    }
    func isNull(_ place: Range<Int>) -> Bool { response.extracting(place).equals("null") }
    let isCompaction = JSONChildren.text(of: "object", in: response) == "response.compaction"
    let missing = Self.members.filter { path, mayBeNull in
      if isCompaction, !Self.compaction.contains(where: { "\($0)" == "\(path[0])" }) {
        return false
      }
      if path.count > 1, value(path[..<1]).map(isNull) ?? true { return false }
      return value(path[...]).map { !mayBeNull && isNull($0) } ?? true
    }.map { $0.path.map(\.description).joined(separator: ".") }.filter {
      lacking.insert($0).inserted
    }
    guard !missing.isEmpty else { return }
    report.add(
      .responseMembers, "no " + missing.joined(separator: ", "), expected: "each, in a Response")
  }

  private static func no(_ names: [StaticString]) -> String {
    "no " + names.map(\.description).joined(separator: ", ")
  }
}
