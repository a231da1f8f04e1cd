import Core

/// Gathers a message, or its code blocks, and puts out as one line each the JSON that it must be.
struct JSONStage {
  private let form: TextForm
  private let separator: UInt8
  /// The code blocks so far, or one value: the message.
  private var values: [[UInt8]]
  /// Whether any message had text.
  private(set) var hasText = false

  init(_ form: TextForm, separator: UInt8) {
    (self.form, self.separator) = (form, separator)
    values = form.takesBlocks ? [] : [[]]
  }

  mutating func append(_ text: Span<UInt8>) {
    hasText = hasText || !text.isEmpty
    values[0].append(copying: text)
  }

  /// Takes the blocks out of `sink`.
  mutating func append(blocksOf sink: inout TextSink) {
    values += sink.blocks.map(\.content)
    sink.blocks = []
  }

  /// How many bytes it holds.
  var size: Int { values.reduce(0) { $0 + $1.count } }

  /// Ends the message. The last line has no end.
  mutating func end(into sink: inout TextSink) {
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

  private func fault(in value: Span<UInt8>) -> String? {
    if let fault = JSONScan.fault(in: value) { return "is not JSON: \(fault)" }
    return form.schema?.fault(in: value).map { "does not meet the schema: \($0.message)" }
  }
}
