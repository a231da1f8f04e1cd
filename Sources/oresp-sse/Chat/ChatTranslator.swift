import Core

/// Makes events of the Responses API out of chunks and whole answers of Chat Completions.
///
/// Holds what the answer has so far, since its last event has all of it.
struct ChatTranslator {
  /// The lines of the events that were made; whoever gives them on takes them away.
  var events: [[UInt8]] = []
  /// What is left out or guessed; the same.
  var notes: [String] = []

  /// The numbers of the other choices in the chunk that came last.
  private(set) var others: [Int] = []

  /// Which choice it makes a response of.
  private let number: Int
  private var sequence = ChatSequence()
  private var answer: ChatAnswer?
  private var count = 0

  init(choice number: Int = 0) { self.number = number }

  /// Whether an answer is open.
  var isOpen: Bool { sequence.isOpen }

  /// Appends `object`, whatever it is. False when it is nothing of Chat Completions.
  mutating func append(_ object: Span<UInt8>) -> Bool {
    if append(chunk: object) { return true }
    // A line of the Batch API has the answer inside.
    guard let body = JSONChildren.value(of: "response", "body", in: object) else { return false }
    return append(chunk: object.extracting(body))
  }

  private mutating func append(chunk object: Span<UInt8>) -> Bool {
    guard let chunk = ChatChunk(object, choice: number, isInside: sequence.isOpen) else {
      return false
    }
    others = chunk.others
    // What the chunks say of no choice, as of tokens, is said of the first.
    guard number == 0 || chunk.choice != nil else { return true }
    if sequence.isOther(chunk) { interrupt() }
    guard sequence.append(chunk) else { return true }
    if !chunk.isEmpty {
      begin(object, chunk.id)
      answer?.add(chunk, object)
    }
    if let guess = chunk.end?.note { notes.append(guess) }
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
    if isGuessed, let guess = sequence.end?.note { notes.append(guess) }
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
    let id = id.isEmpty ? "chat_\(count)" : id
    answer = ChatAnswer(object, id: number == 0 ? id : "\(id)_\(number)")
  }

  private mutating func finish() {
    begin(Span(), "")
    answer?.finish(sequence.end ?? ChatEnd(), number == 0 ? sequence.usage : nil)
    collect()
    (answer, sequence) = (nil, ChatSequence())
  }

  /// Takes over what the answer made and noted.
  private mutating func collect() {
    guard let made = answer else { return }
    events += made.events
    notes += made.notes
    answer?.events = []
    answer?.notes = []
  }
}
