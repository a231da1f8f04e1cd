/// Separates the answers in a stream of Chat Completions, and holds the end of the open one.
///
///     {"id":"c1","choices":[{"delta":{"content":"Hi"}}]}                 begins an answer
///     {"id":"c1","choices":[{"delta":{},"finish_reason":"stop"}]}        ends it
///     {"id":"u7","choices":[],"usage":{…}}                               is its own all the same
///     {"id":"c1","choices":[{"index":1,"delta":{"content":"Hello"}}]}    the same (`n` is 2)
///     {"id":"c2","choices":[{"delta":{"content":"Yes"}}]}                begins another
struct ChatSequence {
  /// Whether an answer has begun and is not closed.
  private(set) var isOpen = false
  private(set) var usage: JSONValue?
  /// The end that the server sent last; `nil` until one came.
  private var sentEnd: ChatEnd?
  /// The id of its first chunk that has one, and whether another has come since.
  private var id = ""
  private var hasOtherIDs = false
  /// The id of its last chunk that has one, and the number of chunks with it in a row.
  private var lastID = ""
  private var lastIDCount = 0
  /// Whether a piece of its message came in a `delta`.
  private var hasDeltas = false
  /// The kinds of content that the open answer has brought.
  private var content: ChatChunk.Content = []
  /// The number of its chunks that name the role.
  private var roles = 0

  init() {}

  /// The end of the open answer; `nil` until it is known.
  var end: ChatEnd? { sentEnd?.settled(behind: content) }

  /// Whether the end of the open answer came, and is no failure: no error changes it.
  var isComplete: Bool { isOpen && end.map { $0.status != "failed" } ?? false }

  /// Whether `chunk` repeats the message of the open answer, whole, behind its pieces:
  ///
  ///     {"id":"c1","object":"chat.completion","choices":[{"message":{"content":"Hi"},…}]}
  func isRepeated(in chunk: ChatChunk) -> Bool {
    isOpen && hasDeltas && chunk.message != nil && !chunk.hasDelta
      && (chunk.id == id || chunk.id.isEmpty || hasOtherIDs)
  }

  /// Whether `chunk` begins another answer than the one that is open.
  func isOther(_ chunk: ChatChunk) -> Bool {
    guard isOpen, !isRepeated(in: chunk) else { return false }
    if chunk.isWhole { return true }
    let hasContent = !chunk.content.isDisjoint(with: [.answer, .reasoning, .call])
    guard sentEnd != nil else {
      // A stream that was cut, and the next: the server does not name each chunk anew.
      guard lastIDCount > 1, !chunk.id.isEmpty, chunk.id != lastID, chunk.failure == nil else {
        return false
      }
      return hasContent || chunk.choice != nil && (!chunk.hasDelta || chunk.end == nil)
    }
    // Some servers put an end into every chunk, also with content.
    let hasSameEnd = chunk.id == id && chunk.end != nil
    if hasContent { return !hasSameEnd }
    // Others name the role in every chunk, also behind the end (OpenRouter).
    return chunk.content.contains(.role) && roles < 2 && chunk.end == nil && chunk.usage == nil
      && !chunk.id.isEmpty && chunk.id != id
  }

  /// Appends `chunk` to the open answer, or begins one with it. False when it belongs to none, as
  /// token counts behind `[DONE]` do.
  mutating func append(_ chunk: ChatChunk) -> Bool {
    guard isOpen || !chunk.isEmpty || chunk.usage == nil else { return false }
    let wasComplete = isComplete
    isOpen = true
    note(id: chunk.id)
    hasDeltas = hasDeltas || chunk.hasDelta
    content.formUnion(chunk.content)
    if chunk.content.contains(.role) { roles += 1 }
    usage = chunk.usage ?? usage
    if let error = chunk.failure {
      if !wasComplete { sentEnd = ChatEnd(error) }
    } else if let other = chunk.end, sentEnd?.status ?? "completed" == "completed" {
      sentEnd = other
    }
    return true
  }

  private mutating func note(id chunkID: String) {
    guard !chunkID.isEmpty else { return }
    if id.isEmpty { id = chunkID }
    hasOtherIDs = hasOtherIDs || chunkID != id
    lastIDCount = chunkID == lastID ? lastIDCount + 1 : 1
    lastID = chunkID
  }

  /// Handles the mark `[DONE]`.
  mutating func appendMark() {
    if isOpen, sentEnd == nil { sentEnd = ChatEnd(atMarkBehind: content) }
  }

  /// Handles an error that came in place of the rest of the open answer.
  mutating func fail(_ error: APIError) {
    if isOpen, !isComplete { sentEnd = ChatEnd(error) }
  }
}
