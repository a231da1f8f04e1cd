import Core

/// The sections of one response that go to one stream, printed in the order of its output.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then. A section keeps its number, whatever comes before it in the output.
struct SectionQueue {
  var printer: TextPrinter
  let hasHeadings: Bool
  private let countsCharacters: Bool
  /// Whether the beginning of the response did not come.
  private let isRest: Bool
  /// Whether texts of which only the end may have come wait for their wholes: all as long as the
  /// answer is not in front, and then where nobody reads them before their ends.
  private var takesWhole = true
  private let takesWholeInFront: Bool
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
  /// The first mismatch that was not taken.
  private var mismatch: Section.Mismatch?

  /// The most bytes of a text that wait for its whole.
  private static let mostAwaiting = 64 << 20

  init(_ style: TextStyle, _ tally: Tally, isRest: Bool) {
    self.isRest = isRest
    printer = TextPrinter(style, tally)
    takesWholeInFront = style.takesWhole
    countsCharacters = style.citations != .none
    hasHeadings = style.hasHeadings
  }

  /// Whether any section has text.
  var hasText: Bool { sections.contains { $0.hasText } }

  /// Returns a mismatch of a whole text since the last call.
  mutating func takeMismatch() -> Section.Mismatch? { mismatch.take() }

  /// Notes that its answer is in front.
  mutating func comeToFront() {
    takesWhole = takesWholeInFront
    advance()
  }

  /// Adds the section `name` of the item at `place` in the output; later ones wait for it. It comes
  /// in the order of the output, but after all that is printed already. Returns its number.
  mutating func add(_ name: TextName, at place: Int, heading: String) -> Int {
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

  /// Adds `text` at `place`, a section of its own that has ended.
  private mutating func add(_ text: Span<UInt8>, _ name: TextName, heading: String, at place: Int) {
    var section = Section(name, heading: heading)
    section.wait(text)
    section.isDone = true
    _ = add(section, at: place)
  }

  /// Prints the path of a file behind the sections so far.
  mutating func print(path: [UInt8]) {
    add(path.span, .file, heading: TextName.file.word, at: lastPlace)
    advance()
  }

  /// Appends `delta`, a JSON string, to part `part` of the section `index`.
  mutating func append(delta: Span<UInt8>, toPart part: Int, of index: Int) {
    guard begun == index, printer.printsAsItIs else {
      sections[index].append(delta: delta, toPart: part, into: &fresh)
      return printFresh(index)
    }
    sections[index].append(delta: delta, toPart: part, into: &printer.sink.bytes)
    printer.noteGrowth()
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

  /// Completes the section `index` with `wholes`: the whole of its part `part`, or those of all
  /// parts.
  mutating func complete(part: Int? = nil, of index: Int, with wholes: [WholeText]) {
    for placed in sections[index].place(wholes, ofPart: part) { cite(placed, index) }
    let mismatch = sections[index].complete(part: part, with: wholes, into: &fresh)
    self.mismatch = self.mismatch ?? mismatch
    printFresh(index)
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
      add(text.span, former.name, heading: former.heading, at: .min)
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
      if sections[index].waitingCount > 0 { begin() }
      sections[index].release { printer.append($0) }
      guard sections[index].isDone else { return }
      sections[index].finish(into: &fresh)
      printFresh(index)
      if begun == nil { queue.removeFirst() } else { printer.end() }
      begun = nil
      sections[index].isPrinted = true
    }
  }

  /// The number of the first section that has not ended.
  private var front: Int? { begun ?? queue.first?.value }

  /// Whether the section `index`, of which only the end may have come, waits for its whole.
  private func awaitsWhole(_ index: Int) -> Bool {
    takesWhole && !isEnding && begun == nil && sections[index].awaitsWhole
      && sections[index].waitingCount <= Self.mostAwaiting
  }

  /// Begins the first section that has not ended, unless it began already.
  private mutating func begin() {
    guard begun == nil, let index = front else { return }
    begun = index
    queue.removeFirst()
    printer.begin(sections[index].name, sections[index].heading)
    for placed in sections[index].begin(as: printer.message) { printer.cite(placed) }
  }
}
