import Core

/// The sections of one response that go to one stream, printed in the order of its output.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then. A section keeps its number, whatever comes before it in the output.
struct SectionQueue {
  private var printer: TextPrinter
  private let countsCharacters: Bool
  private var sections: [Section] = []
  /// The numbers of the sections, in the order of the output.
  private var order: [Int] = []
  /// How many of those, from the first on, are printed whole.
  private var ended = 0
  /// Whether the section behind those was begun on the stream.
  private var hasBegun = false
  /// The text of the event that is being handled.
  private var fresh: [UInt8] = []

  init(_ style: TextStyle) {
    printer = TextPrinter(style)
    countsCharacters = style.citations != .none
  }

  /// Whether the response has no text.
  var isEmpty: Bool { sections.isEmpty }

  /// Whether any section has text.
  var hasText: Bool { sections.contains { $0.hasText } }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] { printer.takeNotices() }

  /// The blocks that were kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock] { printer.takeBlocks() }

  /// Makes the section `name` of the item at `place` known, so that later ones wait for it. It stands
  /// at its place in the output, but behind what is printed already. Returns its number.
  mutating func add(_ name: TextName, at place: Int, heading: String) -> Int {
    sections.append(
      Section(name, at: place, heading: heading, countsCharacters: countsCharacters))
    var index = order.count
    let first = hasBegun ? ended + 1 : ended
    while index > first, sections[order[index - 1]].place > place { index -= 1 }
    order.insert(sections.count - 1, at: index)
    return sections.count - 1
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { printer.consult(source) }

  /// Prints `text`, a section of its own, behind what the response has so far.
  mutating func print(_ text: [UInt8], as name: TextName, into output: inout [UInt8]) {
    // No section goes before it.
    let index = add(name, at: .min, heading: name.word)
    order.removeAll { $0 == index }
    order.append(index)
    (sections[index].isDone, sections[index].waiting) = (true, text)
    advance(into: &output)
  }

  /// Takes deltas in `line` of part `part` of the section `index`.
  mutating func append(
    _ deltas: Deltas, of line: Span<UInt8>, toPart part: Int, of index: Int,
    into output: inout [UInt8]
  ) {
    // Most deltas are of the text that is being printed, as it is.
    if hasBegun, order[ended] == index, printer.printsAsItIs {
      let start = output.count
      sections[index].append(deltas, of: line, toPart: part, into: &output)
      return printer.note(output.span.extracting(start...))
    }
    // Each that is late is a section of its own.
    if sections[index].isPrinted, let singles = deltas.singles {
      for single in singles { append(single, of: line, toPart: part, of: index, into: &output) }
      return
    }
    sections[index].append(deltas, of: line, toPart: part, into: &fresh)
    printFresh(index, into: &output)
  }

  /// Takes the whole text of a part; false when it conflicts with what was printed.
  mutating func complete(
    part: Int, of index: Int, with whole: WholeText, into output: inout [UInt8]
  ) -> Bool {
    for citation in whole.citations { cite(citation, of: part, index, into: &output) }
    let fits = sections[index].complete(part: part, with: whole.text.span, into: &fresh)
    printFresh(index, into: &output)
    return fits
  }

  /// Takes the whole text of the section `index`; false when it conflicts with what was printed.
  mutating func complete(
    _ index: Int, with whole: [WholeText], into output: inout [UInt8]
  ) -> Bool {
    for placed in sections[index].place(whole) { cite(placed, index, into: &output) }
    let fits = sections[index].complete(with: whole, into: &fresh)
    printFresh(index, into: &output)
    return fits
  }

  /// Takes a citation of part `part` of the section `index`.
  mutating func cite(
    _ citation: Citation, of part: Int, _ index: Int, into output: inout [UInt8]
  ) {
    guard let placed = sections[index].place(citation, ofPart: part) else { return }
    cite(placed, index, into: &output)
  }

  /// Ends the section `index`: no more text comes for it.
  mutating func end(_ index: Int, into output: inout [UInt8]) {
    sections[index].isDone = true
    advance(into: &output)
  }

  /// Ends the response: prints all that still waits.
  mutating func endResponse(into output: inout [UInt8]) {
    for index in sections.indices { sections[index].isDone = true }
    advance(into: &output)
    printer.endResponse(into: &output)
    (sections, order, ended, hasBegun) = ([], [], 0, false)
  }

  /// Ends the input. Returns what is to be told of all of it.
  mutating func finish(into output: inout [UInt8]) -> [Notice] {
    endResponse(into: &output)
    return printer.finish(into: &output)
  }

  /// Prints a citation of the section `index`, or has it wait.
  private mutating func cite(
    _ placed: Section.PlacedCitation, _ index: Int, into output: inout [UInt8]
  ) {
    if sections[index].isPrinted {
      printer.cite(placed.citation, behind: sections[index].message)
    } else if hasBegun, order[ended] == index {
      printer.cite(placed, into: &output)
    } else {
      sections[index].waitingCitations.append(placed)
    }
  }

  /// Prints the fresh text of the section `index`, or has it wait. Text that comes for a section
  /// that was ended already is printed as one of its own, behind the one that is being printed.
  private mutating func printFresh(_ index: Int, into output: inout [UInt8]) {
    guard !fresh.isEmpty else { return }
    var text: [UInt8] = []
    swap(&text, &fresh)
    // Its room is used again.
    defer {
      text.removeAll(keepingCapacity: true)
      swap(&text, &fresh)
    }
    if sections[index].isPrinted {
      let former = sections[index]
      var late = Section(
        former.name, at: former.place, heading: former.heading, countsCharacters: false)
      (late.isDone, late.waiting) = (true, text)
      sections.append(late)
      order.insert(sections.count - 1, at: hasBegun ? ended + 1 : ended)
      if !hasBegun { advance(into: &output) }
    } else if order[ended] == index {
      begin(into: &output)
      printer.take(text.span, into: &output)
    } else {
      sections[index].waiting += text
    }
  }

  /// Ends the sections in front that are done, and prints what waits of the first that is not.
  private mutating func advance(into output: inout [UInt8]) {
    while ended < order.count {
      let index = order[ended]
      if !sections[index].waiting.isEmpty {
        begin(into: &output)
        let waiting = sections[index].waiting
        sections[index].waiting = []
        printer.take(waiting.span, into: &output)
      }
      guard sections[index].isDone else { return }
      sections[index].finish(into: &fresh)
      printFresh(index, into: &output)
      if hasBegun { printer.end(into: &output) }
      hasBegun = false
      sections[index].isPrinted = true
      ended += 1
    }
  }

  /// Begins the first section that has not ended, if it was not begun.
  private mutating func begin(into output: inout [UInt8]) {
    guard !hasBegun else { return }
    hasBegun = true
    let index = order[ended]
    printer.begin(sections[index].name, sections[index].heading, into: &output)
    sections[index].message = printer.messages
    for placed in sections[index].waitingCitations { printer.cite(placed, into: &output) }
    sections[index].waitingCitations = []
  }
}
