import Core

/// Makes events of the Responses API out of chunks and whole answers of Chat Completions.
///
/// Holds what the answer has so far, since its last event has all of it.
struct ChatTranslator {
  /// The lines of the events that were made; whoever gives them on takes them away.
  var events: [[UInt8]] = []
  /// What is left out or guessed; the same.
  var notes: [String] = []

  private var answer: ChatAnswer?
  private var count = 0
  private var told: Set<String> = []

  /// Takes `object`, whatever it is. False when it is nothing of Chat Completions.
  mutating func take(_ object: Span<UInt8>) -> Bool {
    if take(chunk: object) { return true }
    // A line of the Batch API has the answer inside.
    guard let body = JSONChildren.value(of: "response", "body", in: object) else { return false }
    return take(chunk: object.extracting(body))
  }

  private mutating func take(chunk object: Span<UInt8>) -> Bool {
    guard let chunk = ChatChunk(object) else { return false }
    // Azure sends what its filters say of the prompt first.
    guard !chunk.choices.isEmpty || chunk.usage != nil && answer != nil else { return true }
    begin(object, chunk)
    for place in chunk.choices {
      let choice = object.extracting(place)
      if ChatChunk.isFirst(choice) {
        answer?.take(choice)
      } else {
        note("an answer beside the first (choices[1]) is left out: a response has one")
      }
    }
    if let error = chunk.error { fail(error) }
    collect()
    if let usage = chunk.usage { answer?.usage = usage }
    if chunk.isWhole, answer?.end == nil { answer?.end = ChatEnd() }
    if answer?.end != nil, chunk.isWhole || chunk.usage != nil { finish() }
    return true
  }

  /// Takes an error that the server sent in place of what was still to come.
  mutating func fail(_ error: APIError) {
    guard answer != nil else { return }
    answer?.end = ChatEnd(error)
    finish()
  }

  /// Takes the mark `[DONE]`: nothing more comes of the answer.
  mutating func endStream() {
    guard answer != nil else { return }
    if answer?.end == nil { answer?.end = .missing }
    finish()
  }

  /// Takes the end of the input: what has ended by then is over.
  mutating func endInput() {
    if answer?.end != nil { finish() }
  }

  private mutating func begin(_ object: Span<UInt8>, _ chunk: ChatChunk) {
    let (id, hasChoices) = (chunk.id, !chunk.choices.isEmpty)
    if let answer, answer.end != nil, hasChoices, answer.id != id { finish() }
    guard answer == nil, hasChoices else { return }
    count += 1
    answer = ChatAnswer(object, id: id.isEmpty ? "chat_\(count)" : id)
  }

  private mutating func finish() {
    answer?.finish()
    collect()
    answer = nil
  }

  /// Takes over what the answer made and noted.
  private mutating func collect() {
    guard let made = answer else { return }
    events += made.events
    for note in made.notes { self.note(note) }
    answer?.events = []
    answer?.notes = []
  }

  private mutating func note(_ note: String) {
    if told.insert(note).inserted { notes.append(note) }
  }
}
