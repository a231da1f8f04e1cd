import Core

/// The steps that a text passes on its way out, in pieces cut anywhere: NULs are shown as U+FFFD,
/// code blocks are taken out, JSON is checked. Without any, a text goes out as it is.
struct TextStages {
  private let showsNUL: Bool
  private var fences: FenceExtractor?
  private var json: JSONStage?
  private var elements: ElementStage?

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
    let separator = style.ending == .nul ? 0 : ASCII.lf
    if let array = form.elements {
      elements = ElementStage(array, form.schema, separator: separator)
    } else if form.parses {
      json = JSONStage(form, separator: separator)
    }
  }

  var isEmpty: Bool {
    !showsNUL && fences == nil && json == nil && elements == nil
  }

  /// Handles the next piece of the text: what is known to go on goes into `sink`.
  mutating func append(_ text: Span<UInt8>, into sink: inout TextSink) {
    guard showsNUL, text.firstIndex(of: 0) != nil else { return unfence(text, into: &sink) }
    var (shown, start) = ([UInt8](), 0)
    while let index = text.firstIndex(of: 0, from: start) {
      shown.append(copying: text.extracting(start..<index))
      shown.append("\u{FFFD}")
      start = index + 1
    }
    shown.append(copying: text.extracting(start...))
    unfence(shown.span, into: &sink)
  }

  private mutating func unfence(_ text: Span<UInt8>, into sink: inout TextSink) {
    if fences != nil {
      json?.exchange(&sink.bytes)
      fences?.append(text, into: &sink)
      json?.exchange(&sink.bytes)
    } else if json != nil {
      json?.append(text)
    } else if let elements {
      elements.append(text, into: &sink)
    } else {
      sink.bytes.append(copying: text)
    }
  }

  /// Ends the text, and puts out what is left of it. Another text may follow.
  mutating func end(into sink: inout TextSink) {
    json?.exchange(&sink.bytes)
    fences?.end(into: &sink)
    json?.exchange(&sink.bytes)
    json?.end(into: &sink)
    elements?.end(into: &sink)
  }

  /// Leaves the text, which goes on later; JSON goes out whole only.
  mutating func leave(into sink: inout TextSink) {
    if json == nil { fences?.leave(into: &sink) }
  }

  /// How many bytes the steps hold of the text.
  var size: Int { json?.size ?? elements?.size ?? 0 }

  /// What the steps looked for and never found.
  var missing: String? {
    let hasText = json?.hasText ?? elements?.hasText ?? true
    return fences.map(\.missing) ?? (hasText ? nil : "text in the answer that could be JSON")
  }
}
