/// Separates the answers in a stream of Chat Completions, and holds the end of the open one.
///
///     {"id":"c1","choices":[{"delta":{"content":"Hi"}}]}                 begins an answer
///     {"id":"c1","choices":[{"delta":{},"finish_reason":"stop"}]}        ends it
///     {"id":"u7","choices":[],"usage":{…}}                               is its own all the same
///     {"id":"c1","choices":[{"index":1,"delta":{"content":"Hello"}}]}    the same (`n` is 2)
///     {"id":"c2","choices":[{"delta":{"content":"Yes"}}]}                begins another
package struct ChatSequence {
  /// Whether an answer has begun and is not closed.
  package private(set) var isOpen = false
  /// The end of the open answer; `nil` until it is known.
  package private(set) var end: ChatEnd?
  package private(set) var usage: JSONValue?
  private var id = ""
  /// The kinds of content that the open answer has brought.
  private var content: ChatChunk.Content = []
  /// The number of its chunks that name the role.
  private var roles = 0

  package init() {}

  /// Whether both the end and the token counts of the open answer have come.
  package var isComplete: Bool { end != nil && usage != nil }

  /// Whether `chunk` begins another answer than the one that is open.
  package func isOther(_ chunk: ChatChunk) -> Bool {
    guard isOpen, !chunk.isWhole else { return isOpen }
    guard end != nil else { return false }
    // Some servers put an end into every chunk, also with content.
    let hasSameEnd = chunk.id == id && chunk.end != nil
    if !chunk.content.isDisjoint(with: [.answer, .reasoning, .call]) { return !hasSameEnd }
    // Others name the role in every chunk, also behind the end (OpenRouter).
    return chunk.content.contains(.role) && roles < 2 && chunk.end == nil && chunk.usage == nil
      && !chunk.id.isEmpty && chunk.id != id
  }

  /// Appends `chunk` to the open answer, or begins one with it. False when it belongs to none, as
  /// token counts behind `[DONE]` do.
  package mutating func append(_ chunk: ChatChunk) -> Bool {
    guard isOpen || !chunk.isEmpty || chunk.usage == nil else { return false }
    let wasComplete = isComplete
    isOpen = true
    if id.isEmpty { id = chunk.id }
    content.formUnion(chunk.content)
    if chunk.content.contains(.role) { roles += 1 }
    usage = chunk.usage ?? usage
    if let other = chunk.end, end?.status ?? "completed" == "completed" { end = other }
    if let error = chunk.error, !wasComplete { end = ChatEnd(error) }
    return true
  }

  /// Handles the mark `[DONE]`.
  package mutating func appendMark() {
    if isOpen, end == nil { end = ChatEnd(atMarkBehind: content) }
  }

  /// Handles an error that came in place of the rest of the open answer.
  package mutating func fail(_ error: APIError) {
    if isOpen, !isComplete { end = ChatEnd(error) }
  }
}
