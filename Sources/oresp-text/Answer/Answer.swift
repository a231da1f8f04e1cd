import Core

/// The texts of one response that go to one stream, printed in the order of its output, each
/// character once.
///
/// The first section that has not ended is printed as it comes; the text of a later one waits until
/// then.
struct Answer {
  /// Where an event says that it belongs.
  struct Place {
    var name: TextName
    var outputIndex: Int?
    /// The item's id as it is spelled; empty when there is none.
    var id: [UInt8] = []
    var partIndex = 0
  }

  /// What a tool's item is called in headings.
  struct ToolLabel {
    let type: String
    let label: String
  }

  private var presenter: Presenter
  private let countsCharacters: Bool
  private var sections: [Section] = []
  /// How many of the sections, from the first on, have ended and are printed whole.
  private var ended = 0
  /// Whether the section behind those was begun on the stream.
  private var hasBegun = false
  /// The section that was found last.
  private var recent = 0
  /// The text of the event that is being taken.
  private var fresh: [UInt8] = []
  private var labels: [Int: ToolLabel] = [:]
  /// Which sections with a place in the output are known, so that a new one is not looked for.
  private var known: Set<Key> = []

  /// What tells such a section.
  private struct Key: Hashable {
    let outputIndex: Int
    let name: TextName
  }

  init(_ style: TextStyle) {
    presenter = Presenter(style)
    countsCharacters = style.citations != .none
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] { presenter.takeNotices() }

  /// Makes the section at `place` known, so that later ones wait for it.
  mutating func open(_ place: Place) { _ = find(place) }

  /// Makes known what the tool's item at `outputIndex` is called; what is known already stays.
  mutating func label(_ label: ToolLabel, at outputIndex: Int?) {
    guard let outputIndex, labels[outputIndex] == nil else { return }
    labels[outputIndex] = label
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { presenter.consult(source) }

  /// Prints the path of a file, behind what the response has so far.
  mutating func print(path: String, into output: inout [UInt8]) {
    var section = Section(.file, outputIndex: nil, id: [], countsCharacters: false)
    section.isDone = true
    section.waiting = path.systemBytes
    sections.append(section)
    advance(into: &output)
  }

  /// Takes a delta, a JSON string.
  mutating func take(delta: Span<UInt8>, at place: Place, into output: inout [UInt8]) {
    let index = find(place)
    // Most deltas are of the text that is being printed, as it is.
    if index == ended, hasBegun, presenter.takesTextAsItIs {
      let start = output.count
      sections[index].take(delta: delta, ofPart: place.partIndex, into: &output)
      return presenter.note(output.span.extracting(start...))
    }
    sections[index].take(delta: delta, ofPart: place.partIndex, into: &fresh)
    print(index, into: &output)
  }

  /// Takes the whole text of a part; false when it conflicts with what was printed.
  mutating func take(
    wholeOfPart whole: WholeText, at place: Place, into output: inout [UInt8]
  ) -> Bool {
    let index = find(place)
    for citation in whole.citations { cite(citation, of: place.partIndex, index, into: &output) }
    let fits = sections[index].take(
      wholeOfPart: whole.text.span, place.partIndex, into: &fresh)
    print(index, into: &output)
    return fits
  }

  /// Takes a citation of the part at `place`.
  mutating func take(_ citation: Citation, at place: Place, into output: inout [UInt8]) {
    cite(citation, of: place.partIndex, find(place), into: &output)
  }

  /// Takes an item that has ended; false when one of its texts conflicts.
  mutating func take(
    done item: ItemTexts, at outputIndex: Int?, into output: inout [UInt8]
  ) -> Bool {
    var fits = true
    for texts in item.sections {
      let place = Place(name: texts[0].name, outputIndex: outputIndex, id: item.id)
      fits = take(texts, for: find(place), into: &output) && fits
    }
    endItem(outputIndex, item.id, into: &output)
    return fits
  }

  /// Takes the items of the whole response, in order, and ends it; false when a text conflicts.
  mutating func take(output items: [ItemTexts], into output: inout [UInt8]) -> Bool {
    var fits = true
    var wholes: [(place: Place, texts: [WholeText])] = []
    for (index, item) in items.enumerated() {
      label(ToolLabel(type: item.type, label: item.label), at: index)
      for texts in item.sections {
        wholes.append((Place(name: texts[0].name, outputIndex: index, id: item.id), texts))
      }
    }
    var missing: [(place: Place, texts: [WholeText])] = []
    for (whole, match) in zip(wholes, matches(of: wholes.map(\.place))) {
      if let match {
        fits = take(whole.texts, for: match, into: &output) && fits
      } else {
        missing.append(whole)
      }
    }
    for whole in missing {
      fits = take(whole.texts, for: insert(whole.place), into: &output) && fits
    }
    endResponse(into: &output)
    return fits
  }

  /// Ends the response: prints all that still waits.
  mutating func endResponse(into output: inout [UInt8]) {
    for index in sections.indices { sections[index].isDone = true }
    advance(into: &output)
    presenter.endResponse(into: &output)
    (sections, ended, hasBegun, labels, known) = ([], 0, false, [:], [])
  }

  /// Ends the input.
  mutating func finish(into output: inout [UInt8]) {
    endResponse(into: &output)
    presenter.finish(into: &output)
  }

  private mutating func take(
    _ texts: [WholeText], for index: Int, into output: inout [UInt8]
  ) -> Bool {
    for placed in sections[index].place(texts) { cite(placed, index, into: &output) }
    let fits = sections[index].take(whole: texts, into: &fresh)
    print(index, into: &output)
    return fits
  }

  /// For each of `places`, the section that it means: told by its id; where the server has changed
  /// that, by its place in the output; where it has moved it too, by its order.
  private func matches(of places: [Place]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: places.count)
    var open = Array(sections.indices)
    func match(where isMatch: (Section, Place) -> Bool) {
      for (index, place) in places.enumerated() where matches[index] == nil {
        let found = open.firstIndex {
          sections[$0].name == place.name && isMatch(sections[$0], place)
        }
        if let found { matches[index] = open.remove(at: found) }
      }
    }
    match { !$1.id.isEmpty && $0.id == $1.id }
    match { $0.outputIndex == $1.outputIndex }
    match { _, _ in true }
    return matches
  }

  /// The section that an event at `place` belongs to, made known if it was not. Only without an
  /// index does the id count: some servers give each event another.
  private mutating func find(_ place: Place) -> Int {
    if let outputIndex = place.outputIndex, recent < sections.count,
      sections[recent].outputIndex == outputIndex, sections[recent].name == place.name
    {
      return recent
    }
    let known =
      if let outputIndex = place.outputIndex {
        !known.contains(Key(outputIndex: outputIndex, name: place.name))
          ? nil : sections.firstIndex { $0.outputIndex == outputIndex && $0.name == place.name }
      } else {
        sections.lastIndex { $0.name == place.name && !place.id.isEmpty && $0.id == place.id }
          ?? sections.lastIndex { $0.name == place.name && !$0.isDone }
      }
    recent = known ?? insert(place)
    return recent
  }

  /// Makes a section known at its place in the output, but behind what is printed already.
  private mutating func insert(_ place: Place) -> Int {
    var index = sections.count
    let first = hasBegun ? ended + 1 : ended
    while index > first, (sections[index - 1].outputIndex ?? -1) > place.outputIndex ?? .max {
      index -= 1
    }
    let section = Section(
      place.name, outputIndex: place.outputIndex, id: place.id, countsCharacters: countsCharacters)
    sections.insert(section, at: index)
    if let outputIndex = place.outputIndex {
      known.insert(Key(outputIndex: outputIndex, name: place.name))
    }
    return index
  }

  /// Ends the sections of an item.
  private mutating func endItem(_ outputIndex: Int?, _ id: [UInt8], into output: inout [UInt8]) {
    for index in ended..<sections.count {
      let isSame = outputIndex.map { $0 == sections[index].outputIndex }
      if isSame ?? (!id.isEmpty && sections[index].id == id) { sections[index].isDone = true }
    }
    advance(into: &output)
  }

  /// Prints a citation of part `part` of the section at `index`, or has it wait.
  private mutating func cite(
    _ citation: Citation, of part: Int, _ index: Int, into output: inout [UInt8]
  ) {
    guard let placed = sections[index].place(citation, ofPart: part) else { return }
    cite(placed, index, into: &output)
  }

  private mutating func cite(
    _ placed: Section.PlacedCitation, _ index: Int, into output: inout [UInt8]
  ) {
    if index < ended {
      presenter.cite(placed.citation, behind: sections[index].message)
    } else if index == ended, hasBegun {
      presenter.cite(placed, into: &output)
    } else {
      sections[index].waitingCitations.append(placed)
    }
  }

  /// Prints the fresh text of the section at `index`, or has it wait. Text that comes for a section
  /// that was ended already is printed as one of its own, behind the one that is being printed.
  private mutating func print(_ index: Int, into output: inout [UInt8]) {
    guard !fresh.isEmpty else { return }
    var text: [UInt8] = []
    swap(&text, &fresh)
    // Its room is used again.
    defer {
      text.removeAll(keepingCapacity: true)
      swap(&text, &fresh)
    }
    if index > ended {
      sections[index].waiting += text
    } else if index == ended {
      begin(into: &output)
      presenter.take(text.span, into: &output)
    } else {
      let former = sections[index]
      var late = Section(
        former.name, outputIndex: former.outputIndex, id: former.id, countsCharacters: false)
      late.isDone = true
      late.waiting = text
      sections.insert(late, at: hasBegun ? ended + 1 : ended)
      if !hasBegun { advance(into: &output) }
    }
  }

  /// Ends the sections in front that are done, and prints what waits of the first that is not.
  private mutating func advance(into output: inout [UInt8]) {
    while ended < sections.count {
      if !sections[ended].waiting.isEmpty {
        begin(into: &output)
        let waiting = sections[ended].waiting
        sections[ended].waiting = []
        presenter.take(waiting.span, into: &output)
      }
      guard sections[ended].isDone else { return }
      sections[ended].finish(into: &fresh)
      print(ended, into: &output)
      if hasBegun { presenter.end(into: &output) }
      hasBegun = false
      ended += 1
    }
  }

  /// Begins the first section that has not ended, if it was not begun.
  private mutating func begin(into output: inout [UInt8]) {
    guard !hasBegun else { return }
    hasBegun = true
    presenter.begin(sections[ended].name, heading(of: sections[ended]), into: &output)
    sections[ended].message = presenter.messages
    for placed in sections[ended].waitingCitations { presenter.cite(placed, into: &output) }
    sections[ended].waitingCitations = []
  }

  private func heading(of section: Section) -> String {
    guard section.name.kind == .tools else { return section.name.word }
    let label = section.outputIndex.flatMap { labels[$0] }
    let words = [label?.type ?? "tool", section.name.word, label?.label ?? ""]
    return words.filter { !$0.isEmpty }.joined(separator: " ").harmless
  }
}
