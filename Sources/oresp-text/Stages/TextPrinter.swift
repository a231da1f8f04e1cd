import Core

/// What the printers of all answers share.
final class Tally {
  /// The number of messages that began, over all of the input.
  var messages = 0
  /// The number of answers that are open.
  var answers = 0
}

/// Prints the texts of a response one after another to one stream, each with its heading, its list
/// of sources and its ending.
///
/// With `--reasoning -c footnotes` these calls print the text beside them; the space behind `blue.`
/// waits for the mark:
///
/// ```
/// begin(.summary, "reasoning summary")             --- reasoning summary
/// append("Rayleigh")                               Rayleigh
/// end()
/// begin(.answer, "answer")                         --- answer
/// append("The sky is blue. ")                      The sky is blue.
/// cite(PlacedCitation(…, place: 16))               The sky is blue.[1]
/// append("Why?")                                   The sky is blue.[1] Why?
/// end()                                            (an empty line)
///                                                  [1] Sky <https://a.example>
/// ```
struct TextPrinter {
  private let style: TextStyle
  private let tally: Tally
  /// Text and notices that go out; the owner of the printer empties it.
  var sink: TextSink
  /// Text that waits for its end: the last message, when only the last is printed, or a text that
  /// must be whole, as long as another answer is open.
  private var held: TextSink
  /// Whether the open text goes to `held`.
  private var holds = false
  /// Puts marks where messages cite something; `nil` when no marks are wanted.
  private var marker: CitationMarker?
  private var stages: TextStages
  /// The numbers of sources whose citation came after the end of its message, each with the number
  /// of the last such message.
  private var late: [Int: Int] = [:]
  /// Sources that are listed without a number.
  private var consulted = CitedSources()
  /// The name of the open text; `nil` between texts, and inside one that is not printed.
  private var open: TextName?
  /// Whether the open text is printed unchanged.
  private(set) var printsAsItIs = false
  /// The number of the last message that began.
  private(set) var message = 0
  /// Whether any of the open text was printed, since text of another answer stands inside it.
  private var hasText = false

  init(_ style: TextStyle, _ tally: Tally) {
    self.style = style
    self.tally = tally
    sink = TextSink(endingAtNUL: style.forbidsNUL)
    held = sink
    marker = style.citations == .none ? nil : CitationMarker()
    stages = TextStages(style)
  }

  /// Begins a text under `heading`.
  mutating func begin(_ name: TextName, _ heading: String) {
    if name == .answer {
      tally.messages += 1
      message = tally.messages
    }
    guard name != .answer || isPrinted(message: message) else { return }
    open = name
    hasText = false
    let isLast = keepsLast && name == .answer
    holds = isLast || !keepsLast && style.isWhole && tally.answers > 1
    if holds { held = TextSink(endingAtNUL: style.forbidsNUL) }
    if isLast { stages = TextStages(style) }
    printsAsItIs =
      !holds && !style.forbidsNUL && (name != .answer || marker == nil && stages.isEmpty)
    endLine()
    if style.hasHeadings { out.bytes.append("--- \(heading.harmless)\n") }
  }

  /// Puts the mark of a citation into the open text.
  mutating func cite(_ placed: PlacedCitation) {
    guard open != nil else { return }
    guard marker != nil else { return consult(placed.citation) }
    putMarked { $0?.add(placed.citation, at: placed.place, into: &$1) }
  }

  /// Appends more of the open text.
  mutating func append(_ text: Span<UInt8>) {
    guard open != nil else { return }
    if style.forbidsNUL, text.firstIndex(of: 0) != nil {
      let shown = [UInt8](copying: text).split(separator: 0, omittingEmptySubsequences: false)
      return append(Array(shown.joined(separator: "\u{FFFD}".utf8)).span)
    }
    if open != .answer {
      put { $1.bytes.append(copying: text) }
    } else if marker == nil {
      put { $0.append(text, into: &$1) }
    } else {
      putMarked { $0?.append(text, into: &$1) }
    }
  }

  /// Notes that text was appended to the sink unchanged.
  mutating func noteGrowth() {
    sink.makeRoom()
    hasText = true
  }

  /// Notes that text was printed unchanged, and its last byte.
  @inline(__always)
  mutating func note(endingIn last: UInt8) {
    sink.note(endingIn: last)
    hasText = true
  }

  /// Ends the open text.
  mutating func end() {
    guard let name = open else { return }
    if name == .answer {
      var cited: [Int] = []
      putMarked { cited = $0?.finish(into: &$1) ?? [] }
      put { $0.end(into: &$1) }
      let sources = marker?.sources.sources ?? []
      list(cited.map { (sources[$0 - 1], $0) })
    }
    endText()
    releaseWhole()
    open = nil
    printsAsItIs = false
    holds = false
  }

  /// Passes on the text that `work` gets from the marker; none if only the sources are wanted.
  private mutating func putMarked(_ work: (inout CitationMarker?, inout [UInt8]) -> Void) {
    var text: [UInt8] = []
    work(&marker, &text)
    if style.citations != .only { put { $0.append(text.span, into: &$1) } }
  }

  /// Puts out the text that `work` gets from the stages.
  private mutating func put(_ work: (inout TextStages, inout TextSink) -> Void) {
    let count = out.bytes.count
    if holds { work(&stages, &held) } else { work(&stages, &sink) }
    if out.bytes.count > count { hasText = true }
    out.makeRoom()
  }

  /// The sink of the open text.
  private var out: TextSink {
    _read { if holds { yield held } else { yield sink } }
    _modify { if holds { yield &held } else { yield &sink } }
  }

  /// Whether a text that must be whole has gone out in part.
  var isInsideWhole: Bool { open != nil && hasText && !holds && style.isWhole }

  /// The number of bytes that wait to go out.
  var waitingCount: Int { sink.bytes.count + (keepsLast ? 0 : held.bytes.count) }

  /// Whether it has the last message of all of the input so far, which waits.
  var hasLastMessage: Bool { keepsLast && message > 0 && message == tally.messages }

  /// Whether the texts had what the stages look for.
  var hasFound: Bool { stages.missing == nil }

  /// Lets a text go out that waits for its end.
  mutating func releaseWhole() {
    if holds, !keepsLast { releaseHeld() }
  }

  /// Lets the text go out that waits, the last message too.
  mutating func releaseHeld() {
    holds = false
    if !held.bytes.isEmpty { endLine() }
    sink.append(emptying: &held)
  }

  /// Prints the white space that waits for a mark.
  mutating func releaseSpace() {
    if open == .answer, marker != nil { putMarked { $0?.releaseSpace(into: &$1) } }
  }

  /// Notes that text of another answer follows: more of the open text begins a line.
  mutating func part() {
    sink.noteLineEnd()
    if open != nil, !holds { hasText = false }
  }

  /// Keeps a citation of the message with the number `message`, which has ended.
  mutating func cite(_ citation: Citation, behind message: Int) {
    guard isPrinted(message: message) else { return }
    guard let number = marker?.sources.number(of: citation) else { return consult(citation) }
    late[number] = message
  }

  /// Keeps a source that a search consulted.
  mutating func consult(_ source: Citation) { _ = consulted.number(of: source) }

  /// Ends the response: lists the sources that came too late for the list of their message, and the
  /// consulted sources that no message cites.
  mutating func endResponse() {
    let cited = marker?.sources ?? CitedSources()
    let listed = late.filter { isPrinted(message: $0.value) }.keys.sorted()
    var rest: [(source: Citation, number: Int?)] = listed.map { (cited.sources[$0 - 1], $0) }
    if style.listsSources {
      rest += consulted.sources.filter { !cited.contains($0) }.map { ($0, nil) }
    }
    late = [:]
    consulted = CitedSources()
    guard !rest.isEmpty else { return }
    endLine()
    if style.hasHeadings { out.bytes.append("--- sources\n") }
    list(rest)
    endText()
  }

  /// Removes the notices, behind the first `count`, that say what a message lacks.
  mutating func dropNegatives(behind count: Int) {
    sink.notices[count...].removeAll { $0.status == .negative }
    held.notices.removeAll { $0.status == .negative }
  }

  /// Whether the message with this number is printed; the last one so far counts as the last.
  private func isPrinted(message number: Int) -> Bool {
    switch style.messages {
    case .all: true
    case .none: false
    case .last: number == tally.messages
    case .number(let wanted): number == wanted
    }
  }

  private var keepsLast: Bool { style.messages == .last }

  private mutating func endLine() {
    if out.isLineOpen { out.bytes.append(ASCII.lf) }
  }

  /// Ends a text or a list in the ending of the style.
  private mutating func endText() {
    switch style.ending {
    case .newline: endLine()
    case .bare: break
    case .nul:
      // Each block has a NUL of its own, and a text that printed nothing has no end.
      let isPart = open == .answer && !stages.isEmpty
      if !isPart || (hasText ? style.form.parses && style.form.elements == nil : style.hasHeadings)
      {
        out.bytes.append(0)
      }
    }
  }

  /// Appends `sources`, each with its number, as lines behind the text.
  private mutating func list(_ sources: [(source: Citation, number: Int?)]) {
    guard !sources.isEmpty else { return }
    endLine()
    if hasText { out.bytes.append(ASCII.lf) }
    for (source, number) in sources {
      endLine()
      source.appendLine(in: style.citations, number: number, to: &out.bytes)
    }
  }
}
