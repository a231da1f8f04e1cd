import Core

/// Makes the events on the start and the end of a response from a reply of Chat Completions, for
/// the verdict and the log.
struct ChatReply {
  private var sequence = ChatSequence()
  private var head: JSONValue.Members = []
  private var hasBegun = false
  private var refusal: [UInt8] = []

  /// Whether the answer is complete as far as its chunks show.
  var isComplete: Bool { sequence.isComplete }

  /// Returns the lines of the events that `object` makes; `nil` when it is not of Chat Completions.
  mutating func translate(_ object: Span<UInt8>) -> [[UInt8]]? {
    guard let chunk = ChatChunk(object, isInside: sequence.isOpen) else { return nil }
    var lines = sequence.isOther(chunk) ? interrupt() : []
    let isRepeated = sequence.isRepeated(in: chunk)
    guard sequence.append(chunk) else { return lines }
    if head.isEmpty, !chunk.isEmpty {
      head = JSONValue.present([
        ("id", .text(chunk.id)), ("model", JSONChildren.raw(of: "model", in: object)),
        ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
      ])
    }
    if !hasBegun { lines.append(event("created", "in_progress")) }
    hasBegun = true
    if let message = chunk.message, !isRepeated || refusal.isEmpty {
      refusal += JSONChildren.string(of: "refusal", in: object.extracting(message)) ?? []
    }
    return chunk.isWhole && !isRepeated ? lines + finish() : lines
  }

  /// Takes an error that came in place of the rest of the answer.
  mutating func fail(_ error: APIError) { sequence.fail(error) }

  /// Ends the stream at its mark `[DONE]`. Returns the lines of the events that this makes.
  mutating func endStream() -> [[UInt8]] {
    sequence.appendMark()
    return finish()
  }

  /// Ends the answer where another begins. Returns the lines of the events that this makes.
  mutating func interrupt() -> [[UInt8]] {
    defer { self = ChatReply() }
    return finish()
  }

  /// Ends a reply that is whole. Returns the lines of the events that this makes.
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
