/// What a response is doing, as far as a person cares. The raw value is its name for a user's own
/// wording and in JSON.
package enum StatusState: String, CaseIterable, Sendable {
  case starting, queued, processing, thinking
  case searchStarting = "search_starting"
  case searching
  case searchDone = "search_done"
  case fileSearching = "file_searching"
  case fileSearchDone = "file_search_done"
  case codeRunning = "code_running"
  case codeDone = "code_done"
  case imageGenerating = "image_generating"
  case imageDone = "image_done"
  case toolsListing = "tools_listing"
  case toolsListed = "tools_listed"
  case mcpCalling = "mcp_calling"
  case mcpDone = "mcp_done"
  case mcpFailed = "mcp_failed"
  case functionCalling = "function_calling"
  case functionDone = "function_done"
  case toolRunning = "tool_running"
  case toolDone = "tool_done"
  case drafting, citing, finalising, refusing
  case done, incomplete, refused, cancelled, failed, error, cut

  /// Whether the response is over.
  package var isEnd: Bool {
    switch self {
    case .done, .incomplete, .refused, .cancelled, .failed, .error, .cut: true
    default: false
    }
  }

  /// What is told of it, and the sign that goes before it where signs are shown. A part in brackets
  /// is left out when a value in it is not known.
  var wording: (sign: String, text: String) {
    switch self {
    case .starting: ("⏳", "starting")
    case .queued: ("⏳", "waiting in the queue")
    case .processing: ("⏳", "processing")
    case .thinking: ("💭", "thinking")
    case .searchStarting: ("🔎", "starting a web search")
    case .searching: ("🔎", "searching the web[ (\"{query}\")][, sources so far: {sources}]")
    case .searchDone:
      ("🔎", "results found[ for \"{query}\"][, sources: {sources}], drafting")
    case .fileSearching: ("🔎", "searching files[ (\"{query}\")]")
    case .fileSearchDone: ("🔎", "files searched[, results: {sources}]")
    case .codeRunning: ("🔧", "running code")
    case .codeDone: ("🔧", "code has run")
    case .imageGenerating: ("🎨", "generating an image")
    case .imageDone: ("🎨", "image generated")
    case .toolsListing: ("🔧", "listing tools[ of {name}]")
    case .toolsListed: ("🔧", "tools listed")
    case .mcpCalling: ("🔧", "calling a tool[, {name}]")
    case .mcpDone: ("🔧", "the tool[ {name}] answered")
    case .mcpFailed: ("🔧", "the tool[ {name}] failed")
    case .functionCalling: ("🔧", "preparing a call[ of {name}]")
    case .functionDone: ("🔧", "call[ of {name}] is ready")
    case .toolRunning: ("🔧", "running a tool[, {name}]")
    case .toolDone: ("🔧", "the tool[ {name}] is done")
    case .drafting, .citing:
      ("📝", "drafting[, words: {words}][, citations: {citations}]")
    case .finalising: ("📝", "finalising[, words: {words}][, citations: {citations}]")
    case .refusing: ("🚫", "answering with a refusal")
    case .done: ("✅", "done[ in {seconds} s][, tokens: {tokens}]")
    case .incomplete, .refused, .cancelled, .failed, .error: ("❌", "{reason}")
    case .cut: ("❌", "{reason}[, words: {words}]")
    }
  }
}
