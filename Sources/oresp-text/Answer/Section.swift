import Core

/// One text of an output item, such as the text of a message, as far as it came.
struct Section {
  /// A way in which a whole text differs from the text that came, which stays.
  enum Mismatch {
    case conflict
    /// The whole text has more in front.
    case missingStart
  }

  /// A place in the text, where a part begins.
  private struct Mark {
    var text = StreamedText()
    /// The number of characters before it, in Unicode code points.
    var characters = 0
    /// The number of bytes before it that wait.
    var waiting = 0
  }

  let name: TextName
  /// The words above it, where texts have headings.
  let heading: String
  /// Whether no more text can come.
  var isDone = false
  /// Whether it was printed whole.
  var isPrinted = false
  /// Its number among the messages; -1 before it began.
  private(set) var message = -1
  /// Whether the beginning of the response did not come: a whole text may have more in front.
  private let mayLackStart: Bool
  /// Whether characters are counted: citations have their places in characters.
  private let countsCharacters: Bool
  /// Whether a separator stands before the next text.
  private var owesSeparator = false
  /// Whether the whole of all parts came, known ones and others.
  private var isWhole = false
  /// Whether a mismatch was reported; later ones are mostly the same.
  private var hasMismatch = false
  /// Decodes deltas; holds the half of a character that ended the last one.
  private var decoder = JSONStringDecoder()
  /// All of the text, its parts laid end to end, and the number of its characters.
  private var text = StreamedText()
  private var characters = 0
  /// The index of the last part that text was added to, and where it begins; the lowest number before
  /// the first.
  private var part = Int.min
  private var start = Mark()
  /// The beginnings and ends of the parts before it, by their index.
  private var formerParts: [Int: (start: Mark, end: StreamedText)] = [:]
  /// Text and citations that wait for an earlier section to end.
  private var waiting: [UInt8] = []
  private var citations: [PlacedCitation] = []
  /// The citations that came, by their sources and places.
  private var known: Set<[UInt8]> = []

  init(
    _ name: TextName, heading: String, countsCharacters: Bool = false, mayLackStart: Bool = false
  ) {
    self.name = name
    self.heading = heading
    self.mayLackStart = mayLackStart
    self.countsCharacters = countsCharacters && name == .answer
  }

  /// Whether any text came.
  var hasText: Bool { text.count > 0 || name == .file }

  /// Whether its whole, which has not come, may have more in front.
  var awaitsWhole: Bool { mayLackStart && !isWhole }

  // What waits.

  /// The number of bytes that wait for an earlier section to end.
  var waitingCount: Int { waiting.count }

  mutating func wait(_ text: Span<UInt8>) { waiting.append(copying: text) }

  mutating func wait(_ citation: PlacedCitation) { citations.append(citation) }

  /// Begins the section, which is the message `number`. Returns the citations that waited.
  mutating func begin(as number: Int) -> [PlacedCitation] {
    message = number
    defer { citations = [] }
    return citations
  }

  /// Prints the text that waits by `print`.
  mutating func release(_ print: (Span<UInt8>) -> Void) {
    guard !waiting.isEmpty else { return }
    let text = waiting
    waiting = []
    print(text.span)
  }

  // Text.

  /// Appends to `output` the text of `delta`, a JSON string.
  mutating func append(
    delta: Span<UInt8>, toPart index: Int, into output: inout [UInt8]
  ) {
    startPart(index)
    if owesSeparator, delta.count > 2 { separate(into: &output) }
    let start = output.count
    decoder.decode(delta, into: &output)
    note(output.span.extracting(start...))
  }

  /// Appends to `output` what the text lacks of `wholes`: the whole of the part `index`, or those of
  /// all parts. Returns the mismatch, if any, the first time.
  mutating func complete(
    part index: Int?, with wholes: [WholeText], into output: inout [UInt8]
  ) -> Mismatch? {
    let whole = wholes.count == 1 ? wholes[0].text : wholes.flatMap(\.text)
    // An empty whole text says nothing.
    if whole.isEmpty { return nil }
    var begin = Mark()
    if let index {
      if let former = formerParts[index] { return compare(former.start, former.end, with: whole) }
      if isWhole, part != index { return nil }
      startPart(index)
      begin = start
    }
    let comparison = text.compare(with: whole.span, behind: begin.text)
    if case .continues(let place) = comparison {
      isWhole = isWhole || index == nil
      appendMissing(wholes, from: place, to: &output)
      return nil
    }
    guard mayLackStart, text.isEnd(of: whole.span, behind: begin.text) else {
      return first(.conflict)
    }
    // What went out stays.
    guard message < 0 else { return first(.missingStart) }
    rewind(to: begin)
    if index == nil {
      isWhole = true
      part = .min
      start = begin
      formerParts = [:]
    }
    appendMissing(wholes, from: 0, to: &output)
    return nil
  }

  /// Appends to `output` a character that the last delta left unfinished.
  mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    decoder.finish(into: &output)
    note(output.span.extracting(start...))
  }

  /// Compares a part before the last one with its whole: nothing can be put in behind it.
  private mutating func compare(
    _ start: Mark, _ end: StreamedText, with whole: [UInt8]
  ) -> Mismatch? {
    let isLong = mayLackStart || whole.count == end.count - start.text.count
    return isLong && end.isEnd(of: whole.span, behind: start.text) ? nil : first(.conflict)
  }

  private mutating func first(_ mismatch: Mismatch) -> Mismatch? {
    defer { hasMismatch = true }
    return hasMismatch ? nil : mismatch
  }

  /// Forgets the text behind `mark`, which waits.
  private mutating func rewind(to mark: Mark) {
    text = mark.text
    characters = mark.characters
    waiting.removeLast(max(waiting.count - mark.waiting, 0))
    decoder = JSONStringDecoder()
    owesSeparator = mark.text.count > 0
  }

  private mutating func startPart(_ index: Int) {
    if part == index { return }
    if part != .min { formerParts[part] = (start, text) }
    owesSeparator = text.count > 0
    part = index
    start = Mark(text: text, characters: characters, waiting: waiting.count)
  }

  private mutating func separate(into output: inout [UInt8]) {
    guard owesSeparator else { return }
    output.append(name.separator)
    owesSeparator = false
  }

  private mutating func appendMissing(
    _ wholes: [WholeText], from start: Int, to output: inout [UInt8]
  ) {
    var begin = 0
    for whole in wholes {
      let end = begin + whole.text.count
      if end > start {
        if begin >= start, begin > 0 { owesSeparator = true }
        separate(into: &output)
        let new = whole.text.span.extracting(max(start - begin, 0)...)
        output.append(copying: new)
        note(new)
      }
      begin = end
    }
  }

  /// Notes `new`, which the section's text has gained.
  private mutating func note(_ new: Span<UInt8>) {
    text.append(new)
    if countsCharacters { characters += UTF8Count.characters(in: new) }
  }

  // Citations.

  /// Returns the new citations of `wholes`, the whole of the part `index` or those of all parts, with
  /// their places.
  mutating func place(_ wholes: [WholeText], ofPart index: Int?) -> [PlacedCitation] {
    var start = index.map { self.start(ofPart: $0) } ?? 0
    var placed: [PlacedCitation] = []
    for whole in wholes {
      placed += whole.citations.compactMap { place($0, from: start) }
      if countsCharacters { start += UTF8Count.characters(in: whole.text.span) }
    }
    return placed
  }

  /// Returns a citation of the part `index` with its place; `nil` when it is not new.
  mutating func place(_ citation: Citation, ofPart index: Int) -> PlacedCitation? {
    place(citation, from: start(ofPart: index))
  }

  /// The number of characters before the part `index`.
  private func start(ofPart index: Int) -> Int {
    part == index ? start.characters : formerParts[index]?.start.characters ?? characters
  }

  /// Returns a citation with its place; `nil` when one of the same source ended at the same place.
  private mutating func place(_ citation: Citation, from start: Int) -> PlacedCitation? {
    guard name == .answer else { return nil }
    let place = citation.end.map { start.addingReportingOverflow($0) }
    guard place?.overflow != true else { return nil }
    let key = citation.address + Array(" \(place?.partialValue ?? -1)".utf8)
    guard known.insert(key).inserted else { return nil }
    return PlacedCitation(citation: citation, place: place?.partialValue)
  }
}
