/// Reaches the verdict on a stream of events and reports it, which every tool does beside its own
/// work. It also asks `Responses` for the response of each event.
package struct Judge {
  package private(set) var responses = Responses()
  /// The handling of the toolkit's own reports of ends.
  var ownEnds = OwnEnds()
  /// Selects the responses that are judged; `nil` when all are.
  package var selects: ((Response) -> Bool)?
  /// Whether deltas that came too late, and parts that stand one after the other, are reported; a
  /// join reports the order itself.
  package var reportsOrder = true
  /// Whether each event is told its item.
  package var needsItems: Bool {
    get { responses.needsItems }
    set { responses.needsItems = newValue }
  }
  /// Kinds of repeats that were reported, each once.
  private var reported: Set<String> = []
  private var hasObjects = false
  private var hasTypes = false
  private var lastSequenceNumber: Int?
  /// The number of responses with each outcome other than `completed`.
  private var outcomes: [(word: String, count: Int)] = []
  /// The number of responses without an end.
  private var cuts = 0
  /// The number of responses that have ended or failed.
  package private(set) var ends = 0
  /// Whether a report names the input of its response. In a join that has parts of it only.
  package var namesInputs = true
  /// The reports of inputs that ended inside an event.
  private var cutEvents: [Notice] = []

  /// The responses that were open at the end of the last input, each with the judgement on it.
  private var left: [(response: Response, judgement: Verdict.Judgement?)] = []

  package init(_ ownEnds: OwnEnds = OwnEnds()) { self.ownEnds = ownEnds }

  /// Gives `handle` an event, whose line is `line`, with its step, then reports the verdict on it.
  /// Gives `close` each response that is over with it.
  @inline(__always)
  package mutating func handle(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void = { _, _, _ in },
    close: (Response, inout Output) -> Void = { _, _ in }
  ) {
    if placeUsual(&event, line) { return handle(event, line, &output) }
    let isLogged = event.typeName == nil && event.isLogged(line)
    if isLogged {
      responses.place(logged: &event, line)
    } else {
      responses.placeByRules(&event, line)
    }
    for response in responses.closed where response !== event.response {
      let judgement = conclude(response, into: output)
      end(response, into: &output, close)
      report(judgement, on: response, into: &output)
    }
    if event.step != .again, event.response != nil, let type = event.type, type.isJudged {
      return judge(&event, type, line, into: &output, handle, close)
    }
    if event.type != nil {
      event.told = event.isFailure || event.isTerminal ? event.response?.told : nil
    }
    if ownEnds.passes || !event.isOwnEnd(line) { handOn(event, line, into: &output, handle) }
    report(isLogged, event, into: &output)
  }

  /// Places an event, if it is one that changes no verdict, as most are; false for any other.
  @inline(__always)
  mutating func placeUsual(_ event: inout Event, _ line: Span<UInt8>) -> Bool {
    if !event.isHeartbeat {
      hasObjects = true
      hasTypes = hasTypes || event.typeName != nil
    }
    let number = event.sequenceNumber(in: line)
    if event.type?.family != .ownEnd { noteSequence(number, isFailure: event.isFailure) }
    return responses.placeUsual(&event, line, numbered: number)
  }

  /// Reports what was found as `event` was placed, which changes no verdict.
  private mutating func report(
    _ isLogged: Bool, _ event: borrowing Event, into output: inout Output
  ) {
    reportFacts(event, into: &output)
    guard isLogged, event.step == .again else { return }
    reportOnce("a line of a log", counts: "once", at: event.place, into: &output)
  }

  /// Reports facts about the stream, each once.
  private mutating func reportFacts(_ event: borrowing Event, into output: inout Output) {
    reportFacts(at: event.place, of: event.response, into: &output)
  }

  /// Reports facts about the stream, each once, which an event of `response` at `place` shows, or the
  /// end of the input.
  private mutating func reportFacts(
    at place: Notice.Place?, of response: Response?, into output: inout Output
  ) {
    for report in responses.takeReports() {
      switch report {
      case .repeats:
        // A selection passes it on.
        if !ownEnds.passes {
          reportOnce("an event", counts: "once", at: place, into: &output)
        }
      case .endRepeats:
        let id = Self.endID(of: response) ?? "a response"
        reportOnce("the end of \(id)", counts: "once", at: place, into: &output)
      case .countsTwice:
        let id = Self.endID(of: response) ?? "a response"
        reportOnce(id, counts: "twice", at: place, into: &output)
      case .late: if reportsOrder { output.notices.append(.late(at: place)) }
      case .shared: output.notices.append(.shared(at: place))
      case .parted: if reportsOrder { output.notices.append(.parted(at: place)) }
      }
    }
  }

  /// The id at the end of a response; `nil` when it is not known.
  private static func endID(of response: Response?) -> String? {
    guard let response, !response.endID.isEmpty else { return nil }
    return String(decoding: response.endID, as: UTF8.self)
  }

  /// Reports that `what` came twice and how often it `counts`, once for each value of that.
  private mutating func reportOnce(
    _ what: String, counts: String, at place: Notice.Place?, into output: inout Output
  ) {
    guard reported.insert(counts).inserted else { return }
    let why = "\(what) comes twice, and counts \(counts)"
    output.notices.append(Notice(.warning, why, at: place))
  }

  private mutating func judge(
    _ event: inout Event, _ type: EventType, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void,
    _ close: (Response, inout Output) -> Void
  ) {
    guard let response = event.response else { return }
    let hadEnd = response.verdict.hasEnd
    let time = ToldMark.time(of: event, line, isTrusted: output.readsPipe)
    let judgement = response.verdict.handle(event, line, isTold: time != nil)
    if response.verdict.hasEnd, !hadEnd { ends += 1 }
    let isEnd = event.step == .ends || event.step == .fails || type.family == .ownEnd
    if isEnd { response.outcome = response.verdict.worst.map { Response.Outcome($0) } }
    if let judgement { noteTold(judgement, at: time, of: response, in: output) }
    let isBad = event.isFailure || judgement != nil || type.family == .ownEnd
    event.told = isBad ? response.told : nil
    response.inputName = output.inputName
    let passed = output.passedCount
    if ownEnds.passes || !event.isOwnEnd(line) { handOn(event, line, into: &output, handle) }
    if output.passedCount > passed { notePassed(event, type, line, of: response) }
    if ownEnds.writesMissing {
      response.streamID = Array(event.text(of: "stream_id", in: line).utf8)
    }
    let isOver = responses.closed.last === response
    if isOver {
      end(response, into: &output, close)
    } else if judgement != nil, !response.isOpen, let line = missingEnd(of: response) {
      output.append(line: line.span)
    }
    if judgement != nil || isOver { report(judgement, on: response, into: &output) }
    reportFacts(event, into: &output)
    if type.family == .lifecycle { reportWebhook(event, line, into: &output) }
  }

  /// Notes when `judgement` on `response` was told, if this tool tells it, or another told it at
  /// `time`.
  private func noteTold(
    _ judgement: Verdict.Judgement, at time: Int?, of response: Response,
    in output: borrowing Output
  ) {
    guard selects?(response) ?? true else { return }
    if let time {
      response.told = output.leadsToProgram ? time : nil
    } else if let marking = output.marking, marking.reports(notice(of: judgement)) {
      response.told = ToldMark.now
    }
  }

  /// Gives `event` to `handle`, with its mark in its line, if events may have any.
  private func handOn(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void
  ) {
    guard ownEnds.marks != .kept else { return handle(event, line, &output) }
    let told = ownEnds.marks == .written ? event.told : nil
    let mark = event.value(of: "oresp", "told", in: line)
    guard told != nil || mark != nil, told == nil || told != ToldMark.seconds(of: event, line)
    else { return handle(event, line, &output) }
    let marked = EventLine.marking(line, told: told)
    handle(Event(of: marked.span, EventState(event)), marked.span, &output)
  }

  /// Ends `response`: gives it to `close`, and writes the line on its end, if one is missing.
  private mutating func end(
    _ response: Response, into output: inout Output, _ close: (Response, inout Output) -> Void
  ) {
    response.endLine = missingEnd(of: response)
    close(response, &output)
    response.forgetItems()
    guard let line = response.endLine else { return }
    response.endLine = nil
    output.append(line: line.span)
  }

  /// The line `oresp.end` of `response`, if what was handed on of it says less than its verdict.
  private func missingEnd(of response: Response) -> [UInt8]? {
    guard ownEnds.writesMissing, selects?(response) ?? true,
      !(response.verdict.hasOwnEnd && ownEnds.passes)
    else { return nil }
    let worst = response.verdict.worst
    if let said = response.passedStatus {
      guard let worst, worst.status > said else { return nil }
    } else {
      let hasBegun = response.hasPassedBeginning && response.verdict.hasEnd
      guard worst != nil || hasBegun else { return nil }
    }
    response.passedStatus = worst?.status ?? .completed
    let told = ownEnds.marks == .written ? response.told : nil
    return OwnEnd(worst).line(
      responseID: JSONString.text(response.passedID.span), tag: response.tag,
      streamID: response.streamID, told: told)
  }

  /// Judges a response that is over without an end of its own.
  private func conclude(
    _ response: Response, into output: borrowing Output
  ) -> Verdict.Judgement? {
    let judgement = response.verdict.conclude()
    response.outcome = response.verdict.worst.map { Response.Outcome($0) }
    if let judgement { noteTold(judgement, at: nil, of: response, in: output) }
    return judgement
  }

  /// Notes what an event that was handed on says of its response.
  private func notePassed(
    _ event: borrowing Event, _ type: EventType, _ line: Span<UInt8>, of response: Response
  ) {
    if response.passedID.isEmpty, let id = EventClues(event, line).response {
      response.passedID.set(to: line.extracting(id))
    }
    if event.isFailure || event.text(of: "response", "status", in: line) == "failed" {
      response.passedStatus = max(response.passedStatus ?? .completed, .temporary)
    } else if event.step == .ends, type.family == .lifecycle {
      let worst = response.verdict.worst
      let own = worst?.error == nil ? worst?.status : nil
      response.passedStatus = max(response.passedStatus ?? .completed, own ?? .completed)
    } else if type.family == .lifecycle {
      response.hasPassedBeginning = true
    }
  }

  /// Reports a webhook's event, which names a response and brings nothing of it.
  private func reportWebhook(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    // A payload has some 170 bytes; longer events are not read for this.
    guard line.count < 500, JSONChildren.text(of: "object", in: line) == "event" else { return }
    let id = JSONChildren.text(of: "data", "id", in: line)
    let why = "a webhook has only the id of its response: oresp-send --get \(id)"
    output.notices.append(Notice(.warning, why, at: event.place))
  }

  /// Whether events may be skimmed for their types; otherwise the rules must see each.
  var allowsSkimming: Bool { responses.allowsSkimming }

  /// Notes that events were skimmed, whose types decide nothing.
  mutating func noteSkimmed() {
    (hasObjects, hasTypes) = (true, true)
    responses.noteSkimmed()
  }

  /// Keeps the sequence number of an event that was skimmed, whose line is `line`.
  mutating func noteSequence(ofSkimmed line: Span<UInt8>) {
    let value = JSONChildren.value(of: "sequence_number", in: line)
    noteSequence(value.flatMap { JSONNumber.integer(line.extracting($0)) }, isFailure: false)
  }

  /// Keeps the sequence number of the last event, for the notice on a stream's end. A failure
  /// without a number leaves the number of the event before.
  @inline(__always)
  private mutating func noteSequence(_ number: Int?, isFailure: @autoclosure () -> Bool) {
    if number != nil || !isFailure() { lastSequenceNumber = number }
  }

  /// Lets the report wait that an input ended inside an event, until it is known if a response of
  /// that input has no end.
  package mutating func hold(cutEvent notice: Notice) { cutEvents.append(notice) }

  /// Joins the report that an input ended inside an event with `notice`, if that says that a
  /// response of `input` has no end.
  private mutating func joinCutEvent(with notice: inout Notice, of input: String?) {
    guard !cutEvents.isEmpty, notice.message == Verdict.cut,
      let index = cutEvents.firstIndex(where: { input == $0.input })
    else { return }
    let event = cutEvents.remove(at: index)
    notice.input = event.input
    notice.place = event.place
    notice.message += event.cutEvent ?? ""
  }

  /// Ends an input; another may follow.
  mutating func endInput() { responses.endInput() }

  /// Ends all responses, and gives `close` those that were not over. If the input was not read to its
  /// end, as it `isStopped`, those without an end are not judged.
  package mutating func closeAll(
    isStopped: Bool = false, into output: inout Output,
    _ close: (Response, inout Output) -> Void = { _, _ in }
  ) {
    responses.finish()
    for response in responses.closed {
      if isStopped, !response.verdict.hasEnd {
        var verdict = response.verdict
        response.outcome = verdict.conclude().map { Response.Outcome($0) }
        close(response, &output)
        left.append((response, nil))
      } else {
        let judgement = conclude(response, into: output)
        end(response, into: &output, close)
        left.append((response, judgement))
      }
    }
  }

  /// Ends the last input. With `isStopped` it was not read to its end.
  package mutating func finish(isStopped: Bool = false, into output: inout Output) {
    closeAll(isStopped: isStopped, into: &output)
    for (response, judgement) in left.sorted(by: { $0.response.number < $1.response.number }) {
      report(judgement, on: response, into: &output)
    }
    left = []
    reportFacts(at: nil, of: nil, into: &output)
    output.notices += cutEvents
    cutEvents = []
    let completed = ends + cuts - outcomes.reduce(0) { $0 + $1.count }
    let parts = ((completed > 0 ? [("completed", completed)] : []) + outcomes).map {
      "\($0.1) \($0.0)"
    }
    guard !parts.isEmpty else { return }
    output.notices.append(Notice(.summary, "responses: " + parts.joined(separator: ", ")))
  }

  /// Whether a response began that has neither ended nor failed.
  package var isOpen: Bool {
    responses.containsOpen { $0.verdict.isOpen && !$0.verdict.hasEnd }
  }

  /// Whether the last response ended, or failed.
  package var hasEnd: Bool { last?.hasEnd == true }

  /// Whether the last event was a whole Response that has not ended yet.
  package var isPending: Bool { last?.isPending == true }

  /// Whether the last event of a response was its end.
  package var isAtEnd: Bool { last?.isAtEnd == true }

  private var last: Verdict? { responses.last?.verdict }

  /// Whether the events that came satisfy `needed`; `hasBytes` is whether the input had any bytes.
  package func meets(_ needed: EventsNeeded, hasBytes: Bool = true) -> Bool {
    switch needed {
    case .objectsUnlessEmpty: hasObjects || !hasBytes
    case .objects: hasObjects
    case .typed: hasTypes
    }
  }

  private func notice(of judgement: Verdict.Judgement) -> Notice {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    notice.isReported = judgement.isReported
    // What the end says of it may be that it failed for good.
    notice.countsLater = judgement.isOfOpen && judgement.status == .temporary
    notice.isSeenBehind = judgement.isCut
    return notice
  }

  /// Reports `judgement` on `response`, or else what the filter does about one that has no end, and
  /// counts it if it is over.
  private mutating func report(
    _ judgement: Verdict.Judgement?, on response: Response, into output: inout Output
  ) {
    guard selects?(response) ?? true else { return }
    if !response.isOpen { count(response, into: &output) }
    guard let judgement else {
      if response.remark != nil, response.verdict.worst == nil {
        report(Notice(.warning, "a response has no end"), on: response, into: &output)
      }
      return
    }
    var notice = notice(of: judgement)
    notice.isOfEnd = true
    notice.facts = judgement.error?.facts ?? []
    joinCutEvent(with: &notice, of: response.inputName)
    let number = responses.tellsApart ? response.shownNumber : lastSequenceNumber
    report(notice, on: response, number, into: &output)
  }

  /// Counts the outcome of `response`, which is over.
  private mutating func count(_ response: Response, into output: inout Output) {
    guard let worst = response.verdict.worst else { return }
    output.status = max(output.status, worst.status)
    if response.isCounted { return }
    response.isCounted = true
    if !response.verdict.hasEnd { cuts += 1 }
    let word = worst.outcome
    let index = outcomes.firstIndex { $0.word == word } ?? outcomes.count
    if index == outcomes.count { outcomes.append((word, 0)) }
    outcomes[index].count += 1
  }

  /// Reports `notice` with the response that it is about, and the remark on it.
  private func report(
    _ notice: Notice, on response: Response, _ number: Int? = nil, into output: inout Output
  ) {
    var notice = notice
    if namesInputs { notice.input = response.inputName ?? notice.input }
    notice.remark = response.remark
    let tag = response.tag.isEmpty ? ownEnds.tag : response.tag
    let id = response.endID.isEmpty ? response.id : response.endID
    if !tag.isEmpty {
      notice.response = String(decoding: tag, as: UTF8.self)
      notice.facts.append(("request", .string(tag)))
    } else if notice.input == nil, responses.count > 1, !id.isEmpty {
      notice.response = String(decoding: id, as: UTF8.self)
    }
    if !id.isEmpty { notice.facts.append(("response_id", .string(id))) }
    if let number { notice.facts.append(("last_sequence_number", .integer(number))) }
    output.notices.append(notice)
  }
}

extension Notice {
  fileprivate static func late(at place: Place?) -> Notice {
    let why = "a delta came too late; oresp-events --merge puts it in order"
    return Notice(.error, why, status: .badInput, at: place)
  }

  fileprivate static func shared(at place: Place?) -> Notice {
    let why = "two responses share this stream; oresp-sse --tag tells them apart"
    return Notice(.error, why, status: .badInput, at: place)
  }

  fileprivate static func parted(at place: Place?) -> Notice {
    let why =
      "the parts of one response stand one after the other; oresp-events --merge joins them"
    return Notice(.error, why, status: .badInput, at: place)
  }
}
