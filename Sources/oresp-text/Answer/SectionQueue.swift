import Core

/// The sections of one response that go to one stream, printed in the order of its output.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then. A section keeps its number, whatever comes before it in the output.
struct SectionQueue {
  /// What is kept of a response that was left, to go on with it.
  struct Left {
    fileprivate let sections: [Section]
    fileprivate let queue: RankedQueue<Int>
    fileprivate let lastPlace: Int
  }

  private var printer: TextPrinter
  private let countsCharacters: Bool
  private var sections: [Section] = []
  /// The numbers of the sections that were not begun on the stream, by their places in the output.
  private var queue = RankedQueue<Int>()
  /// The number of the section that was begun on the stream, and has not ended.
  private var begun: Int?
  /// The highest place of a section.
  private var lastPlace = Int.min
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
    lastPlace = max(lastPlace, place)
    let section = Section(name, at: place, heading: heading, countsCharacters: countsCharacters)
    return add(section, at: place)
  }

  private mutating func add(_ section: Section, at place: Int) -> Int {
    queue.insert(sections.count, at: place)
    sections.append(section)
    return sections.count - 1
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { printer.consult(source) }

  /// Prints `text`, a section of its own, behind what the response has so far.
  mutating func print(_ text: [UInt8], as name: TextName, into output: inout [UInt8]) {
    let index = add(name, at: lastPlace, heading: name.word)
    (sections[index].isDone, sections[index].waiting) = (true, text)
    advance(into: &output)
  }

  /// Takes `delta`, a JSON string, of part `part` of the section `index`.
  mutating func append(
    delta: Span<UInt8>, toPart part: Int, of index: Int, into output: inout [UInt8]
  ) {
    // Most deltas are of the text that is being printed, as it is.
    if begun == index, printer.printsAsItIs {
      let start = output.count
      sections[index].append(delta: delta, toPart: part, into: &output)
      return printer.note(output.span.extracting(start...))
    }
    sections[index].append(delta: delta, toPart: part, into: &fresh)
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
    (sections, queue, begun, lastPlace) = ([], RankedQueue(), nil, .min)
  }

  /// Leaves the response: ends the line of the section that is being printed. Returns what is kept of
  /// it.
  mutating func leave(into output: inout [UInt8]) -> Left {
    if let begun {
      printer.end(into: &output)
      queue.insert(begun, at: .min)
    }
    defer { (sections, queue, begun, lastPlace) = ([], RankedQueue(), nil, .min) }
    return Left(sections: sections, queue: queue, lastPlace: lastPlace)
  }

  /// Goes on with a response that was left.
  mutating func goOn(with left: Left) {
    (sections, queue, lastPlace) = (left.sections, left.queue, left.lastPlace)
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
    } else if begun == index {
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
      _ = add(late, at: .min)
      if begun == nil { advance(into: &output) }
    } else if front == index {
      begin(into: &output)
      printer.take(text.span, into: &output)
    } else {
      sections[index].waiting += text
    }
  }

  /// Ends the sections in front that are done, and prints what waits of the first that is not.
  private mutating func advance(into output: inout [UInt8]) {
    while let index = front {
      if !sections[index].waiting.isEmpty {
        begin(into: &output)
        let waiting = sections[index].waiting
        sections[index].waiting = []
        printer.take(waiting.span, into: &output)
      }
      guard sections[index].isDone else { return }
      sections[index].finish(into: &fresh)
      printFresh(index, into: &output)
      if begun == nil { queue.removeFirst() } else { printer.end(into: &output) }
      begun = nil
      sections[index].isPrinted = true
    }
  }

  /// The number of the first section that has not ended.
  private var front: Int? { begun ?? queue.first?.value }

  /// Begins the first section that has not ended, if it was not begun.
  private mutating func begin(into output: inout [UInt8]) {
    guard begun == nil, let index = front else { return }
    begun = index
    queue.removeFirst()
    printer.begin(sections[index].name, sections[index].heading, into: &output)
    sections[index].message = printer.messages
    for placed in sections[index].waitingCitations { printer.cite(placed, into: &output) }
    sections[index].waitingCitations = []
  }
}
