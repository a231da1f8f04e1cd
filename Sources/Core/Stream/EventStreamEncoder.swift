/// Writes events as an event stream (HTML standard, section 9.2.5) that parses to the same events.
package enum EventStreamEncoder {
  /// Appends a block: `id`, `event` and `retry` where given, one `data` line for each line of
  /// `data`, and a blank line. A CR in `data` counts as a line end, since nothing can carry it.
  package static func append(
    data: Span<UInt8>, name: Span<UInt8>? = nil, id: Span<UInt8>? = nil, retry: Int? = nil,
    to output: inout [UInt8]
  ) {
    if let id, canCarry(id), id.firstIndex(of: 0) == nil { append("id", id, to: &output) }
    if let name, canCarry(name), !name.isEmpty { append("event", name, to: &output) }
    if let retry { append("retry", Array(String(retry).utf8).span, to: &output) }
    appendLines(data, to: &output)
    output.append(ASCII.lf)
  }

  /// The start of a block with a name and one line of data, up to its data. `name` has no line end
  /// in it.
  package static func head(name: Span<UInt8>) -> [UInt8] {
    var head: [UInt8] = []
    head.append("event: ")
    head.append(copying: name)
    head.append("\ndata: ")
    return head
  }

  /// Appends a block that starts as `head` and has `line`, one line of data.
  @inline(__always)
  package static func append(
    line: Span<UInt8>, behind head: Span<UInt8>, to output: inout [UInt8]
  ) {
    output.append(copying: head)
    output.append(copying: line)
    output.append("\n\n")
  }

  /// Whether a field other than `data` can hold `value`: line ends would break it in two.
  package static func canCarry(_ value: Span<UInt8>) -> Bool {
    value.endOfLine(from: 0) == value.count
  }

  /// Appends a line of data for each line of `text`.
  private static func appendLines(_ text: Span<UInt8>, to output: inout [UInt8]) {
    var start = 0
    while true {
      let end = text.endOfLine(from: start)
      append("data", text.extracting(start..<end), to: &output)
      guard end < text.count else { return }
      let isPair = text[end] == ASCII.cr && end + 1 < text.count && text[end + 1] == ASCII.lf
      start = end + (isPair ? 2 : 1)
    }
  }

  private static func append(
    _ field: StaticString, _ value: Span<UInt8>, to output: inout [UInt8]
  ) {
    output.append(field)
    output.append(": ")
    output.append(copying: value)
    output.append(ASCII.lf)
  }
}
