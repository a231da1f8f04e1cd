import Core

/// One text of an output item, such as that of a message: what of it was taken so far.
struct Section {
  /// A citation, and behind which character of the section's text its span ends.
  struct PlacedCitation {
    let citation: Citation
    let place: Int?
  }

  let name: TextName
  /// The item's place in the response's output; `nil` when no event told.
  let outputIndex: Int?
  /// The item's id, as it is spelled; servers that change ids make it worthless, so it comes last.
  let id: [UInt8]
  /// The number of the message that it is, once it was begun.
  var message = 0
  /// Whether no more text can come.
  var isDone = false
  /// Text that waits for an earlier section to end.
  var waiting: [UInt8] = []
  /// Citations that wait likewise.
  var waitingCitations: [PlacedCitation] = []
  /// All of the text, its parts laid end to end.
  private(set) var text = StreamedText()

  /// The part that was added to last.
  private var part: Part?
  /// Parts before that.
  private var formerParts: [Part] = []
  /// Whether a separator stands before the next text.
  private var owesSeparator = false
  private var decoder = JSONStringDecoder()
  /// Whether characters are counted, for citations count so.
  private let countsCharacters: Bool
  /// How many characters were taken, in Unicode code points.
  private var characters = 0
  private var known: Set<[UInt8]> = []
  /// Whether a whole conflicted; those that come after it mostly are the same.
  private var hasConflict = false

  private struct Part {
    let index: Int
    /// How many characters of the section stand before it.
    let start: Int
    /// Its text; that of the first part is the section's, and is not kept twice.
    var text: StreamedText?
  }

  /// What is to be told when a whole text does not go on from what was printed.
  static let conflict =
    "a later whole of the text differs from what was printed, and is not printed"

  init(_ name: TextName, outputIndex: Int?, id: [UInt8], countsCharacters: Bool) {
    self.name = name
    self.outputIndex = outputIndex
    self.id = id
    self.countsCharacters = countsCharacters && name == .answer
  }

  /// Appends to `output` the text of a delta, a JSON string.
  mutating func take(delta: Span<UInt8>, ofPart index: Int, into output: inout [UInt8]) {
    startPart(index)
    if delta.count > 2 { separate(into: &output) }
    let start = output.count
    decoder.decode(delta, into: &output)
    note(output.span.extracting(start...))
  }

  /// Appends to `output` what is missing of a part's whole text; false when what was printed is
  /// something else, for the first time.
  mutating func take(
    wholeOfPart whole: Span<UInt8>, _ index: Int, into output: inout [UInt8]
  ) -> Bool {
    let former = formerParts.last { $0.index == index }
    if former == nil, whole.isEmpty { return true }
    if former == nil { startPart(index) }
    guard let known = former ?? part else { return true }
    switch (known.text ?? text).compare(with: whole) {
    case .continues(let start):
      // Nothing can be put in before a part that was printed already.
      guard former == nil || start == whole.count else { return isKnownConflict() }
      append(whole.extracting(start...), to: &output)
      return true
    case .isShorter: return whole.isEmpty || isKnownConflict()
    case .conflicts: return isKnownConflict()
    }
  }

  /// Appends to `output` what is missing of the section's whole text, which is `parts` laid end to
  /// end; false when what was printed is something else, for the first time.
  mutating func take(whole parts: [WholeText], into output: inout [UInt8]) -> Bool {
    var joined: [UInt8] = []
    for part in parts { joined += part.text }
    switch text.compare(with: joined.span) {
    case .continues(let start):
      appendMissing(parts, from: start, to: &output)
      return true
    case .isShorter: return joined.isEmpty || isKnownConflict()
    case .conflicts: return isKnownConflict()
    }
  }

  private mutating func isKnownConflict() -> Bool {
    defer { hasConflict = true }
    return hasConflict
  }

  /// The places of what `parts`, the whole of the section, cite and was not cited before.
  mutating func place(_ parts: [WholeText]) -> [PlacedCitation] {
    guard countsCharacters else { return [] }
    var start = 0
    var placed: [PlacedCitation] = []
    for (index, part) in parts.enumerated() {
      for citation in part.citations {
        if let new = place(citation, from: start, index) { placed.append(new) }
      }
      start += UTF8Count.characters(in: part.text.span)
    }
    return placed
  }

  /// The place of a citation of the part `index`; `nil` when it was placed before.
  mutating func place(_ citation: Citation, ofPart index: Int) -> PlacedCitation? {
    let owner = part?.index == index ? part : formerParts.last { $0.index == index }
    return place(citation, from: owner?.start ?? characters, index)
  }

  /// Appends to `output` what the last delta left unfinished.
  mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    decoder.finish(into: &output)
    note(output.span.extracting(start...))
  }

  /// A citation is the same when it is of one source and ends at one place of the section.
  private mutating func place(
    _ citation: Citation, from start: Int, _ index: Int
  ) -> PlacedCitation? {
    let place = citation.end.map { start.addingReportingOverflow($0) }
    guard place?.overflow != true else { return nil }
    let key = citation.address + Array(" \(place?.partialValue ?? -1)".utf8)
    guard known.insert(key).inserted else { return nil }
    return PlacedCitation(citation: citation, place: place?.partialValue)
  }

  private mutating func startPart(_ index: Int) {
    if part?.index == index { return }
    if var former = part {
      former.text = former.text ?? text
      formerParts.append(former)
    }
    part = Part(index: index, start: characters, text: text.count > 0 ? StreamedText() : nil)
    owesSeparator = text.count > 0
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

  private mutating func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    guard !text.isEmpty else { return }
    separate(into: &output)
    output.append(copying: text)
    note(text)
  }

  private mutating func note(_ new: Span<UInt8>) {
    guard !new.isEmpty else { return }
    text.append(new)
    part?.text?.append(new)
    if countsCharacters { characters += UTF8Count.characters(in: new) }
  }
}
