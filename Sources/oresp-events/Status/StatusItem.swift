import Core

/// What an output item, or an event about one, tells of what is being done.
struct StatusItem {
  /// The states in which it is at work and done; `nil` for what is no work to tell of.
  private(set) var state: StatusState?
  private(set) var doneState: StatusState?
  private(set) var name = ""
  private(set) var query = ""
  private(set) var sources: Int?

  init(_ item: Span<UInt8>) {
    let type = ItemCatalogue.kin(of: JSONChildren.text(of: "type", in: item))
    if type == "reasoning" { state = .thinking }
    if let (state, doneState) = Self.states(of: type) {
      (self.state, self.doneState) = (state, doneState)
      if Self.named.contains(state) { name = Self.name(of: item, type) }
    }
    query = Self.query(in: item)
    let list =
      JSONChildren.value(of: "action", "sources", in: item)
      ?? JSONChildren.value(of: "results", in: item)
    sources = list.map { JSONChildren.elements(at: $0, in: item).count }
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
  private static func query(in item: Span<UInt8>) -> String {
    let query = JSONChildren.text(of: "action", "query", in: item)
    if !query.isEmpty { return query }
    let queries =
      JSONChildren.elements(of: "action", "queries", in: item)
      + JSONChildren.elements(of: "queries", in: item)
    if let first = queries.first {
      guard item[first.lowerBound] == ASCII.quote else { return "" }
      return JSONString.text(item.extracting(first))
    }
    let arguments = JSONChildren.string(of: "arguments", in: item) ?? []
    return JSONChildren.text(of: "query", in: arguments.span)
  }

  /// The state that an event of `type` shows, which is about an item; `nil` when it shows none.
  static func state(_ type: EventType) -> StatusState? {
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
