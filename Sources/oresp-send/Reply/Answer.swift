import Core

/// What is known of the answer to a request: of one reply, or of several of which each goes on with
/// the one before. The readers of the replies share it.
final class Answer {
  let plan: ReplyPlan
  /// Removes secrets from the errors that are made here: some servers repeat the key in a refusal.
  let redaction: Redaction
  /// Whether errors made here are marked as reported, so that no later tool reports them again.
  private let isReported: Bool
  /// The most bytes that are held of one event, or of a document.
  let limit: Int
  /// The request that the current reply answers, and the head of that reply, once it came.
  var request = HTTPRequest(url: "", headers: [], body: [], isLocal: true)
  var head: ReplyHead?
  /// The bytes of the current reply that were not passed on yet.
  var held = HeldReply()
  /// The events of all replies, and the verdict on them.
  var feed: EventFeed
  var seen: SeenEvents
  /// The state of replies of Chat Completions.
  var chat = ChatReply()
  /// Whether the request asks for events, not the response alone.
  private(set) var asksForEvents = true
  /// Whether events of an earlier reply were passed on.
  private(set) var followsEvents: Bool
  /// The query item that asked for the last page; empty for the first.
  var lastPage = ""
  /// The lines that are passed on in place of the bytes; `nil` where those are.
  private var lines: HeldLines?
  /// The last event of a stream that is on the response or is an error. Empty for none, and where
  /// the plan makes no result.
  private(set) var lastEvent: [UInt8] = []
  /// The error that was made here, without secrets; empty for none.
  private(set) var ownError: [UInt8] = []
  /// The reason why the request is not retried, where the failure itself does not show it.
  var whyNotRetried: String?
  /// Whether a status that is not known was reported.
  private var hasToldStatus = false

  /// `notices` says what is reported of the answer; `nil` for nothing.
  init(_ redaction: Redaction, _ notices: NoticeSettings?, _ plan: ReplyPlan, limit: Int) {
    self.plan = plan
    self.redaction = redaction
    isReported = notices?.reports(.error) == true
    if case .lines(let tag) = plan.product { lines = HeldLines(tag: tag) }
    self.limit = limit
    var ends = OwnEnds()
    ends.passes = true
    ends.written = notices == nil ? .none : .reported
    ends.isSetAside = true
    ends.notices = notices ?? NoticeSettings()
    feed = EventFeed(
      Self.reading(plan),
      sorting: plan.isBackground || lines != nil ? .handlingAll : .judging, ends)
    followsEvents = plan.resumes
    seen = SeenEvents(id: plan.id, last: plan.last)
  }

  /// The settings of the event reader. A reader of replies itself reports one without events.
  private static func reading(_ plan: ReplyPlan) -> EventReader.Settings {
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    reading.keepsMarks = plan.isChat
    // The tool behind reports them.
    reading.reportsStrayData = false
    // A reply passes as it came, and no whole answer is held: `ChatReply` finds how it ends.
    reading.chat = .kept
    // A poll shows the response again.
    reading.documentsStandAlone = false
    // `limit` bounds the held bytes.
    reading.limit = 0
    return reading
  }

  /// Gets ready for another reply: to the same request, or to one for the events of the response
  /// (`asksForEvents`) or for the response alone.
  func restart(asksForEvents: Bool?) {
    followsEvents = isStream
    self.asksForEvents = asksForEvents ?? self.asksForEvents
    feed.endInput()
    seen.restart()
    held.restart()
    lines?.drop()
    head = nil
  }

  /// Whether the last response ended or failed.
  var hasEnd: Bool { feed.judge.hasEnd || chat.isComplete }

  /// Whether the output is an event stream.
  var isStream: Bool { followsEvents || (feed.blockEnd ?? 0) > 0 }

  /// The id of the response; empty until it is known.
  var id: String { seen.response.id }

  /// The wait in milliseconds before the next poll, if the server asks for one.
  var pollMilliseconds: Int? {
    let wait = head?["openai-poll-after-ms"].flatMap { JSONDecimal(typed: $0) }
    return wait?.scaledUp(by: 0, most: ReplyHead.longestDelay)
  }

  /// Notes that a document has the unknown `status`, which is reported once.
  func note(unknownStatus status: String, into output: inout Output) {
    guard !hasToldStatus else { return }
    hasToldStatus = true
    let why = "the status \(status) is not known: the wait goes on"
    output.notices.append(Notice(.warning, why))
  }

  /// Judges the events that were made of a reply of Chat Completions, and notes the facts of its
  /// first choice.
  func judge(made: [ChatReply.Made], into output: inout Output) {
    for event in made {
      let former = seen.response
      judge(made: event.line, isBareError: event.isBareError, into: &output)
      if !event.isOfFirst { seen.response = former }
    }
  }

  /// Judges an event that was made here, and notes its facts.
  private func judge(made line: [UInt8], isBareError: Bool = false, into output: inout Output) {
    var event = Event(of: line.span, isBareError: isBareError)
    if event.type?.family == .lifecycle { seen.response.read(event, line.span) }
    feed.judge(&event, line.span, into: &output)
  }

  /// Takes an event that was read of the reply, as far as the plan makes something of it.
  func take(_ event: borrowing Event, _ line: Span<UInt8>) {
    switch plan.product {
    case .bytes: break
    case .result:
      // A whole answer is the result itself.
      if event.isState, event.isError || !event.isSynthetic(line) {
        lastEvent = [UInt8](copying: line)
      }
    case .lines: lines?.append(line, endingAt: event.inputEnd)
    }
  }

  /// Passes on the held bytes before place `end` of the reply, without the ones before the first new
  /// event of a resumed stream; or the lines of these bytes.
  func pass(upTo end: Int, into output: inout Output) {
    guard lines != nil else {
      held.drop(upTo: seen.repeatEnd)
      return held.pass(upTo: end, into: &output.bytes)
    }
    lines?.pass(upTo: end, into: &output.bytes)
    held.drop(upTo: end)
  }

  /// Passes on the line of an event behind all else, if lines are wanted. Returns whether they are.
  @discardableResult
  func pass(_ line: Span<UInt8>, into output: inout Output) -> Bool {
    lines?.write(line, to: &output.bytes)
    return lines != nil
  }

  /// Passes on an event that was made here, behind all else.
  func pass(made line: [UInt8], into output: inout Output) {
    guard !pass(line.span, into: &output) else { return }
    let event = Event(of: line.span)
    endBlock(into: &output)
    EventStreamEncoder.append(
      data: line.span, name: line.span.extracting(event.typeName ?? 0..<0), to: &output.bytes)
  }

  /// Ends a block that was passed on without its blank line, which does not come any more.
  func endBlock(into output: inout Output) {
    if lines == nil { held.endBlock(into: &output) }
  }

  /// Passes on the event of `failure` behind all else, as one that is reported.
  func pass(_ failure: FailureEvent, into output: inout Output) {
    // Headers and libcurl's words in it may have secrets, too.
    pass(made: redaction.ofJSON(failure.data(isTold: isReported)), into: &output)
  }

  /// Passes on the event of `failure` behind all else, and judges it.
  func append(_ failure: FailureEvent, into output: inout Output) {
    let data = redaction.ofJSON(failure.data())
    ownError = redaction.ofJSON(failure.error)
    pass(failure, into: &output)
    judge(made: data, into: &output)
    guard plan.isChat else { return }
    chat.fail(APIError(in: data.span))
    judge(made: chat.finish(), into: &output)
  }

  /// Reports the bad ends that the server's events say, to which no advice belongs.
  func reportEnds(into output: inout Output) {
    let start = output.notices.count
    feed.settle(into: &output)
    explain(from: start, nil, in: &output)
  }

  /// Adds the lines that say of the bad ends before them that they are reported. Nothing can stand
  /// behind a document.
  private func appendEnds(into output: inout Output) {
    if isStream {
      for end in output.ends { pass(made: redaction.ofJSON(end.line), into: &output) }
    }
    output.ends = []
  }

  /// The advice about a stream that was cut; `nil` when it was not.
  var resumption: String? {
    guard isStream, !hasEnd, head?.status != 404 else { return nil }
    if plan.isBackground, !id.isEmpty {
      let place = seen.last.map { ":\($0)" } ?? ""
      return "oresp-send --resume \(id)\(place) goes on with it"
    }
    return feed.judge.isOpen ? "only a --background response can be resumed; try again" : nil
  }

  /// Ends the last reply: reports a response that did not end, and explains all errors among the
  /// notices from number `start` on, by `advice` and by the count of `dropped` bytes.
  func conclude(
    explaining start: Int, _ advice: String?, dropped: Int = 0, into output: inout Output
  ) {
    if plan.isBackground, lines == nil { held.endLine(into: &output) }
    // A document on a background response may show it running: {"status":"in_progress"}
    if !(plan.isBackground && feed.judge.isPending) || hasEnd { feed.finish(into: &output) }
    appendEnds(into: &output)
    explain(from: start, advice, dropped: dropped, in: &output)
    output.notices.append(Notice(.summary, headSummary ?? "no answer"))
  }

  /// The status of the reply and its request id, in words; `nil` when none came.
  private var headSummary: String? {
    guard let head else { return nil }
    return "HTTP \(head.status)" + (head.requestID.map { ", request \($0)" } ?? "")
  }

  /// Adds to the errors without a place among the notices from number `start` on: the head of the
  /// reply, the model, and the advice, or else why there was no retry. The count of `dropped` bytes
  /// is a fact.
  func explain(
    from start: Int, _ advice: String?, dropped: Int = 0, in output: inout Output
  ) {
    guard start < output.notices.count else { return }
    let next = whyNotRetried.map { "not retried: " + $0 } ?? advice
    for index in output.notices.indices[start...]
    where output.notices[index].kind == .error && output.notices[index].place == nil {
      let isTold = head.map { output.notices[index].message.contains("HTTP \($0.status)") } ?? false
      let hasLimit = output.notices[index].message.hasSuffix(": max_output_tokens")
      let request = head?.requestID.map { "request \($0)" }
      let status = isTold ? nil : head.map { "HTTP \($0.status)" }
      let origin = [status, plan.model.map { "model \($0)" }, request].compactMap { $0 }
      if !origin.isEmpty {
        output.notices[index].message += " (\(origin.joined(separator: ", ")))"
      }
      if let next = hasLimit ? "--max-output-tokens N raises the limit" : next {
        output.notices[index].message += "; " + next
      }
      output.notices[index].facts += head?.facts ?? []
      if dropped > 0 { output.notices[index].facts.append(("dropped_bytes", .integer(dropped))) }
    }
  }
}

extension Event {
  /// Whether it is on the state of a response, or is an error.
  fileprivate var isState: Bool { [.lifecycle, .error].contains(type?.family) }
}
