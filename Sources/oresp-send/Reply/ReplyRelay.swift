import Core

/// Passes a reply on as it came: an event stream by whole blocks, each as soon as its blank line
/// is there, and a document when it is whole. A refusal becomes one `error` event.
///
/// Where a response goes on after its reply, several replies are passed on as one: the new events
/// of each stream, and a document after a stream as an event.
///
/// Raw bytes (`Reading.raw`) pass as they come, and none are held.
///
/// Otherwise it holds the block that has not ended, and a reply that is no stream.
struct ReplyRelay: ~Copyable {
  /// The way in which the body of a reply is read.
  enum Reading {
    /// As events or a response, a whole block at a time.
    case blocks
    /// As a document that is held to its end: a page of a list, or an object that is polled.
    case document
    /// As bytes that are passed on as they come.
    case raw
    /// As a refusal, or an answer that no API gives: it becomes one `error` event.
    case refusal
  }

  /// The most bytes that are read of an error's body.
  static let failureLimit = 1 << 20

  /// The most bytes that are held of one event, or of a document.
  private let limit: Int

  let redaction: Redaction
  let isReported: Bool
  let plan: ReplyPlan
  /// The request that the reply answers.
  var request = HTTPRequest(url: "", headers: [], body: [], isLocal: true)
  var head: ReplyHead?
  var feed: EventFeed
  var seen: SeenEvents
  /// The state of a reply of Chat Completions.
  var chat = ChatReply()
  /// Whether the request asks for events, not the response alone.
  var asksForEvents = true
  /// The query item that asked for the last page; empty for the first.
  var lastPage = ""
  /// Whether events of an earlier reply were passed on.
  var followsEvents: Bool
  var reading = Reading.blocks
  var held = HeldReply()
  /// The count of bytes since events were last read.
  private var unread = 0
  /// Whether bytes that were not held were passed on.
  private var hasPassedRaw = false
  /// Whether the held bytes went over the limit.
  var isTooLong = false
  /// The first six bytes of the content, without white space before them.
  var opening: [UInt8] = []
  /// Whether the reply is compressed, though no header says so: it passes as it came.
  var isPacked = false
  /// Notices that are reported unless the reply turns out to be text.
  var kept: [Notice] = []
  /// Whether the last document has a status that is not known, and so may not be the last one.
  var hasUnknownStatus = false
  /// Whether such a status was reported.
  private var hasToldStatus = false
  /// Whether any byte of a success came.
  var hasBody = false
  var isOver = false
  /// The reason why the request is not retried, where the failure itself does not show it.
  var unretried: String?
  /// The count of bytes at the end that were dropped as an unfinished event or document.
  var droppedCount = 0

  /// The settings of the event reader. The relay itself reports a reply without events.
  private static func reading(_ plan: ReplyPlan) -> EventReader.Settings {
    var reading = EventReader.Settings()
    (reading.acceptsAnything, reading.keepsMarks) = (true, plan.isChat)
    // The tool behind reports them.
    reading.reportsHeartbeats = false
    // A reply passes as it came, and no whole answer is held: `ChatReply` finds how it ends.
    reading.chat = .kept
    // `limit` of the relay bounds the held bytes.
    reading.limit = 0
    return reading
  }

  /// `redaction` removes secrets from the errors that are made here: some servers repeat the key in
  /// a refusal. `isReported`
  /// marks errors made here as reported, so that no later tool reports them again.
  init(
    _ redaction: Redaction, isReported: Bool = false, _ plan: ReplyPlan = ReplyPlan(),
    limit: Int = 256 << 20
  ) {
    (self.redaction, self.isReported, self.plan, self.limit) = (redaction, isReported, plan, limit)
    feed = EventFeed(Self.reading(plan), sorting: plan.isBackground ? .handlingAll : .judging)
    followsEvents = plan.resumes
    seen = SeenEvents(id: plan.id, last: plan.last)
  }

  /// Whether the last response ended or failed.
  var hasEnd: Bool { feed.judge.hasEnd || chat.isComplete }

  mutating func begin(_ head: ReplyHead) {
    self.head = head
    reading =
      if !head.isSuccess { .refusal } else if plan.form == .response || head.isEventStream {
        .blocks
      } else { [.page, .object].contains(plan.form) ? .document : .raw }
  }

  /// Whether the body is read as a refusal, and not passed on.
  var isFailure: Bool { reading == .refusal }

  /// Whether anything of the reply was passed on.
  var hasPassed: Bool { held.passed > 0 || hasPassedRaw }

  /// The refusal or fault by which nothing of the reply was passed on; `nil` when something was.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    guard !hasPassed, !isTooLong else { return nil }
    if let head, !head.isSuccess { return .refused(head, body: held.bytes) }
    if plan.isAskedAnew, !isFailure {
      return (fault ?? brokenDocument).map { .broken($0) }
    }
    // Cut before the response's id: only a new attempt can help.
    if isCutInFirst, firstID == nil, seen.response.id.isEmpty {
      return .broken(fault ?? .cut)
    }
    return hasBody ? nil : fault.map { .broken($0) }
  }

  /// The fault of a document that came to its end and is not whole JSON; `nil` otherwise.
  private var brokenDocument: TransportFault? {
    isDocument && !held.isJSON ? .broken : nil
  }

  /// The head of the reply, once no retry can replace it, and the facts from its events.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? head : nil, seen.response)
  }

  /// Takes the next bytes of the body. Returns false when no more are wanted. `isPiece` says that
  /// more of the same read follows, so that the events are not read yet.
  mutating func receive(
    _ chunk: Span<UInt8>, isPiece: Bool = false, into output: inout Output
  ) -> Bool {
    look(at: chunk)
    hasBody = hasBody || head?.isSuccess == true
    if opening.starts(with: Self.gzip), [.blocks, .document].contains(reading) {
      output.bytes += held.bytes
      held.drop()
      reading = .raw
      isPacked = true
      hasPassedRaw = true
    }
    switch reading {
    case .raw:
      output.bytes.append(copying: chunk)
      hasPassedRaw = hasPassedRaw || !chunk.isEmpty
      return true
    case .refusal:
      held.input.append(chunk.extracting(first: Self.failureLimit - held.count))
      return held.count < Self.failureLimit
    case .document: held.input.append(chunk)
    case .blocks:
      held.input.append(chunk)
      unread += chunk.count
      // A read that libcurl unpacked, as from gzip, may have any number of pieces.
      if !isPiece || unread >= InputBuffer.readSize { readEvents(into: &output) }
    }
    isTooLong = held.count > limit
    return !isTooLong && reading != .refusal
  }

  /// Reads the new events, and passes on the blocks that have ended.
  mutating func readEvents(into output: inout Output) {
    guard unread > 0, reading == .blocks else { return }
    unread = 0
    let told = output.notices.count
    read(isEnd: false, into: &output)
    explain(output.notices.count - told, advice: nil, in: &output)
    guard isText else {
      output.notices.insert(contentsOf: kept, at: told)
      kept = []
      if feed.isSurelyStream { passBlocks(into: &output) }
      return
    }
    // A text becomes one error at the end of the reply.
    kept += output.notices[told...]
    output.notices.removeSubrange(told...)
    if held.count >= Self.failureLimit { reading = .refusal }
  }

  /// Reads and judges the new events, and notes their facts.
  mutating func read(isEnd: Bool, into output: inout Output) {
    var (seen, chat) = (seen, chat)
    var made: [ChatReply.Made] = []
    var unknownStatus: String?
    let plan = plan
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _: inout Output) -> Gate {
      if plan.waits, event.place == nil, event.type?.family == .lifecycle,
        let status = ResponseFacts.unknownStatus(in: line)
      {
        seen.response.read(line)
        unknownStatus = status
        return .drop
      }
      if plan.isBackground, !seen.noteIsNew(event, line) { return .drop }
      guard plan.isChat, event.isDone(line) else { return .open }
      made += chat.endStream()
      return .drop
    }
    feed.each(in: &held.input, isEnd: isEnd, into: &output, gate: gate) { event, line, _ in
      if plan.isChat {
        if let lines = chat.translate(line) {
          made += lines
        } else if event.isError {
          chat.fail(APIError(in: line))
        } else if event.type?.family == .lifecycle {
          made += chat.interrupt()
        }
      }
      seen.note(event, line)
    }
    (self.seen, self.chat) = (seen, chat)
    if let unknownStatus { note(unknownStatus, into: &output) }
    if let hole = self.seen.takeHole() {
      let numbers =
        hole.count > 1 ? "s \(hole.lowerBound) to \(hole.upperBound)" : " \(hole.lowerBound)"
      let why = "event\(numbers) did not come: the server went on with event \(hole.upperBound + 1)"
      output.notices.append(Notice(.error, why, status: .badInput))
    }
    judge(made: made, into: &output)
    // An event made of chunks of Chat Completions has no place of its own in the reply.
    if hasEnd, self.seen.responseEnd == 0 { self.seen.responseEnd = self.seen.end }
  }

  /// Notes that the document has the unknown `status`, which is reported once.
  mutating func note(_ status: String, into output: inout Output) {
    hasUnknownStatus = true
    guard !hasToldStatus else { return }
    hasToldStatus = true
    let why = "the status \(status) is not known: the wait goes on"
    output.notices.append(Notice(.warning, why))
  }

  /// Judges the events that were made of a reply of Chat Completions, and notes the facts of its
  /// first choice.
  mutating func judge(made: [ChatReply.Made], into output: inout Output) {
    for event in made {
      let former = seen.response
      judge(made: event.line, into: &output)
      if !event.isOfFirst { seen.response = former }
    }
  }

  /// Judges an event that the relay made, and notes its facts.
  mutating func judge(made line: [UInt8], into output: inout Output) {
    var event = Event(of: line.span)
    if event.type?.family == .lifecycle { seen.response.read(line.span) }
    feed.judge(&event, line.span, into: &output)
  }

  /// The first bytes of what gzip has compressed.
  private static let gzip: [UInt8] = [0x1F, 0x8B]

  /// Keeps the first bytes of the content, and reads it as a refusal when they begin a web page or,
  /// where a document was asked for, no JSON.
  private mutating func look(at chunk: Span<UInt8>) {
    guard opening.count < 6, !isFailure, plan.form != .bytes, head?.isText != false else { return }
    let isFirst = opening.isEmpty
    guard let start = isFirst ? chunk.indices.first(where: { !ASCII.isSpace(chunk[$0]) }) : 0 else {
      return
    }
    opening.append(
      copying: chunk.extracting(droppingFirst: start).extracting(first: 6 - opening.count))
    guard isFirst else { return }
    let isNone =
      reading != .blocks && !plan.takesText && !isJSON && opening[0] != Self.gzip[0]
    if opening[0] == UInt8(ascii: "<") || isNone { reading = .refusal }
  }

  /// Whether the reply begins as a JSON object.
  var isDocument: Bool { opening.first == ASCII.openBrace }

  /// Whether the reply begins as an array or an object.
  private var isJSON: Bool { isDocument || opening.first == ASCII.openBracket }

  /// Whether the reply begins as an event stream does.
  var isLikeStream: Bool {
    ["data", "event", "id", "retry", ":"].contains { field in
      opening.starts(with: field.utf8) || field.utf8.starts(with: opening)
    }
  }

  /// Whether the reply so far is plain text, which no API sends: no JSON, and no field of an event
  /// stream.
  var isText: Bool {
    !opening.isEmpty && !isJSON && held.passed == 0 && head?.isEventStream == false
      && !feed.judge.meets(.objects) && !isLikeStream
  }

  /// Passes on the blocks that have ended.
  mutating func passBlocks(into output: inout Output) {
    if let end = feed.blockEnd { pass(upTo: end, into: &output) }
  }

  /// Passes on the held bytes before place `end` of the reply, without the events that were passed
  /// on before.
  mutating func pass(upTo end: Int, into output: inout Output) {
    held.pass(upTo: end, without: &seen.repeated, into: &output.bytes)
  }

  /// Gets ready for another reply: to the same request, or to one for the events of the response
  /// (`asksForEvents`) or for the response alone.
  mutating func restart(asksForEvents: Bool? = nil) {
    followsEvents = isStream
    self.asksForEvents = asksForEvents ?? self.asksForEvents
    feed.endInput()
    seen.restart()
    held.restart()
    (head, reading, opening, kept) = (nil, .blocks, [], [])
    hasPassedRaw = false
    unread = 0
    hasBody = false
    isPacked = false
    hasUnknownStatus = false
  }
}
