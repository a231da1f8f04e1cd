import Core

/// One message of a response: what of its text was taken so far.
struct Message {
  /// Its place in the response's output; `nil` when no event told.
  let outputIndex: Int?
  /// Its id, as it is spelled; servers that change ids make it worthless, so it comes last.
  let id: [UInt8]
  /// Whether no more text can come.
  var isDone = false
  /// Text that waits for an earlier message to end.
  var waiting: [UInt8] = []
  /// Whether the text taken last ends in LF.
  var endsInLineEnd = false
  /// All of the text, its parts laid end to end.
  private(set) var text = StreamedText()
  /// The part that was added to last.
  private var part: Part?
  /// Parts before that.
  private var formerParts: [Part] = []
  private var decoder = JSONStringDecoder()

  private struct Part {
    let contentIndex: Int
    var text = StreamedText()
  }

  /// What is to be told when a whole text does not go on from what was printed.
  static let conflict =
    "a later whole of the text differs from what was printed, and is not printed"

  init(outputIndex: Int?, id: [UInt8]) {
    self.outputIndex = outputIndex
    self.id = id
  }

  /// Appends to `output` the text of a delta, a JSON string.
  mutating func take(delta: Span<UInt8>, ofPart contentIndex: Int, into output: inout [UInt8]) {
    startPart(contentIndex)
    let start = output.count
    decoder.decode(delta, into: &output)
    note(output.span.extracting(start...))
  }

  /// Appends to `output` what is missing of a part's whole text, a JSON string; false when what was
  /// printed is something else.
  mutating func take(
    wholeOfPart whole: Span<UInt8>, _ contentIndex: Int, into output: inout [UInt8]
  ) -> Bool {
    let isFormer = formerParts.contains { $0.contentIndex == contentIndex }
    if !isFormer { startPart(contentIndex) }
    let former = formerParts.last { $0.contentIndex == contentIndex }
    guard let known = former ?? part else { return true }
    let text = JSONString.decoded(whole)
    guard case .continues(let start) = known.text.compare(with: text.span) else {
      if case .isShorter = known.text.compare(with: text.span) { return true }
      return false
    }
    guard start < text.count else { return true }
    // Nothing can be put in before a part that was printed already.
    guard former == nil else { return false }
    append(text.span.extracting(start...), to: &output)
    return true
  }

  /// Appends to `output` what is missing of the message's whole text; false when what was printed
  /// is something else.
  mutating func take(whole: Span<UInt8>, into output: inout [UInt8]) -> Bool {
    switch text.compare(with: whole) {
    case .continues(let start):
      append(whole.extracting(start...), to: &output)
      return true
    case .isShorter: return true
    case .conflicts: return false
    }
  }

  /// Appends to `output` what the last delta left unfinished.
  mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    decoder.finish(into: &output)
    note(output.span.extracting(start...))
  }

  private mutating func startPart(_ contentIndex: Int) {
    if part?.contentIndex == contentIndex { return }
    if let part { formerParts.append(part) }
    part = Part(contentIndex: contentIndex)
  }

  private mutating func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(copying: text)
    note(text)
  }

  private mutating func note(_ new: Span<UInt8>) {
    guard !new.isEmpty else { return }
    text.append(new)
    part?.text.append(new)
    endsInLineEnd = new[new.count - 1] == ASCII.lf
  }
}
