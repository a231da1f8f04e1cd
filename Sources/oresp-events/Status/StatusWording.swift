package import Core

/// What is told of each state: the built-in table, or what a user's file has instead.
package struct StatusWording: Sendable {
  private var own: [StatusState: String] = [:]

  package init() {}

  /// Reads `file`, a JSON object of a text for each state. States that it leaves out keep what they
  /// have.
  package init(_ file: FileText) throws(Failure) {
    try file.checkJSON()
    for member in try file.members("expected an object of states and their texts") {
      guard let state = StatusState(rawValue: member.name) else {
        let near = nearest(member.name, among: StatusState.allCases.map(\.rawValue))
        let hint = near.map { "; did you mean \($0)?" } ?? ""
        throw file.fault("no state is called \(member.name)\(hint)", at: member.place)
      }
      let place = member.value.lowerBound
      guard file.bytes[place] == ASCII.quote else {
        throw file.fault("\(member.name): expected a string", at: place)
      }
      let text = JSONString.decoded(file.bytes.span.extracting(member.value))
      let wording = String(decoding: text, as: UTF8.self)
      if let unknown = Self.unknownPlaceholder(in: wording) {
        let near = nearest(unknown, among: StatusFacts.names)
        let hint = near.map { "; did you mean {\($0)}?" } ?? ""
        throw file.fault("\(member.name): nothing is called {\(unknown)}\(hint)", at: place)
      }
      own[state] = wording
    }
  }

  /// What is told of `state`, with a sign before it if `hasSigns` and the text is the built-in one.
  func text(of state: StatusState, _ facts: StatusFacts, hasSigns: Bool) -> String {
    if let text = own[state] { return Self.fill(text[...], facts).text }
    let (sign, text) = state.wording
    return (hasSigns ? sign + " " : "") + Self.fill(text[...], facts).text
  }

  /// `text` with what its placeholders stand for, and whether all of that is known.
  private static func fill(_ text: Substring, _ facts: StatusFacts) -> (text: String, isWhole: Bool)
  {
    var (made, isWhole, rest) = ("", true, text)
    while let letter = rest.popFirst() {
      if letter == "{", let end = rest.firstIndex(of: "}") {
        let value = facts.value(of: rest[..<end])
        made += value ?? ""
        isWhole = isWhole && value != nil
        rest = rest[rest.index(after: end)...]
      } else if letter == "[", let end = rest.firstIndex(of: "]") {
        let part = fill(rest[..<end], facts)
        if part.isWhole { made += part.text }
        rest = rest[rest.index(after: end)...]
      } else {
        made.append(letter)
      }
    }
    return (made, isWhole)
  }

  /// The first placeholder in `text` that stands for nothing.
  private static func unknownPlaceholder(in text: String) -> String? {
    let parts = text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
    return parts.map { String($0.prefix { $0 != "}" }) }
      .first { !StatusFacts.names.contains($0) }
  }
}

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
