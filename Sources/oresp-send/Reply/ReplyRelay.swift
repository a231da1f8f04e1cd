import Core

/// Passes a reply on as it came: an event stream a whole block at a time, as soon as its blank
/// line is there, and a document when it is whole. What is no reply becomes one `error` event.
///
/// Where a response goes on behind its reply, several replies are passed on as one: of a stream
/// what did not come before, and a document behind a stream as the event that it amounts to.
///
/// Bytes that are no matter of responses (`Reading.raw`) pass as they come, and none is held.
///
/// Otherwise it holds the block that has not ended, and a reply that is no stream.
struct ReplyRelay: ~Copyable {
  /// How the body of a reply is read.
  enum Reading {
    /// As events or a response, a whole block at a time.
    case blocks
    /// As a document that is held to its end: a page of a list, or something that is waited for.
    case document
    /// As bytes that are passed on as they come.
    case raw
    /// As a refusal, or what no API answers with: it becomes one `error` event.
    case refusal
  }

  /// How much is read of an error's body.
  static let failureLimit = 1 << 20

  /// How much is held of one event, or of a document.
  private let limit: Int

  let redaction: Redaction
  let isReported: Bool
  let plan: ReplyPlan
  /// What the reply is to.
  var request = HTTPRequest(url: "", headers: [], body: [], isLocal: true)
  var head: ReplyHead?
  var feed: EventFeed
  var seen: SeenEvents
  /// What was read of a reply of Chat Completions.
  var chat = ChatReply()
  /// Whether events are asked for, not the response alone.
  var asksForEvents = true
  /// What asked for the page that came last.
  var lastPage = ""
  /// Whether events of an earlier reply were passed on.
  var followsEvents: Bool
  var reading = Reading.blocks
  var held = HeldReply()
  /// How many bytes came since events were read.
  private var unread = 0
  /// Whether bytes that were not held were passed on.
  private var hasPassedRaw = false
  /// Whether more would have to be held than the limit.
  var isTooLong = false
  /// The first bytes of the content, as many as tell what it is.
  var opening: [UInt8] = []
  /// What is told once the reply turns out to be no text.
  var kept: [Notice] = []
  /// Whether any byte of a success came.
  var hasBody = false
  var isOver = false
  /// Why the request is not sent again, where that is not plain.
  var unretried: String?
  /// How many bytes at the end are not passed on, for they are the start of something.
  var droppedCount = 0

  /// How events are read. A reply without any is reported by the relay.
  private static func reading(_ plan: ReplyPlan) -> EventReader.Settings {
    var reading = EventReader.Settings()
    (reading.acceptsAnything, reading.keepsMarks) = (true, plan.isChat)
    // What is held has a limit.
    reading.limit = 0
    return reading
  }

  /// `redaction` takes secrets out of errors; some servers repeat the key there. With `isReported`
  /// an error that is made here is marked as reported, so that no later tool reports it again.
  init(
    _ redaction: Redaction, isReported: Bool = false, _ plan: ReplyPlan = ReplyPlan(),
    limit: Int = 256 << 20
  ) {
    (self.redaction, self.isReported, self.plan, self.limit) = (redaction, isReported, plan, limit)
    feed = EventFeed(Self.reading(plan), sorting: plan.isBackground ? .handlingAll : .judging)
    followsEvents = plan.resumes
    seen = SeenEvents(id: plan.id, last: plan.last)
  }

  /// Whether the last response ended, or was told to have failed.
  var hasEnd: Bool { feed.judge.hasEnd || chat.isComplete }

  mutating func begin(_ head: ReplyHead) {
    self.head = head
    reading =
      if !head.isSuccess { .refusal } else if plan.form == .response || head.isEventStream {
        .blocks
      } else { [.page, .object].contains(plan.form) ? .document : .raw }
  }

  /// Whether the body is an error's, or no API's at all, and nothing to be passed on.
  var isFailure: Bool { reading == .refusal }

  /// Whether anything of the reply was passed on.
  var hasPassed: Bool { held.passed > 0 || hasPassedRaw }

  /// Why nothing of the reply was passed on, if so far it is a refusal or, by `fault`, none at all.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    guard !hasPassed, !isTooLong else { return nil }
    if let head, !head.isSuccess { return .refused(head, body: held.bytes) }
    if plan.isAskedAnew, !isFailure {
      return (fault ?? brokenDocument).map { .broken($0) }
    }
    // Nobody knows yet what could be gone on with.
    if isCutInFirst, firstID == nil, seen.response.id.isEmpty {
      return .broken(fault ?? .cut)
    }
    return hasBody ? nil : fault.map { .broken($0) }
  }

  /// What is wrong with a reply that came to its end and should be a document, if something is.
  private var brokenDocument: TransportFault? {
    isDocument && !held.isJSON ? .broken : nil
  }

  /// The head of the reply, once it is known that no other is asked for; and what its events tell.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? head : nil, seen.response)
  }

  /// Takes the next bytes of the body; false when no more are wanted. Of a piece of a read, which
  /// another follows, the events are not read yet.
  mutating func receive(
    _ chunk: Span<UInt8>, isPiece: Bool = false, into output: inout Output
  ) -> Bool {
    look(at: chunk)
    hasBody = hasBody || head?.isSuccess == true
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

  /// Reads the events that came, and passes on the blocks that have ended.
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
    // A text is told at the end, as a whole.
    kept += output.notices[told...]
    output.notices.removeSubrange(told...)
    if held.count >= Self.failureLimit { reading = .refusal }
  }

  /// Reads the events that came, judges them, and notes what they tell.
  mutating func read(isEnd: Bool, into output: inout Output) {
    var (seen, chat) = (seen, chat)
    var made: [[UInt8]] = []
    let plan = plan
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _: inout Output) -> Gate {
      if plan.isBackground, seen.isRepeated(event, line) { return .drop }
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
    for line in made { judge(made: line, into: &output) }
    // What is made of chunks of Chat Completions has no place.
    if hasEnd, self.seen.responseEnd == 0 { self.seen.responseEnd = self.seen.end }
  }

  /// Judges an event that did not come as such, and notes what it tells.
  mutating func judge(made line: [UInt8], into output: inout Output) {
    var event = Event(of: line.span)
    if event.type?.family == .lifecycle { seen.response.read(line.span) }
    feed.judge(&event, line.span, into: &output)
  }

  /// Finds out by the first byte of the content whether it is a web page, which no API answers
  /// with, or where a document is asked for, none.
  private mutating func look(at chunk: Span<UInt8>) {
    guard opening.count < 6, !isFailure, plan.form != .bytes, head?.isText != false else { return }
    let isFirst = opening.isEmpty
    guard let start = isFirst ? chunk.indices.first(where: { !ASCII.isSpace(chunk[$0]) }) : 0 else {
      return
    }
    opening.append(
      copying: chunk.extracting(droppingFirst: start).extracting(first: 6 - opening.count))
    guard isFirst else { return }
    let isNone = reading != .blocks && !plan.takesText && !isJSON
    if opening[0] == UInt8(ascii: "<") || isNone { reading = .refusal }
  }

  /// Whether the reply begins as a JSON object.
  var isDocument: Bool { opening.first == ASCII.openBrace }

  /// Whether it begins as an array or an object.
  private var isJSON: Bool { isDocument || opening.first == ASCII.openBracket }

  /// Whether it begins as an event stream does.
  var isLikeStream: Bool {
    ["data", "event", "id", "retry", ":"].contains { field in
      opening.starts(with: field.utf8) || field.utf8.starts(with: opening)
    }
  }

  /// Whether it has come to nothing so far that any API sends: no JSON and no field of an event
  /// stream.
  var isText: Bool {
    !opening.isEmpty && !isJSON && held.passed == 0 && head?.isEventStream == false
      && !feed.judge.meets(.objects) && !isLikeStream
  }

  /// Passes on the blocks that have ended.
  mutating func passBlocks(into output: inout Output) {
    if let end = feed.blockEnd { pass(upTo: end, into: &output) }
  }

  /// Passes on what is held in front of place `end` of the reply, without the secrets that errors
  /// in it repeat, and without the events that were passed on before.
  mutating func pass(upTo end: Int, into output: inout Output) {
    held.pass(upTo: end, &seen.marks, redaction, into: &output.bytes)
  }

  /// Gets ready for another reply: to the same request, or to one for events of the response or for
  /// the response alone.
  mutating func restart(asksForEvents: Bool? = nil) {
    followsEvents = isStream
    self.asksForEvents = asksForEvents ?? self.asksForEvents
    feed.endInput()
    seen.restart()
    held.restart()
    (head, reading, opening, kept) = (nil, .blocks, [], [])
    (hasPassedRaw, unread, hasBody) = (false, 0, false)
  }
}
