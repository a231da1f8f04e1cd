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
    let type = JSONChildren.text(of: "type", in: item)
    if type == "reasoning" { state = .thinking }
    if let (state, doneState) = Self.states(of: type) {
      (self.state, self.doneState) = (state, doneState)
      if Self.named.contains(state) { name = Self.name(of: item, type) }
    }
    query = Self.query(in: item)
    let list =
      JSONChildren.value(of: "action", "sources", in: item)
      ?? JSONChildren.value(of: "results", in: item)
    sources = list.map { Self.count(in: item.extracting($0)) }
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
    default: return String(type.map { $0 == "_" ? " " : $0 })
    }
  }

  /// What is searched for: in the action, the first of several, or in the arguments of a call.
  private static func query(in item: Span<UInt8>) -> String {
    let query = JSONChildren.text(of: "action", "query", in: item)
    if !query.isEmpty { return query }
    let queries =
      JSONChildren.value(of: "action", "queries", in: item)
      ?? JSONChildren.value(of: "queries", in: item)
    if let queries {
      var list = JSONChildren(at: queries.lowerBound)
      guard let first = list.next(in: item), item[first.value.lowerBound] == ASCII.quote else {
        return ""
      }
      return String(decoding: JSONString.decoded(item.extracting(first.value)), as: UTF8.self)
    }
    let arguments = Array(JSONChildren.text(of: "arguments", in: item).utf8)
    return JSONChildren.text(of: "query", in: arguments.span)
  }

  /// How many elements `list` has.
  static func count(in list: Span<UInt8>) -> Int {
    guard !list.isEmpty, list[0] == ASCII.openBracket else { return 0 }
    var elements = JSONChildren()
    var count = 0
    while elements.next(in: list) != nil { count += 1 }
    return count
  }

  /// The state that an event of the type `row` shows; `nil` when it shows none.
  static func state(_ row: EventCatalogue.Row) -> StatusState? {
    let isOver = row.name.description.hasSuffix(".completed")
    switch row.family {
    case .reasoningText, .reasoningSummaryText, .reasoningSummaryPart:
      return row.phase == .done ? nil : .thinking
    case .webSearchCall, .xSearchCall:
      if isOver { return .searchDone }
      return row.name.description.hasSuffix(".searching") ? .searching : .searchStarting
    case .fileSearchCall: return isOver ? .fileSearchDone : .fileSearching
    case .codeInterpreterCall, .codeExecutionCall: return isOver ? .codeDone : .codeRunning
    case .codeInterpreterCallCode: return .codeRunning
    case .imageGenerationCall: return isOver ? .imageDone : .imageGenerating
    case .mcpListTools: return isOver ? .toolsListed : .toolsListing
    case .mcpCall:
      if row.name.description.hasSuffix(".failed") { return .mcpFailed }
      return isOver ? .mcpDone : .mcpCalling
    case .mcpCallArguments: return .mcpCalling
    case .functionCallArguments, .customToolCallInput: return .functionCalling
    case .shellCallCommand, .shellCallOutputContent, .applyPatchCallOperationDiff:
      return .toolRunning
    default: return nil
    }
  }
}
