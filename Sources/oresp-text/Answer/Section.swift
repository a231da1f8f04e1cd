import Core

/// One text of an output item, such as that of a message: what of it came so far.
struct Section {
  let name: TextName
  /// Where the response's output has its item.
  let place: Int
  /// What stands above it, where texts have headings.
  let heading: String
  /// The number of the message that it is; `nil` before it was begun.
  var message: Int?
  /// Whether no more text can come.
  var isDone = false
  /// Whether it was printed whole.
  var isPrinted = false
  /// Text that waits for an earlier section to end.
  var waiting: [UInt8] = []
  /// Citations that wait likewise.
  var waitingCitations: [PlacedCitation] = []

  /// All of the text, its parts laid end to end.
  private var value = StreamedValue()
  /// The part that was added to last.
  private var part: Part?
  /// Parts before that, by their index.
  private var formerParts: [Int: Part] = [:]
  /// Whether a separator stands before the next text.
  private var owesSeparator = false
  /// Whether characters are counted, for citations count so.
  private let countsCharacters: Bool
  /// How many characters came, in Unicode code points.
  private var characters = 0
  private var known: Set<[UInt8]> = []
  /// Whether the whole of all parts came, which may have more than those that are known.
  private var isWhole = false
  /// The parts that came whole, as bits.
  private var wholeParts: UInt64 = 0
  /// Whether text came that no whole has proved right.
  private(set) var isUnproven = false
  /// Whether a whole conflicted; those that come after it mostly are the same.
  private(set) var hasConflict = false

  private struct Part {
    let index: Int
    /// How many characters of the section stand before it.
    let start: Int
    /// Its text; that of the first part is the section's, and is not kept twice.
    var text: StreamedText?
  }

  /// Whether any text came.
  var hasText: Bool { value.text.count > 0 || name == .file }

  /// What is to be told when a whole text does not go on from what was printed.
  static let conflict =
    "the text came again and differs from what was printed, which stays"

  init(_ name: TextName, at place: Int, heading: String, countsCharacters: Bool) {
    (self.name, self.place, self.heading) = (name, place, heading)
    self.countsCharacters = countsCharacters && name == .answer
  }

  /// Appends to `output` the text of `delta`, a JSON string.
  mutating func append(
    delta: Span<UInt8>, toPart index: Int, into output: inout [UInt8]
  ) {
    startPart(index)
    if owesSeparator, delta.count > 2 { separate(into: &output) }
    let start = output.count
    value.append(delta: delta, into: &output)
    isUnproven = true
    note(output.span.extracting(start...))
  }

  /// Whether the part `index` came whole.
  func hasWhole(ofPart index: Int) -> Bool {
    isWhole || wholeParts & 1 << UInt64(clamping: index) != 0
  }

  /// Appends to `output` what is missing of a part's whole text; false when what was printed is
  /// something else, for the first time.
  mutating func complete(
    part index: Int, with whole: Span<UInt8>, into output: inout [UInt8]
  ) -> Bool {
    let former = formerParts[index]
    if former == nil, whole.isEmpty || isWhole && part?.index != index { return true }
    if former == nil { startPart(index) }
    let text = (former ?? part)?.text ?? value.text
    // Nothing can be put in before a part that was printed already.
    guard let start = Self.end(of: text, in: whole), former == nil || start == whole.count else {
      return isKnownConflict()
    }
    append(whole.extracting(start...), to: &output)
    (isUnproven, wholeParts) = (false, wholeParts | 1 << UInt64(clamping: index))
    return true
  }

  /// Appends to `output` what is missing of the section's whole text, which is `parts` laid end to
  /// end; false when what was printed is something else, for the first time.
  mutating func complete(with parts: [WholeText], into output: inout [UInt8]) -> Bool {
    let joined = parts.count == 1 ? parts[0].text : parts.flatMap(\.text)
    guard let start = Self.end(of: value.text, in: joined.span) else { return isKnownConflict() }
    isWhole = isWhole || !joined.isEmpty
    if isWhole { isUnproven = false }
    appendMissing(parts, from: start, to: &output)
    return true
  }

  /// Where `whole` goes on from `text`; `nil` when it is something else. An empty whole says nothing.
  private static func end(of text: StreamedText, in whole: Span<UInt8>) -> Int? {
    if whole.isEmpty { return 0 }
    guard case .continues(let start) = text.compare(with: whole) else { return nil }
    return start
  }

  private mutating func isKnownConflict() -> Bool {
    defer { hasConflict = true }
    return hasConflict
  }

  /// The places of what `parts`, the whole of the section, cite and was not cited before.
  mutating func place(_ parts: [WholeText]) -> [PlacedCitation] {
    var start = 0
    var placed: [PlacedCitation] = []
    for part in parts {
      placed += part.citations.compactMap { place($0, from: start) }
      if countsCharacters { start += UTF8Count.characters(in: part.text.span) }
    }
    return placed
  }

  /// The place of a citation of the part `index`; `nil` when it was placed before.
  mutating func place(_ citation: Citation, ofPart index: Int) -> PlacedCitation? {
    let owner = part?.index == index ? part : formerParts[index]
    return place(citation, from: owner?.start ?? characters)
  }

  /// Appends to `output` what the last delta left unfinished.
  mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    value.finish(into: &output)
    note(output.span.extracting(start...))
  }

  /// A citation is the same when it is of one source and ends at one place of the section.
  private mutating func place(_ citation: Citation, from start: Int) -> PlacedCitation? {
    guard name == .answer else { return nil }
    let place = citation.end.map { start.addingReportingOverflow($0) }
    guard place?.overflow != true else { return nil }
    let key = citation.address + Array(" \(place?.partialValue ?? -1)".utf8)
    guard known.insert(key).inserted else { return nil }
    return PlacedCitation(citation: citation, place: place?.partialValue)
  }

  private mutating func startPart(_ index: Int) {
    if part?.index == index { return }
    if var former = part {
      former.text = former.text ?? value.text
      formerParts[former.index] = former
    }
    owesSeparator = value.text.count > 0
    part = Part(index: index, start: characters, text: owesSeparator ? StreamedText() : nil)
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
    value.append(text)
    note(text)
  }

  /// Takes into account `new`, which the section's text has gained.
  private mutating func note(_ new: Span<UInt8>) {
    guard !new.isEmpty else { return }
    part?.text?.append(new)
    if countsCharacters { characters += UTF8Count.characters(in: new) }
  }
}
