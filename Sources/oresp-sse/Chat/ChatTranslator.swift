import Core

/// Makes events of the Responses API out of chunks and whole answers of Chat Completions.
///
/// Holds what the answer has so far, since its last event has all of it.
struct ChatTranslator {
  /// The lines of the events that were made; whoever gives them on takes them away.
  var events: [[UInt8]] = []
  /// What is left out or guessed; the same.
  var notes: [String] = []

  private var sequence = ChatSequence()
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
    guard let chunk = ChatChunk(object, isInside: sequence.isOpen) else { return false }
    if sequence.isOther(chunk) { interrupt() }
    guard sequence.append(chunk) else { return true }
    if !chunk.isEmpty {
      begin(object, chunk.id)
      answer?.take(chunk, object)
    }
    if chunk.hasOthers {
      note("an answer beside the first (choices[1]) is left out: a response has one")
    }
    if let guess = chunk.end?.note { note(guess) }
    if chunk.isWhole { finish() }
    collect()
    return true
  }

  /// Takes an error that the server sent in place of what was still to come.
  mutating func fail(_ error: APIError) { sequence.fail(error) }

  /// Takes the mark `[DONE]`: nothing more comes of the answer.
  mutating func endStream() {
    guard sequence.isOpen else { return }
    let isGuessed = sequence.end == nil
    sequence.appendMark()
    if isGuessed, let guess = sequence.end?.note { note(guess) }
    finish()
  }

  /// Takes the end of the input: what has ended by then is over.
  mutating func endInput() {
    if sequence.end != nil { finish() } else if sequence.isOpen { begin(Span(), "") }
    collect()
  }

  /// Takes the beginning of something else: an answer that has not ended by then was cut.
  mutating func interrupt() {
    endInput()
    (answer, sequence) = (nil, ChatSequence())
  }

  /// Begins the answer that `object` is of, if it has not begun: Azure sends what its filters say
  /// of the prompt first, which does not tell whose answer it is.
  private mutating func begin(_ object: Span<UInt8>, _ id: String) {
    guard answer == nil else { return }
    count += 1
    answer = ChatAnswer(object, id: id.isEmpty ? "chat_\(count)" : id)
  }

  private mutating func finish() {
    begin(Span(), "")
    answer?.finish(sequence.end ?? ChatEnd(), sequence.usage)
    collect()
    (answer, sequence) = (nil, ChatSequence())
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
