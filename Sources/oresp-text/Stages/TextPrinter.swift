import Core

/// Prints texts one after another to one stream, each with its heading, its list of sources and its
/// ending.
struct TextPrinter {
  private let style: TextStyle
  /// Marks what messages cite; `nil` when that is not asked for.
  private var marker: CitationMarker?
  private var messageStages: TextStages
  private var otherStages: TextStages
  /// The numbers of sources that a message turned out to cite when it had ended, and the number of
  /// the last such message.
  private var late: [Int: Int] = [:]
  /// Sources that are listed without a number.
  private var consulted = CitedSources()
  /// What the open text is; `nil` between texts.
  private var open: TextName?
  /// Whether the open text is printed.
  private var isShown = false
  /// Whether the open text is printed, and as it is.
  private(set) var printsAsItIs = false
  /// How many messages there were.
  private(set) var messages = 0
  /// What goes out; whoever has the printer empties it.
  var sink = TextSink()
  /// What was made since it went out last.
  private var made = TextSink()
  /// The last message as it is to be printed, when only the last one counts.
  private var held = TextSink()
  /// Whether the last byte that was made is neither a newline nor a NUL.
  private var isLineOpen = false
  /// Whether any of the open text was printed.
  private var hasText = false

  init(_ style: TextStyle) {
    self.style = style
    marker = style.citations == .none ? nil : CitationMarker()
    messageStages = TextStages(ofMessages: true, style)
    otherStages = TextStages(ofMessages: false, style)
  }

  /// Begins a text under `heading`.
  mutating func begin(_ name: TextName, _ heading: String) {
    open = name
    if name == .answer { messages += 1 }
    isShown = name != .answer || isPrinted(message: messages)
    printsAsItIs =
      isShown && !holds
      && (name == .answer ? marker == nil && messageStages.isEmpty : otherStages.isEmpty)
    guard isShown else { return }
    if holds {
      held = TextSink()
      messageStages = TextStages(ofMessages: true, style)
      isLineOpen = false
    }
    startLine()
    if style.hasHeadings { made.bytes.append("--- \(heading.harmless)\n") }
    flush()
    hasText = false
  }

  /// Takes a citation of the open text.
  mutating func cite(_ placed: PlacedCitation) {
    guard isShown else { return }
    guard marker != nil else { return consult(placed.citation) }
    var marked: [UInt8] = []
    marker?.add(placed.citation, at: placed.place, into: &marked)
    pass(marked: marked)
  }

  /// Appends more of the open text.
  mutating func append(_ text: Span<UInt8>) {
    guard isShown else { return }
    if open != .answer {
      otherStages.append(text, into: &made)
    } else if marker == nil {
      messageStages.append(text, into: &made)
    } else {
      var marked: [UInt8] = []
      marker?.take(text, into: &marked)
      return pass(marked: marked)
    }
    flushText()
  }

  /// Passes on text of a message in which marks stand, unless the list of sources is all that is
  /// wanted.
  private mutating func pass(marked text: [UInt8]) {
    if style.citations != .only { messageStages.append(text.span, into: &made) }
    flushText()
  }

  /// Notes `text`, which was printed as it is.
  mutating func note(_ text: Span<UInt8>) {
    guard !text.isEmpty else { return }
    isLineOpen = text[text.count - 1] != ASCII.lf
    hasText = true
  }

  /// Ends the open text.
  mutating func end() {
    defer { (open, isShown, printsAsItIs) = (nil, false, false) }
    guard isShown else { return }
    if open == .answer {
      var rest: [UInt8] = []
      let cited = marker?.finish(into: &rest) ?? []
      pass(marked: rest)
      messageStages.end(into: &made)
      flushText()
      let sources = marker?.sources.sources ?? []
      list(cited.map { (sources[$0 - 1], $0) })
    }
    endText()
    flush()
  }

  /// Takes a citation of the message with the number `message`, which has ended.
  mutating func cite(_ citation: Citation, behind message: Int) {
    guard isPrinted(message: message) else { return }
    guard let number = marker?.number(of: citation) else { return consult(citation) }
    late[number] = message
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { _ = consulted.number(of: source) }

  /// Ends a response: lists the sources that no message could list any more, and what was consulted
  /// and not cited. Sources are numbered anew.
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

  /// Ends the input.
  mutating func finish() {
    sink.append(emptying: &held)
    var missing = messageStages.missing
    if case .number(let wanted) = style.messages, messages < wanted {
      missing = "message \(wanted): the input has \(messages)"
    }
    guard let missing else { return }
    sink.notices.append(Notice(.error, "there is no \(missing)", status: .negative))
  }

  /// Whether the message with this number is one of those to print, as far as is known.
  private func isPrinted(message number: Int) -> Bool {
    switch style.messages {
    case .all: true
    case .none: false
    case .last: number == messages
    case .number(let wanted): number == wanted
    }
  }

  /// Whether what is made waits, as a later message may take its place.
  private var holds: Bool { style.messages == .last && (open ?? .answer) == .answer }

  private mutating func startLine() {
    guard isLineOpen else { return }
    made.bytes.append(ASCII.lf)
    isLineOpen = false
  }

  /// Ends a text, or a list, as was asked for.
  private mutating func endText() {
    switch style.ending {
    case .newline: startLine()
    case .bare: break
    case .nul:
      // Blocks have each their own, and where nothing is printed there is nothing to end.
      let isPart = open != .file && (style.form.takesBlocks || style.form.parses)
      if !isPart || (hasText ? style.form.parses : style.hasHeadings) { made.bytes.append(0) }
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
      CitationList(style: style.citations).append(source, number: number, to: &made.bytes)
      isLineOpen = true
    }
  }

  /// Lets the text out that was made.
  private mutating func flushText() {
    if let last = made.bytes.last {
      isLineOpen = last != ASCII.lf && last != 0
      hasText = true
    }
    flush()
  }

  private mutating func flush() {
    if holds { held.append(emptying: &made) } else { sink.append(emptying: &made) }
  }
}
