import Core

/// Gathers a message, or its code blocks, and lets the JSON through that each must be, on one line.
struct JSONStage: TextStage {
  private let form: TextForm
  private let separator: UInt8
  /// The message so far; its code blocks each have a NUL behind them.
  private var collected: [UInt8] = []
  /// Whether any message had text.
  private var hasText = false
  var notices: [Notice] = []

  init(_ form: TextForm, endingInNUL: Bool) {
    self.form = form
    separator = endingInNUL ? 0 : ASCII.lf
  }

  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    hasText = true
    collected.append(copying: text)
  }

  /// The last line that it appends has no end.
  mutating func end(into output: inout [UInt8]) {
    let text = collected
    collected = []
    let values =
      form.takesBlocks
      ? text.split(separator: 0, omittingEmptySubsequences: false).dropLast() : [text[...]]
    var isFirst = true
    for value in values {
      if let why = fault(in: Array(value).span) {
        let what = form.takesBlocks ? "block" : "answer"
        notices.append(Notice(.error, "the \(what) \(why)", status: .negative))
        continue
      }
      if !isFirst { output.append(separator) }
      isFirst = false
      Self.appendLine(Array(value).span, to: &output)
    }
  }

  var missing: String? {
    hasText || form.takesBlocks ? nil : "text in the answer that could be JSON"
  }

  private func fault(in value: Span<UInt8>) -> String? {
    if let fault = JSONScan.fault(in: value) { return "is not JSON: \(fault)" }
    return form.schema?.fault(in: value).map { "does not meet the schema: \($0.message)" }
  }

  /// Appends `value`, one whole JSON value, without white space between its tokens; everything else
  /// stays as it is spelled.
  private static func appendLine(_ value: Span<UInt8>, to output: inout [UInt8]) {
    var start = 0
    var index = 0
    while index < value.count {
      switch value[index] {
      case ASCII.quote: index = JSONString.end(of: value, from: index + 1) ?? value.count
      case let byte where ASCII.isSpace(byte):
        output.append(copying: value.extracting(start..<index))
        index += 1
        start = index
      default: index += 1
      }
    }
    output.append(copying: value.extracting(start...))
  }
}
