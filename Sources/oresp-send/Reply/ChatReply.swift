import Core

/// Makes of a reply of Chat Completions the events that tell where its response begins and ends,
/// which is what the verdict and the log need of it.
struct ChatReply {
  private var sequence = ChatSequence()
  private var head: JSONValue.Members = []
  private var hasBegun = false
  private var refusal: [UInt8] = []

  /// Whether all that is known to come of the answer has come.
  var isComplete: Bool { sequence.isComplete }

  /// The lines of the events that `object` brings; `nil` when it is nothing of Chat Completions.
  mutating func translate(_ object: Span<UInt8>) -> [[UInt8]]? {
    guard let chunk = ChatChunk(object, isInside: sequence.isOpen) else { return nil }
    var lines = sequence.isOther(chunk) ? interrupt() : []
    guard sequence.append(chunk) else { return lines }
    if head.isEmpty, !chunk.isEmpty {
      head = JSONValue.present([
        ("id", .text(chunk.id)), ("model", JSONChildren.raw(of: "model", in: object)),
        ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
      ])
    }
    if !hasBegun { lines.append(event("created", "in_progress")) }
    hasBegun = true
    if let message = chunk.message {
      refusal += JSONChildren.string(of: "refusal", in: object.extracting(message)) ?? []
    }
    return chunk.isWhole ? lines + finish() : lines
  }

  /// Takes an error that came in place of what was still to come.
  mutating func fail(_ error: APIError) { sequence.fail(error) }

  /// The lines of the events that come with the mark `[DONE]`.
  mutating func endStream() -> [[UInt8]] {
    sequence.appendMark()
    return finish()
  }

  /// The lines of the events that come with the beginning of something else.
  mutating func interrupt() -> [[UInt8]] {
    defer { self = ChatReply() }
    return finish()
  }

  /// The lines of the events that come with the end of a reply that is whole.
  mutating func finish() -> [[UInt8]] {
    guard let end = sequence.end else { return [] }
    let refused: JSONValue = ["type": "response.refusal.done", "refusal": .string(refusal)]
    let lines = (refusal.isEmpty ? [] : [refused.line]) + [event(end.status, end.status, end)]
    self = ChatReply()
    return lines
  }

  private func event(_ type: String, _ status: String, _ end: ChatEnd? = nil) -> [UInt8] {
    let state: JSONValue.Members = JSONValue.present([
      ("status", .text(status)), ("error", end?.error), ("incomplete_details", end?.details),
      ("usage", sequence.usage),
    ])
    let response = JSONValue.object(head + state)
    return (["type": "response.\(type)", "response": response] as JSONValue).line
  }
}
