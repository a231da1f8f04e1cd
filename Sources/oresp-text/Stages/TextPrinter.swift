import Core

/// Prints texts one after another to one stream, each with its heading, its list of sources and its
/// ending.
struct TextPrinter {
  /// What is kept of a response that was left, to go on with it.
  struct Left {
    fileprivate let marker: CitationMarker?
    fileprivate let stages: TextStages
    fileprivate let late: [Int: Int]
    fileprivate let consulted: CitedSources
    fileprivate let held: TextSink
    /// How many messages there were.
    fileprivate let messages: Int

    /// How many bytes of text it holds.
    var size: Int { held.bytes.count + stages.size }
  }

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
  /// Whether the open text was left before.
  private var isRest = false
  /// How many messages there were, and the number of the one that was begun last.
  private var messages = 0
  private(set) var message = 0
  /// What goes out; whoever has the printer empties it.
  var sink = TextSink()
  /// What was made since it went out last.
  private var made = TextSink()
  /// What waits: the last message, when only the last one counts, or the rest of a text that was
  /// left.
  private var held = TextSink()
  private var holds = false
  /// Whether the last byte that was made is neither a newline nor a NUL.
  private var isLineOpen = false
  /// How many bytes of what was made are a heading above the rest of a text, of which there may be
  /// none.
  private var restHeading = 0
  /// Whether any of the open text was printed.
  private var hasText = false
  /// The number of the response, what stands above its texts, and the number of the one where that
  /// was printed last.
  private var label: (number: Int, text: String)?
  private var labelled = 0
  /// Whether the stages of a text that was left found what they look for.
  private var hasFound = false

  init(_ style: TextStyle) {
    self.style = style
    marker = style.citations == .none ? nil : CitationMarker(style.citations)
    messageStages = TextStages(ofMessages: true, style)
    otherStages = TextStages(ofMessages: false, style)
  }

  /// Begins a text under `heading`, or what comes of the message `former`, which was left.
  mutating func begin(_ name: TextName, _ heading: String, as former: Int?) {
    (open, isRest) = (name, former != nil)
    if name == .answer, !isRest { messages += 1 }
    message = former ?? messages
    isShown = name != .answer || isPrinted(message: message)
    let isLast = keepsLast && name == .answer
    let holdsRest = isRest && style.isWhole && !keepsLast
    printsAsItIs =
      isShown && !isLast && !holdsRest
      && (name == .answer ? marker == nil && messageStages.isEmpty : otherStages.isEmpty)
    guard isShown else { return }
    (holds, hasText) = (isLast, false)
    if isLast, !isRest {
      (held, isLineOpen) = (TextSink(), false)
      messageStages = TextStages(ofMessages: true, style)
    }
    startLine()
    flush()
    if holdsRest { holdRest() }
    appendLabel()
    if style.hasHeadings, !hasText { made.bytes.append("--- \(heading.harmless)\n") }
    restHeading = isRest && !printsAsItIs ? made.bytes.count : 0
    if restHeading == 0 { flush() }
  }

  /// Says from now on that texts are of the response `number`, which goes by `name`.
  mutating func label(_ number: Int, _ name: String) { label = (number, name) }

  private mutating func appendLabel() {
    guard let label, keepsLast ? !isRest || held.bytes.isEmpty : labelled != label.number else {
      return
    }
    made.bytes.append("== \(label.text.harmless) ==\n")
    labelled = label.number
  }

  /// Holds the open text until its end, behind what was held of it before.
  private mutating func holdRest() {
    holds = true
    isLineOpen = held.bytes.last.map { $0 != ASCII.lf && $0 != 0 } ?? false
    hasText = !held.bytes.isEmpty
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
      marker?.append(text, into: &marked)
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
    defer { close() }
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
    if restHeading > 0, made.bytes.count == restHeading { made.bytes = [] }
    restHeading = 0
    if !isRest || hasText || !made.bytes.isEmpty { endText() }
    flush()
    if !keepsLast { sink.append(emptying: &held) }
  }

  private mutating func close() {
    (open, isShown, printsAsItIs, holds) = (nil, false, false, false)
  }

  /// Leaves the response: the open text ends, as far as it is out. Returns what is kept.
  mutating func leave() -> Left {
    if isShown, !holds || keepsLast {
      if open == .answer { leaveMessage() }
      if hasText { endText() }
      flush()
    } else if isShown {
      isLineOpen = false
    }
    close()
    let left = Left(
      marker: marker, stages: messageStages, late: late, consulted: consulted,
      held: keepsLast ? TextSink() : held, messages: messages)
    if marker != nil { marker = CitationMarker(style.citations) }
    (late, consulted) = ([:], CitedSources())
    if !keepsLast {
      held = TextSink()
      change(messageStages: TextStages(ofMessages: true, style))
    }
    return left
  }

  private mutating func leaveMessage() {
    var rest: [UInt8] = []
    marker?.leave(into: &rest)
    pass(marked: rest)
    messageStages.leave(into: &made)
    flushText()
  }

  /// Goes on with a response that was left.
  mutating func goOn(with left: Left) {
    (marker, late, consulted) = (left.marker, left.late, left.consulted)
    if !keepsLast {
      held = left.held
      change(messageStages: left.stages)
    } else if left.messages == messages {
      messageStages = left.stages
    }
  }

  private mutating func change(messageStages stages: TextStages) {
    hasFound = hasFound || messageStages.missing == nil
    messageStages = stages
  }

  /// Whether more than text is owed to a text that was left: its rest, its list or its JSON.
  func owesEnd(of name: TextName) -> Bool {
    !keepsLast && !held.bytes.isEmpty
      || name == .answer && (marker != nil || !messageStages.isEmpty)
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
    defer { if marker != nil { marker = CitationMarker(style.citations) } }
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
    var missing = hasFound ? nil : messageStages.missing
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

  private var keepsLast: Bool { style.messages == .last }

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
      CitationList(style: style.citations).append(source, number: number, to: &made.bytes)
      isLineOpen = true
    }
  }

  /// Lets the text out that was made.
  private mutating func flushText() {
    guard made.bytes.count > restHeading || restHeading == 0 else { return }
    restHeading = 0
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
