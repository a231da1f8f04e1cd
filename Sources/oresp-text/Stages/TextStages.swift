import Core

/// The steps that a text passes on its way out, in pieces cut anywhere: NULs are shown as U+FFFD, code
/// blocks are taken out, JSON is checked. Without any, a text goes out as it is.
struct TextStages {
  private let showsNUL: Bool
  private var fences: FenceExtractor?
  private var json: JSONStage?

  /// The steps of messages, or of the other texts.
  init(ofMessages isMessage: Bool, _ style: TextStyle) {
    let form = style.form
    showsNUL = style.forbidsNUL
    guard isMessage else { return }
    if form.takesBlocks {
      // JSON has no NUL, so a NUL separates its blocks.
      fences = FenceExtractor(
        language: form.language, endingInNUL: style.ending == .nul || form.parses,
        keepingBlocks: style.hasFiles)
    }
    if form.parses { json = JSONStage(form, endingInNUL: style.ending == .nul) }
  }

  var isEmpty: Bool { !showsNUL && fences == nil && json == nil }

  /// Takes the next piece of the text, and appends what is known to go on.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard showsNUL, text.firstIndex(of: 0) != nil else { return unfence(text, into: &output) }
    var (shown, start) = ([UInt8](), 0)
    while let index = text.firstIndex(of: 0, from: start) {
      shown.append(copying: text.extracting(start..<index))
      shown.append("\u{FFFD}")
      start = index + 1
    }
    shown.append(copying: text.extracting(start...))
    unfence(shown.span, into: &output)
  }

  private mutating func unfence(_ text: Span<UInt8>, into output: inout [UInt8]) {
    guard fences != nil else { return parse(text, into: &output) }
    var content: [UInt8] = []
    fences?.take(text, into: &content)
    parse(content.span, into: &output)
  }

  private mutating func parse(_ text: Span<UInt8>, into output: inout [UInt8]) {
    if json == nil { output.append(copying: text) } else { json?.take(text) }
  }

  /// Takes the end of the text, and appends what is left of it. Another text may follow.
  mutating func end(into output: inout [UInt8]) {
    var content: [UInt8] = []
    fences?.end(into: &content)
    parse(content.span, into: &output)
    json?.end(into: &output)
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] {
    defer {
      fences?.notices = []
      json?.notices = []
    }
    return (fences?.notices ?? []) + (json?.notices ?? [])
  }

  /// The blocks that were kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock] { fences?.takeBlocks() ?? [] }

  /// What the steps looked for and never found.
  var missing: String? { fences?.missing ?? json?.missing }
}
