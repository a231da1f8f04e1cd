import Core

/// Gathers a message, or its code blocks, and lets the JSON through that each must be, on one line.
struct JSONStage {
  private let form: TextForm
  private let separator: UInt8
  /// The message so far; its code blocks each have a NUL behind them.
  private var collected: [UInt8] = []
  /// Whether any message had text.
  private(set) var hasText = false

  init(_ form: TextForm, separator: UInt8) { (self.form, self.separator) = (form, separator) }

  mutating func append(_ text: Span<UInt8>) {
    hasText = hasText || !text.isEmpty
    collected.append(copying: text)
  }

  /// Swaps the message so far with `bytes`, so that a stage appends to it.
  mutating func exchange(_ bytes: inout [UInt8]) { swap(&collected, &bytes) }

  /// How many bytes it holds.
  var size: Int { collected.count }

  /// The last line that it appends has no end.
  mutating func end(into sink: inout TextSink) {
    let text = collected
    collected = []
    let values =
      form.takesBlocks
      ? text.split(separator: 0, omittingEmptySubsequences: false).dropLast() : [text[...]]
    var isFirst = true
    for value in values {
      if let why = fault(in: Array(value).span) {
        let what = form.takesBlocks ? "block" : "answer"
        sink.notices.append(Notice(.error, "the \(what) \(why)", status: .negative))
        continue
      }
      if !isFirst { sink.bytes.append(separator) }
      isFirst = false
      CompactJSON.append(Array(value).span, to: &sink.bytes)
    }
  }

  private func fault(in value: Span<UInt8>) -> String? {
    if let fault = JSONScan.fault(in: value) { return "is not JSON: \(fault)" }
    return form.schema?.fault(in: value).map { "does not meet the schema: \($0.message)" }
  }
}
