import Core

/// Takes out of the text of messages what was asked for in place of all of it: the content of
/// fenced code blocks, or the JSON that a message, or each such block, is.
struct MessageBody {
  private let form: TextForm
  private let separator: UInt8
  private var extractor: FenceExtractor?
  /// The text, or the blocks, of a message that are parsed when they are whole.
  private var collected: [UInt8] = []
  private var hasValues = false
  /// Whether any message had text.
  private var hasText = false
  /// What is to be told.
  private(set) var notices: [Notice] = []

  /// `nil` when all of the text was asked for.
  init?(_ style: TextStyle) {
    form = style.form
    guard form.takesBlocks || form.parses else { return nil }
    let endsInNUL = style.ending == .nul
    separator = endsInNUL ? 0 : ASCII.lf
    if form.takesBlocks {
      // JSON has no NUL, so that is what its blocks are told apart by.
      extractor = FenceExtractor(language: form.language, endingInNUL: endsInNUL || form.parses)
    }
  }

  /// Takes more of the text of a message.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    hasText = hasText || !text.isEmpty
    if !form.parses {
      extractor?.take(text, into: &output)
    } else if extractor != nil {
      extractor?.take(text, into: &collected)
    } else {
      collected.append(copying: text)
    }
  }

  /// Takes the end of a message. What it appends has no line end behind it, but for blocks, which
  /// have their own.
  mutating func end(into output: inout [UInt8]) {
    guard form.parses else {
      extractor?.finish(into: &output)
      return noteOpenBlock()
    }
    extractor?.finish(into: &collected)
    let text = collected
    collected = []
    if extractor == nil {
      append(text.span, "answer", to: &output)
    } else {
      noteOpenBlock()
      let blocks = text.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      for block in blocks { append(Array(block).span, "block", to: &output) }
    }
    hasValues = false
  }

  /// Takes the end of the input.
  mutating func finish() {
    var missing: String?
    if let extractor {
      let kind = form.language.map { " of \($0)" } ?? ""
      if extractor.found == 0 { missing = "fenced code block\(kind) in the answer" }
    } else if !hasText {
      missing = "text in the answer that could be JSON"
    }
    guard let missing else { return }
    notices.append(Notice(.error, "there is no \(missing)", status: .negative))
  }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  private mutating func noteOpenBlock() {
    guard extractor?.isLeftOpen == true else { return }
    notices.append(Notice(.warning, "the last code block has no end"))
  }

  /// Appends `value` on one line, if it is JSON and meets the schema.
  private mutating func append(
    _ value: Span<UInt8>, _ what: String, to output: inout [UInt8]
  ) {
    if let fault = JSONScanner.fault(in: value) {
      notices.append(Notice(.error, "the \(what) is not JSON: \(fault)", status: .negative))
    } else if let fault = form.schema?.fault(in: value) {
      let why = "the \(what) does not meet the schema: \(fault.message)"
      notices.append(Notice(.error, why, status: .negative))
    } else {
      if hasValues { output.append(separator) }
      hasValues = true
      JSONLine.append(value, to: &output)
    }
  }
}
