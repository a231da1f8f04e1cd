/// Reaches the verdict on a stream of events and reports it, which every tool does beside its own
/// work. It also asks `Responses` for the response of each event.
package struct Judge {
  package private(set) var responses = Responses()
  /// The handling of the toolkit's own reports of ends.
  var ownEnds = OwnEnds()
  /// Selects the responses that are judged; `nil` when all are.
  package var selects: ((ResponseName) -> Bool)?
  private var hasReportedDoubt = false
  /// Whether an `oresp.end` came: a cut that it reports is void if its response goes on.
  private var hasOwnCuts = false
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

  package init(_ ownEnds: OwnEnds = OwnEnds()) { self.ownEnds = ownEnds }

  /// Gives `handle` an event, whose line is `line`, with its step, then reports the verdict on it.
  /// `follows` says whether it was read right behind the event judged last.
  package mutating func handle(
    _ event: inout Event, _ line: Span<UInt8>, follows: Bool = false, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void = { _, _, _ in }
  ) {
    if !follows { breakOff() }
    judge(&event, line, into: &output, handle)
  }

  /// Notes that the next event does not follow the one judged last.
  mutating func breakOff() { responses.takesContinuation = false }

  /// Gives `handle` the event, with its step, and then reports the verdict on it.
  @inline(__always)
  mutating func judge(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void
  ) {
    if !event.isHeartbeat { (hasObjects, hasTypes) = (true, hasTypes || event.typeName != nil) }
    if hasOwnCuts { responses.voidOwnCut(before: event, line) }
    if responses.placeSteady(&event, line) { return handle(event, line, &output) }
    let isLogged = event.typeName == nil && event.isLogged(line)
    if isLogged { responses.place(logged: &event, line) } else { responses.place(&event, line) }
    if ownEnds.isSetAside, let lost = responses.lost {
      write(lost, of: event.lane, into: &output)
    }
    if !event.step.isRepeated, let type = event.type, type.isJudged {
      return judge(&event, type, line, into: &output, handle)
    }
    handle(event, line, &output)
    report(isLogged, event, into: &output)
  }

  /// Reports a lost response, doubt or repeat after placing `event`, which changes no verdict.
  private mutating func report(
    _ isLogged: Bool, _ event: borrowing Event, into output: inout Output
  ) {
    if let lost = responses.lost {
      if !ownEnds.isSetAside { write(lost, of: event.lane, into: &output) }
      report(lost, of: event.lane, into: &output)
    }
    if responses.doubt != nil { reportDoubt(into: &output) }
    guard event.step.isRepeated, isLogged || event.type?.phase == .terminal,
      event.type?.isDone != true
    else { return }
    let id = event.response.map { String(decoding: $0.endID, as: UTF8.self) } ?? ""
    let what = isLogged ? "a line of a log" : "the end of \(id.isEmpty ? "a response" : id)"
    reportOnce(what, counts: "once", at: event.inputPlace, into: &output)
  }

  /// Reports that `what` came twice and how often it `counts`, once for each value of that.
  private mutating func reportOnce(
    _ what: String, counts: String, at place: Notice.Place, into output: inout Output
  ) {
    guard reported.insert(counts).inserted else { return }
    let why = "\(what) comes twice, and counts \(counts)"
    output.notices.append(Notice(.warning, why, at: place))
  }

  private mutating func reportDoubt(into output: inout Output) {
    guard let doubt = responses.doubt, !hasReportedDoubt else { return }
    hasReportedDoubt = true
    output.notices.append(.mixed(at: doubt))
  }

  private mutating func judge(
    _ event: inout Event, _ type: EventType, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void
  ) {
    let lane = event.lane
    let former = responses.slots[lane].verdict.ends
    var judgements = responses.slots[lane].verdict.handle(event, line)
    for judgement in judgements where judgement.isOfFormer && ownEnds.isSetAside {
      write(judgement, of: lane, into: &output)
    }
    judgements.insert(contentsOf: responses.lost.map { [$0] } ?? [], at: 0)
    ends += responses.slots[lane].verdict.ends - former
    if type.family == .ownEnd { hasOwnCuts = true }
    let isNew = event.step.isFirst
    let isLate = event.step.isLate
    event.step = responses.slots[lane].verdict.step
    event.step.isLate = isLate
    if !isNew, event.step.kind == .begins, responses.slots[lane].isDisordered {
      event.step.kind = .goesOn
    }
    let isOther = event.step.leavesCut || type.family.standsAlone && event.step.isFirst
    event.step.isFirst = isNew
    if !isNew, isOther { responses.renew(lane, &event) }
    if event.step.kind != .inside || type.family == .ownEnd {
      let open = event.step.kind == .ends ? nil : responses.slots[lane].verdict.ifCut
      let judgement = judgements.last { !$0.isOfFormer } ?? open
      event.response?.outcome = judgement.map { ResponseName.Outcome($0) }
    }
    let size = output.bytes.count
    if ownEnds.passes || !event.isOwnEnd(line) { handle(event, line, &output) }
    let isPassed = ownEnds.passes && output.bytes.count > size
    if ownEnds.writes {
      responses.slots[lane].streamID = Array(event.text(of: "stream_id", in: line).utf8)
    }
    if type.family == .error, isPassed { responses.slots[lane].hasPassedError = true }
    reportDoubt(into: &output)
    if !judgements.isEmpty { noteSequence(line, isFailure: event.isFailure) }
    for judgement in judgements {
      if judgement.isOfFormer ? !ownEnds.isSetAside : !isPassed {
        write(judgement, of: lane, into: &output)
      }
      if !judgement.isOfFormer { responses.slots[lane].inputName = output.inputName }
      report(judgement, of: lane, into: &output)
    }
    responses.slots[lane].inputName = output.inputName
    if type.family == .lifecycle { noteModel(of: lane, event, line, into: &output) }
    if event.step.kind == .ends { end(event, line, into: &output) }
    if type.family == .lifecycle { reportWebhook(event, line, into: &output) }
  }

  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    responses.end(event.lane, with: event, line)
    reportDoubt(into: &output)
    guard responses.isAgain, let id = event.response?.endID, !id.isEmpty else { return }
    let what = String(decoding: id, as: UTF8.self)
    reportOnce(what, counts: "twice", at: event.inputPlace, into: &output)
  }

  /// Reports that the response goes on with another model than it named before.
  private mutating func noteModel(
    of lane: Int, _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard let place = event.value(of: "response", "model", in: line), place.count > 2,
      line[place.lowerBound] == ASCII.quote
    else { return }
    let former = responses.slots[lane].model
    if line.extracting(place).equals(former.span) { return }
    responses.slots[lane].model = [UInt8](copying: line.extracting(place))
    guard !former.isEmpty else { return }
    let name = JSONString.text(line.extracting(place))
    let why = "\(name) answers in place of \(JSONString.text(former.span))"
    output.notices.append(Notice(.summary, why, at: event.inputPlace))
  }

  /// Reports a webhook's event, which names a response and brings nothing of it.
  private func reportWebhook(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    // A payload has some 170 bytes; longer events are not read for this.
    guard line.count < 500, JSONChildren.text(of: "object", in: line) == "event" else { return }
    let id = JSONChildren.text(of: "data", "id", in: line)
    let why = "a webhook has only the id of its response: oresp-send --get \(id)"
    output.notices.append(Notice(.warning, why, at: event.inputPlace))
  }

  /// Notes that events were skimmed, whose types decide nothing.
  mutating func noteSkimmed() {
    (hasObjects, hasTypes) = (true, true)
    responses.noteSkimmed()
  }

  /// Keeps the sequence number of the last event, for the notice on a stream's end. A failure
  /// without a number leaves the number of the event before. Called once a read and before each
  /// failure, not for each event.
  package mutating func noteSequence(_ line: Span<UInt8>, isFailure: Bool) {
    let value = JSONChildren.value(of: "sequence_number", in: line)
    noteSequence(value.flatMap { JSONNumber.integer(line.extracting($0)) }, isFailure: isFailure)
  }

  package mutating func noteSequence(_ number: Int?, isFailure: Bool) {
    if number != nil || !isFailure { lastSequenceNumber = number }
  }

  /// Ends the last input. With `isStopped` it was not read to its end, so open responses are not
  /// judged.
  package mutating func finish(isStopped: Bool = false, into output: inout Output) {
    for slot in responses.slots.indices {
      let hasEnd = responses.slots[slot].verdict.hasEnd
      if isStopped, responses.slots[slot].isOpen, !hasEnd { continue }
      if let judgement = responses.conclude(slot) {
        if !hasEnd { cuts += 1 }
        write(judgement, of: slot, into: &output)
        report(judgement, of: slot, into: &output)
      }
    }
    reportDoubt(into: &output)
    let completed = ends + cuts - outcomes.reduce(0) { $0 + $1.count }
    let parts = ((completed > 0 ? [("completed", completed)] : []) + outcomes).map {
      "\($0.1) \($0.0)"
    }
    guard !parts.isEmpty else { return }
    output.notices.append(Notice(.summary, "responses: " + parts.joined(separator: ", ")))
  }

  /// Whether a response began that has neither ended nor failed.
  package var isOpen: Bool {
    responses.slots.contains { $0.verdict.isOpen && !$0.verdict.hasEnd }
  }

  /// Whether the last response ended, or failed.
  package var hasEnd: Bool { last?.hasEnd == true }

  /// Whether the last event was a whole Response that has not ended yet.
  package var isPending: Bool { last?.isPending == true }

  /// Whether the last event of a response was its end.
  package var isAtEnd: Bool { last?.isAtEnd == true }

  private var last: Verdict? {
    responses.slots.isEmpty ? nil : responses.slots[responses.last].verdict
  }

  /// Whether the events that came satisfy `needed`; `hasBytes` is whether the input had any bytes.
  package func meets(_ needed: EventsNeeded, hasBytes: Bool = true) -> Bool {
    switch needed {
    case .none: hasObjects || !hasBytes
    case .objects: hasObjects
    case .typed: hasTypes
    }
  }

  /// Writes `oresp.end` for the response of `lane`, unless an event handed on says the same.
  private mutating func write(
    _ judgement: Verdict.Judgement, of lane: Int, into output: inout Output
  ) {
    defer { responses.slots[lane].hasPassedError = false }
    guard ownEnds.writes, selects?(responses.slots[lane].name) ?? true,
      !(judgement.isOwn && ownEnds.passes), !responses.slots[lane].hasPassedError
    else { return }
    let isReported = judgement.isReported || ownEnds.notices.reports(notice(of: judgement))
    let end = OwnEnd(judgement, isReported: isReported)
    let slot = responses.slots[lane]
    let line = end.line(tag: slot.name.tag, streamID: slot.streamID)
    if ownEnds.isSetAside {
      output.ends.append((lane, line))
    } else {
      output.append(line: line.span)
    }
  }

  private func notice(of judgement: Verdict.Judgement) -> Notice {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    notice.isReported = judgement.isReported
    notice.isOfServer = judgement.isOfServer
    return notice
  }

  private mutating func report(
    _ judgement: Verdict.Judgement, of lane: Int, into output: inout Output
  ) {
    guard selects?(responses.slots[lane].name) ?? true else { return }
    var notice = notice(of: judgement)
    notice.input = responses.slots[lane].inputName
    let word = judgement.outcome
    let index = outcomes.firstIndex { $0.word == word } ?? outcomes.count
    if index == outcomes.count { outcomes.append((word, 0)) }
    outcomes[index].count += 1
    notice.facts = judgement.error?.facts ?? []
    if !judgement.responseID.isEmpty {
      notice.facts.append(("response_id", .text(judgement.responseID)))
    }
    let ownNumber = responses.slots[lane].number
    if let number = responses.tellsApart ? ownNumber : lastSequenceNumber {
      notice.facts.append(("last_sequence_number", .integer(number)))
    }
    output.notices.append(notice)
  }
}

extension ResponseName.Outcome {
  fileprivate init(_ judgement: Verdict.Judgement) {
    isError = judgement.error != nil
    isCut =
      judgement.isCut || judgement.outcome != "failed"
      || judgement.error?.code == "truncated_stream"
    (status, message) = (judgement.status, judgement.message)
  }
}

extension Notice {
  fileprivate static func mixed(at place: Place) -> Notice {
    let why = "an item may belong to another response, since nothing says which"
    return Notice(
      .error, why + "; oresp-sse --tag tells streams apart", status: .badInput, at: place)
  }
}
