import Core

/// What follows a reply.
enum ReplyOutcome {
  /// Nothing: its verdict is in the notices.
  case ended
  /// Nothing of it was passed on, so it may be tried again.
  case failed(FailedAttempt)
  /// The answer goes on in another reply.
  case goesOn(ResponseRest)
}

/// Reads one reply: passes it on, judges it, and finds out what follows.
protocol ReplyReader: AnyObject {
  /// Takes the next bytes of the body, behind those that the answer holds. Returns false when no
  /// more are wanted. Passes something on when many have come; else `flush` does.
  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool

  /// Passes on what can be passed on of the bytes received.
  func flush(into output: inout Output)

  /// Ends the reply, which `fault` broke off, or which came to its end by itself.
  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome

  /// Ends the answer where what would follow by the last outcome does not.
  func giveUp(into output: inout Output)
}

/// The reply to a request, and the replies that go on with it: several are passed on as one, the
/// new events of each stream, and a document after a stream as an event.
///
/// Holds the first bytes of a reply until they show its kind; from then on its reader has it.
struct Reply: ~Copyable {
  let answer: Answer
  private var reader: (any ReplyReader)?
  /// The first bytes of the content, without a byte order mark and white space before them.
  private var opening: [UInt8] = []
  private var hasMark = false
  /// Whether any byte of a success came.
  private var hasBody = false
  private var isOver = false

  init(_ redaction: Redaction, _ plan: ReplyPlan = ReplyPlan(), limit: Int = 256 << 20) {
    answer = Answer(redaction, plan, limit: limit)
  }

  /// The head of the reply, once no retry can replace it, and the facts from its events.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? answer.head : nil, answer.seen.response)
  }

  /// Whether the first byte of an event stream has come.
  var isStreaming: Bool {
    switch opening.first {
    case ASCII.openBrace, ASCII.openBracket: false
    case nil: hasBody && answer.head?.isEventStream == true
    default: reader is BlockReader || answer.head?.isEventStream == true
    }
  }

  func begin(_ head: ReplyHead) { answer.head = head }

  /// Takes the next bytes of the body, of which `flush` passes on what has not gone already. Returns
  /// false when no more are wanted.
  mutating func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    let head = answer.head ?? ReplyHead(status: 200)
    hasBody = hasBody || head.isSuccess
    if let reader { return reader.receive(chunk, into: &output) }
    look(at: chunk)
    answer.held.input.append(chunk)
    let isPartOfMark = !hasMark && opening.span.byteOrderMarkLength == opening.count
    guard !isPartOfMark || opening.isEmpty,
      let kind = ReplyKind.of(head, answer.plan, opening: opening.span, isEnd: false)
    else { return answer.held.count <= answer.limit }
    let reader = reader(for: kind)
    self.reader = reader
    return reader.receive(Span(), into: &output)
  }

  func flush(into output: inout Output) { reader?.flush(into: &output) }

  /// Ends the reply, which `fault` broke off, or which came to its end by itself.
  mutating func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    let kind = answer.head.flatMap {
      ReplyKind.of($0, answer.plan, opening: opening.span, isEnd: true)
    }
    let reader = reader ?? reader(for: kind ?? .refusal)
    self.reader = reader
    reader.flush(into: &output)
    let outcome = reader.end(fault, into: &output)
    if case .ended = outcome { isOver = true }
    return outcome
  }

  /// Ends the answer where what would follow by the last outcome does not; `why` is the reason
  /// where the failure itself does not show it.
  mutating func giveUp(_ why: String? = nil, into output: inout Output) {
    answer.whyNotRetried = why ?? answer.whyNotRetried
    reader?.giveUp(into: &output)
    isOver = true
  }

  /// Gets ready for another reply: to the same request, or to one for the events of the response
  /// (`asksForEvents`) or for the response alone.
  mutating func restart(asksForEvents: Bool? = nil) {
    answer.restart(asksForEvents: asksForEvents)
    reader = nil
    opening = []
    hasMark = false
    hasBody = false
  }

  private func reader(for kind: ReplyKind) -> any ReplyReader {
    switch kind {
    case .refusal, .text: RefusalReader(answer, isText: kind == .text)
    case .raw: RawReader(answer)
    case .document: DocumentReader(answer, isArray: opening.first == ASCII.openBracket)
    case .blocks: BlockReader(answer, first: opening.first)
    }
  }

  /// Keeps the first bytes of the content, unless it may begin in any way.
  private mutating func look(at chunk: Span<UInt8>) {
    guard answer.plan.form != .bytes, answer.head?.isText != false else { return }
    for index in chunk.indices {
      guard opening.count < ReplyKind.openingSize else { return }
      if opening.isEmpty, ASCII.isSpace(chunk[index]) { continue }
      opening.append(chunk[index])
      if !hasMark, opening.span.byteOrderMarkLength == 3 {
        opening = []
        hasMark = true
      }
    }
  }
}
