import Core

/// One text of an output item, such as the text of a message, as far as it came. It takes 80 bytes;
/// a second object has the things that most texts lack.
struct Section {
  let name: TextName
  /// Whether no more text can come.
  var isDone = false
  /// Whether it was printed whole.
  private(set) var isPrinted = false
  /// Whether a separator stands before the next text.
  private var owesSeparator = false
  /// Whether characters are counted: citations have their places in characters.
  private let countsCharacters: Bool
  /// Whether a whole text may have more in front: the beginning did not come, or the event that
  /// opened it may have had some of it.
  private var mayLackStart: Bool
  /// Whether the whole of all parts came, known ones and others.
  private var isWhole = false
  /// Whether a whole text conflicted; it is reported once, as later ones are mostly the same.
  private var hasConflict = false
  /// Decodes deltas; holds the half of a character that ended the last one.
  private var decoder = JSONStringDecoder()
  /// Its number among the messages; -1 before it began.
  private(set) var message = -1
  /// The index of the last part that text was added to; the lowest number before the first.
  private var part = Int.min
  /// All of the text, its parts laid end to end.
  private var text = StreamedText()
  /// Text that waits for an earlier section to end.
  private var waiting: [UInt8] = []
  private var extras: Extras?

  /// What most texts lack.
  private final class Extras {
    var heading: String?
    /// Citations that wait for an earlier section to end.
    var citations: [PlacedCitation] = []
    /// The last part that text was added to. The text of the first part is the section's, and not
    /// kept twice.
    var part = Part(start: 0)
    /// The parts before it, by their index.
    var formerParts: [Int: Part] = [:]
    /// Whether a whole text had more in front of what was printed.
    var lacksStart = false
    /// All of the text before the last part, where its beginning may not have come.
    var former = StreamedText()
    /// Texts with which parts opened, by the index of the part.
    var openings: [Int: [UInt8]] = [:]
    /// The number of characters so far, in Unicode code points.
    var characters = 0
    var known: Set<[UInt8]> = []
  }

  private struct Part {
    /// The number of characters of the section before it.
    let start: Int
    var text: StreamedText?
  }

  /// Whether a whole text had more in front of what was printed.
  var lacksStart: Bool { extras?.lacksStart ?? false }

  /// Whether its whole may have more in front of the text that came.
  var awaitsWhole: Bool { mayLackStart && message < 0 && !(isDone && isWhole) }

  /// Whether any text came.
  var hasText: Bool { text.count > 0 || name == .file || extras?.openings.isEmpty == false }

  /// The message when a whole text does not begin with the printed text.
  static let conflict =
    "the text came again and differs from what was printed, which stays"

  /// A text with `heading`, or its name, above it, where texts have headings.
  init(
    _ name: TextName, heading: String? = nil, countsCharacters: Bool = false,
    mayLackStart: Bool = false
  ) {
    self.name = name
    self.mayLackStart = mayLackStart
    self.countsCharacters = countsCharacters && name == .answer
    if heading != nil { madeExtras.heading = heading }
  }

  private var madeExtras: Extras {
    mutating get {
      if let extras { return extras }
      let made = Extras()
      extras = made
      return made
    }
  }

  /// The words above it in place of its name.
  var heading: String? { extras?.heading }

  /// The number of bytes that wait for an earlier section to end.
  var waitingCount: Int { waiting.count }
  var isWaiting: Bool { waitingCount > 0 }

  mutating func wait(_ text: Span<UInt8>) { waiting.append(copying: text) }

  mutating func wait(_ citation: PlacedCitation) { madeExtras.citations.append(citation) }

  /// Begins the section, which is the message `number`. Returns the citations that waited.
  mutating func begin(as number: Int) -> [PlacedCitation] {
    message = number
    defer { extras?.citations = [] }
    return extras?.citations ?? []
  }

  /// Prints the text that waits by `print`.
  mutating func release(_ print: (Span<UInt8>) -> Void) {
    guard !waiting.isEmpty else { return }
    let text = waiting
    waiting = []
    print(text.span)
  }

  /// Ends the section, which was printed whole. Most sections keep only the hash of their text.
  mutating func endPrinting() {
    isPrinted = true
    guard let extras, extras.heading == nil, !countsCharacters, extras.known.isEmpty else { return }
    if extras.formerParts.isEmpty, extras.part.text == nil { self.extras = nil }
  }

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

  /// Keeps `text`, with which the part `index` opened: it is provisional, and counts only if nothing
  /// else comes of the part.
  mutating func open(part index: Int, with text: [UInt8]) {
    mayLackStart = true
    madeExtras.openings[index] = text
  }

  /// Appends to `output` the missing rest of a part's whole text; false when the printed text is
  /// not its beginning, for the first time.
  mutating func complete(
    part index: Int, with whole: Span<UInt8>, into output: inout [UInt8]
  ) -> Bool {
    let former = extras?.formerParts[index]
    if former == nil, whole.isEmpty || isWhole && part != index { return true }
    if former == nil { startPart(index) }
    let text = (former ?? extras?.part)?.text ?? text
    if isEnd(text, of: whole) {
      if former == nil { take(whole, inPlaceOf: text, into: &output) }
      return true
    }
    // Nothing can be put in before a part that was printed already.
    guard let start = end(of: text, in: whole), former == nil || start == whole.count else {
      return isKnownConflict()
    }
    append(whole.extracting(start...), to: &output)
    return true
  }

  /// Appends to `output` the missing rest of the section's whole text, which is `parts` laid end to
  /// end; false when the printed text is not its beginning, for the first time.
  mutating func complete(with parts: [WholeText], into output: inout [UInt8]) -> Bool {
    let joined = parts.count == 1 ? parts[0].text : parts.flatMap(\.text)
    if isEnd(text, of: joined.span) {
      take(parts, into: &output)
      return true
    }
    guard let start = end(of: text, in: joined.span) else { return isKnownConflict() }
    isWhole = isWhole || !joined.isEmpty
    appendMissing(parts, from: start, to: &output)
    return true
  }

  /// The index in `whole` of the first byte behind `text`; `nil` when `text` is not its beginning.
  /// An empty whole text says nothing.
  private func end(of text: StreamedText, in whole: Span<UInt8>) -> Int? {
    if whole.isEmpty { return 0 }
    if case .continues(let start) = text.compare(with: whole) { return start }
    return nil
  }

  /// Whether only the end of `whole` came, as `text`.
  private func isEnd(_ text: StreamedText, of whole: Span<UInt8>) -> Bool {
    mayLackStart && text.count > 0 && end(of: text, in: whole) == nil && text.isEnd(of: whole)
  }

  /// Puts `whole` in the place of `former`, the text of the last part, unless that was printed.
  private mutating func take(
    _ whole: Span<UInt8>, inPlaceOf former: StreamedText, into output: inout [UInt8]
  ) {
    guard message < 0, waiting.count >= former.count else {
      madeExtras.lacksStart = true
      return
    }
    waiting.removeLast(former.count)
    decoder = JSONStringDecoder()
    text = extras?.former ?? StreamedText()
    if let extras {
      if extras.part.text != nil { extras.part.text = StreamedText() }
      extras.characters = extras.part.start
    }
    append(whole, to: &output)
  }

  /// Puts `parts`, the whole of the section, in the place of its text, unless that was printed.
  private mutating func take(_ parts: [WholeText], into output: inout [UInt8]) {
    guard message < 0 else {
      madeExtras.lacksStart = true
      return
    }
    waiting = []
    decoder = JSONStringDecoder()
    text = StreamedText()
    owesSeparator = false
    isWhole = true
    if let extras {
      extras.part = Part(start: 0)
      extras.formerParts = [:]
      extras.characters = 0
    }
    appendMissing(parts, from: 0, to: &output)
  }

  /// Whether the part `index` has text.
  private func hasText(of index: Int) -> Bool {
    if part == index { return (extras?.part.text ?? text).count > 0 }
    return (extras?.formerParts[index]?.text?.count ?? 0) > 0
  }

  private mutating func isKnownConflict() -> Bool {
    defer { hasConflict = true }
    return hasConflict
  }

  /// Returns the new citations of `parts`, the whole of the section, with their places.
  mutating func place(_ parts: [WholeText]) -> [PlacedCitation] {
    var start = 0
    var placed: [PlacedCitation] = []
    for part in parts {
      placed += part.citations.compactMap { place($0, from: start) }
      if countsCharacters { start += UTF8Count.characters(in: part.text.span) }
    }
    return placed
  }

  /// Returns a citation of the part `index` with its place; `nil` when it is not new.
  mutating func place(_ citation: Citation, ofPart index: Int) -> PlacedCitation? {
    let owner = part == index ? extras?.part : extras?.formerParts[index]
    return place(citation, from: owner?.start ?? extras?.characters ?? 0)
  }

  /// Appends to `output` the openings of parts of which nothing else came, and a character that the
  /// last delta left unfinished.
  mutating func finish(into output: inout [UInt8]) {
    if let extras, !extras.openings.isEmpty {
      for (index, text) in extras.openings.sorted(by: { $0.key < $1.key }) where !hasText(of: index)
      {
        _ = complete(part: index, with: text.span, into: &output)
      }
      extras.openings = [:]
    }
    let start = output.count
    decoder.finish(into: &output)
    note(output.span.extracting(start...))
  }

  /// Returns a citation with its place; `nil` when one of the same source ended at the same place.
  private mutating func place(_ citation: Citation, from start: Int) -> PlacedCitation? {
    guard name == .answer else { return nil }
    let place = citation.end.map { start.addingReportingOverflow($0) }
    guard place?.overflow != true else { return nil }
    let key = citation.address + Array(" \(place?.partialValue ?? -1)".utf8)
    guard madeExtras.known.insert(key).inserted else { return nil }
    return PlacedCitation(citation: citation, place: place?.partialValue)
  }

  private mutating func startPart(_ index: Int) {
    if part == index { return }
    owesSeparator = text.count > 0
    if part != .min {
      madeExtras.formerParts[part] = Part(
        start: madeExtras.part.start, text: madeExtras.part.text ?? text)
    }
    part = index
    if mayLackStart, owesSeparator { madeExtras.former = text }
    guard owesSeparator || countsCharacters || extras != nil else { return }
    madeExtras.part = Part(start: madeExtras.characters, text: owesSeparator ? StreamedText() : nil)
  }

  private mutating func separate(into output: inout [UInt8]) {
    guard owesSeparator else { return }
    output.append(name.separator)
    owesSeparator = false
  }

  private mutating func appendMissing(
    _ parts: [WholeText], from start: Int, to output: inout [UInt8]
  ) {
    var begin = 0
    for part in parts {
      let end = begin + part.text.count
      if end > start {
        if begin >= start { owesSeparator = begin > 0 }
        append(part.text.span.extracting(max(start - begin, 0)...), to: &output)
      }
      begin = end
    }
  }

  private mutating func append(_ new: Span<UInt8>, to output: inout [UInt8]) {
    guard !new.isEmpty else { return }
    separate(into: &output)
    output.append(copying: new)
    note(new)
  }

  /// Notes `new`, which the section's text has gained.
  private mutating func note(_ new: Span<UInt8>) {
    guard !new.isEmpty else { return }
    text.append(new)
    guard let extras else { return }
    extras.part.text?.append(new)
    if countsCharacters { extras.characters += UTF8Count.characters(in: new) }
  }
}
