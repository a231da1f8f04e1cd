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
      guard let state = StatusState.all.first(where: { $0.name == member.name }) else {
        let hint = hint(for: member.name, among: StatusState.all.map(\.name))
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
        throw file.fault("\(member.name): no value is called {\(unknown)}\(hint)", at: place)
      }
      own[state] = wording
    }
  }

  /// What is told of `state`, with a sign before it if `hasSigns` and the text is the built-in one.
  func text(of state: StatusState, _ facts: StatusFacts, hasSigns: Bool) -> String {
    if let text = own[state] { return Self.fill(text[...], facts).text }
    return (hasSigns ? state.sign + " " : "") + Self.fill(state.text[...], facts).text
  }

  /// `text` with what its placeholders stand for, and whether all of that is known.
  private static func fill(_ text: Substring, _ facts: StatusFacts) -> (text: String, isWhole: Bool)
  {
    var (made, isWhole, rest) = ("", true, text)
    while let letter = rest.popFirst() {
      if letter == "{", let end = rest.firstIndex(of: "}") {
        let value = facts.text(of: rest[..<end])
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

/// What a response is doing, as far as a person cares: the table of it.
package struct StatusState: Hashable, Sendable {
  /// Its name for a user's own wording and in JSON.
  package let name: String
  /// What is shown before the text where signs are shown.
  let sign: String
  /// What is told of it. A part in brackets is left out when a value in it is not known.
  package let text: String
  /// Whether the response is over.
  package let isEnd: Bool

  private init(_ name: String, _ sign: String, _ text: String, isEnd: Bool = false) {
    (self.name, self.sign, self.text, self.isEnd) = (name, sign, text, isEnd)
  }

  static let starting = Self("starting", "⏳", "starting")
  static let queued = Self("queued", "⏳", "waiting in the queue")
  static let processing = Self("processing", "⏳", "processing")
  static let thinking = Self("thinking", "💭", "thinking")
  static let searchStarting = Self("search_starting", "🔎", "starting a web search")
  static let searching = Self(
    "searching", "🔎", "searching the web[ (\"{query}\")][, sources so far: {sources}]")
  static let searchDone = Self(
    "search_done", "🔎", "results found[ for \"{query}\"][, sources: {sources}], drafting")
  static let fileSearching = Self("file_searching", "🔎", "searching files[ (\"{query}\")]")
  static let fileSearchDone = Self("file_search_done", "🔎", "files searched[, results: {sources}]")
  static let codeRunning = Self("code_running", "🔧", "running code")
  static let codeDone = Self("code_done", "🔧", "code has run")
  static let imageGenerating = Self("image_generating", "🎨", "generating an image")
  static let imageDone = Self("image_done", "🎨", "image generated")
  static let toolsListing = Self("tools_listing", "🔧", "listing tools[ of {name}]")
  static let toolsListed = Self("tools_listed", "🔧", "tools listed")
  static let mcpCalling = Self("mcp_calling", "🔧", "calling a tool[, {name}]")
  static let mcpDone = Self("mcp_done", "🔧", "the tool[ {name}] answered")
  static let mcpFailed = Self("mcp_failed", "🔧", "the tool[ {name}] failed")
  static let functionCalling = Self("function_calling", "🔧", "preparing a call[ of {name}]")
  static let functionDone = Self("function_done", "🔧", "call[ of {name}] is ready")
  static let toolRunning = Self("tool_running", "🔧", "running a tool[, {name}]")
  static let toolDone = Self("tool_done", "🔧", "the tool[ {name}] is done")
  static let drafting = Self("drafting", "📝", written("drafting"))
  static let citing = Self("citing", "📝", written("drafting"))
  static let finalising = Self("finalising", "📝", written("finalising"))
  static let refusing = Self("refusing", "🚫", "answering with a refusal")
  static let done = Self("done", "✅", "done[ in {seconds} s][, tokens: {tokens}]", isEnd: true)
  static let incomplete = Self(
    "incomplete", "❌", "incomplete[ after {seconds} s][, words: {words}][, tokens: {tokens}]",
    isEnd: true)
  static let refused = Self("refused", "❌", "refused[ after {seconds} s]", isEnd: true)
  static let cancelled = Self("cancelled", "❌", "cancelled[ after {seconds} s]", isEnd: true)
  static let failed = Self("failed", "❌", "failed[ after {seconds} s]", isEnd: true)
  static let error = Self("error", "❌", "an error[ after {seconds} s]", isEnd: true)
  static let cut = Self("cut", "❌", "cut off[ after {seconds} s][, words: {words}]", isEnd: true)

  package static let all = [
    starting, queued, processing, thinking, searchStarting, searching, searchDone, fileSearching,
    fileSearchDone, codeRunning, codeDone, imageGenerating, imageDone, toolsListing, toolsListed,
    mcpCalling, mcpDone, mcpFailed, functionCalling, functionDone, toolRunning, toolDone, drafting,
    citing, finalising, refusing, done, incomplete, refused, cancelled, failed, error, cut,
  ]

  private static func written(_ doing: String) -> String {
    doing + "[, words: {words}][, citations: {citations}]"
  }
}
