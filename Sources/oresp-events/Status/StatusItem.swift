import Core

/// What an output item, or an event about one, tells of what is being done.
struct StatusItem {
  /// The states in which it is at work and done; `nil` for what is no work to tell of.
  private(set) var state: StatusState?
  private(set) var doneState: StatusState?
  private(set) var name = ""
  private(set) var query = ""
  private(set) var sources: Int?

  /// Reads the item at `place` in the line of `event`.
  init(at place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    let kind = event.members.value(of: "type", inside: place, of: line)
    let type = ItemCatalogue.kin(of: kind.map { JSONString.text(line.extracting($0)) } ?? "")
    if type == "reasoning" { state = .thinking }
    if let (state, doneState) = Self.states(of: type) {
      (self.state, self.doneState) = (state, doneState)
      if Self.named.contains(state) { name = Self.name(of: line.extracting(place), type) }
    }
    let action = event.members.value(of: "action", inside: place, of: line)
    query = Self.query(at: place, action, of: event, line)
    sources =
      Self.count(of: "sources", in: line.extracting(action ?? 0..<0))
      ?? event.members.value(of: "results", inside: place, of: line)
      .map { JSONChildren.elements(at: $0, in: line).count }
  }

  private static func count(of name: StaticString, in object: Span<UInt8>) -> Int? {
    JSONChildren.value(of: name, in: object).map {
      JSONChildren.elements(at: $0, in: object).count
    }
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

  /// The states whose wording names what is at work.
  private static let named: Set<StatusState> = [
    .toolsListing, .mcpCalling, .functionCalling, .toolRunning,
  ]

  private static func name(of item: Span<UInt8>, _ type: String) -> String {
    switch type {
    case "mcp_list_tools": return JSONChildren.text(of: "server_label", in: item)
    case "mcp_call", "function_call", "custom_tool_call":
      return JSONChildren.text(of: "name", in: item)
    default: return words(type)
    }
  }

  /// The name of a type as people read it.
  static func words(_ type: String) -> String { String(type.map { $0 == "_" ? " " : $0 }) }

  /// What is searched for: in the action, the first of several, or in the arguments of a call.
  private static func query(
    at place: Range<Int>, _ action: Range<Int>?, of event: borrowing Event, _ line: Span<UInt8>
  ) -> String {
    if let action {
      let action = line.extracting(action)
      let query = JSONChildren.text(of: "query", in: action)
      if !query.isEmpty { return query }
      if let first = JSONChildren.elements(of: "queries", in: action).first {
        return JSONString.text(action.extracting(first))
      }
    }
    let queries = event.members.value(of: "queries", inside: place, of: line)
    if let first = JSONChildren.elements(at: queries, in: line).first {
      return JSONString.text(line.extracting(first))
    }
    guard let arguments = event.members.value(of: "arguments", inside: place, of: line),
      line[arguments.lowerBound] == ASCII.quote
    else { return "" }
    return JSONString.withText(of: line.extracting(arguments)) {
      JSONChildren.text(of: "query", in: $0)
    }
  }

  /// The states that the events of each type show, by its place in the catalogue.
  private static let shown = EventType.all.map(shownState)

  /// The state that an event of `type` shows, which is about an item; `nil` when it shows none.
  static func state(_ type: EventType) -> StatusState? { shown[type.index] }

  private static func shownState(_ type: EventType) -> StatusState? {
    let item = type.itemType ?? type.family.rawValue
    if item == "reasoning" { return type.phase == .done ? nil : .thinking }
    // What a call printed is told of as its work.
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
