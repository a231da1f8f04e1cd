package import Core

/// Turns the objects that `EnvelopeFilter` gives back into an event stream.
package struct EnvelopeEncodeFilter: EventFilter {
  private let endsWithMark: Bool
  /// The last event ID as a reader of the output has it.
  private var lastID: [UInt8] = []

  package init(_ settings: SSETool.Settings) { endsWithMark = settings.endsWithMark }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if let comment = JSONChildren.string(of: "comment", in: line) {
      return EventStreamEncoder.append(comment: comment.span, to: &output.bytes)
    }
    guard let data = JSONChildren.string(of: "data", in: line) else {
      output.notices.append(
        Notice(.error, "not an envelope: it has no data", status: .badInput, at: event.inputPlace))
      return
    }
    let id = JSONChildren.string(of: "id", in: line) ?? lastID
    let name = JSONChildren.string(of: "event", in: line) ?? []
    let retry = JSONChildren.integer(of: "retry", in: line)
    if !EventStreamEncoder.canCarry(id.span) || id.contains(0)
      || !EventStreamEncoder.canCarry(name.span) || (retry ?? 0) < 0
    {
      output.notices.append(
        Notice(
          .error, "an event stream cannot carry its id, event or retry", status: .badInput,
          at: event.inputPlace))
      return
    }
    if let retry { output.bytes.append("retry: \(retry)\n") }
    if id != lastID { output.bytes.append("id: ") }
    if id != lastID { output.bytes += id + [ASCII.lf] }
    lastID = id
    let isNamed = !name.span.equals("message")
    EventStreamEncoder.append(
      data: data.span, name: isNamed ? name.span : nil, to: &output.bytes)
  }

  package mutating func finish(into output: inout Output) {
    if endsWithMark {
      EventStreamEncoder.append(data: Array("[DONE]".utf8).span, to: &output.bytes)
    }
  }
}
