import Core

/// Follows one response by the rules of Open Responses that no other level has.
///
///     {"type":"response.created","sequence_number":0,"response":{"id":"r1","status":"queued"}}
///         response-members: no object, created_at, …; the response is queued
///     {"type":"response.output_item.added",…,"item":{"id":"m1","type":"message","role":"user"}}
///         item-members: no status; item-begins: no content; response-status: an item of a queued
///         response, which counts as running now
///     {"type":"error","sequence_number":2,"error":{"type":"server_error","message":"overloaded"}}
///         error-members: no code, param; `response.failed` must follow (hasError)
///     {"type":"response.completed","sequence_number":3,"response":{"id":"r1",…}}
///         error-then-failed; what r1 lacks is not reported again (lacking)
struct StandardCheck {
  /// Whether the last event of its lifecycle has it queued; `nil` before one came.
  private var isQueued: Bool?
  /// The indexes of its items in the output, by the hashes of their ids.
  private var ids: [UInt64: Int?] = [:]
  /// The members of its Response objects whose faults were reported.
  private var lacking: Set<String> = []
  /// Whether an event came that is an extension.
  private(set) var hasExtensions = false
  /// Whether an error came that `response.failed` must follow.
  private var hasError = false
  /// The type of an item that ended incomplete.
  private var incomplete: String?

  /// Checks an event; `isDocument` says that the toolkit made it of a whole document. Before it
  /// `count` items came (`nil` when it is not known), all in front of `nextIndex`.
  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, isDocument: Bool, behind count: Int?,
    _ nextIndex: Int, _ report: inout CheckReport
  ) {
    guard let type = event.type else {
      hasExtensions = hasExtensions || Self.hasSlug(report.subject.type)
      return
    }
    switch type.family {
    case .lifecycle:
      guard let place = event.value(of: "response", in: line),
        line[place.lowerBound] == ASCII.openBrace
      else { return }
      checkMembers(of: event, line, at: place, &report)
      if !isDocument { checkStatus(of: event, line, type, &report) }
      guard isDocument || type.phase == .terminal else { return }
      if !isDocument, let count, event.output.count > count {
        report.add(
          .itemBegins, "\(event.output.count) items of output", expected: "the \(count) that came")
      }
      checkOutput(of: event, line, isNew: isDocument, &report)
    case .error:
      checkError(event, line, &report)
      hasError = !isDocument && (isQueued != nil || event.block != nil)
    case .outputItem where !isDocument:
      guard let item = event.value(of: "item", in: line), line[item.lowerBound] == ASCII.openBrace
      else { return }
      let head = ItemHead(item, of: event, line)
      checkMembers(of: head, isNew: type.phase != .done, at: report.subject.outputIndex, &report)
      if type.phase == .done {
        checkEnd(of: head, before: nextIndex, &report)
      } else {
        checkBeginning(of: head, item, of: event, line, &report)
      }
    default: break
    }
  }

  /// Ends the events of the response.
  func finish(_ report: inout CheckReport) {
    guard hasError else { return }
    report.add(.errorThenFailed, "the end of the stream", expected: "response.failed")
  }

  /// Whether `type` is an implementer's own type of events or items: a slug, a colon and a name.
  fileprivate static func hasSlug(_ type: String) -> Bool {
    let parts = type.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && !parts.contains("")
  }

  private mutating func checkBeginning(
    of head: ItemHead, _ item: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>,
    _ report: inout CheckReport
  ) {
    if isQueued == true {
      isQueued = false
      report.add(
        .responseStatus, "an item of a queued response", expected: "response.in_progress before")
    }
    if let incomplete {
      report.add(
        .incompleteLast, "\(head.type) after an incomplete \(incomplete)", expected: "none")
    }
    guard let members = Self.itemMembers[head.type] else { return }
    if !head.status.isEmpty, head.status != "in_progress" {
      report.add(
        .itemState, "\(head.type) that is \(head.status) at its beginning", expected: "in_progress")
    }
    if let words = members.faults(in: event, inside: item, of: line).words {
      report.add(.itemBegins, words, expected: "it, in \(head.type)")
    }
  }

  private mutating func checkEnd(
    of head: ItemHead, before nextIndex: Int, _ report: inout CheckReport
  ) {
    let (type, status) = (head.type, head.status)
    let isKnown = ["completed", "incomplete", ""].contains(status)
    if Self.itemMembers[type] != nil, !isKnown, !ItemCheck.runningStates.contains(status) {
      report.add(.itemState, "\(type) that is \(status)", expected: "completed or incomplete")
    }
    guard status == "incomplete" else { return }
    incomplete = type
    if let index = report.subject.outputIndex, index < nextIndex &- 1 {
      report.add(.incompleteLast, "an incomplete \(type) before another item", expected: "none")
    }
  }

  /// Checks the members that every item has; `isNew` says that the item came for the first time.
  private mutating func checkMembers(
    of head: ItemHead, isNew: Bool, at index: Int?, _ report: inout CheckReport
  ) {
    if head.id.isEmpty || head.type.isEmpty || head.status.isEmpty {
      let all = [(head.id, "id"), (head.type, "type"), (head.status, "status")]
      let missing = all.filter(\.0.isEmpty).map(\.1).joined(separator: ", ")
      report.add(.itemMembers, "no \(missing)", expected: "it in each item")
    }
    guard isNew else { return }
    if !head.id.isEmpty, let known = ids.updateValue(index, forKey: head.idHash), known != index {
      report.add(.itemMembers, "the id \(head.id) again", expected: "an id of its own")
    }
    let isNamed = head.type == "file_search_call" || Self.itemMembers[head.type] != nil
    if !isNamed, !head.type.isEmpty, !Self.hasSlug(head.type) {
      report.add(.itemKind, head.type, expected: "a type of the standard, or one with a slug")
    }
  }

  /// Checks the items of a whole Response; `isNew` says that they come for the first time.
  private mutating func checkOutput(
    of event: borrowing Event, _ line: Span<UInt8>, isNew: Bool, _ report: inout CheckReport
  ) {
    let status = event.text(of: "response", "status", in: line)
    let output = event.output
    for (index, place) in output.enumerated() {
      let head = ItemHead(place, of: event, line)
      report.subject.outputIndex = index
      checkMembers(of: head, isNew: isNew, at: index, &report)
      let (type, itemStatus) = (head.type, head.status)
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
          expected: "it as the last, in an incomplete one")
      }
    }
    report.subject.outputIndex = nil
  }

  /// Checks that an event fits the state that its response is in.
  private mutating func checkStatus(
    of event: borrowing Event, _ line: Span<UInt8>, _ type: EventType,
    _ report: inout CheckReport
  ) {
    let name = String(type.row.name.description.dropFirst("response.".count))
    let status = event.text(of: "response", "status", in: line)
    let expected = type.phase == .start ? ["in_progress", "queued"] : [name]
    if !status.isEmpty, type.isStandard, !expected.contains(status) {
      report.add(
        .responseStatus, "a response that is \(status)",
        expected: expected.joined(separator: " or "))
    }
    if isQueued == false, status == "queued" {
      report.add(.responseStatus, "queued after in_progress", expected: "no way back")
    }
    if isQueued == true, name == "completed" || name == "incomplete" {
      report.add(
        .responseStatus, "\(type.row.name) of a queued response",
        expected: "response.in_progress before")
    }
    isQueued = status == "queued"
    guard type.phase == .terminal else { return }
    if hasError, name != "failed" {
      report.add(
        .errorThenFailed, "\(type.row.name) after an error", expected: "response.failed")
    }
    hasError = false
    if let incomplete, name != "incomplete" {
      report.add(
        .incompleteLast, "\(type.row.name) with an incomplete \(incomplete)",
        expected: "response.incomplete")
    }
  }

  /// Checks an error event or an error body, whose `error` has four members. An error that the
  /// toolkit made of a lost connection is not the server's.
  private func checkError(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport
  ) {
    let error = event.value(of: "error", in: line) ?? line.count..<line.count
    let type = event.text(of: "error", "type", in: line)
    if event.isSynthetic(line), type == "api_connection_error" { return }
    if let words = Self.errorMembers.faults(in: event, inside: error, of: line).words {
      report.add(
        .errorMembers, "\(words) of error",
        expected: "all four; code and param may be null")
    }
    let statuses = [
      "server_error": 500, "invalid_request": 400, "not_found": 404, "model_error": 500,
      "too_many_requests": 429,
    ]
    if let status = event.integer(of: "status", in: line), let expected = statuses[type],
      status != expected
    {
      report.add(.errorStatus, "\(type) with status \(status)", expected: "\(expected)")
    }
  }

  /// Checks that the Response at `response` has all its members; each fault is reported once a
  /// response. A member that is null or missing lacks no members of its own. The answer to a
  /// compaction has fewer.
  private mutating func checkMembers(
    of event: borrowing Event, _ line: Span<UInt8>, at response: Range<Int>,
    _ report: inout CheckReport
  ) {
    let object = line.extracting(event.value(of: "response", "object", in: line) ?? 0..<0)
    let isCompaction = object.equals("\"response.compaction\"")
    let list = isCompaction ? Self.compaction : Self.members
    var faults = list.faults(in: event, inside: response, of: line)
    if object.byte(at: 0) == ASCII.quote, !isCompaction, !object.equals("\"response\"") {
      faults.append(MemberList.Fault(name: "object", got: JSONString.text(object)))
    }
    for inner in Self.innerMembers {
      guard let place = event.value(at: inner.path[...], inside: response, in: line),
        line[place.lowerBound] == ASCII.openBrace
      else { continue }
      let names = inner.path.map(\.description)
      faults += inner.members.faults(in: event, inside: place, of: line).map {
        let name = (names + [$0.name]).joined(separator: ".")
        return MemberList.Fault(name: name, got: $0.got)
      }
    }
    faults.removeAll { !lacking.insert($0.name).inserted }
    if let words = faults.words {
      report.add(.responseMembers, words, expected: "all members of a Response")
    }
  }
}

extension CheckReport {
  /// Checks an event by the rules of the standard for every event, extensions too.
  mutating func checkFrame(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard level == .openResponses, !isDocument(event, line) else { return }
    if let block = event.block {
      if block.id != nil { add(.noID, "an id field", expected: "none") }
      let isUnnamed = block.name.isEmpty || block.name == Array("message".utf8)
      if isUnnamed, !subject.type.isEmpty {
        add(.eventName, "no event field", expected: "event: \(subject.type)")
      }
    }
    if event.isUntypedBlock {
      add(.eventMembers, "no member type", expected: "the type of an event")
    }
    // A server does not send the events of clients.
    let isKnown = event.type?.isStandard == true && event.type?.family != .websocketClient
    let isOwn = event.type == nil && StandardCheck.hasSlug(subject.type)
    if !isKnown, !isOwn, !subject.type.isEmpty {
      add(.eventType, expected: "a type of the standard, or one with a slug")
    }
    if subject.sequenceNumber == nil {
      add(.eventMembers, "no integer sequence_number", expected: "one in each event")
    }
  }
}

/// The members that objects have by the schema of Open Responses (version 2026-04-24): items from
/// their beginning (items.tsp), errors (events.tsp) and Responses (responses.tsp).
extension StandardCheck {
  /// Members of the items of each type of the standard, beside the members that every item has.
  private static let itemMembers: [String: MemberList] = [
    "message": MemberList("role:string, content:[ContentPart]"),
    "function_call": MemberList("call_id:string, name:string, arguments:string"),
    "function_call_output": MemberList("call_id:string, output:string|[InputContent]"),
    "reasoning": MemberList("summary:[ContentPart]"),
    "compaction": MemberList("encrypted_content:string"),
  ]

  private static let errorMembers = MemberList(
    "type:string, code:string|null, message:string, param:string|null")

  private static let members = MemberList(
    """
    id:string, object:string, created_at:integer, status:string, model:string, output:[Item],
    tools:[Tool], tool_choice:string|object, truncation:string, parallel_tool_calls:boolean,
    text:TextField, top_p:number, presence_penalty:number, frequency_penalty:number,
    top_logprobs:integer, temperature:number, store:boolean, background:boolean,
    service_tier:string, metadata:unknown, completed_at:integer|null,
    incomplete_details:object|null, previous_response_id:string|null, instructions:string|null,
    error:object|null, reasoning:object|null, usage:object|null, max_output_tokens:integer|null,
    max_tool_calls:integer|null, safety_identifier:string|null, prompt_cache_key:string|null
    """)

  /// Members of the answer to a compaction.
  private static let compaction = MemberList(
    "id:string, object:string, output:[Item], created_at:integer, usage:Usage")

  /// An object in a Response: the names that lead to it, and its members where it is no null.
  private struct Inner: Sendable {
    let path: [StaticString]
    let members: MemberList

    fileprivate init(_ path: StaticString..., of list: StaticString) {
      self.path = path
      members = MemberList(list)
    }
  }

  private static let innerMembers = [
    Inner("incomplete_details", of: "reason:string"),
    Inner("error", of: "code:string, message:string"),
    Inner(
      "usage",
      of: """
        input_tokens:integer, output_tokens:integer, total_tokens:integer,
        input_tokens_details:object, output_tokens_details:object
        """),
    Inner("usage", "input_tokens_details", of: "cached_tokens:integer"),
    Inner("usage", "output_tokens_details", of: "reasoning_tokens:integer"),
  ]
}
