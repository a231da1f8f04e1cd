import Core

/// Makes the events on the start and the end of each response from a reply of Chat Completions, for
/// the verdict and the log. Each choice is a response; the events of further choices come after the
/// end of the first.
struct ChatReply {
  /// An event that was made.
  struct Made {
    let line: [UInt8]
    /// Whether it is of the first choice, which has the token counts of all.
    let isOfFirst: Bool
    /// Whether it was made of an error that the server sent without a type.
    var isBareError = false
  }

  private var choices = [Choice(number: 0)]

  private var numbers = ChatNumbers()

  /// What came behind the last chunk and tells why the answer ends, should nothing follow it.
  private var reason: APIError?

  /// Whether an answer is open.
  var isOpen: Bool { choices.contains { $0.sequence.isOpen } }

  /// Whether each choice of the answer has its end, and none failed: no error changes it.
  var isComplete: Bool {
    choices[0].sequence.isComplete
      && choices.dropFirst().allSatisfy { !$0.sequence.isOpen || $0.sequence.isComplete }
  }

  /// Returns the events that `object` makes; `nil` when it is not of Chat Completions.
  mutating func translate(_ object: Span<UInt8>) -> [Made]? {
    guard let whole = ChatObject(object) else { return nil }
    if !whole.choices.isEmpty { reason = nil }
    let places = whole.choices.compactMap { number, place in
      numbers.position(of: number).map { (position: $0, place: place) }
    }
    guard !places.isEmpty || whole.choices.isEmpty else { return [] }
    append(places.first { $0.position == 0 }?.place, of: whole, object, to: 0)
    for (position, place) in places where position > 0 {
      if position == choices.count { choices.append(Choice(number: position)) }
      append(place, of: whole, object, to: position)
    }
    return take()
  }

  private mutating func append(
    _ place: Range<Int>?, of whole: ChatObject, _ object: Span<UInt8>, to index: Int
  ) {
    let isInside = choices[index].sequence.isOpen
    choices[index].append(ChatChunk(place, of: whole, in: object, isInside: isInside), object)
  }

  /// Takes an error that came in place of the rest of the answer.
  mutating func fail(_ error: APIError) {
    for number in choices.indices { choices[number].sequence.fail(error) }
  }

  /// Notes `line`, text or an object without choices, which may tell why the answer ends.
  mutating func noteReason(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard event.type == nil, !event.isHeartbeat else { return }
    if let data = event.unparsedData(in: line) {
      reason = APIError(words: data)
    } else if let told = ChatTranslator.reason(in: line) {
      reason = told
    }
  }

  /// Ends the choices without an end for the reason that came.
  private mutating func failByReason() {
    guard let reason else { return }
    for number in choices.indices where choices[number].sequence.end == nil {
      choices[number].sequence.fail(reason)
    }
    self.reason = nil
  }

  /// Ends the stream at its mark `[DONE]`. Returns the events that this makes.
  mutating func endStream() -> [Made] {
    failByReason()
    for number in choices.indices { choices[number].sequence.appendMark() }
    return finish()
  }

  /// Ends the answer where another begins. Returns the events that this makes.
  mutating func interrupt() -> [Made] {
    failByReason()
    for number in choices.indices { choices[number].interrupt() }
    return take(isEnd: true)
  }

  /// Ends a reply that is whole. Returns the events that this makes.
  mutating func finish() -> [Made] {
    failByReason()
    for number in choices.indices { choices[number].finish() }
    return take(isEnd: true)
  }

  /// Takes what was made out of the choices; what those behind the first made, once that has ended.
  private mutating func take(isEnd: Bool = false) -> [Made] {
    var made: [Made] = []
    let isOpen = choices[0].sequence.isOpen
    for number in choices.indices where number == 0 || isEnd || !isOpen {
      made += choices[number].lines.map { Made(line: $0, isOfFirst: number == 0) }
      choices[number].lines = []
    }
    return made
  }
}

/// One choice of an answer.
private struct Choice {
  let number: Int
  var sequence = ChatSequence()
  /// The lines of events that were not taken yet.
  var lines: [[UInt8]] = []
  private var head: JSONValue.Members = []
  private var hasBegun = false
  private var refusal: [UInt8] = []

  init(number: Int) { self.number = number }

  /// Appends `chunk`, which was read from `object`.
  mutating func append(_ chunk: ChatChunk, _ object: Span<UInt8>) {
    if sequence.isOther(chunk) { interrupt() }
    let isRepeated = sequence.isRepeated(in: chunk)
    guard sequence.append(chunk) else { return }
    if head.isEmpty, !chunk.isEmpty {
      let id = number == 0 || chunk.id.isEmpty ? chunk.id : "\(chunk.id)_\(number)"
      head = JSONValue.present([
        ("id", .text(id)), ("model", JSONChildren.raw(of: "model", in: object)),
        ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
      ])
    }
    if !hasBegun { lines.append(event("created", "in_progress")) }
    hasBegun = true
    if let message = chunk.message, !isRepeated || refusal.isEmpty {
      refusal += JSONChildren.string(of: "refusal", in: object.extracting(message)) ?? []
    }
    if chunk.isWhole, !isRepeated { finish() }
  }

  /// Ends the answer where another begins.
  mutating func interrupt() {
    finish()
    restart()
  }

  /// Ends an answer that is whole.
  mutating func finish() {
    guard let end = sequence.end else { return }
    if !refusal.isEmpty {
      let refused: JSONValue = ["type": "response.refusal.done", "refusal": .string(refusal)]
      lines.append(refused.line)
    }
    lines.append(event(end.status, end.status, end))
    restart()
  }

  private mutating func restart() {
    let lines = lines
    self = Choice(number: number)
    self.lines = lines
  }

  private func event(_ type: String, _ status: String, _ end: ChatEnd? = nil) -> [UInt8] {
    let state: JSONValue.Members = JSONValue.present([
      ("status", .text(status)), ("error", end?.error), ("incomplete_details", end?.details),
      ("usage", number == 0 ? sequence.usage : nil),
    ])
    let response = JSONValue.object(head + state)
    return (["type": "response.\(type)", "response": response] as JSONValue).line
  }
}
