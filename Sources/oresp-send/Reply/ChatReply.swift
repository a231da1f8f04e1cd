import Core

/// Makes of a reply of Chat Completions the events that tell where its response begins and ends,
/// which is what the verdict and the log need of it.
struct ChatReply {
  private var head: JSONValue.Members = []
  private var hasBegun = false
  private var isOver = false
  private var end: ChatEnd?
  private var usage: JSONValue?
  private var refusal: [UInt8] = []

  /// The lines of the events that `object` brings; `nil` when it is nothing of Chat Completions.
  mutating func take(_ object: Span<UInt8>) -> [[UInt8]]? {
    guard let chunk = ChatChunk(object) else { return nil }
    if head.isEmpty, !chunk.choices.isEmpty {
      head = JSONValue.present([
        ("id", .text(chunk.id)), ("model", JSONChildren.raw(of: "model", in: object)),
        ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
      ])
    }
    let lines = hasBegun ? [] : [event("created", "in_progress")]
    hasBegun = true
    usage = chunk.usage ?? usage
    for place in chunk.choices where ChatChunk.isFirst(object.extracting(place)) {
      take(choice: object.extracting(place))
    }
    if chunk.isWhole, end == nil { end = ChatEnd() }
    if let error = chunk.error { return lines + fail(error) }
    return end != nil && (chunk.isWhole || chunk.usage != nil) ? lines + finish() : lines
  }

  /// The lines of the events that come with an error in place of what was still to come.
  mutating func fail(_ error: APIError) -> [[UInt8]] {
    end = ChatEnd(error)
    return finish()
  }

  /// The lines of the events that come with the mark `[DONE]`.
  mutating func endStream() -> [[UInt8]] {
    if hasBegun, end == nil { end = .missing }
    return finish()
  }

  /// The lines of the events that come with the end of a reply that is whole.
  mutating func finish() -> [[UInt8]] {
    guard hasBegun, !isOver, let end else { return [] }
    isOver = true
    let refused: JSONValue = ["type": "response.refusal.done", "refusal": .string(refusal)]
    return (refusal.isEmpty ? [] : [refused.line]) + [event(end.status, end.status, end)]
  }

  private mutating func take(choice: Span<UInt8>) {
    end = ChatEnd(choice) ?? end
    for name in ["delta", "message"] as [StaticString] {
      guard let message = JSONChildren.value(of: name, in: choice) else { continue }
      refusal += JSONChildren.string(of: "refusal", in: choice.extracting(message)) ?? []
    }
  }

  private func event(_ type: String, _ status: String, _ end: ChatEnd? = nil) -> [UInt8] {
    let state: JSONValue.Members = JSONValue.present([
      ("status", .text(status)), ("error", end?.error), ("incomplete_details", end?.details),
      ("usage", usage),
    ])
    let response = JSONValue.object(head + state)
    return (["type": "response.\(type)", "response": response] as JSONValue).line
  }
}
