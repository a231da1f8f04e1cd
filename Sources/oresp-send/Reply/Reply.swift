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

/// The answer to a request: of one reply, or of several that go on with it. They are passed on as
/// one: the new events of each stream, and a document after a stream as an event.
///
/// Decides once, by the head and the first bytes, what a reply is (`ReplyKind`), and once, at its
/// end, what follows (`outcome`). Holds the first bytes of a reply until they show its kind; then the
/// block of an event stream that has not ended, a refusal, or a document.
final class Reply {
  /// The most bytes that are read of a refusal.
  static let refusalLimit = 1 << 20

  let plan: ReplyPlan
  /// Removes secrets from the errors that are made here: some servers repeat the key in a refusal.
  let redaction: Redaction
  /// The most bytes that are held of one event, or of a document.
  private let limit: Int
  /// The request that the current reply answers.
  var request = HTTPRequest(url: "", headers: [], body: [], isLocal: true)

  // Of the current reply:

  private(set) var head: ReplyHead?
  private var kind: ReplyKind?
  /// The bytes that were not passed on yet.
  private var held = HeldReply()
  /// The marks that stand in front of blocks, each with the place of the block in the reply.
  private var marks: [(place: Int, seconds: Int)] = []
  /// The count of bytes since events were last read.
  private var unread = 0
  /// The end of the last event, in bytes from the start of the reply.
  private var eventEnd = 0
  /// The number of the last event when the reply began, and whether it had an event since.
  private var known: Int?
  private var hasNew = false
  /// Why it is not whole; `nil` where it is.
  private var fault: TransportFault?

  // Of all replies:

  /// The events, and the verdict on them.
  private var feed: EventFeed
  /// The facts on the response, and the number of its last event.
  private var response: ResponseFacts
  /// Whether the request asks for events, not the response alone.
  private var asksForEvents = true
  /// Whether events of an earlier reply were passed on.
  private var followsEvents: Bool
  /// The query item that asked for the last page; empty for the first.
  private var lastPage = ""
  /// The last event of a stream that is on the response or is an error, for the result of a line of
  /// a batch; or the last event that was made of a document behind a stream. Empty for none.
  private(set) var lastEvent: [UInt8] = []
  /// The error that was made here, without secrets; empty for none.
  private(set) var ownError: [UInt8] = []
  private var isOver = false

  init(_ redaction: Redaction, _ plan: ReplyPlan = ReplyPlan(), limit: Int = 256 << 20) {
    self.plan = plan
    self.redaction = redaction
    self.limit = limit
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    // The tool behind reports it.
    reading.reportsStrayData = false
    reading.leavesCutChat = true
    // A poll shows the response again.
    reading.documentsStandAlone = false
    // `limit` bounds the held bytes.
    reading.limit = 0
    var ends = OwnEnds()
    ends.passes = true
    feed = EventFeed(reading, sorting: plan.isBackground ? .handlingAll : .judging, ends)
    followsEvents = plan.resumes
    response = ResponseFacts(id: plan.id)
    response.last = plan.last
    known = plan.last
  }

  /// The head of the reply, once no retry can replace it, and the facts from its events.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? head : nil, response)
  }

  /// Whether any byte of a success came.
  private var hasBody: Bool { held.end > 0 && head?.isSuccess == true }

  /// Whether the first byte of an event stream has come.
  var isStreaming: Bool {
    let isStream = kind.map { $0 == .events } ?? head?.isEventStream ?? false
    return hasBody && isStream
  }

  /// Whether the last response ended or failed.
  var hasEnd: Bool { feed.judge.hasEnd || feed.hasWholeChat }

  /// Whether the output is an event stream.
  var isStream: Bool { followsEvents || (feed.blockEnd ?? 0) > 0 }

  /// The id of the response; empty until it is known.
  private var id: String { response.id }

  func begin(_ head: ReplyHead) { self.head = head }

  /// Takes the next bytes of the body, of which `flush` passes on what has not gone already. Returns
  /// false when no more are wanted.
  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    held.input.append(chunk)
    unread += chunk.count
    if kind == nil {
      let head = head ?? ReplyHead(status: 200)
      kind = ReplyKind.of(head, plan, opening: held.opening.span, isEnd: false)
    }
    switch kind {
    case .refusal: return held.count < Self.refusalLimit
    case .raw, .events:
      // Bytes that are read together take less work than a few at a time.
      if unread >= InputBuffer.readSize || held.count > limit { flush(into: &output) }
    case .document, nil: break
    }
    return held.count <= limit
  }

  /// Passes on what can be passed on of the bytes received: the blocks that have ended, or all of
  /// what is passed on as it comes.
  func flush(into output: inout Output) {
    guard unread > 0 else { return }
    switch kind {
    case .raw: held.passAll(into: &output.bytes)
    case .events:
      let start = output.notices.count
      read(isEnd: false, into: &output)
      explain(from: start, nil, in: &output)
      if feed.isSurelyStream { passBlocks(into: &output) }
    case .refusal, .document, nil: return
    }
    unread = 0
  }

  /// Gets ready for another reply: to the same request, or to one for the events of the response
  /// (`asksForEvents`) or for the response alone.
  func restart(asksForEvents: Bool? = nil) {
    followsEvents = isStream
    self.asksForEvents = asksForEvents ?? self.asksForEvents
    feed.endInput()
    held.restart()
    known = response.last
    hasNew = false
    eventEnd = 0
    lastEvent = []
    marks = []
    head = nil
    kind = nil
    fault = nil
    unread = 0
  }
}

/// The end of a reply.
extension Reply {
  /// Ends the reply, which `fault` broke off, or which came to its end by itself.
  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    if kind == nil, let head {
      kind = ReplyKind.of(head, plan, opening: held.opening.span, isEnd: true)
    }
    let kind = kind ?? .refusal
    self.kind = kind
    flush(into: &output)
    self.fault = fault
    let outcome = outcome(of: kind, into: &output)
    if case .ended = outcome { giveUp(into: &output) }
    return outcome
  }

  /// What follows the reply, by its kind, its fault, and what came.
  private func outcome(of kind: ReplyKind, into output: inout Output) -> ReplyOutcome {
    switch kind {
    case .refusal:
      guard let head, !head.isSuccess else {
        // Without a head nothing came; of a page or a text that is cut, another attempt may bring all.
        guard let fault, head == nil || plan.isOfBatch else { return .ended }
        return .failed(.broken(fault))
      }
      // A server that refuses the events for good may still give the response.
      let isForGood = APIError.status(http: head.status) == .refusedForGood
      if isFollowed, isForGood, isStream, asksForEvents, !hasEnd, !id.isEmpty {
        return .goesOn(rest(.noStream))
      }
      return .failed(.refused(head, body: held.bytes))

    case .raw:
      guard let fault, held.end == 0 else { return .ended }
      return .failed(.broken(fault))

    case .document, .events:
      if held.count > limit {
        fault = .tooLong
        return .ended
      }
      // Where nothing says how long a document is, only its form shows that it is not whole.
      let isBroken = kind == .document && (plan.isOfBatch ? !held.isJSON : held.breaksOff)
      if isBroken, fault == nil { fault = .broken }
      // Nothing of it was passed on: another attempt may take its place.
      if held.passed == 0 {
        if plan.isOfBatch, let fault { return .failed(.broken(fault)) }
        // Cut before the response's id: only a new attempt can help.
        if isCutInFirst, id.isEmpty { return .failed(.broken(fault ?? .cut)) }
        if let fault, held.end == 0 { return .failed(.broken(fault)) }
      }
      if plan.form == .page {
        guard fault == nil, let item = passItems(into: &output), item != lastPage else {
          return .ended
        }
        lastPage = item
        return .goesOn(rest(.page(item)))
      }
      guard isFollowed else { return .ended }
      if kind == .document, fault == nil {
        if waitsForUnknownStatus(into: &output) { return .goesOn(rest(wait)) }
        read(isEnd: true, into: &output)
      }
      guard let rest = following else { return .ended }
      held.endBlock(into: &output)
      return .goesOn(rest)
    }
  }

  /// Whether what a reply leaves open is asked for.
  private var isFollowed: Bool { plan.isBackground && !plan.isOfBatch && !feed.hasChat }

  /// What is asked for behind a reply on a response that goes on; `nil` when that has ended.
  private var following: ResponseRest? {
    guard !id.isEmpty, !hasEnd else { return nil }
    if isCutInFirst { return ResponseRest(reason: .cut, id: id, last: nil, isWhole: true) }
    if isStream, asksForEvents {
      let goesOn = response.last != nil && (hasNew || fault != nil)
      return goesOn ? ResponseRest(reason: .cut, id: id, last: response.last) : rest(.noStream)
    }
    guard isStream || plan.waits else { return nil }
    if fault != nil { return rest(.cut) }
    return feed.judge.isPending ? rest(wait) : nil
  }

  private func rest(_ reason: ResponseRest.Reason) -> ResponseRest {
    ResponseRest(reason: reason, id: id, last: nil)
  }

  /// The wait before the next poll, as long as the server asks for, if it does.
  private var wait: ResponseRest.Reason {
    let wait = head?["openai-poll-after-ms"].flatMap { JSONDecimal(typed: $0) }
    return .running(milliseconds: wait?.scaledUp(by: 0, most: ReplyHead.longestDelay))
  }

  /// Whether the document is a response that is waited for, with a status that is not known: that may
  /// not be the last one. Notes its facts, and reports the status when it is new.
  private func waitsForUnknownStatus(into output: inout Output) -> Bool {
    let document = held.bytes
    let status = JSONChildren.text(of: "status", in: document.span)
    guard plan.waits, JSONChildren.text(of: "object", in: document.span) == "response",
      !status.isEmpty, ResponseStatus(rawValue: status) == nil
    else { return false }
    if status != response.status {
      let why = "the status \(status) is not known: the wait goes on"
      output.notices.append(Notice(.warning, why))
    }
    let line = EventLine.wrapping(response: document.span)
    response.read(Event(of: line.span), line.span)
    return !id.isEmpty
  }

  /// Whether the stream of a background response was cut in its first event.
  private var isCutInFirst: Bool {
    plan.isBackground && asksForEvents && kind == .events && held.count > 0
      && response.last == nil && !hasNew
  }

  /// Passes on the items of the held page, one a line. Returns the query item for the next page;
  /// `nil` when there is none. A document that is no page stays held.
  private func passItems(into output: inout Output) -> String? {
    let page = held.bytes
    let whole = held.opening.first == ASCII.openBracket ? page.span.trimmed() : nil
    guard let data = whole ?? JSONChildren.value(of: "data", in: page.span) else { return nil }
    let items = JSONChildren.elements(at: data, in: page.span)
    for item in items {
      let line = page.span.extracting(item).withoutLineEnds
      output.append(line: line.span)
    }
    held.drop(upTo: held.end)
    let next = JSONChildren.text(of: "next_page", in: page.span)
    if !next.isEmpty { return "page=" + next.percentEncoded }
    guard let more = JSONChildren.value(of: "has_more", in: page.span),
      page.span.extracting(more).equals("true"), let last = items.last
    else { return nil }
    let named = JSONChildren.text(of: "last_id", in: page.span)
    let id =
      named.isEmpty ? JSONChildren.text(of: "id", in: page.span.extracting(last)) : named
    return id.isEmpty ? nil : "after=" + id.percentEncoded
  }

  /// Ends the answer where what would follow by the last outcome does not; `why` is the reason
  /// where the failure itself does not show it.
  func giveUp(_ why: String? = nil, into output: inout Output) {
    isOver = true
    let start = output.notices.count
    var advice = fault?.advice
    var dropped = 0
    switch kind {
    case .refusal, nil:
      let event: FailureEvent
      if let head, fault == nil || !head.isSuccess {
        let isCut = fault != nil || held.count >= Self.refusalLimit
        event = FailureEvent(body: redaction.ofJSON(held.bytes, isCut: isCut), head, request)
      } else {
        event = FailureEvent(fault ?? .empty(request.serverSource), head)
        dropped = held.count
      }
      advice = resumption ?? event.advice
      append(event, into: &output)
    case .raw where held.end > 0:
      // No event can follow bytes that were cut.
      if let fault { output.notices.append(Notice(.error, fault.message, status: .temporary)) }
    case .raw: if let fault { append(FailureEvent(fault, head), into: &output) }
    case .document where plan.form != .response:
      if let fault {
        append(FailureEvent(fault, head), into: &output)
      } else {
        held.passAll(into: &output.bytes)
      }
    case .document, .events:
      // A document that came whole before the fault shows its own state.
      if kind == .document, fault != nil, held.count <= limit, held.isJSON {
        read(isEnd: true, into: &output)
      }
      let isCut = fault == nil && drain(into: &output)
      if feed.hasWholeChat { endChat(into: &output) }
      // A whole document, after no events, on a response that has ended.
      if kind == .document, !isStream, hasEnd, held.isJSON {
        pass(upTo: held.end, into: &output)
      }
      passBlocks(into: &output)
      // The held bytes are the start of an event, or of a document that was cut.
      dropped = held.count
      // The blank line after the last block may be among the dropped bytes.
      if dropped > 0, feed.blockEnd != nil { held.endBlock(into: &output) }
      advice = tellEnd(isCut: isCut, dropped: dropped, into: &output)
    }
    if plan.isBackground { held.endLine(into: &output) }
    endChat(into: &output)
    // A document on a background response may show it running: {"status":"in_progress"}
    if !(plan.isBackground && feed.judge.isPending) || hasEnd { feed.finish(into: &output) }
    passLastMark(into: &output)
    explain(from: start, why.map { "not retried: " + $0 } ?? advice, dropped: dropped, in: &output)
    let summary = head.map { head in
      "HTTP \(head.status)" + (head.requestID.map { ", request \($0)" } ?? "")
    }
    output.notices.append(Notice(.summary, summary ?? "no answer"))
  }
}

/// The events of a reply, and what is passed on of them.
extension Reply {
  /// Reads and judges the new events, and notes their facts. Of a response in the background, the
  /// events that an earlier reply had are dropped.
  private func read(isEnd: Bool, into output: inout Output) {
    // Where a server begins anew: the end of the events before the first new one.
    var repeatEnd = 0
    // Numbers that are missing in front of the first new event, and the place where.
    var hole: (numbers: ClosedRange<Int>, place: Int)?
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _: inout Output) -> Gate {
      let start = eventEnd
      // An event made of chunks of Chat Completions has no place of its own in the reply.
      eventEnd = max(eventEnd, event.inputEnd)
      guard plan.isBackground else { return .open }
      let number = JSONChildren.integer(of: "sequence_number", in: line)
      if let number, let known {
        if number <= known, event.type?.family != .error {
          if !hasNew { repeatEnd = eventEnd }
          return .drop
        }
        if !hasNew, known < number - 1 { hole = (known + 1...number - 1, start) }
      }
      response.last = number ?? response.last
      hasNew = true
      return .open
    }
    let followsStream = isStream && kind == .document
    feed.each(in: &held.input, isEnd: isEnd, into: &output, gate: gate) { event, line, _ in
      if event.type?.family == .lifecycle { response.read(event, line) }
      if let told = event.told, marks.last?.place != event.place.byte {
        marks.append((event.place.byte, told))
      }
      // A whole answer is the result itself; of Chat Completions the errors alone are the server's.
      let isState = event.type?.family == .lifecycle && !event.isOfChat
      let isOfServer = event.isError || isState && !event.isSynthetic(line)
      if followsStream || plan.isOfBatch && isOfServer { lastEvent = [UInt8](copying: line) }
    }
    held.drop(upTo: repeatEnd)
    if let hole { fill(hole.numbers, at: hole.place, into: &output) }
  }

  /// Passes on an error at `place`, where the events with `numbers` are missing, and reports it. The
  /// events behind it still come.
  private func fill(_ numbers: ClosedRange<Int>, at place: Int, into output: inout Output) {
    let first = numbers.lowerBound
    let last = numbers.upperBound
    let which = first < last ? "s \(first) to \(last)" : " \(first)"
    let why = "event\(which) did not come: the server went on with event \(last + 1)"
    pass(upTo: place, into: &output)
    pass(error: redaction.ofJSON(FailureEvent(missingEvents: why, head).data), into: &output)
    output.notices.append(Notice(.error, why, status: .temporary))
  }

  /// Ends an open answer of Chat Completions.
  private func endChat(into output: inout Output) {
    guard feed.hasOpenChat else { return }
    feed.endChat()
    read(isEnd: false, into: &output)
  }

  /// Whether chat came from a server that was asked for something else.
  private var hasChatUnasked: Bool { feed.hasChat && !plan.isChat }

  /// Whether it is an event stream of another endpoint, of whose end nothing is known.
  private var isOfOther: Bool {
    guard feed.blockEnd != nil, feed.judge.meets(.objects) else { return false }
    return hasChatUnasked || !feed.judge.meets(.typed) || feed.strangeness != nil
  }

  /// Whether the reply is JSON, and none of it is an event or a response.
  private var lacksEvents: Bool {
    feed.blockEnd == nil && feed.judge.meets(.objects) && !feed.judge.meets(.typed)
  }

  /// Reads the last bytes of a reply that came whole, and passes them on. Returns whether they are
  /// the start of an event, so that the stream was cut.
  private func drain(into output: inout Output) -> Bool {
    let start = output.notices.count
    read(isEnd: true, into: &output)
    if feed.blockEnd != nil,
      output.notices[start...].contains(where: { $0.kind == .error && $0.place != nil })
    {
      let others = output.notices[start...].filter { $0.place == nil }
      output.notices.replaceSubrange(start..., with: others)
      return true
    }
    if isStream, kind == .document, !lastEvent.isEmpty {
      held.drop(upTo: held.end)
      pass(made: redaction.ofJSON(lastEvent), told: marks.popLast()?.seconds, into: &output)
      return false
    }
    // An error takes the place of a document that is neither an event nor a response.
    if lacksEvents { return false }
    // Bytes after the last event may be the start of another; they stay held.
    let mayGoOn = feed.judge.isOpen && !isOfOther || !feed.judge.meets(.objects)
    if mayGoOn, eventEnd <= held.passed { return false }
    pass(upTo: held.end, into: &output)
    return false
  }

  /// Passes on the blocks that have ended.
  private func passBlocks(into output: inout Output) {
    if let end = feed.blockEnd { pass(upTo: end, into: &output) }
  }

  /// Passes on the held bytes before place `end` of the reply, and a mark in front of each block that
  /// says what is told. Nothing can stand in front of a document.
  private func pass(upTo end: Int, into output: inout Output) {
    while isStream, let mark = marks.first, mark.place >= held.passed, mark.place < end {
      held.pass(upTo: mark.place, into: &output.bytes)
      held.endBlock(into: &output)
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

  /// Passes on an event that was made here, behind all else; with a mark, if it was `told`.
  private func pass(made line: [UInt8], told: Int?, into output: inout Output) {
    let event = Event(of: line.span)
    held.endBlock(into: &output)
    if let told { ToldMark.append(told, to: &output.bytes) }
    EventStreamEncoder.append(
      data: line.span, name: line.span.extracting(event.typeName ?? 0..<0), to: &output.bytes)
  }

  /// Passes on the line of an error that was made here, behind all else, as one that is reported.
  private func pass(error line: [UInt8], into output: inout Output) {
    let told = output.marking?.reports(.error) == true ? ToldMark.now : nil
    pass(made: line, told: told, into: &output)
  }

  /// Passes on the event of `failure` behind all else, and judges it.
  private func append(_ failure: FailureEvent, into output: inout Output) {
    // Headers and libcurl's words in it may have secrets, too.
    let data = redaction.ofJSON(failure.data)
    ownError = redaction.ofJSON(failure.error)
    pass(error: data, into: &output)
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
}

/// What is told of the answer.
extension Reply {
  /// Adds the error that the events themselves do not show, or reports what is strange about them;
  /// `dropped` is the count of bytes at the end that are dropped. Returns the advice.
  private func tellEnd(isCut: Bool, dropped count: Int, into output: inout Output) -> String? {
    let place = request.serverSource
    if hasChatUnasked, plan.form == .response { output.notices.append(.chatUnasked(request)) }
    // A dropped document does not reach the reader, and no end in it.
    let tellsEnd = hasEnd && (kind == .events || count == 0)
    // A document shows its own state, and no event can follow it.
    let isOpen = feed.judge.isOpen && feed.blockEnd != nil
    let lacksEnd = (isCut || followsEvents) && !tellsEnd
    var event: FailureEvent?
    if let fault {
      if !tellsEnd { event = FailureEvent(fault, head) }
    } else if isOpen && !isOfOther || lacksEnd {
      event = FailureEvent(.cut, head)
    } else if !feed.judge.meets(.objects) {
      event = FailureEvent(.empty(place), head)
    }
    if let event {
      let resumption = fault?.cause == .eventTooLong ? nil : resumption
      append(event, into: &output)
      return resumption ?? event.advice
    }
    if lacksEvents {
      let event = FailureEvent(withoutEvents: head, request)
      append(event, into: &output)
      return event.advice
    }
    if let foreign = feed.foreign {
      output.notices.append(Notice(.error, foreign, status: .badInput))
      return "check \(place)"
    }
    if feed.blockEnd == nil, let strange = feed.strangeness {
      output.notices.append(strange)
      return "check \(place)"
    }
    let dropped = count > 0 ? "its last \(count) bytes are dropped" : nil
    let why = [fault?.message, dropped].compactMap(\.self).joined(separator: "; ")
    if !why.isEmpty {
      output.notices.append(Notice(.warning, "after the end of the response: " + why))
    }
    return fault?.advice
  }

  /// The advice about a stream that was cut; `nil` when it was not.
  private var resumption: String? {
    guard isStream, !hasEnd, head?.status != 404 else { return nil }
    if plan.isBackground, !id.isEmpty, !feed.hasChat {
      let place = response.last.map { ":\($0)" } ?? ""
      return "oresp-send --resume \(id)\(place) goes on with it"
    }
    return feed.judge.isOpen ? "only a --background response can be resumed; try again" : nil
  }

  /// Adds to the errors without a place among the notices from number `start` on: the head of the
  /// reply, the model, and the advice. The count of `dropped` bytes is a fact.
  private func explain(
    from start: Int, _ advice: String?, dropped: Int = 0, in output: inout Output
  ) {
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
      if let advice = hasLimit ? "--max-output-tokens N raises the limit" : advice {
        output.notices[index].message += "; " + advice
      }
      output.notices[index].facts += head?.facts ?? []
      if dropped > 0 { output.notices[index].facts.append(("dropped_bytes", .integer(dropped))) }
    }
  }
}
