import Core

/// Passes a reply on as it came: an event stream a whole block at a time, as soon as its blank
/// line is there, and a document when it is whole. What is no reply becomes one `error` event.
///
/// Where a response goes on behind its reply, several replies are passed on as one: of a stream what
/// did not come before, and a document behind a stream as the event that it amounts to.
///
/// Holds the block that has not ended, and a reply that is no stream, up to a limit; what is longer is
/// passed on as it comes, and judged by what `Condenser` leaves of it.
struct ReplyRelay: ~Copyable {
  /// How much is read of an error's body.
  static let failureLimit = 1 << 20

  /// How much is held of one event, or of a document.
  private static let heldLimit = 4 << 20

  /// The same of a response in the background, whose events may come again and are not passed on
  /// twice: what `EventReader` takes at most.
  private static let backgroundLimit = 256 << 20

  let redaction: Redaction
  let isTold: Bool
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
  var input = InputBuffer()
  /// What condenses the line that has not ended, if it is long.
  var condenser: Condenser?
  /// Whether a part of the block that has not ended is passed on.
  var isTorn = false
  /// What came and was not passed on.
  var held: [UInt8] = []
  /// How many bytes were passed on, which is where `held` starts in the reply.
  var passed = 0
  /// Whether the body is an error's, or no API's at all, and nothing to be passed on.
  var isFailure = false
  /// Whether the reply is no response, and nothing in it is read as one.
  var isPlain = false
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
  /// The last four bytes that left `held`, and whether they were dropped.
  private var tail: (bytes: [UInt8], isDropped: Bool) = ([], false)

  /// What a reply is that holds no event is told otherwise.
  private static func reading(_ plan: ReplyPlan) -> EventReader.Settings {
    var reading = EventReader.Settings()
    (reading.takesAnything, reading.keepsMarks) = (true, plan.isChat)
    if !plan.isBackground { reading.limit = 2 * heldLimit }
    return reading
  }

  /// `redaction` takes secrets out of errors; some servers repeat the key there. `isTold` says that
  /// people are told of errors, so that no later stage has to tell them of one that is made here.
  init(_ redaction: Redaction, isTold: Bool = false, _ plan: ReplyPlan = ReplyPlan()) {
    (self.redaction, self.isTold, self.plan) = (redaction, isTold, plan)
    feed = EventFeed(Self.reading(plan), sorting: plan.isBackground ? .takingAll : .judging)
    followsEvents = plan.resumes
    seen = SeenEvents(id: plan.id, last: plan.last)
  }

  /// Whether the last response ended, or was told to have failed.
  var hasEnd: Bool { feed.judge.hasEnd || chat.isComplete }

  mutating func begin(_ head: ReplyHead) {
    self.head = head
    isFailure = !head.isSuccess
    isPlain = plan.form != .response && !head.isEventStream
  }

  /// Why nothing of the reply was passed on, if so far it is a refusal or, by `fault`, none at all.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    guard passed == 0 else { return nil }
    if let head, !head.isSuccess { return .refused(head, body: held) }
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
    isDocument && JSONScan.fault(in: held.span) != nil ? .broken : nil
  }

  /// The head of the reply, once it is known that no other is asked for; and what its events tell.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? head : nil, seen.response)
  }

  /// Takes the next bytes of the body; false when no more are wanted.
  mutating func take(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    look(at: chunk)
    hasBody = hasBody || head?.isSuccess == true
    if isFailure {
      let room = Self.failureLimit - held.count
      held.append(copying: chunk.extracting(first: room))
      return held.count < Self.failureLimit
    }
    guard !isPlain else {
      if [.page, .object].contains(plan.form) {
        held.append(copying: chunk)
      } else {
        pass(plain: chunk, into: &output)
      }
      return true
    }
    let told = output.notices.count
    append(chunk)
    read(isEnd: false, into: &output)
    explain(output.notices.count - told, advice: nil, in: &output)
    guard isText else {
      output.notices.insert(contentsOf: kept, at: told)
      kept = []
      pass(chunk, into: &output)
      return true
    }
    // A text is told at the end, as a whole.
    kept += output.notices[told...]
    output.notices.removeSubrange(told...)
    held.append(copying: chunk)
    isFailure = held.count >= Self.failureLimit
    return !isFailure
  }

  /// Reads the events that came, judges them, and notes what they tell.
  mutating func read(isEnd: Bool, into output: inout Output) {
    let start = input.offset(of: input.start)
    defer {
      if let end = feed.blockEnd { seen.leftOut.forgetLines(before: end) }
      lookForLongLine(from: start)
    }
    var (seen, chat) = (seen, chat)
    var made: [[UInt8]] = []
    let plan = plan
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _: inout Output) -> Gate {
      if plan.isBackground, seen.isRepeated(event, line) { return .drop }
      guard plan.isChat, event.isDone(line) else { return .open }
      made += chat.endStream()
      return .drop
    }
    feed.each(in: &input, isEnd: isEnd, into: &output, gate: gate) { event, line, _ in
      if plan.isChat {
        if let lines = chat.take(line) {
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

  /// Finds out by the first byte of the content whether it is a web page, which no API answers with,
  /// or where a document is asked for, none.
  private mutating func look(at chunk: Span<UInt8>) {
    guard opening.count < 6, !isFailure, plan.form != .bytes, head?.isText != false else { return }
    let isFirst = opening.isEmpty
    guard let start = isFirst ? chunk.indices.first(where: { !ASCII.isSpace(chunk[$0]) }) : 0 else {
      return
    }
    opening.append(
      copying: chunk.extracting(droppingFirst: start).extracting(first: 6 - opening.count))
    guard isFirst else { return }
    isFailure = opening[0] == UInt8(ascii: "<") || isPlain && !plan.takesText && !isJSON
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
    !opening.isEmpty && !isJSON && passed == 0 && head?.isEventStream == false
      && !feed.judge.meets(.objects) && !isLikeStream
  }

  /// Passes on what ended with `chunk`, the bytes that came last, and holds the rest.
  private mutating func pass(_ chunk: Span<UInt8>, into output: inout Output) {
    let count = feed.isSurelyStream ? passBlocks(endingWith: chunk, into: &output) : 0
    let rest = chunk.extracting(droppingFirst: count)
    held.append(copying: rest)
    let limit = plan.isBackground ? Self.backgroundLimit : Self.heldLimit
    guard isTorn && !rest.isEmpty || held.count > limit else { return }
    isTorn = true
    passHeld(and: Span(), into: &output)
  }

  /// Passes on the blocks that ended with `chunk`, which stands behind what is held. Returns how many
  /// bytes of `chunk` are passed on.
  @discardableResult
  mutating func passBlocks(endingWith chunk: Span<UInt8>, into output: inout Output) -> Int {
    guard let end = blockEnd, end > passed else { return 0 }
    // What splits a block may have come before it was known to.
    let behind = Array(held.dropFirst(end - passed))
    held.removeLast(behind.count)
    let count = end - passed - held.count
    passHeld(and: chunk.extracting(first: count), into: &output)
    held += behind
    isTorn = false
    return count
  }

  /// Passes on what is held and `bytes` behind it, without the secrets that errors in it repeat, and
  /// without the events that were passed on before.
  mutating func passHeld(and bytes: Span<UInt8>, into output: inout Output) {
    let start = output.bytes.count
    output.bytes += held
    output.bytes.append(copying: bytes)
    let marks = marks(in: output.bytes.span.extracting(droppingFirst: start))
    // The last first, since the text may get longer or shorter.
    for (mark, isRepeated) in marks.reversed() {
      let place = (mark.lowerBound - passed + start)..<(mark.upperBound - passed + start)
      let known = place.clamped(to: start..<output.bytes.count)
      let shown = isRepeated ? [] : redaction.ofLines(Array(output.bytes[known]))
      output.bytes.replaceSubrange(known, with: shown)
    }
    passed += held.count + bytes.count
    // What was read ahead of what is passed on keeps its marks.
    seen.marks.removeAll { $0.place.upperBound <= passed }
    held.removeAll(keepingCapacity: held.capacity <= InputBuffer.keptSize)
  }

  /// The marks in `bytes`, which leave `held`. An event ends with the CR of its blank line; the LF
  /// behind that goes where the event goes, whenever it comes.
  private mutating func marks(in bytes: Span<UInt8>) -> [(place: Range<Int>, isRepeated: Bool)] {
    guard !bytes.isEmpty else { return seen.marks }
    var marks = seen.marks
    if tail.isDropped, tail.bytes.last == ASCII.cr, bytes[0] == ASCII.lf,
      marks.first?.place.lowerBound != passed
    {
      marks.insert((passed..<passed + 1, true), at: 0)
    }
    for index in marks.indices where marks[index].isRepeated {
      let (start, end) = (marks[index].place.lowerBound, marks[index].place.upperBound)
      let next = index + 1 < marks.count ? marks[index + 1].place.lowerBound : nil
      guard 1..<bytes.count ~= end - passed, bytes[end - passed - 1] == ASCII.cr,
        bytes[end - passed] == ASCII.lf, next != end
      else { continue }
      marks[index].place = start..<end + 1
    }
    tail.bytes = Array((tail.bytes + [UInt8](copying: bytes.extracting(last: 4))).suffix(4))
    tail.isDropped =
      marks.last.map { $0.isRepeated && $0.place.upperBound == passed + bytes.count } ?? false
    return marks
  }

  /// Ends the line that was cut between its CR and its LF, which comes no more.
  mutating func endLine(into output: inout Output) {
    if !tail.isDropped, tail.bytes.suffix(2) == [ASCII.lf, ASCII.cr] {
      output.bytes.append(ASCII.lf)
    }
    tail = ([], false)
  }

  /// Ends the block that was passed on without a blank line, for nothing more of it comes.
  mutating func endBlock(into output: inout Output) {
    let isWhole = endsBlock
    endLine(into: &output)
    if !isWhole { output.bytes.append("\n\n") }
  }

  /// Whether a blank line ends what was passed on.
  private var endsBlock: Bool {
    var rest = tail.bytes[...]
    guard !tail.isDropped, let last = rest.popLast() else { return true }
    if last == ASCII.lf, rest.last == ASCII.cr { rest.removeLast() }
    return [last, rest.last ?? ASCII.lf].allSatisfy { $0 == ASCII.lf || $0 == ASCII.cr }
  }
}
