import Core

/// The facts of an output item that a status shows.
struct StatusItem {
  /// Its states at work and done; `nil` where its work is not shown.
  private(set) var state: StatusState?
  private(set) var doneState: StatusState?
  private(set) var name = ""
  private(set) var query = ""
  private(set) var sources: Int?

  /// Reads the item at `place` in the line of `event`.
  init(at place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    let type = ItemCatalogue.kin(of: event.text(of: "type", inside: place, in: line))
    if type == "reasoning" { state = .thinking }
    if let (state, doneState) = Self.states(of: type) {
      (self.state, self.doneState) = (state, doneState)
      if Self.named.contains(state) { name = Self.name(of: place, type, event, line) }
    }
    let action = event.value(of: "action", inside: place, in: line)
    query = Self.query(at: place, action, of: event, line)
    let list =
      action.flatMap { event.value(of: "sources", inside: $0, in: line) }
      ?? event.value(of: "results", inside: place, in: line)
    sources = list.map { JSONChildren.elements(at: $0, in: line).count }
  }

  private static func states(of type: String) -> (StatusState, StatusState)? {
    switch type {
    case "web_search_call", "x_search_call": (.searchStarting, .searchDone)
    case "file_search_call": (.fileSearching, .fileSearchDone)
    case "code_interpreter_call", "code_execution_call": (.codeRunning, .codeDone)
    case "image_generation_call": (.imageGenerating, .imageDone)
    case "mcp_list_tools": (.toolsListing, .toolsListed)
    case "mcp_call": (.mcpCalling, .mcpDone)
    case "function_call", "custom_tool_call": (.functionCalling, .functionDone)
    case "bash", "web_fetch", "datetime": (.toolRunning, .toolDone)
    case _ where type.hasSuffix("_call"): (.toolRunning, .toolDone)
    default: nil
    }
  }

  /// The states whose text names the tool at work.
  private static let named: Set<StatusState> = [
    .toolsListing, .mcpCalling, .functionCalling, .toolRunning,
  ]

  private static func name(
    of item: Range<Int>, _ type: String, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> String {
    switch type {
    case "mcp_list_tools": event.text(of: "server_label", inside: item, in: line)
    case "mcp_call", "function_call", "custom_tool_call":
      event.text(of: "name", inside: item, in: line)
    default: words(type)
    }
  }

  /// The name of a type as people read it.
  static func words(_ type: String) -> String { String(type.map { $0 == "_" ? " " : $0 }) }

  /// The text that is searched for: in the action, the first of several, or in the arguments of a
  /// call.
  private static func query(
    at place: Range<Int>, _ action: Range<Int>?, of event: borrowing Event, _ line: Span<UInt8>
  ) -> String {
    let query = action.map { event.text(of: "query", inside: $0, in: line) } ?? ""
    if !query.isEmpty { return query }
    for object in [action ?? place, place] {
      let queries = event.value(of: "queries", inside: object, in: line)
      if let first = JSONChildren.elements(at: queries, in: line).first {
        return JSONString.text(line.extracting(first))
      }
    }
    guard let arguments = event.value(of: "arguments", inside: place, in: line),
      line[arguments.lowerBound] == ASCII.quote
    else { return "" }
    return JSONString.withText(of: line.extracting(arguments)) {
      JSONChildren.text(of: "query", in: $0)
    }
  }

  /// The states that events of each type show, by the index of the type.
  private static let shown = EventType.all.map(shownState)

  /// The state that an event of `type` shows; `nil` when it shows none.
  static func state(_ type: EventType) -> StatusState? { shown[type.index] }

  private static func shownState(_ type: EventType) -> StatusState? {
    switch type.row.name.description {
    case "response.created": return .starting
    case "response.queued": return .queued
    default: break
    }
    let item = type.itemType ?? type.family.rawValue
    if item == "reasoning" { return type.phase == .done ? nil : .thinking }
    // The output of a call is shown as its work.
    let call = item.hasSuffix("_output") ? String(item.dropLast("_output".count)) : item
    guard let (state, doneState) = states(of: call) else { return nil }
    switch (state, type.row.name.description.split(separator: ".").last) {
    case (.searchStarting, "searching"): return .searching
    case (.mcpCalling, "failed"): return .mcpFailed
    case (_, "completed"): return doneState
    default: return state
    }
  }
}
