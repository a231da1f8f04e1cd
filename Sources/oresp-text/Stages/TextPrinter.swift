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
  var sink = TextSink()
  /// Puts marks where messages cite something; `nil` when no marks are wanted.
  private var marker: CitationMarker?
  private var stages: TextStages
  /// The numbers of sources whose citation came after the end of its message, each with the number
  /// of the last such message.
  private var late: [Int: Int] = [:]
  /// Sources that are listed without a number.
  private var consulted = CitedSources()
  /// The name of the open text; `nil` between texts.
  private var open: TextName?
  /// Whether the open text is printed.
  private var isShown = false
  /// Whether the open text is printed unchanged.
  private(set) var printsAsItIs = false
  /// The number of the last message that began.
  private(set) var message = 0
  /// Text and notices since the last flush.
  private var made = TextSink()
  /// Text that waits for its end: the last message, when only the last is printed, or a text that
  /// must be whole, as long as another answer is open.
  private var held = TextSink()
  /// Whether the open text goes to `held`.
  private var holds = false
  /// Whether any of the open text was printed, since it was parted.
  private var hasText = false
  /// Whether text of another answer stands inside the open text.
  private var isParted = false
  /// Whether more of a parted text was printed.
  private var hasRest = false

  init(_ style: TextStyle, _ tally: Tally) {
    self.style = style
    self.tally = tally
    marker = style.citations == .none ? nil : CitationMarker()
    stages = TextStages(style)
  }

  /// Begins a text under `heading`.
  mutating func begin(_ name: TextName, _ heading: String) {
    open = name
    if name == .answer {
      tally.messages += 1
      message = tally.messages
    }
    isShown = name != .answer || isPrinted(message: message)
    let isLast = keepsLast && name == .answer
    holds = isLast || !keepsLast && style.isWhole && tally.answers > 1
    printsAsItIs =
      isShown && !holds && !style.forbidsNUL
      && (name != .answer || marker == nil && stages.isEmpty)
    guard isShown else { return }
    hasText = false
    if holds { held = TextSink() }
    if isLast { stages = TextStages(style) }
    startLine()
    if style.hasHeadings { made.bytes.append("--- \(heading.harmless)\n") }
    flush()
  }

  /// Puts the mark of a citation into the open text.
  mutating func cite(_ placed: PlacedCitation) {
    guard isShown else { return }
    guard marker != nil else { return consult(placed.citation) }
    passMarked { $0?.add(placed.citation, at: placed.place, into: &$1) }
  }

  /// Appends more of the open text.
  mutating func append(_ text: Span<UInt8>) {
    guard isShown else { return }
    if style.forbidsNUL, text.firstIndex(of: 0) != nil {
      let shown = [UInt8](copying: text).split(separator: 0, omittingEmptySubsequences: false)
      return append(Array(shown.joined(separator: "\u{FFFD}".utf8)).span)
    }
    if open != .answer {
      made.bytes.append(copying: text)
    } else if marker == nil {
      stages.append(text, into: &made)
    } else {
      return passMarked { $0?.append(text, into: &$1) }
    }
    flushText()
  }

  /// Passes on the text that `work` gets from the marker; none if only the sources are wanted.
  private mutating func passMarked(_ work: (inout CitationMarker?, inout [UInt8]) -> Void) {
    var text: [UInt8] = []
    work(&marker, &text)
    if style.citations != .only { stages.append(text.span, into: &made) }
    flushText()
  }

  /// Notes that text was printed unchanged, and its last byte.
  @inline(__always)
  mutating func note(endingIn last: UInt8) {
    sink.isLineOpen = last != ASCII.lf
    hasText = true
  }

  /// Ends the open text.
  mutating func end() {
    guard isShown else { return close() }
    if open == .answer {
      var cited: [Int] = []
      passMarked { cited = $0?.finish(into: &$1) ?? [] }
      stages.end(into: &made)
      flushText()
      let sources = marker?.sources.sources ?? []
      list(cited.map { (sources[$0 - 1], $0) })
    }
    // What is printed of a parted text has its end.
    if !isParted || hasText || !made.bytes.isEmpty { endText() }
    flush()
    releaseWhole()
    close()
  }

  private mutating func close() {
    hasRest = hasRest || isParted && hasText
    open = nil
    isShown = false
    printsAsItIs = false
    holds = false
    isParted = false
  }

  /// Whether a text that must be whole has gone out in part.
  var isInsideWhole: Bool { open != nil && isShown && hasText && !holds && style.isWhole }

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
    if sink.isLineOpen, !held.bytes.isEmpty { sink.bytes.append(ASCII.lf) }
    sink.append(emptying: &held)
    sink.isLineOpen = held.isLineOpen
    holds = false
  }

  /// Prints the white space that waits for a mark.
  mutating func releaseSpace() {
    if open == .answer, isShown, marker != nil { passMarked { $0?.releaseSpace(into: &$1) } }
  }

  /// Notes that text of another answer follows: more of the open text begins a line.
  mutating func part() {
    sink.isLineOpen = false
    guard open != nil, isShown, !holds else { return }
    isParted = isParted || hasText
    hasText = false
  }

  /// Returns whether more of a parted text was printed since the last call.
  mutating func takeRest() -> Bool {
    defer {
      if hasText { isParted = false }
      hasRest = false
    }
    return hasRest || isParted && hasText
  }

  /// Makes room for more text that waits.
  mutating func makeRoom() {
    sink.makeRoom()
    held.makeRoom()
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
    guard !late.isEmpty || !consulted.sources.isEmpty else { return }
    let cited = marker?.sources ?? CitedSources()
    let listed = late.filter { isPrinted(message: $0.value) }.keys.sorted()
    var rest: [(source: Citation, number: Int?)] = listed.map { (cited.sources[$0 - 1], $0) }
    if style.listsSources {
      rest += consulted.sources.filter { !cited.contains($0) }.map { ($0, nil) }
    }
    (late, consulted) = ([:], CitedSources())
    guard !rest.isEmpty else { return }
    startLine()
    if style.hasHeadings { made.bytes.append("--- sources\n") }
    list(rest)
    endText()
    flush()
  }

  /// Removes the notices of a message that waits which say what it lacks.
  mutating func dropHeldNegatives() { held.notices.removeAll { $0.status == .negative } }

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

  /// Whether the line that is printed is open, where the open text goes.
  private var isLineOpen: Bool {
    get { holds ? held.isLineOpen : sink.isLineOpen }
    set { if holds { held.isLineOpen = newValue } else { sink.isLineOpen = newValue } }
  }

  private mutating func startLine() {
    if isLineOpen { made.bytes.append(ASCII.lf) }
    isLineOpen = false
  }

  /// Ends a text or a list in the ending of the style.
  private mutating func endText() {
    switch style.ending {
    case .newline: startLine()
    case .bare: break
    case .nul:
      // Each block has a NUL of its own, and a text that printed nothing has no end.
      let isPart = open != .file && (style.form.takesBlocks || style.form.parses)
      if !isPart || (hasText ? style.form.parses && style.form.elements == nil : style.hasHeadings)
      {
        made.bytes.append(0)
      }
      isLineOpen = false
    }
  }

  /// Appends `sources`, each with its number, as lines behind the text.
  private mutating func list(_ sources: [(source: Citation, number: Int?)]) {
    guard !sources.isEmpty else { return }
    startLine()
    if hasText { made.bytes.append(ASCII.lf) }
    for (source, number) in sources {
      startLine()
      source.appendLine(in: style.citations, number: number, to: &made.bytes)
      isLineOpen = true
    }
  }

  /// Flushes text of the open text. A NUL ends a text only where no text contains one.
  private mutating func flushText() {
    if let last = made.bytes.last {
      isLineOpen = last != ASCII.lf && !(last == 0 && style.forbidsNUL)
      hasText = true
    }
    flush()
  }

  /// Moves all that was made to the stream, or to `held`.
  private mutating func flush() {
    if holds { held.append(emptying: &made) } else { sink.append(emptying: &made) }
  }
}
