/// One choice of the answers of Chat Completions with one tag: tells where an answer ends and the
/// next begins, and has the events of each made.
///
///     {"id":"c1","choices":[{"delta":{"content":"Hi"}}]}                 begins an answer
///     {"id":"c1","choices":[{"delta":{},"finish_reason":"stop"}]}        ends it
///     {"id":"u7","choices":[],"usage":{…}}                               is its own all the same
///     {"id":"c1","choices":[{"index":1,"delta":{"content":"Hello"}}]}    the same (`n` is 2)
///     {"id":"c2","choices":[{"delta":{"content":"Yes"}}]}                begins another
struct ChatChoice {
  let number: Int
  /// Whether it came first: it has the id and the token counts of the answer.
  let isFirst: Bool
  /// Messages on what was guessed or left out that the owner has not taken yet.
  var notes: [String] = []
  /// The answer that has begun, and those before it some of whose events were not taken yet.
  private var answer: ChatAnswer?
  private var over: [ChatAnswer] = []
  private var state = State()

  /// What is known of the open answer.
  private struct State {
    /// Whether an answer has begun and is not closed.
    var isOpen = false
    var usage: JSONValue?
    /// The end that the server sent last; `nil` until one came.
    var end: ChatEnd?
    /// The id of its first chunk that has one, and whether another has come since.
    var id = ""
    var hasOtherIDs = false
    /// The id of its last chunk that has one, and the number of chunks with it in a row.
    var lastID = ""
    var lastIDCount = 0
    /// Whether a piece of its message came in a `delta`.
    var hasDeltas = false
    /// The kinds of content that it has brought.
    var content: ChatChunk.Content = []
  }

  init(number: Int, isFirst: Bool) {
    self.number = number
    self.isFirst = isFirst
  }

  /// Whether an answer is open.
  var isOpen: Bool { state.isOpen }
  /// Whether an answer is open whose end did not come.
  var lacksEnd: Bool { isOpen && state.end == nil }
  /// Whether the end of the open answer came, and is no failure: no error changes it.
  var isComplete: Bool { isOpen && state.end.map { $0.status != "failed" } ?? false }

  /// Whether there is an event to take.
  var hasEvent: Bool { answer?.hasEvent == true || over.contains(where: \.hasEvent) }

  /// Takes the line of the next event; `nil` when there is none.
  mutating func next() -> [UInt8]? {
    while !over.isEmpty {
      if let line = over[0].next() { return line }
      over.removeFirst()
    }
    return answer?.next()
  }

  /// Appends `object`, which was read as `whole`, with what it has of this choice at `place`.
  /// `count` is the number of answers that have begun.
  mutating func append(
    _ place: Range<Int>?, of whole: ChatObject, _ object: Span<UInt8>, _ count: inout Int
  ) {
    let chunk = ChatChunk(place, of: whole, in: object)
    let isRepeated = isRepeated(in: chunk)
    if !isRepeated, isOther(chunk) { interrupt(&count) }
    // {"choices":[],"usage":{…}} behind [DONE] belongs to none.
    guard isOpen || !whole.choices.isEmpty || whole.usage == nil else { return }
    note(chunk, of: whole)
    // Azure's first chunk, the results of its filters, begins no response, since it has no id.
    if !whole.choices.isEmpty {
      begin(object, whole.id, &count)
      answer?.add(chunk, isRepeated: isRepeated, object)
    }
    if let moderation = whole.moderation { answer?.moderation = moderation }
    if chunk.isWhole, !isRepeated { finish(&count) }
  }

  /// Whether `chunk` repeats the message of the open answer, whole, behind its pieces:
  ///
  ///     {"id":"c1","object":"chat.completion","choices":[{"message":{"content":"Hi"},…}]}
  private func isRepeated(in chunk: ChatChunk) -> Bool {
    isOpen && state.hasDeltas && chunk.message != nil && !chunk.hasDelta
      && (chunk.id == state.id || chunk.id.isEmpty || state.hasOtherIDs)
  }

  /// Whether `chunk` begins another answer than the one that is open.
  private func isOther(_ chunk: ChatChunk) -> Bool {
    guard isOpen, !chunk.isWhole else { return isOpen }
    guard state.end == nil else { return !chunk.content.isEmpty }
    // A stream that was cut, and the next: the server does not name each chunk anew.
    guard state.lastIDCount > 1, !chunk.id.isEmpty, chunk.id != state.lastID, chunk.failure == nil
    else { return false }
    return !chunk.content.isEmpty || chunk.choice != nil && (!chunk.hasDelta || chunk.end == nil)
  }

  /// Notes what `chunk`, which belongs to the open answer or begins one, tells of it.
  private mutating func note(_ chunk: ChatChunk, of whole: ChatObject) {
    let wasComplete = isComplete
    state.isOpen = true
    if !chunk.id.isEmpty {
      if state.id.isEmpty { state.id = chunk.id }
      state.hasOtherIDs = state.hasOtherIDs || chunk.id != state.id
      state.lastIDCount = chunk.id == state.lastID ? state.lastIDCount + 1 : 1
      state.lastID = chunk.id
    }
    state.hasDeltas = state.hasDeltas || chunk.hasDelta
    state.content.formUnion(chunk.content)
    state.usage = whole.usage ?? state.usage
    if let error = chunk.failure {
      if wasComplete {
        notes.append(ChatTranslator.behindEnd(error))
      } else {
        state.end = ChatEnd(error)
      }
    } else if let end = chunk.end, state.end?.status ?? "completed" == "completed" {
      state.end = end
      if let guess = end.note { notes.append(guess) }
    }
  }

  /// Ends the open answer without an end by `error`, which came in place of its rest.
  mutating func fail(_ error: APIError) {
    if isOpen, !isComplete { state.end = ChatEnd(error) }
  }

  /// Ends the open answer, as `[DONE]` came.
  mutating func endStream(_ count: inout Int) {
    guard isOpen else { return }
    if lacksEnd {
      state.end = ChatEnd(atMarkBehind: state.content)
      if let guess = state.end?.note { notes.append(guess) }
    }
    finish(&count)
  }

  /// Ends the open answer where another begins, if a reason for its end came. If not it was cut,
  /// and its response stays open.
  mutating func interrupt(_ count: inout Int) {
    if state.end != nil { return finish(&count) }
    sendWaiting(&count)
    leave()
  }

  /// Sends what waited for more of the open answer: its beginning, and its last call.
  mutating func sendWaiting(_ count: inout Int) {
    guard isOpen else { return }
    begin(Span(), "", &count)
    answer?.sendCall()
  }

  /// Begins the answer of `object` unless one is open.
  private mutating func begin(_ object: Span<UInt8>, _ id: String, _ count: inout Int) {
    guard answer == nil else { return }
    if isFirst { count += 1 }
    let id = id.isEmpty ? "chat_\(count)" : id
    answer = ChatAnswer(object, id: isFirst ? id : "\(id)_\(number)")
  }

  private mutating func finish(_ count: inout Int) {
    begin(Span(), "", &count)
    let end = (state.end ?? ChatEnd()).settled(behind: state.content)
    answer?.finish(end, isFirst ? state.usage : nil)
    leave()
  }

  /// Leaves the answer, which is over; its events are taken first.
  private mutating func leave() {
    if let answer = answer.take() { over.append(answer) }
    state = State()
  }

  /// Takes the messages since the last call.
  mutating func takeNotes() -> [String] {
    for index in over.indices {
      notes += over[index].notes
      over[index].notes = []
    }
    notes += answer?.notes ?? []
    answer?.notes = []
    defer { notes = [] }
    return notes
  }
}
