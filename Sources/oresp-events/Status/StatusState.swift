import Core

/// The work of a response, as far as a person cares.
package enum StatusState: String, CaseIterable, Sendable {
  case connecting, starting, queued, processing, thinking, searchStarting, searching, searchDone,
    fileSearching, fileSearchDone, codeRunning, codeDone, imageGenerating, imageDone, toolsListing,
    toolsListed, mcpCalling, mcpDone, mcpFailed, functionCalling, functionDone, toolRunning,
    toolDone, drafting, citing, finalising, refusing, done, incomplete, refused, cancelled, failed,
    error, cut

  /// Its name in JSON: `search_starting`.
  package var name: String {
    rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
  /// The sign before the text where signs are shown.
  var sign: String { row.sign }
  /// Its text, from which a part in brackets is left out if a value in it is not known.
  package var text: String { row.text }

  /// Its text with the values of `facts`.
  func text(with facts: StatusFacts) -> String { Self.fill(text[...], facts.members).text }

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

  /// `text` with the values of its placeholders, and whether all are known.
  private static func fill(
    _ text: Substring, _ known: [(name: String, value: JSONValue)]
  ) -> (text: String, isWhole: Bool) {
    var made = ""
    var isWhole = true
    var rest = text
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
}
