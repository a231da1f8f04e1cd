/// Turns one choice of the chunks and whole answers of Chat Completions into responses, one after
/// the other.
///
/// Holds all of the open answer, since the last event repeats it.
struct ChatChoice {
  /// The lines of events, and the messages, that the owner has not taken yet.
  var events: [[UInt8]] = []
  var notes: [String] = []

  /// The numbers of the other choices in the last chunk.
  private(set) var others: [Int] = []

  /// The number of the choice.
  private let number: Int
  private var sequence = ChatSequence()
  private var answer: ChatAnswer?
  private var count = 0

  init(number: Int = 0) { self.number = number }

  /// Whether an answer is open.
  var isOpen: Bool { sequence.isOpen }

  /// Appends an object of Chat Completions. Returns whether that has choices.
  @discardableResult
  mutating func append(_ object: Span<UInt8>) -> Bool {
    guard let chunk = ChatChunk(object, choice: number, isInside: sequence.isOpen) else {
      return false
    }
    others = chunk.others
    // A chunk without choices, as with the token counts, belongs to the first choice.
    guard number == 0 || chunk.choice != nil else { return true }
    if sequence.isOther(chunk) { interrupt() }
    let isRepeated = sequence.isRepeated(in: chunk)
    if sequence.isComplete, let error = chunk.failure {
      notes.append(ChatTranslator.behindEnd(error))
    }
    guard sequence.append(chunk) else { return !chunk.isEmpty }
    if !chunk.isEmpty {
      begin(object, chunk.id)
      answer?.add(chunk, isRepeated: isRepeated, object)
    }
    if let value = JSONChildren.raw(of: "moderation", in: object), !value.isNull {
      answer?.moderation = value
    }
    if let guess = chunk.end?.note { notes.append(guess) }
    if chunk.isWhole, !isRepeated { finish() }
    collect()
    return !chunk.isEmpty
  }

  /// Whether an answer is open whose end came, and is no failure.
  var isComplete: Bool { sequence.isComplete }

  /// Whether an answer is open whose end did not come.
  var lacksEnd: Bool { sequence.isOpen && sequence.end == nil }

  /// Notes that the server sent an error in place of the rest of the answer.
  mutating func fail(_ error: APIError, isReported: Bool) {
    sequence.fail(error, isReported: isReported)
  }

  /// Ends the answer, as `[DONE]` came.
  mutating func endStream() {
    guard sequence.isOpen else { return }
    let isGuessed = sequence.end == nil
    sequence.appendMark()
    if isGuessed, let guess = sequence.end?.note { notes.append(guess) }
    finish()
  }

  /// Ends the answer if a reason for its end came. If not it was cut, and its response stays open.
  mutating func endInput() {
    if sequence.end != nil {
      finish()
    } else if sequence.isOpen {
      begin(Span(), "")
      answer?.sendCall()
    }
    collect()
  }

  /// Ends the answer as `endInput` does, and lets another begin.
  mutating func interrupt() {
    endInput()
    (answer, sequence) = (nil, ChatSequence())
  }

  /// Begins the answer of `object` unless one is open. Azure's first chunk, the results of its
  /// filters, begins none, since it has no id.
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

  /// Takes over what the answer made.
  private mutating func collect() {
    events += answer?.events ?? []
    notes += answer?.notes ?? []
    answer?.events = []
    answer?.notes = []
  }
}
