package import Core

/// The text of each state: a user's own, or the built-in one.
package struct StatusWording: Sendable {
  private var own: [StatusState: String] = [:]

  package init() {}

  /// Reads `file`, a JSON object of texts for states. A state that it leaves out keeps its text.
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

  /// The text of `state`; with `hasSigns` a sign stands before the built-in one.
  func text(of state: StatusState, _ facts: StatusFacts, hasSigns: Bool) -> String {
    let known = facts.members
    if let text = own[state] { return Self.fill(text[...], known).text }
    return (hasSigns ? state.sign + " " : "") + Self.fill(state.text[...], known).text
  }

  /// `text` with the values of its placeholders, and whether all are known.
  private static func fill(
    _ text: Substring, _ known: [(name: String, value: JSONValue)]
  ) -> (text: String, isWhole: Bool) {
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
        let value = known.first { $0.name == inside }?.value
        made += value.map { String(decoding: $0.string ?? $0.line, as: UTF8.self) } ?? ""
        isWhole = isWhole && value != nil
      } else {
        let part = fill(inside, known)
        if part.isWhole { made += part.text }
      }
    }
    return (made + rest, isWhole)
  }

  /// The first placeholder in `text` that has no value in any state.
  private static func unknownPlaceholder(in text: String) -> String? {
    let parts = text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
    return parts.map { String($0.prefix { $0 != "}" }) }
      .first { !StatusFacts.names.contains($0) }
  }
}

/// The work of a response, as far as a person cares.
package enum StatusState: String, CaseIterable, Sendable {
  case connecting, starting, queued, processing, thinking, searchStarting, searching, searchDone,
    fileSearching, fileSearchDone, codeRunning, codeDone, imageGenerating, imageDone, toolsListing,
    toolsListed, mcpCalling, mcpDone, mcpFailed, functionCalling, functionDone, toolRunning,
    toolDone, drafting, citing, finalising, refusing, done, incomplete, refused, cancelled, failed,
    error, cut

  /// Its name in a user's own wording and in JSON: `search_starting`.
  package var name: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
  /// The sign before the text where signs are shown.
  var sign: String { row.sign }
  /// Its text, from which a part in brackets is left out if a value in it is not known.
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

  private var row: (sign: String, text: String) {
    switch self {
    case .connecting: ("⏳", "connecting")
    case .starting: ("⏳", "starting")
    case .queued: ("⏳", "waiting in the queue")
    case .processing: ("⏳", "processing")
    case .thinking: ("💭", "thinking")
    case .searchStarting: ("🔎", "starting a web search")
    case .searching: ("🔎", "searching the web[ (\"{query}\")][, sources so far: {sources}]")
    case .searchDone: ("🔎", "results found[ for \"{query}\"][, sources: {sources}], drafting")
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
    case .drafting, .citing: ("📝", "drafting[, words: {words}][, citations: {citations}]")
    case .finalising: ("📝", "finalising[, words: {words}][, citations: {citations}]")
    case .refusing: ("🚫", "answering with a refusal")
    case .done: ("✅", "done[ in {seconds} s][, tokens: {tokens}]")
    case .incomplete:
      ("❌", "incomplete[ after {seconds} s][, words: {words}][, tokens: {tokens}]")
    case .refused: ("❌", "refused[ after {seconds} s]")
    case .cancelled: ("❌", "cancelled[ after {seconds} s]")
    case .failed: ("❌", "failed[ after {seconds} s]")
    case .error: ("❌", "an error[ after {seconds} s]")
    case .cut: ("❌", "cut off[ after {seconds} s][, words: {words}]")
    }
  }
}
