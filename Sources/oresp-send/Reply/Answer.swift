import Core

/// What is known of the answer to a request: of one reply, or of several of which each goes on with
/// the one before. The readers of the replies share it.
final class Answer {
  let plan: ReplyPlan
  /// Removes secrets from the errors that are made here: some servers repeat the key in a refusal.
  let redaction: Redaction
  /// The most bytes that are held of one event, or of a document.
  let limit: Int
  /// The request that the current reply answers, and the head of that reply, once it came.
  var request = HTTPRequest(url: "", headers: [], body: [], isLocal: true)
  var head: ReplyHead?
  /// The bytes of the current reply that were not passed on yet.
  var held = HeldReply()
  /// The marks that stand in front of blocks, each with the place of the block in the reply.
  private var marks: [(place: Int, seconds: Int)] = []
  /// The events of all replies, and the verdict on them.
  var feed: EventFeed
  var seen: SeenEvents
  /// Whether the request asks for events, not the response alone.
  private(set) var asksForEvents = true
  /// Whether events of an earlier reply were passed on.
  private(set) var followsEvents: Bool
  /// The query item that asked for the last page; empty for the first.
  var lastPage = ""
  /// The last event of a stream that is on the response or is an error, for the result of a line of
  /// a batch; empty for none.
  private(set) var lastEvent: [UInt8] = []
  /// The error that was made here, without secrets; empty for none.
  private(set) var ownError: [UInt8] = []
  /// The reason why the request is not retried, where the failure itself does not show it.
  var whyNotRetried: String?
  /// Whether a status that is not known was reported.
  private var hasToldStatus = false

  init(_ redaction: Redaction, _ plan: ReplyPlan, limit: Int) {
    self.plan = plan
    self.redaction = redaction
    self.limit = limit
    var ends = OwnEnds()
    ends.passes = true
    feed = EventFeed(
      Self.reading(plan),
      sorting: plan.isBackground ? .handlingAll : .judging, ends)
    followsEvents = plan.resumes
    seen = SeenEvents(id: plan.id, last: plan.last)
  }

  /// The settings of the event reader. A reader of replies itself reports one without events.
  private static func reading(_ plan: ReplyPlan) -> EventReader.Settings {
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    // The tool behind reports them.
    reading.reportsStrayData = false
    reading.leavesCutChat = true
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
    marks = []
    head = nil
  }

  /// Whether the last response ended or failed.
  var hasEnd: Bool { feed.judge.hasEnd || feed.hasWholeChat }

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

  /// Reads and judges the new events, which `gate` lets in, and notes their facts.
  func read(
    isEnd: Bool, into output: inout Output,
    gate: (borrowing Event, Span<UInt8>, inout Output) -> Gate = { _, _, _ in .open }
  ) {
    feed.each(in: &held.input, isEnd: isEnd, into: &output, gate: gate) { event, line, _ in
      seen.note(event, line)
      if let told = event.told, marks.last?.place != event.place.byte {
        marks.append((event.place.byte, told))
      }
      guard plan.isOfBatch else { return }
      // A whole answer is the result itself; of Chat Completions the errors alone are the server's.
      let isState = event.type?.family == .lifecycle && !event.isOfChat
      if event.isError || isState && !event.isSynthetic(line) {
        lastEvent = [UInt8](copying: line)
      }
    }
  }

  /// Ends an open answer of Chat Completions.
  func endChat(into output: inout Output) {
    guard feed.hasOpenChat else { return }
    feed.endChat()
    read(isEnd: false, into: &output)
  }

  /// Passes on the held bytes before place `end` of the reply, without the ones before the first new
  /// event of a resumed stream, and a mark in front of each block that says what is told. Nothing can
  /// stand in front of a document.
  func pass(upTo end: Int, into output: inout Output) {
    held.drop(upTo: seen.repeatEnd)
    while isStream, let mark = marks.first, mark.place >= held.passed, mark.place < end {
      held.pass(upTo: mark.place, into: &output.bytes)
      ToldMark.append(mark.seconds, to: &output.bytes)
      marks.removeFirst()
    }
    held.pass(upTo: end, into: &output.bytes)
  }

  /// Passes on the mark of what the end of the reply itself says, behind its last block.
  private func passLastMark(into output: inout Output) {
    guard isStream, let mark = marks.last else { return }
    held.endBlock(into: &output)
    ToldMark.append(mark.seconds, to: &output.bytes)
    marks = []
  }

  /// Passes on the last document as an event behind those of the stream before it.
  func passDocument(into output: inout Output) {
    held.drop()
    let told = marks.popLast()?.seconds
    pass(made: redaction.ofJSON(seen.document), told: told, into: &output)
  }

  /// Passes on an event that was made here, behind all else; with a mark, if it was `told`.
  private func pass(made line: [UInt8], told: Int?, into output: inout Output) {
    let event = Event(of: line.span)
    held.endBlock(into: &output)
    if let told { ToldMark.append(told, to: &output.bytes) }
    EventStreamEncoder.append(
      data: line.span, name: line.span.extracting(event.typeName ?? 0..<0), to: &output.bytes)
  }

  /// Passes on the event of `failure` behind all else, as one that is reported.
  func pass(_ failure: FailureEvent, into output: inout Output) {
    // Headers and libcurl's words in it may have secrets, too.
    let told = output.marking?.reports(.error) == true ? ToldMark.now : nil
    pass(made: redaction.ofJSON(failure.data), told: told, into: &output)
  }

  /// Passes on the event of `failure` behind all else, and judges it.
  func append(_ failure: FailureEvent, into output: inout Output) {
    let data = redaction.ofJSON(failure.data)
    ownError = redaction.ofJSON(failure.error)
    pass(failure, into: &output)
    if feed.hasOpenChat {
      feed.failChat(by: APIError(in: data.span))
      read(isEnd: false, into: &output)
    }
    var event = Event(of: data.span)
    feed.judge(&event, data.span, into: &output)
    endChat(into: &output)
    // The error has its own.
    marks = []
  }

  /// The advice about a stream that was cut; `nil` when it was not.
  var resumption: String? {
    guard isStream, !hasEnd, head?.status != 404 else { return nil }
    if plan.isBackground, !id.isEmpty, !feed.hasChat {
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
    if plan.isBackground { held.endLine(into: &output) }
    endChat(into: &output)
    // A document on a background response may show it running: {"status":"in_progress"}
    if !(plan.isBackground && feed.judge.isPending) || hasEnd { feed.finish(into: &output) }
    passLastMark(into: &output)
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
