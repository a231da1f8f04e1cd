import Core

/// The sections of one response that go to one stream, printed in the order of its output.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then. A section keeps its number, whatever comes before it in the output.
struct SectionQueue {
  private var printer: TextPrinter
  private let countsCharacters: Bool
  /// Whether the beginning of the response did not come.
  private let isRest: Bool
  /// Whether the texts of such a response wait for their wholes.
  private let takesWhole: Bool
  let hasHeadings: Bool
  private var sections: [Section] = []
  /// The numbers of the sections that have not begun on the stream, by their places in the output.
  private var queue = RankedQueue<Int>()
  /// The number of the section that began on the stream and has not ended.
  private var begun: Int?
  /// The highest place of a section.
  private var lastPlace = Int.min
  /// Whether all text waits, as the text of another response is printed.
  private var isHeld = false
  /// Whether the response ends: no whole text can come any more.
  private var isEnding = false
  /// The text of the event that is being handled.
  private var fresh: [UInt8] = []

  init(_ style: TextStyle, isRest: Bool = false) {
    self.isRest = isRest
    printer = TextPrinter(style)
    takesWhole = style.takesWhole
    countsCharacters = style.citations != .none
    hasHeadings = style.hasHeadings
  }

  /// Labels the texts from now on with `name`, the name of the response `number`.
  mutating func label(_ number: Int, _ name: String) { printer.label(number, name) }

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

  /// The number of bytes of text that wait.
  private(set) var size = 0

  /// Whether a text began on the stream, and more of it waits.
  var hasRest: Bool {
    sections.contains { $0.message >= 0 && !$0.isPrinted && $0.isWaiting }
  }

  /// Whether a text is printed in part.
  var isInsideText: Bool { begun != nil }

  /// Whether a text that must be whole is printed in part.
  var isInsideWhole: Bool { printer.isInsideWhole }

  /// Text and notices that go out; the owner of the queue empties it.
  var sink: TextSink {
    get { printer.page.sink }
    _modify { yield &printer.page.sink }
  }

  /// Reports by `notice` that the response has no text, and what it has in place of that.
  mutating func report(silence notice: Notice) { printer.report(silence: notice) }

  /// Removes the notices from number `start` on that say what a text lacks.
  mutating func dropNegatives(from start: Int) {
    let others = sink.notices[start...].filter { $0.status != .negative }
    sink.notices.replaceSubrange(start..., with: others)
  }

  /// Adds the section `name` of the item at `place` in the output; later ones wait for it. It comes
  /// in the order of the output, but after all that is printed already. Returns its number.
  mutating func add(_ name: TextName, at place: Int, heading: String?) -> Int {
    lastPlace = max(lastPlace, place)
    let section = Section(
      name, heading: heading, countsCharacters: countsCharacters, isRest: isRest)
    return add(section, at: place)
  }

  private mutating func add(_ section: Section, at place: Int) -> Int {
    queue.insert(sections.count, at: place)
    sections.append(section)
    return sections.count - 1
  }

  /// Keeps a source that a search consulted.
  mutating func consult(_ source: Citation) { printer.consult(source) }

  /// Prints `text`, a section of its own, behind the sections so far.
  mutating func print(_ text: [UInt8], as name: TextName) {
    let index = add(name, at: lastPlace, heading: nil)
    sections[index].wait(text.span)
    sections[index].isDone = true
    advance()
  }

  /// Appends `delta`, a JSON string, to part `part` of the section `index`.
  mutating func append(delta: Span<UInt8>, toPart part: Int, of index: Int) {
    sections[index].append(delta: delta, toPart: part, into: &fresh)
    printFresh(index)
  }

  /// The same into `output`, which has the text of `sink`; false if text is not printed unchanged.
  mutating func append(
    delta: Span<UInt8>, toPart part: Int, of index: Int, asItIsInto output: inout [UInt8]
  ) -> Bool {
    guard begun == index, printer.printsAsItIs else { return false }
    let start = output.count
    sections[index].append(delta: delta, toPart: part, into: &output)
    printer.note(endingIn: output.count > start ? output.last : nil)
    return true
  }

  /// Opens a part with the text that it has already; false when it has other text.
  mutating func open(part: Int, of index: Int, with whole: WholeText) -> Bool {
    let isFirst = !hasText(ofPart: part, of: index)
    let fits = complete(part: part, of: index, with: whole)
    if isFirst, !whole.text.isEmpty { sections[index].noteOpening(ofPart: part, with: whole.text) }
    return fits
  }

  /// Whether a part has text.
  func hasText(ofPart part: Int, of index: Int) -> Bool { sections[index].hasText(ofPart: part) }

  /// Completes a part with its whole text; false when that conflicts with the printed text.
  mutating func complete(part: Int, of index: Int, with whole: WholeText) -> Bool {
    for citation in whole.citations { cite(citation, of: part, index) }
    let waiting = sections[index].waitingCount
    let fits = sections[index].complete(part: part, with: whole.text.span, into: &fresh)
    noteWhole(index, in: waiting)
    return fits
  }

  /// Completes the section `index` with its whole text; false when that conflicts with the printed
  /// text.
  mutating func complete(_ index: Int, with whole: [WholeText]) -> Bool {
    for placed in sections[index].place(whole) { cite(placed, index) }
    let waiting = sections[index].waitingCount
    let fits = sections[index].complete(with: whole, into: &fresh)
    noteWhole(index, in: waiting)
    return fits
  }

  /// Prints what a whole text added to the section `index`, or put in the place of the text of which
  /// `former` bytes waited.
  private mutating func noteWhole(_ index: Int, in former: Int) {
    size -= former - sections[index].waitingCount
    lacksStart = lacksStart || sections[index].lacksStart
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
    isEnding = false
    printer.endResponse()
    sections = []
    queue = RankedQueue()
    begun = nil
    lastPlace = .min
  }

  /// Makes all text wait, and hands the stream to `other`, the queue of another response.
  mutating func leave(for other: inout SectionQueue) {
    if let begun { queue.insert(begun, at: .min) }
    begun = nil
    isHeld = true
    printer.leave(for: &other.printer)
  }

  /// Lets all text wait from the start.
  mutating func hold() { isHeld = true }

  /// Prints what waits, and goes on with that.
  mutating func release() {
    isHeld = false
    advance()
  }

  /// Prints the line above the response's texts, which it has without any text, too.
  mutating func printLabel() { printer.printLabel() }

  /// Ends the input; `haveFailed` says that all responses did.
  mutating func finish(haveFailed: Bool) {
    endResponse()
    printer.finish(haveFailed: haveFailed)
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
      size -= min(size, sections[index].waitingCount)
      sections[index].release { printer.append($0) }
      printer.append(text.span)
    } else {
      sections[index].wait(text.span)
      size += text.count
    }
  }

  /// Ends the sections in front that are done, and prints the waiting text of the first other one.
  private mutating func advance() {
    while let index = front, !awaitsWhole(index) {
      if sections[index].isWaiting { begin() }
      size -= min(size, sections[index].waitingCount)
      sections[index].release { printer.append($0) }
      guard sections[index].isDone else { return }
      sections[index].finish(into: &fresh)
      printFresh(index)
      if sections[index].message >= 0, printer.owesEnd(of: sections[index].name) { begin() }
      if begun == nil { queue.removeFirst() } else { printer.end() }
      begun = nil
      sections[index].endPrinting()
    }
  }

  /// The number of the first section that has not ended.
  private var front: Int? { isHeld ? nil : begun ?? queue.first?.value }

  /// Begins the first section that has not ended, unless it began already.
  private mutating func begin() {
    guard begun == nil, let index = front else { return }
    begun = index
    queue.removeFirst()
    let section = sections[index]
    let former = section.message < 0 ? nil : section.message
    let heading = hasHeadings ? section.heading ?? section.name.word : ""
    printer.begin(section.name, heading, as: former)
    for placed in sections[index].begin(as: printer.message) { printer.cite(placed) }
  }
}
