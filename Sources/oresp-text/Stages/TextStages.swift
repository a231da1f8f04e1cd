import Core

/// The steps that a message passes on its way out, in pieces cut anywhere: code blocks are taken
/// out, and JSON is checked. Without any, it goes out as it is.
struct TextStages {
  private var fences: FenceExtractor?
  private var json: JSONStage?
  private var elements: ElementStage?

  init(_ style: TextStyle) {
    let (form, separator) = (style.form, style.ending == .nul ? 0 : ASCII.lf)
    if form.takesBlocks {
      fences = FenceExtractor(
        language: form.language, endingInNUL: style.ending == .nul,
        keepingBlocks: style.hasFiles || form.parses)
    }
    if let array = form.elements {
      elements = ElementStage(array, form.schema, separator: separator)
    } else if form.parses {
      json = JSONStage(form, separator: separator)
    }
  }

  var isEmpty: Bool { fences == nil && json == nil && elements == nil }

  /// Handles the next piece of the message: what is known to go on goes into `sink`.
  mutating func append(_ text: Span<UInt8>, into sink: inout TextSink) {
    if fences != nil {
      fences?.append(text, into: &sink)
      json?.append(blocksOf: &sink)
    } else if json != nil {
      json?.append(text)
    } else if let elements {
      elements.append(text, into: &sink)
    } else {
      sink.bytes.append(copying: text)
    }
  }

  /// Ends the message, and puts out what is left of it. Another may follow.
  mutating func end(into sink: inout TextSink) {
    fences?.end(into: &sink)
    json?.append(blocksOf: &sink)
    json?.end(into: &sink)
    elements?.end(into: &sink)
  }

  /// Leaves the message, which goes on later; JSON goes out whole only.
  mutating func leave(into sink: inout TextSink) { fences?.leave(into: &sink) }

  /// Bytes of the message that are held.
  var size: Int { json?.size ?? elements?.size ?? 0 }

  /// A name for what no message had that the steps look for; `nil` when one had it.
  var missing: String? {
    if let fences { return fences.missing }
    return json?.hasText ?? elements?.hasText ?? true
      ? nil : "text in the answer that could be JSON"
  }
}
