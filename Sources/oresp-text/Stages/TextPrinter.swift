import Core

/// Prints the texts of a response one after another to one stream, each with its heading, its list
/// of sources and its ending.
///
/// With `--reasoning -c footnotes` these calls print the text beside them; the space behind `blue.`
/// waits for the mark:
///
/// ```
/// begin(.summary, "reasoning summary", as: nil)    --- reasoning summary
/// append("Rayleigh")                               Rayleigh
/// end()
/// begin(.answer, "answer", as: nil)                --- answer
/// append("The sky is blue. ")                      The sky is blue.
/// cite(PlacedCitation(…, place: 16))               The sky is blue.[1]
/// append("Why?")                                   The sky is blue.[1] Why?
/// end()                                            (an empty line)
///                                                  [1] Sky <https://a.example>
/// ```
///
/// A response may be left for another while a text is open. Its text then ends with a line end; the
/// rest is printed under a heading of its own, when the response ends.
struct TextPrinter {
  /// The state of the stream, which goes from one response to the next.
  struct Page {
    /// Text and notices that go out; the owner of the printer empties it.
    var sink = TextSink()
    /// The number of messages that began.
    fileprivate var messages = 0
    /// Whether the last byte ends neither a line nor a text.
    fileprivate var isLineOpen = false
    /// The number of the response and the name in the line above its texts, and the number of the
    /// response whose line was printed last.
    fileprivate var label: (number: Int, text: String)?
    fileprivate var labelled = 0
    /// Whether a response that was left had what the stages look for.
    fileprivate var hasFound = false
    /// The report of the first response without text, where the stages need one, until the next such
    /// response: the end may say the same.
    fileprivate var silence: Notice?
    fileprivate var hasSilence = false
  }

  private let style: TextStyle
  var page = Page()
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
  /// Whether the open text goes on after its response was left.
  private var isRest = false
  /// The number of the last message that began.
  private(set) var message = 0
  /// Text and notices since the last flush.
  private var made = TextSink()
  /// The heading above the rest of a text, which goes out with the first byte of the rest.
  private var heading: [UInt8] = []
  /// Text that waits: the last message, when only the last is printed, or the rest of a text.
  private var held = TextSink()
  /// Whether the open text goes to `held`.
  private var holds = false
  /// Whether any of the open text was printed.
  private var hasText = false

  init(_ style: TextStyle) {
    self.style = style
    marker = style.citations == .none ? nil : CitationMarker()
    stages = TextStages(style)
  }

  /// Begins a text under `heading`, or goes on with the message `former`.
  mutating func begin(_ name: TextName, _ heading: String, as former: Int?) {
    (open, isRest) = (name, former != nil)
    if name == .answer, !isRest { page.messages += 1 }
    message = former ?? page.messages
    isShown = name != .answer || isPrinted(message: message)
    let isLast = keepsLast && name == .answer
    printsAsItIs =
      isShown && !isLast && !style.forbidsNUL
      && (name != .answer || marker == nil && stages.isEmpty)
    guard isShown else { return }
    (holds, hasText) = (isLast, false)
    if isLast, !isRest {
      (held, stages, page.isLineOpen) = (TextSink(), TextStages(style), false)
    }
    startLine()
    flush()
    appendLabel()
    if style.hasHeadings, !hasText { made.bytes.append("--- \(heading.harmless)\n") }
    if isRest, !printsAsItIs { swap(&made.bytes, &self.heading) } else { flush() }
  }

  /// Labels the texts from now on with `name`, the name of the response `number`.
  mutating func label(_ number: Int, _ name: String) { page.label = (number, name) }

  /// Prints the line above the texts of a response that has none.
  mutating func printLabel() {
    guard !keepsLast else { return }
    startLine()
    appendLabel()
    flush()
  }

  private mutating func appendLabel() {
    guard let label = page.label,
      keepsLast ? !isRest || held.bytes.isEmpty : page.labelled != label.number
    else { return }
    made.bytes.append("== \(label.text.harmless) ==\n")
    page.labelled = label.number
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

  /// Notes that text was printed, and its last byte; `nil` for no text. A NUL ends a text only
  /// where no text contains one.
  mutating func note(endingIn last: UInt8?) {
    guard let last else { return }
    page.isLineOpen = last != ASCII.lf && !(last == 0 && style.forbidsNUL)
    hasText = true
  }

  /// Ends the open text.
  mutating func end() {
    defer { close() }
    guard isShown else { return }
    if open == .answer {
      var cited: [Int] = []
      passMarked { cited = $0?.finish(into: &$1) ?? [] }
      stages.end(into: &made)
      flushText()
      let sources = marker?.sources.sources ?? []
      list(cited.map { (sources[$0 - 1], $0) })
    }
    if !isRest || hasText || !made.bytes.isEmpty { endText() }
    flush()
    if !keepsLast { page.sink.append(emptying: &held) }
  }

  private mutating func close() {
    (open, isShown, printsAsItIs, holds, heading) = (nil, false, false, false, [])
  }

  /// Hands the stream to `other`, the printer of another response: the printed part of the open
  /// text ends as a text does.
  mutating func leave(for other: inout TextPrinter) {
    if isShown {
      if open == .answer {
        passMarked { $0?.leave(into: &$1) }
        stages.leave(into: &made)
        flushText()
      }
      if hasText { endText() }
      flush()
    }
    close()
    if keepsLast {
      // The last message may be of any response.
      (other.held, other.stages) = (held, stages)
      held = TextSink()
    } else {
      page.hasFound = page.hasFound || stages.missing == nil
    }
    if let silence = other.page.silence { report(silence: silence) }
    other.page = page
    page = Page()
  }

  /// Whether a part of a text is printed that a reader needs whole.
  var isInsideWhole: Bool { open != nil && isShown && hasText && !holds && style.isWhole }

  /// Whether the end of a text that was left may print something: its rest, its list or its JSON.
  func owesEnd(of name: TextName) -> Bool {
    name == .answer && (marker != nil || !stages.isEmpty)
  }

  /// Keeps a citation of the message with the number `message`, which has ended.
  mutating func cite(_ citation: Citation, behind message: Int) {
    guard isPrinted(message: message) else { return }
    guard let number = marker?.sources.number(of: citation) else { return consult(citation) }
    late[number] = message
  }

  /// Keeps a source that a search consulted.
  mutating func consult(_ source: Citation) { _ = consulted.number(of: source) }

  /// Ends a response: lists the sources that came too late for the list of their message, and the
  /// consulted sources that no message cites. Sources are numbered anew.
  mutating func endResponse() {
    defer { if marker != nil { marker = CitationMarker() } }
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

  /// Reports by `notice` that a response has no text, and what it has in place of that.
  mutating func report(silence notice: Notice) {
    let isFirst = !page.hasSilence
    page.hasSilence = true
    if isFirst, stages.missing != nil, notice.response == nil, notice.input == nil {
      page.silence = notice
      return
    }
    releaseSilence()
    page.sink.notices.append(notice)
  }

  private mutating func releaseSilence() {
    guard let silence = page.silence.take() else { return }
    page.sink.notices.append(silence)
  }

  /// Ends the input. What its texts lack is not told if all `haveFailed`.
  mutating func finish(haveFailed: Bool) {
    if haveFailed { held.notices.removeAll { $0.status == .negative } }
    page.sink.append(emptying: &held)
    var missing = page.hasFound ? nil : stages.missing
    if haveFailed { missing = nil }
    if let what = missing, let way = page.silence?.remark {
      missing = what + "; " + way
      page.silence = nil
    }
    releaseSilence()
    if !haveFailed, case .number(let wanted) = style.messages, page.messages < wanted {
      missing = "message \(wanted): the input has \(page.messages)"
    }
    guard let missing else { return }
    page.sink.notices.append(Notice(.error, "there is no \(missing)", status: .negative))
  }

  /// Whether the message with this number is printed; the last one so far counts as the last.
  private func isPrinted(message number: Int) -> Bool {
    switch style.messages {
    case .all: true
    case .none: false
    case .last: number == page.messages
    case .number(let wanted): number == wanted
    }
  }

  private var keepsLast: Bool { style.messages == .last }

  private mutating func startLine() {
    if page.isLineOpen { made.bytes.append(ASCII.lf) }
    page.isLineOpen = false
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
      page.isLineOpen = false
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
      page.isLineOpen = true
    }
  }

  /// Flushes text of the open text.
  private mutating func flushText() {
    note(endingIn: made.bytes.last)
    flush()
  }

  /// Moves all that was made to the stream, or to `held`; a heading that is owed goes first.
  private mutating func flush() {
    if !heading.isEmpty, !made.bytes.isEmpty {
      made.bytes.insert(contentsOf: heading, at: 0)
      heading = []
    }
    if holds { held.append(emptying: &made) } else { page.sink.append(emptying: &made) }
  }
}
