/// Reaches the verdict on a stream of events and tells it: what every tool does beside its own work.
/// It tells apart responses that come at once, too: `Event.lane`.
package struct Judge {
  /// What is known of the response of a lane.
  private struct Lane {
    var verdict = Verdict()
    /// The input that told last where the response is, where several are read.
    var inputName: String?
  }

  /// `nil` as long as every event is of lane 0.
  private var lanes: ResponseLanes?
  private var hasToldMix = false
  /// The items that the response opened, as long as there are no lanes.
  private var items: [[UInt8]] = []
  /// Whether an event came since the one that last told where its response is.
  private var hasUnread = false
  private var responses = PerLane(Lane())
  private let ended = EndedResponses()
  private var hasObjects = false
  private var hasTypes = false
  private var lastSequenceNumber: Int?
  /// How responses ended that did not complete, and how many of each did.
  private var outcomes: [(word: String, count: Int)] = []
  /// How many of those brought no end.
  private var cuts = 0

  package init() {}

  /// Judges an event, whose line is `line`, after `handle`, which is given it with what it is to its
  /// response.
  package mutating func handle(
    _ event: Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void = { _, _, _ in }
  ) {
    var event = event
    judge(&event, line, into: &output, handle)
  }

  /// Gives `handle` the event, with what it is to its response, and then tells the verdict on it.
  @inline(__always)
  mutating func judge(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    if let type = event.type, type.isJudged {
      return type.family == .lifecycle && type.phase == .terminal
        ? judge(end: &event, type, line, into: &output, handle)
        : judge(&event, type, line, into: &output, handle)
    }
    if event.typeName == nil, event.isLogged(line) {
      return judge(logged: &event, line, into: &output, handle)
    }
    guard lanes == nil, hasObjects else { return judgeInLane(&event, line, into: &output, handle) }
    hasUnread = true
    if event.type?.opensItem == true,
      let id = event.value(of: "item", "id", in: line)
    {
      items.append(JSONString.decoded(line.extracting(id)))
    }
    handle(event, line, &output)
    noteKind(of: event)
  }

  private mutating func judgeInLane(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    if lanes == nil, event.hasTag(in: line) { makeLanes() }
    event.lane = lanes?.lane(of: event, line) ?? 0
    event.step.isFirst = lanes?.isNew == true
    handle(event, line, &output)
    noteKind(of: event)
  }

  /// Judges a terminal event, unless it came before: then it is handed on, and changes nothing.
  private mutating func judge(
    end event: inout Event, _ type: EventType, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    let clues = lanes != nil || !hasObjects ? EventClues(event, line) : nil
    let tag = clues?.tag ?? []
    var end = EndedResponses.End(event, line, tag: tag)
    let former = ended.former(of: end)
    if let former, end.isSame(as: former), !mayEndOpen(end, former) {
      event.lane = clues?.response.flatMap { lanes?.lane(ofResponse: $0) } ?? 0
      event.step = Lifecycle.Step(kind: .ends, isRepeated: true)
      let name = end.id.isEmpty ? "of a response" : "of \(end.id)"
      return pass(&event, line, "the end " + name, into: &output, handle)
    }
    judge(&event, type, line, into: &output, handle)
    end.beginning = EndedResponses.End.name(last.life.firstID, tag)
    // Ends alone that have no id, as a selection passes them, are of a response each.
    if !end.id.isEmpty || !last.step.isFirst { ended.note(end) }
    if former != nil, !end.id.isEmpty {
      ended.tell(end.id, counts: "twice", at: event.inputPlace, into: &output)
    }
  }

  /// Judges a line of a log of `oresp-send`, a response of its own that did end.
  private mutating func judge(
    logged event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    let end = EndedResponses.End(logged: line)
    event.step.isRepeated = ended.former(of: end) != nil
    pass(&event, line, "a line of a log", into: &output, handle)
    ended.note(end)
  }

  /// Hands on an event that changes no verdict; `what` came again if it is a repeat.
  private mutating func pass(
    _ event: inout Event, _ line: Span<UInt8>, _ what: String, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    handle(event, line, &output)
    noteKind(of: event)
    if event.step.isRepeated {
      ended.tell(what, counts: "once", at: event.inputPlace, into: &output)
    }
  }

  /// Whether `end` may be that of a response that is open, though it is the same as `former`: in a run
  /// byte for byte like one before.
  private func mayEndOpen(_ end: EndedResponses.End, _ former: EndedResponses.End) -> Bool {
    responses.all.indices.contains { lane in
      let life = responses[lane].verdict.life
      let ids = [life.id, life.firstID] + (end.id.isEmpty ? [""] : [])
      let names = ids.map { EndedResponses.End.name($0, lanes?.tag(of: lane) ?? []) }
      return life.isOpen && names.contains { $0 == end.response || $0 == former.beginning }
    }
  }

  /// Begins to tell responses apart. A response that is open stays in lane 0.
  private mutating func makeLanes() {
    let life = responses[0].verdict.life
    lanes = ResponseLanes(beside: life, with: items, at: hasUnread ? nil : life.created)
    items = []
  }

  private mutating func laneOfJudged(
    _ event: Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Int {
    guard let lane = lanes?.lane(of: event, line) else { return 0 }
    if lanes?.wasWrong == true, !hasToldMix {
      hasToldMix = true
      output.notices.append(.mixed(at: event.inputPlace))
    }
    return lane
  }

  private mutating func noteKind(of event: Event) {
    hasObjects = true
    hasTypes = hasTypes || event.typeName != nil
  }

  private mutating func judge(
    _ event: inout Event, _ type: EventType, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> Void
  ) {
    if type.phase == .start, lanes?.isDone == true { lanes = nil }
    let mayBegin = type.phase == .start || type.family == .error
    if lanes == nil, !hasObjects || mayBegin, event.hasTag(in: line) { makeLanes() }
    var lane = laneOfJudged(event, line, into: &output)
    var judgements: [Verdict.Judgement] = []
    // A failure waits for what its response may still bring; here nothing more can come.
    if lanes?.tookOver == true, responses[lane].verdict.life.hasFailed,
      var failure = responses[lane].verdict.conclude()
    {
      failure.isOfFormer = true
      judgements = [failure]
    }
    let former = lanes == nil ? responses.first.verdict : nil
    judgements += responses[lane].verdict.handle(event, line)
    if let former, responses.first.verdict.step.leavesCut,
      responses.first.verdict.life.differs(from: former.life)
    {
      responses.first.verdict = former
      makeLanes()
      lane = laneOfJudged(event, line, into: &output)
      judgements = responses[lane].verdict.handle(event, line)
    }
    (hasObjects, hasTypes, hasUnread) = (true, true, false)
    if responses[lane].verdict.step.isFirst { items = [] }
    (event.lane, event.step) = (lane, responses[lane].verdict.step)
    if lanes?.isNew == true { event.step.isFirst = true }
    handle(event, line, &output)
    if !judgements.isEmpty { noteSequence(line, isFailure: event.isFailure) }
    for judgement in judgements {
      if !judgement.isOfFormer { responses[lane].inputName = output.inputName }
      tell(judgement, of: lane, into: &output)
    }
    responses[lane].inputName = output.inputName
    if type.family == .lifecycle { tellOfWebhook(event, line, into: &output) }
  }

  /// Tells of an event that names a response and brings nothing of it.
  private func tellOfWebhook(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    // A payload has some 170 bytes; longer events are not read for this.
    guard line.count < 500, JSONChildren.text(of: "object", in: line) == "event" else { return }
    let id = JSONChildren.text(of: "data", "id", in: line)
    let why = "a webhook has only the id of its response: oresp-send --get \(id)"
    output.notices.append(Notice(.warning, why, at: event.inputPlace))
  }

  /// Takes events with types that decide nothing. Whether some came before an event that does counts.
  mutating func noteSkimmed() {
    (hasObjects, hasTypes, hasUnread) = (true, true, true)
  }

  /// Keeps the sequence number of the event that came last, for what is told of a stream's end. One
  /// that tells of a failure and has none, as happens, leaves that of the event before.
  /// Called once a read and before such events, not once an event.
  package mutating func noteSequence(_ line: Span<UInt8>, isFailure: Bool) {
    let value = JSONChildren.value(of: "sequence_number", in: line)
    let number = value.flatMap { JSONNumber.integer(line.extracting($0)) }
    if number != nil || !isFailure { lastSequenceNumber = number }
  }

  /// Takes the end of the last input.
  package mutating func finish(into output: inout Output) {
    for lane in responses.all.indices {
      let hasEnd = responses[lane].verdict.hasEnd
      if let judgement = responses[lane].verdict.conclude() {
        if !hasEnd { cuts += 1 }
        tell(judgement, of: lane, into: &output)
      }
    }
    let completed = ends + cuts - outcomes.reduce(0) { $0 + $1.count }
    let parts = ((completed > 0 ? [("completed", completed)] : []) + outcomes).map {
      "\($0.1) \($0.0)"
    }
    guard !parts.isEmpty else { return }
    output.notices.append(Notice(.summary, "responses: " + parts.joined(separator: ", ")))
  }

  /// Whether a response began that has neither ended nor been told to have failed.
  package var isOpen: Bool {
    responses.all.contains { $0.verdict.isOpen && !$0.verdict.hasEnd }
  }

  /// Whether the last response ended, or was told to have failed.
  package var hasEnd: Bool { last.hasEnd }

  /// How many responses have ended, or were told to have failed.
  package var ends: Int { responses.all.reduce(0) { $0 + $1.verdict.ends } }

  /// Whether the response was last told of by a whole Response that has not ended yet.
  package var isPending: Bool { last.isPending }

  /// Whether the last event of a response was its end.
  package var isAtEnd: Bool { last.isAtEnd }

  private var last: Verdict { responses[lanes?.last ?? 0].verdict }

  /// Whether the events that came are enough for a tool that needs `needed`, from an input that has
  /// bytes or not.
  package func meets(_ needed: EventsNeeded, hasBytes: Bool = true) -> Bool {
    switch needed {
    case .none: hasObjects || !hasBytes
    case .objects: hasObjects
    case .typed: hasTypes
    }
  }

  private mutating func tell(
    _ judgement: Verdict.Judgement, of lane: Int, into output: inout Output
  ) {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    notice.input = responses[lane].inputName
    notice.isTold = judgement.isTold
    let word = judgement.outcome
    let index = outcomes.firstIndex { $0.word == word } ?? outcomes.count
    if index == outcomes.count { outcomes.append((word, 0)) }
    outcomes[index].count += 1
    notice.facts = judgement.error?.facts ?? []
    if !judgement.responseID.isEmpty {
      notice.facts.append(("response_id", .text(judgement.responseID)))
    }
    let laneNumber = lanes.map { $0.number(of: lane) }
    if let number = laneNumber ?? lastSequenceNumber {
      notice.facts.append(("last_sequence_number", .integer(number)))
    }
    output.notices.append(notice)
  }
}

extension Notice {
  fileprivate static func mixed(at place: Place) -> Notice {
    let why = "an item may belong to another response, since nothing says which"
    return Notice(
      .error, why + "; oresp-sse --tag tells streams apart", status: .badInput, at: place)
  }
}

extension Lifecycle {
  /// Whether it is that of another response than `former`, which was open and had not failed.
  fileprivate func differs(from former: Lifecycle) -> Bool {
    former.isOpen && !former.hasFailed && !id.isEmpty && !former.id.isEmpty && id != former.id
  }
}
