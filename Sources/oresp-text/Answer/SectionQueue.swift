import Core

/// The sections of one response that go to one stream, printed in the order of its output.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then. A section keeps its number, whatever comes before it in the output.
struct SectionQueue {
  var printer: TextPrinter
  private let countsCharacters: Bool
  /// Whether the beginning of the response did not come.
  private let isRest: Bool
  /// Whether texts of which only the end may have come wait for their wholes: all as long as the
  /// answer is not in front, and then where nobody reads them before their end.
  private var takesWhole = true
  private let takesWholeInFront: Bool
  let hasHeadings: Bool
  private var sections: [Section] = []
  /// The numbers of the sections that have not begun on the stream, by their places in the output.
  private var queue = RankedQueue<Int>()
  /// The number of the section that began on the stream and has not ended.
  private var begun: Int?
  /// The highest place of a section.
  private var lastPlace = Int.min
  /// Whether the response ends: no whole text can come any more.
  private var isEnding = false
  /// The text of the event that is being handled.
  private var fresh: [UInt8] = []

  init(_ style: TextStyle, _ tally: Tally, isRest: Bool) {
    self.isRest = isRest
    printer = TextPrinter(style, tally)
    takesWholeInFront = style.takesWhole
    countsCharacters = style.citations != .none
    hasHeadings = style.hasHeadings
  }

  /// Whether only the end of a text was printed, as its whole shows.
  private(set) var lacksStart = false

  /// Whether the section `index` waits for its whole: only the end of it may have come.
  private func awaitsWhole(_ index: Int) -> Bool {
    takesWhole && !isEnding && sections[index].awaitsWhole
      && sections[index].waitingCount <= Self.mostAwaiting
  }

  /// The most bytes of a text that wait for its whole.
  private static let mostAwaiting = 64 << 20

  /// Whether any section has text.
  var hasText: Bool { sections.contains { $0.hasText } }

  /// Adds the section `name` of the item at `place` in the output; later ones wait for it. It comes
  /// in the order of the output, but after all that is printed already. Returns its number.
  mutating func add(_ name: TextName, at place: Int, heading: String?) -> Int {
    lastPlace = max(lastPlace, place)
    let section = Section(
      name, heading: heading, countsCharacters: countsCharacters, mayLackStart: isRest)
    return add(section, at: place)
  }

  private mutating func add(_ section: Section, at place: Int) -> Int {
    queue.insert(sections.count, at: place)
    sections.append(section)
    return sections.count - 1
  }

  /// Prints `text`, a section of its own, behind the sections so far.
  mutating func print(_ text: [UInt8], as name: TextName) {
    var section = Section(name)
    section.wait(text.span)
    section.isDone = true
    _ = add(section, at: lastPlace)
    advance()
  }

  /// Appends `delta`, a JSON string, to part `part` of the section `index`.
  mutating func append(delta: Span<UInt8>, toPart part: Int, of index: Int) {
    sections[index].append(delta: delta, toPart: part, into: &fresh)
    printFresh(index)
  }

  /// The same straight into `output`, which has all text of the printer so far; false if text is not
  /// printed unchanged.
  @inline(__always)
  mutating func append(
    delta: Span<UInt8>, toPart part: Int, of index: Int, straightInto output: inout [UInt8]
  ) -> Bool {
    guard begun == index, printer.printsAsItIs else { return false }
    let start = output.count
    sections[index].append(delta: delta, toPart: part, into: &output)
    if output.count > start { printer.note(endingIn: output[output.count - 1]) }
    return true
  }

  /// Notes that its answer is in front.
  mutating func comeToFront() {
    takesWhole = takesWholeInFront
    advance()
  }

  /// Keeps the text with which a part opens.
  mutating func open(part: Int, of index: Int, with text: [UInt8]) {
    if !text.isEmpty { sections[index].open(part: part, with: text) }
  }

  /// Completes a part with its whole text; false when that conflicts with the printed text.
  mutating func complete(part: Int, of index: Int, with whole: WholeText) -> Bool {
    for citation in whole.citations { cite(citation, of: part, index) }
    let fits = sections[index].complete(part: part, with: whole.text.span, into: &fresh)
    lacksStart = lacksStart || sections[index].lacksStart
    printFresh(index)
    return fits
  }

  /// Completes the section `index` with its whole text; false when that conflicts with the printed
  /// text.
  mutating func complete(_ index: Int, with whole: [WholeText]) -> Bool {
    for placed in sections[index].place(whole) { cite(placed, index) }
    let fits = sections[index].complete(with: whole, into: &fresh)
    lacksStart = lacksStart || sections[index].lacksStart
    printFresh(index)
    return fits
  }

  /// Prints a citation of part `part` of the section `index`, or lets it wait.
  mutating func cite(_ citation: Citation, of part: Int, _ index: Int) {
    guard let placed = sections[index].place(citation, ofPart: part) else { return }
    cite(placed, index)
  }

  /// Ends the section `index`: no more text comes for it.
  mutating func end(_ index: Int) {
    sections[index].isDone = true
    advance()
  }

  /// Ends the response: prints all that still waits.
  mutating func endResponse() {
    for index in sections.indices { sections[index].isDone = true }
    isEnding = true
    advance()
    printer.endResponse()
    sections = []
    queue = RankedQueue()
  }

  private mutating func cite(_ placed: PlacedCitation, _ index: Int) {
    if sections[index].isPrinted {
      printer.cite(placed.citation, behind: sections[index].message)
    } else if begun == index {
      printer.cite(placed)
    } else {
      sections[index].wait(placed)
    }
  }

  /// Prints the fresh text of the section `index`, or lets it wait. Text for a section that has
  /// ended is printed as a section of its own, after the current one.
  private mutating func printFresh(_ index: Int) {
    guard !fresh.isEmpty else { return }
    var text: [UInt8] = []
    swap(&text, &fresh)
    // Its room is reused.
    defer {
      text.removeAll(keepingCapacity: true)
      swap(&text, &fresh)
    }
    if sections[index].isPrinted {
      let former = sections[index]
      var late = Section(former.name, heading: former.heading)
      late.wait(text.span)
      late.isDone = true
      _ = add(late, at: .min)
      if begun == nil { advance() }
    } else if front == index, !awaitsWhole(index) {
      begin()
      sections[index].release { printer.append($0) }
      printer.append(text.span)
    } else {
      sections[index].wait(text.span)
    }
  }

  /// Ends the sections in front that are done, and prints the waiting text of the first other one.
  private mutating func advance() {
    while let index = front, !awaitsWhole(index) {
      if sections[index].isWaiting { begin() }
      sections[index].release { printer.append($0) }
      guard sections[index].isDone else { return }
      sections[index].finish(into: &fresh)
      printFresh(index)
      if begun == nil { queue.removeFirst() } else { printer.end() }
      begun = nil
      sections[index].endPrinting()
    }
  }

  /// The number of the first section that has not ended.
  private var front: Int? { begun ?? queue.first?.value }

  /// Begins the first section that has not ended, unless it began already.
  private mutating func begin() {
    guard begun == nil, let index = front else { return }
    begun = index
    queue.removeFirst()
    let section = sections[index]
    let heading = hasHeadings ? section.heading ?? section.name.word : ""
    printer.begin(section.name, heading)
    for placed in sections[index].begin(as: printer.message) { printer.cite(placed) }
  }
}
