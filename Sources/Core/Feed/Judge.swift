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
  /// The bad ends that are not reported yet, by what divides responses (`Response.lane`):
  /// as many as ended responses are remembered.
  private var badEnds: [Int: [BadEnd]] = [:]
  /// The id of the answer that began last in each lane.
  private var answers: [Int: [UInt8]] = [:]

  /// Whether a report names the input of its response. In a join that has parts of it only.
  package var namesInputs = true
  /// The reports of inputs that ended inside an event.
  private var cutEvents: [Notice] = []

  /// The responses that were open at the end of the last input, each with the judgement on it.
  private var left: [(response: Response, judgement: Verdict.Judgement?)] = []

  /// The bad end of a response, which waits to be reported: an `oresp.end` behind it may say that
  /// another tool reported it.
  private struct BadEnd {
    let response: Response
    var judgement: Verdict.Judgement
    /// The last sequence number before it.
    let number: Int?
    /// Whether another response came before it.
    let isAmongOthers: Bool
    /// Whether an event that says it was handed on.
    var isPassed = false
  }

  package init(_ ownEnds: OwnEnds = OwnEnds()) { self.ownEnds = ownEnds }

  /// Gives `handle` an event, whose line is `line`, with its step, then reports the verdict on it.
  /// Gives `close` each response that is over with it.
  @inline(__always)
  package mutating func handle(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void = { _, _, _ in },
    close: (Response, inout Output) -> Void = { _, _ in }
  ) {
    if !event.isHeartbeat {
      hasObjects = true
      hasTypes = hasTypes || event.typeName != nil
    }
    let number = event.sequenceNumber(in: line)
    if event.type?.family != .ownEnd { noteSequence(number, isFailure: event.isFailure) }
    if responses.placeUsual(&event, line, numbered: number) { return handle(event, line, &output) }
    let isLogged = event.typeName == nil && event.isLogged(line)
    if isLogged {
      responses.place(logged: &event, line)
    } else {
      responses.placeByRules(&event, line)
    }
    for response in responses.closed where response !== event.response {
      let judgement = conclude(response)
      if ownEnds.isSetAside { settle(response, judgement, into: &output) }
      close(response, &output)
      response.forgetItems()
      if !ownEnds.isSetAside { settle(response, judgement, into: &output) }
    }
    settle(by: event, line, into: &output)
    if event.step != .again, event.response != nil, let type = event.type, type.isJudged {
      return judge(&event, type, line, into: &output, handle, close)
    }
    if ownEnds.passes || !event.isOwnEnd(line) { handle(event, line, &output) }
    report(isLogged, event, into: &output)
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
        if !ownEnds.passes || ownEnds.isBesideProduct {
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
    let judgement = response.verdict.handle(event, line)
    if response.verdict.hasEnd, !hadEnd { ends += 1 }
    if event.step == .ends || event.step == .fails || type.family == .ownEnd {
      let failure = judgement ?? response.verdict.error
      response.outcome = failure.map { Response.Outcome($0) }
    }
    let passed = output.passedCount
    if ownEnds.passes || !event.isOwnEnd(line) { handle(event, line, &output) }
    let isPassed = output.passedCount > passed
    if responses.closed.last === response {
      close(response, &output)
      response.forgetItems()
      if judgement == nil { reportRemark(on: response, into: &output) }
    }
    if ownEnds.written != .none {
      response.streamID = Array(event.text(of: "stream_id", in: line).utf8)
    }
    if isPassed { notePassed(event, type, line, of: response, judgement) }
    response.noteInput(output)
    if let judgement {
      let isOwn = type.family == .ownEnd
      var end = badEnd(judgement, of: response)
      end.isPassed = isPassed && response.passedStatus.map { $0 >= judgement.status } ?? true
      if isOwn { settle(end, into: &output) } else { hold(end, into: &output) }
    } else if event.step == .ends, !isPassed {
      writeCompleted(response, into: &output)
    }
    if event.step == .ends { response.hasPassedBeginning = false }
    if type.family == .lifecycle { noteModel(of: response, event, line, into: &output) }
    reportFacts(event, into: &output)
    if type.family == .lifecycle { reportWebhook(event, line, into: &output) }
  }

  /// Reports the bad ends behind which no `oresp.end` can come any more, as `event` begins another
  /// answer in their tag, and the one that `event` itself is the `oresp.end` of. Of several choices
  /// of one answer the sender reports the ends behind the last.
  private mutating func settle(
    by event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard let response = event.response else { return }
    if responses.begins {
      let isChoice = isFurtherChoice(response)
      for var end in badEnds.removeValue(forKey: response.lane) ?? [] {
        guard isChoice else {
          settle(end, into: &output)
          continue
        }
        if !end.isPassed { write(end.judgement, of: end.response, into: &output) }
        end.isPassed = true
        hold(end, into: &output)
      }
    }
    guard event.type?.family == .ownEnd, let own = OwnEnd(line),
      let index = badEnds[response.lane]?.firstIndex(where: { $0.response === response }),
      var end = badEnds[response.lane]?.remove(at: index)
    else { return }
    if badEnds[response.lane]?.isEmpty == true { badEnds[response.lane] = nil }
    end.judgement.noteReport(own)
    end.isPassed = end.isPassed || ownEnds.passes
    settle(end, into: &output)
  }

  /// Whether `response`, which begins, is a further choice of the answer that began last in its
  /// lane, as `c1_1` is of `c1`; else it is the first of an answer.
  private mutating func isFurtherChoice(_ response: Response) -> Bool {
    if let answer = answers[response.lane], ChatTranslator.isID(response.id, ofChoiceOf: answer) {
      return true
    }
    if answers.count >= Responses.mostEnded { answers = [:] }
    answers[response.lane] = response.id
    return false
  }

  /// Whether a bad end waits to be reported.
  package var hasWaitingEnd: Bool { !badEnds.isEmpty }

  /// Whether `line`, an `oresp.end`, says of a bad end that waits that it was reported.
  package func awaits(_ line: Span<UInt8>) -> Bool {
    guard let own = OwnEnd(line), own.isReported, !own.responseID.isEmpty else { return false }
    return badEnds.values.joined().contains { $0.judgement.responseID == own.responseID }
  }

  /// Notes of a bad end that waits what `line`, an `oresp.end`, says of it.
  package mutating func noteReport(_ line: Span<UInt8>) {
    guard let own = OwnEnd(line) else { return }
    for (lane, ends) in badEnds {
      for index in ends.indices where ends[index].judgement.responseID == own.responseID {
        badEnds[lane]?[index].judgement.noteReport(own)
      }
    }
  }

  /// Lets a bad end wait: an `oresp.end` may follow it.
  private mutating func hold(_ end: BadEnd, into output: inout Output) {
    if badEnds.count >= Responses.mostEnded { settle(into: &output) }
    badEnds[end.response.lane, default: []].append(end)
  }

  /// Reports all bad ends that wait.
  mutating func settle(into output: inout Output) {
    let waiting = badEnds.values.joined().sorted {
      $0.response.number < $1.response.number
    }
    badEnds = [:]
    for end in waiting { settle(end, into: &output) }
  }

  /// Reports the bad end of a response that is over without an end of its own.
  private mutating func settle(
    _ response: Response, _ judgement: Verdict.Judgement?, into output: inout Output
  ) {
    guard let judgement else { return reportRemark(on: response, into: &output) }
    if !response.verdict.hasEnd { cuts += 1 }
    settle(badEnd(judgement, of: response), into: &output)
  }

  /// Judges a response that is over without an end of its own.
  private func conclude(_ response: Response) -> Verdict.Judgement? {
    let judgement = response.verdict.conclude()
    if let judgement { response.outcome = Response.Outcome(judgement) }
    return judgement
  }

  private mutating func settle(_ end: BadEnd, into output: inout Output) {
    if !end.isPassed { write(end.judgement, of: end.response, into: &output) }
    report(end, into: &output)
  }

  /// Notes that an event was handed on that begins, fails or ends its response.
  private mutating func notePassed(
    _ event: borrowing Event, _ type: EventType, _ line: Span<UInt8>, of response: Response,
    _ judgement: Verdict.Judgement?
  ) {
    if type.family == .error { response.hasPassedError = true }
    guard type.family == .lifecycle else { return }
    if response.passedID.isEmpty, let id = event.responseID(in: line) {
      response.passedID.set(to: line.extracting(id))
    }
    if type.phase != .terminal {
      response.hasPassedBeginning = true
    } else if type.isFailed || event.text(of: "response", "status", in: line) == "failed" {
      response.hasPassedError = true
    } else {
      // A `completed` does not say the error that came before it.
      response.passedStatus = judgement?.error == nil ? judgement?.status : .completed
    }
  }

  /// Reports that the response goes on with another model than it named before.
  private mutating func noteModel(
    of response: Response, _ event: borrowing Event, _ line: Span<UInt8>,
    into output: inout Output
  ) {
    guard let place = event.value(of: "response", "model", in: line), place.count > 2,
      line[place.lowerBound] == ASCII.quote
    else { return }
    let former = response.model
    response.model.set(to: line.extracting(place))
    guard !former.isEmpty, former != response.model else { return }
    let name = JSONString.text(line.extracting(place))
    let why = "\(name) answers in place of \(JSONString.text(former.span))"
    output.notices.append(Notice(.summary, why, at: event.place))
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

  /// Ends all responses, and gives `close` those that were not over.
  package mutating func closeAll(
    into output: inout Output, _ close: (Response, inout Output) -> Void
  ) {
    finishResponses()
    for (response, _) in left {
      close(response, &output)
      response.forgetItems()
    }
  }

  /// Ends all responses, and judges those that were not over.
  private mutating func finishResponses() {
    responses.finish()
    left += responses.closed.map { ($0, conclude($0)) }
  }

  /// Ends the last input. With `isStopped` it was not read to its end, so open responses are not
  /// judged.
  package mutating func finish(isStopped: Bool = false, into output: inout Output) {
    finishResponses()
    left.sort { $0.response.number < $1.response.number }
    settle(into: &output)
    // Those that failed come before those that were cut.
    let failed = left.filter { $0.response.verdict.hasEnd }
    for (response, judgement) in failed + left.filter({ !$0.response.verdict.hasEnd }) {
      if isStopped, !response.verdict.hasEnd {
        reportRemark(on: response, into: &output)
      } else {
        settle(response, judgement, into: &output)
      }
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

  /// Writes `oresp.end` for `response`, which ended badly, unless an event handed on says the same.
  private mutating func write(
    _ judgement: Verdict.Judgement, of response: Response, into output: inout Output
  ) {
    let isReported = judgement.isReported || ownEnds.notices.reports(notice(of: judgement))
    guard ownEnds.writes(judgement, isReported: isReported), selects?(response) ?? true,
      !(response.verdict.hasOwnEnd && ownEnds.passes), !response.hasPassedError
    else { return }
    write(OwnEnd(judgement, isReported: isReported), of: response, into: &output)
  }

  /// Writes `oresp.end` for `response`, which completed, if its beginning was handed on.
  private mutating func writeCompleted(_ response: Response, into output: inout Output) {
    guard ownEnds.written == .missing, selects?(response) ?? true,
      response.hasPassedBeginning, !response.verdict.hasOwnEnd
    else { return }
    write(.completed, of: response, into: &output)
  }

  private mutating func write(_ end: OwnEnd, of response: Response, into output: inout Output) {
    var end = end
    if ownEnds.written != .reported { end.responseID = JSONString.text(response.passedID.span) }
    let line = end.line(tag: response.tag, streamID: response.streamID)
    if ownEnds.isSetAside {
      output.ends.append((response, line))
    } else {
      output.append(line: line.span)
    }
  }

  private func notice(of judgement: Verdict.Judgement) -> Notice {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    notice.isReported = judgement.isReported
    notice.isOfServer = judgement.isOfServer
    notice.isSeenBehind = true
    return notice
  }

  private func badEnd(_ judgement: Verdict.Judgement, of response: Response) -> BadEnd {
    BadEnd(
      response: response, judgement: judgement,
      number: responses.tellsApart ? response.shownNumber : lastSequenceNumber,
      isAmongOthers: responses.count > 1)
  }

  private mutating func report(_ end: BadEnd, into output: inout Output) {
    let response = end.response
    let judgement = end.judgement
    guard selects?(response) ?? true else { return }
    let word = judgement.outcome
    let index = outcomes.firstIndex { $0.word == word } ?? outcomes.count
    if index == outcomes.count { outcomes.append((word, 0)) }
    outcomes[index].count += 1
    var notice = notice(of: judgement)
    notice.isOfEnd = true
    notice.facts = judgement.error?.facts ?? []
    joinCutEvent(with: &notice, of: response.inputName)
    name(response, judgement.responseID, isAmongOthers: end.isAmongOthers, in: &notice)
    if let number = end.number {
      notice.facts.append(("last_sequence_number", .integer(number)))
    }
    output.notices.append(notice)
  }

  /// Reports what the filter does about a response that has no end, where no bad end is reported.
  private func reportRemark(on response: Response, into output: inout Output) {
    guard response.remark != nil else { return }
    var notice = Notice(.warning, Notice.endless)
    let id = String(decoding: response.id, as: UTF8.self)
    name(response, id, isAmongOthers: responses.count > 1, in: &notice)
    output.notices.append(notice)
  }

  /// Adds to `notice` which response it is about, that with the id `id`, and the remark on it.
  private func name(
    _ response: Response, _ id: String, isAmongOthers: Bool, in notice: inout Notice
  ) {
    if namesInputs { notice.input = response.inputName ?? notice.input }
    notice.isOfFile = response.isOfFile
    notice.remark = response.remark
    let own = response.tag
    let tag = String(decoding: own.isEmpty ? ownEnds.tag : own, as: UTF8.self)
    if !tag.isEmpty {
      notice.response = tag
      notice.facts.append(("request", .text(tag)))
    } else if notice.input == nil, isAmongOthers, !id.isEmpty {
      notice.response = id
    }
    if !id.isEmpty { notice.facts.append(("response_id", .text(id))) }
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
