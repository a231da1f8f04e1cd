package import Core

/// Turns the lines of `EnvelopeFilter` back into an event stream.
package struct EnvelopeEncodeFilter: EventFilter {
  private let endsWithMark: Bool
  /// The last event ID that a reader of the output has.
  private var lastID: [UInt8] = []

  package init(_ settings: SSETool.Settings) { endsWithMark = settings.endsWithMark }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let id = JSONChildren.string(of: "id", in: line) ?? lastID
    let name = JSONChildren.string(of: "event", in: line) ?? []
    let retry = JSONChildren.integer(of: "retry", in: line)
    let isCarried =
      EventStreamEncoder.canCarry(id.span) && !id.contains(0)
      && EventStreamEncoder.canCarry(name.span) && (retry ?? 0) >= 0
    let data = JSONChildren.string(of: "data", in: line)
    guard let data, isCarried else {
      let why =
        data == nil
        ? "not an envelope: it has no data" : "an event stream cannot carry its id, event or retry"
      output.notices.append(Notice(.error, why, status: .badInput, at: event.place))
      return
    }
    if let retry { output.bytes.append("retry: \(retry)\n") }
    if id != lastID { output.bytes += Array("id: ".utf8) + id + [ASCII.lf] }
    lastID = id
    let isNamed = !name.span.equals("message")
    EventStreamEncoder.append(data: data.span, name: isNamed ? name.span : nil, to: &output.bytes)
  }

  package mutating func finish(into output: inout Output) {
    if endsWithMark { output.bytes.append("data: [DONE]\n\n") }
  }
}
