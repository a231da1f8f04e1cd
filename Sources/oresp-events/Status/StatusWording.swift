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
      guard let state = StatusState.allCases.first(where: { $0.name == member.name }) else {
        let hint = hint(for: member.name, among: StatusState.allCases.map(\.name))
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
    let marks = [UInt8(ascii: "{"), UInt8(ascii: "[")]
    while let start = rest.utf8.firstIndex(where: marks.contains) {
      made += rest[..<start]
      let mark = rest.utf8[start]
      rest = rest[rest.utf8.index(after: start)...]
      guard let end = rest.utf8.firstIndex(of: mark + 2) else {
        made.unicodeScalars.append(Unicode.Scalar(mark))
        continue
      }
      let inside = rest[..<end]
      rest = rest[rest.utf8.index(after: end)...]
      if mark == marks[0] {
        let value = facts.text(of: inside)
        made += value ?? ""
        isWhole = isWhole && value != nil
      } else {
        let part = fill(inside, facts)
        if part.isWhole { made += part.text }
      }
    }
    return (made + rest, isWhole)
  }

  /// The first placeholder in `text` that stands for nothing.
  private static func unknownPlaceholder(in text: String) -> String? {
    let parts = text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
    return parts.map { String($0.prefix { $0 != "}" }) }
      .first { !StatusFacts.names.contains($0) }
  }
}

/// What a response is doing, as far as a person cares.
package enum StatusState: CaseIterable, Sendable {
  case connecting, starting, queued, processing, thinking, searchStarting, searching, searchDone,
    fileSearching,
    fileSearchDone, codeRunning, codeDone, imageGenerating, imageDone, toolsListing, toolsListed,
    mcpCalling, mcpDone, mcpFailed, functionCalling, functionDone, toolRunning, toolDone, drafting,
    citing, finalising, refusing, done, incomplete, refused, cancelled, failed, error, cut

  /// Its name for a user's own wording and in JSON.
  package var name: String { row.name }
  /// What is shown before the text where signs are shown.
  var sign: String { row.sign }
  /// What is told of it. A part in brackets is left out when a value in it is not known.
  package var text: String { row.text }

  /// Whether the response is over.
  package var isEnd: Bool {
    switch self {
    case .done, .incomplete, .refused, .cancelled, .failed, .error, .cut: true
    default: false
    }
  }

  /// Whether the clock of `former` goes on: a citation is a part of drafting.
  func goesOn(from former: StatusState?) -> Bool {
    self == former || [.drafting, .citing].contains(self) && [.drafting, .citing].contains(former)
  }

  private var row: (name: String, sign: String, text: String) {
    switch self {
    case .connecting: ("connecting", "⏳", "connecting")
    case .starting: ("starting", "⏳", "starting")
    case .queued: ("queued", "⏳", "waiting in the queue")
    case .processing: ("processing", "⏳", "processing")
    case .thinking: ("thinking", "💭", "thinking")
    case .searchStarting: ("search_starting", "🔎", "starting a web search")
    case .searching:
      ("searching", "🔎", "searching the web[ (\"{query}\")][, sources so far: {sources}]")
    case .searchDone:
      ("search_done", "🔎", "results found[ for \"{query}\"][, sources: {sources}], drafting")
    case .fileSearching: ("file_searching", "🔎", "searching files[ (\"{query}\")]")
    case .fileSearchDone: ("file_search_done", "🔎", "files searched[, results: {sources}]")
    case .codeRunning: ("code_running", "🔧", "running code")
    case .codeDone: ("code_done", "🔧", "code has run")
    case .imageGenerating: ("image_generating", "🎨", "generating an image")
    case .imageDone: ("image_done", "🎨", "image generated")
    case .toolsListing: ("tools_listing", "🔧", "listing tools[ of {name}]")
    case .toolsListed: ("tools_listed", "🔧", "tools listed")
    case .mcpCalling: ("mcp_calling", "🔧", "calling a tool[, {name}]")
    case .mcpDone: ("mcp_done", "🔧", "the tool[ {name}] answered")
    case .mcpFailed: ("mcp_failed", "🔧", "the tool[ {name}] failed")
    case .functionCalling: ("function_calling", "🔧", "preparing a call[ of {name}]")
    case .functionDone: ("function_done", "🔧", "call[ of {name}] is ready")
    case .toolRunning: ("tool_running", "🔧", "running a tool[, {name}]")
    case .toolDone: ("tool_done", "🔧", "the tool[ {name}] is done")
    case .drafting: ("drafting", "📝", Self.written("drafting"))
    case .citing: ("citing", "📝", Self.written("drafting"))
    case .finalising: ("finalising", "📝", Self.written("finalising"))
    case .refusing: ("refusing", "🚫", "answering with a refusal")
    case .done: ("done", "✅", "done[ in {seconds} s][, tokens: {tokens}]")
    case .incomplete:
      ("incomplete", "❌", "incomplete[ after {seconds} s][, words: {words}][, tokens: {tokens}]")
    case .refused: ("refused", "❌", "refused[ after {seconds} s]")
    case .cancelled: ("cancelled", "❌", "cancelled[ after {seconds} s]")
    case .failed: ("failed", "❌", "failed[ after {seconds} s]")
    case .error: ("error", "❌", "an error[ after {seconds} s]")
    case .cut: ("cut", "❌", "cut off[ after {seconds} s][, words: {words}]")
    }
  }

  private static func written(_ doing: String) -> String {
    doing + "[, words: {words}][, citations: {citations}]"
  }
}
