import Core

/// The steps that a message passes on its way out, in pieces cut anywhere: code blocks are taken
/// out, and JSON is checked. Without any, it goes out as it is.
struct TextStages {
  private let form: TextForm
  private let separator: UInt8
  private var fences: FenceExtractor?
  private var elements: ElementStage?
  /// Texts that must be JSON, and wait for the end of the message: the message, or its code blocks.
  private var values: [[UInt8]] = []
  /// Whether any message had text.
  private var hasText = false

  init(_ style: TextStyle) {
    form = style.form
    separator = style.ending == .nul ? 0 : ASCII.lf
    if form.takesBlocks {
      fences = FenceExtractor(
        language: form.language, endingInNUL: style.ending == .nul,
        keepingBlocks: style.hasFiles || form.parses)
    } else if let array = form.elements {
      elements = ElementStage(array, form.schema, separator: separator)
    } else {
      values = [[]]
    }
  }

  var isEmpty: Bool { !form.takesBlocks && !form.parses }

  /// Handles the next piece of the message; all of it that is known to go on goes into `sink`.
  mutating func append(_ text: Span<UInt8>, into sink: inout TextSink) {
    if isEmpty { return sink.bytes.append(copying: text) }
    hasText = hasText || !text.isEmpty
    if fences != nil {
      fences?.append(text, into: &sink)
      takeBlocks(of: &sink)
    } else if let elements {
      elements.append(text, into: &sink)
    } else {
      values[0].append(copying: text)
    }
  }

  /// Ends the message, and puts out the rest of it. Another may follow. The last line of JSON has
  /// no end.
  mutating func end(into sink: inout TextSink) {
    fences?.end(into: &sink)
    takeBlocks(of: &sink)
    if let elements { return elements.end(into: &sink) }
    guard form.parses else { return }
    var isFirst = true
    for value in values {
      if let why = fault(in: value.span) {
        let what = form.takesBlocks ? "block" : "answer"
        sink.notices.append(Notice(.error, "the \(what) \(why)", status: .negative))
        continue
      }
      if !isFirst { sink.bytes.append(separator) }
      isFirst = false
      CompactJSON.append(value.span, to: &sink.bytes)
    }
    values = form.takesBlocks ? [] : [[]]
  }

  /// A name for the thing that the steps look for and no message had; `nil` when one had it.
  var missing: String? {
    if let fences {
      let language = form.language.map { " of \($0)" } ?? ""
      return fences.found > 0 ? nil : "fenced code block\(language) in the answer"
    }
    return hasText || isEmpty ? nil : "text in the answer that could be JSON"
  }

  /// Moves the blocks of `sink` to the texts that must be JSON, if blocks must.
  private mutating func takeBlocks(of sink: inout TextSink) {
    guard form.parses else { return }
    values += sink.blocks.map(\.content)
    sink.blocks = []
  }

  private func fault(in value: Span<UInt8>) -> String? {
    if let fault = JSONScan.fault(in: value) { return "is not JSON: \(fault)" }
    return form.schema?.fault(in: value).map { "does not meet the schema: \($0.message())" }
  }
}
