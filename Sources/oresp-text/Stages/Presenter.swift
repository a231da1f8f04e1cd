import Core

/// Prints texts one after another, each with its heading, its list of sources and its ending.
struct Presenter {
  private let style: TextStyle
  /// Whether the text of a message is printed as it is.
  private let isPlain: Bool
  private var message: MessageText
  private var body: MessageBody?
  /// The numbers of sources that a message turned out to cite when it had ended, and the number of
  /// the last such message.
  private var late: [Int: Int] = [:]
  /// Consulted sources.
  private var consulted = CitedSources()
  /// What the open text is; `nil` between texts.
  private var open: TextName?
  /// Whether the open text is printed.
  private var isShown = false
  /// How many messages there were.
  private(set) var messages = 0
  /// What was made since it went out last.
  private var made: [UInt8] = []
  /// The last message as it is to be printed, when only the last one counts.
  private var held: [UInt8] = []
  /// Whether the last byte that was made is neither a newline nor a NUL.
  private var isLineOpen = false
  /// Whether any of the open text was printed.
  private var hasText = false

  init(_ style: TextStyle) {
    self.style = style
    message = MessageText(style)
    body = MessageBody(style)
    isPlain =
      style.citations == .none && !style.stripsTracking && style.messages != .last && body == nil
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] { body?.takeNotices() ?? [] }

  /// Begins a text under `heading`.
  mutating func begin(_ name: TextName, _ heading: String, into output: inout [UInt8]) {
    open = name
    if name == .answer { messages += 1 }
    isShown = name != .answer || isPrinted(message: messages)
    guard isShown else { return }
    if holds {
      held.removeAll()
      isLineOpen = false
    }
    startLine()
    if style.hasHeadings { made.append("--- \(heading)\n") }
    flush(into: &output)
    hasText = false
  }

  /// Takes a citation of the open text.
  mutating func cite(_ placed: Section.PlacedCitation, into output: inout [UInt8]) {
    guard isShown else { return }
    message.cite(placed, into: &made)
    flushText(into: &output)
  }

  /// Takes more of the open text.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard isShown else { return }
    if style.forbidsNUL, text.firstIndex(of: 0) != nil {
      return take(Self.replacingNULs(in: text).span, into: &output)
    }
    if takesTextAsItIs {
      output.append(copying: text)
      return note(text)
    }
    if open == .answer { message.take(text, into: &made) } else { made.append(copying: text) }
    flushText(into: &output)
  }

  /// Whether the open text is printed as it is.
  var takesTextAsItIs: Bool {
    isShown && !style.forbidsNUL && (isPlain || open != .answer)
  }

  /// Takes into account `text`, which was printed as it is.
  mutating func note(_ text: Span<UInt8>) {
    guard !text.isEmpty else { return }
    isLineOpen = text[text.count - 1] != ASCII.lf
    hasText = true
  }

  /// Ends the open text.
  mutating func end(into output: inout [UInt8]) {
    guard isShown else { return }
    if open == .answer {
      let cited = message.end(into: &made)
      flushText(into: &output)
      body?.end(into: &made)
      flushMade(into: &output)
      let sources = message.sources.sources
      list(cited.map { (sources[$0 - 1], $0) })
    }
    endText()
    flush(into: &output)
    (open, isShown) = (nil, false)
  }

  /// Takes a citation of the message with the number `message`, which has ended.
  mutating func cite(_ citation: Citation, behind message: Int) {
    guard isPrinted(message: message) else { return }
    late[self.message.number(of: citation)] = message
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { _ = consulted.number(of: source) }

  /// Ends a response: lists the sources that no message could list any more, and what was consulted
  /// and not cited. Sources are numbered anew.
  mutating func endResponse(into output: inout [UInt8]) {
    let cited = message.sources
    let listed = late.filter { isPrinted(message: $0.value) }.keys.sorted()
    var rest: [(source: Citation, number: Int?)] = listed.map { (cited.sources[$0 - 1], $0) }
    if style.listsSources {
      rest += consulted.sources.filter { !cited.contains($0) }.map { ($0, nil) }
    }
    (message, late, consulted) = (MessageText(style), [:], CitedSources())
    guard !rest.isEmpty else { return }
    startLine()
    if style.hasHeadings { made.append("--- sources\n") }
    list(rest)
    endText()
    flush(into: &output)
  }

  /// Ends the input.
  mutating func finish(into output: inout [UInt8]) {
    output += held
    held = []
    body?.finish()
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

  private static func replacingNULs(in text: Span<UInt8>) -> [UInt8] {
    var replaced: [UInt8] = []
    for index in text.indices {
      if text[index] == 0 { replaced.append("\u{FFFD}") } else { replaced.append(text[index]) }
    }
    return replaced
  }

  /// Whether what is made waits, as a later message may take its place.
  private var holds: Bool { style.messages == .last && (open ?? .answer) == .answer }

  private mutating func startLine() {
    guard isLineOpen else { return }
    made.append(ASCII.lf)
    isLineOpen = false
  }

  /// Ends a text, or a list, as was asked for.
  private mutating func endText() {
    switch style.ending {
    case .newline: startLine()
    case .bare: break
    case .nul:
      // Blocks have each their own, and where nothing is printed there is nothing to end.
      if body == nil || (hasText ? style.form.parses : style.hasHeadings) { made.append(0) }
      isLineOpen = false
    }
  }

  /// Appends `sources`, each with its number, as lines behind the text.
  private mutating func list(_ sources: [(source: Citation, number: Int?)]) {
    guard !sources.isEmpty else { return }
    startLine()
    if hasText { made.append(ASCII.lf) }
    for (source, number) in sources {
      startLine()
      CitationList(style: style.citations).append(source, number: number, to: &made)
      isLineOpen = true
    }
  }

  /// Lets the text out that was made, or what is wanted of it.
  private mutating func flushText(into output: inout [UInt8]) {
    if open == .answer {
      if style.citations == .only { made.removeAll(keepingCapacity: true) }
      if body != nil {
        let text = made
        made = []
        body?.take(text.span, into: &made)
      }
    }
    flushMade(into: &output)
  }

  private mutating func flushMade(into output: inout [UInt8]) {
    guard let last = made.last else { return }
    isLineOpen = last != ASCII.lf && last != 0
    hasText = true
    flush(into: &output)
  }

  private mutating func flush(into output: inout [UInt8]) {
    if holds { held += made } else { output += made }
    made.removeAll(keepingCapacity: true)
  }
}
