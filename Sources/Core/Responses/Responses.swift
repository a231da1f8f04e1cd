/// A response of which nothing more comes, in the slot that it had.
package struct EndedResponse {
  package var response: ResponseIdentity { known.name }
  package let slot: Int
  /// What is known of it.
  let known: Responses.Response
  /// The judgement on it, if it ended badly and that was not reported yet.
  var judgement: Verdict.Judgement?
}

/// The responses of a stream: whose each event is (`ResponseTable`), and what is known of each.
///
/// An open response has a slot. What is known of one that is over stays in the slot until another
/// response begins there.
package struct Responses {
  private var table = ResponseTable()
  /// The responses by their slots, open or over.
  var slots: [Response] = []
  /// The responses that closed last: the one numbered `n` stands at `n` modulo the limit.
  private var over: [(name: ResponseIdentity, slot: Int)?] = []
  private var closed: [ClosedResponse] = []
  /// Hashes of the last lines of a log.
  private var logged: [UInt64: ResponseIdentity] = [:]

  /// What is known of a response beside its events' places.
  struct Response {
    let name: ResponseIdentity
    var verdict = Verdict()
    /// The name of the input with its last judged event; `nil` when only one is read.
    var inputName: String?
    /// Whether that input is a regular file, in which others reported ends before.
    var isOfFile: Bool?
    /// The stream id of its WebSocket, kept when ends are written.
    var streamID: [UInt8] = []
    /// Whether an error, and a beginning, of it was handed on, and the last id that one carried, as
    /// it is spelled.
    var hasPassedError = false
    var hasPassedBeginning = false
    var passedID: [UInt8] = []
    /// The model that its events named last, as spelled, with quotes; empty when none did.
    var model: [UInt8] = []
    /// The sequence number that came last, as of the last event that the rules placed, or its end.
    var number: Int?

    /// Notes the input that is read, of which its last judged event is.
    mutating func noteInput(_ output: borrowing Output) {
      inputName = output.inputName
      isOfFile = output.readsFile
    }

    /// `ItemRouter.usual` of its items, kept here: an access to the class costs more than the rest of
    /// what the usual event takes.
    var usualItem: (index: Int, number: Int)?
  }

  /// The responses that are over with the event placed last, before that is handled.
  private(set) var cut: [EndedResponse] = []
  /// Whether the event placed last ends its response.
  private var isEnd = false
  /// The slot of the event placed last.
  private(set) var last = 0
  /// Whether each event is told its item.
  var needsItems = false

  /// The number of responses so far.
  package var count: Int { table.count }

  /// Whether several responses were open at a time, or a tag came.
  var tellsApart: Bool { slots.count > 1 || table.hasTags }

  /// Facts about the stream that were not told before.
  mutating func takeReports() -> [StreamReport] { table.takeReports() }

  /// Whether events may pass by unseen for their types: they are all of the one open response, whose
  /// beginning came.
  var allowsSkimming: Bool { table.allowsSkimming }

  /// Notes that events of items passed by unseen.
  mutating func noteSkimmed() { table.noteSkimmed() }

  /// Places an event of the response and of the item of the event before, as most are;
  /// false for any other. `number` is its sequence number.
  @inline(__always)
  mutating func placeUsual(
    _ event: inout Event, _ line: Span<UInt8>, numbered number: Int?
  ) -> Bool {
    guard let slot = table.placeUsual(event, line, numbered: number) else { return false }
    put(&event, in: slot)
    last = slot
    event.step = .inside
    guard needsItems, let type = event.type else { return true }
    if !noteUsualItem(of: &event, type, line) { noteItem(of: &event, line) }
    return true
  }

  /// Finds the response of `event`, which `placeUsual` refused; sets the event's slot, response and step.
  mutating func place(_ event: inout Event, _ line: Span<UInt8>) {
    cut.removeAll(keepingCapacity: true)
    closed.removeAll(keepingCapacity: true)
    isEnd = false
    event.noteOutput(of: line)
    let found = table.placeByRules(event, line, &closed)
    for response in closed where response.number != found.response { close(response) }
    if found.isFirst { begin(found, event, line) }
    for response in closed where response.number == found.response {
      noteOver(response)
      isEnd = true
    }
    event.step = .inside
    guard found.response > 0, let slot = slot(of: found) else {
      event.slot = 0
      event.response = nil
      last = 0
      return
    }
    last = slot
    event.slot = slot
    event.step.isFirst = found.isFirst
    event.step.kind = Self.kind(of: event, isFirst: found.isFirst)
    guard slots[slot].name.number == found.response else {
      // Another response has the slot by now.
      event.response = over[found.response % ResponseTable.mostEnded]?.name
      event.step.isRepeated = true
      return
    }
    put(&event, in: slot)
    event.step.isRepeated = found.step == .again || found.step == .behind
    guard !event.step.isRepeated else { return noteItem(of: &event, line) }
    slots[slot].number = event.sequenceNumber(in: line) ?? table.lastNumber(in: slot)
    noteIDs(of: event, line, in: slot)
    noteItem(of: &event, line)
  }

  /// Places `line`, which `oresp-send --log` wrote, as a response of its own that has ended.
  mutating func place(logged event: inout Event, _ line: Span<UInt8>) {
    cut.removeAll(keepingCapacity: true)
    isEnd = false
    event.step = .inside
    event.slot = 0
    let hash = line.mixed(into: 3)
    if let known = logged[hash] {
      event.response = known
      event.step.isRepeated = true
      return
    }
    if logged.count >= ResponseTable.mostEnded { logged = [:] }
    let number = table.countAlone()
    event.response = ResponseIdentity(number, tag: [])
    logged[hash] = event.response
  }

  /// The response that the event placed last ends; `nil` when it ends none.
  func ended(by event: borrowing Event) -> EndedResponse? {
    guard isEnd else { return nil }
    return EndedResponse(slot: event.slot, known: slots[event.slot])
  }

  /// Ends an input; another may follow.
  mutating func endInput() { table.endInput() }

  /// Ends the last input: returns the responses that were not over.
  mutating func finish() -> [EndedResponse] {
    cut.removeAll(keepingCapacity: true)
    closed.removeAll(keepingCapacity: true)
    table.finish(&closed)
    for response in closed { close(response) }
    return cut
  }

  /// Judges a response that is over without an end of its own.
  private mutating func close(_ response: ClosedResponse) {
    noteOver(response)
    let known = slots[response.slot]
    let judgement = slots[response.slot].verdict.conclude()
    if let judgement { known.name.outcome = ResponseIdentity.Outcome(judgement) }
    cut.append(EndedResponse(slot: response.slot, known: known, judgement: judgement))
  }

  /// What an event is to its response; `isFirst` says whether it is the first one of it.
  package static func kind(of event: borrowing Event, isFirst: Bool) -> Step.Kind {
    guard let type = event.type else { return .inside }
    switch type.family {
    case .error: return .fails
    case .lifecycle: return type.phase == .terminal ? .ends : isFirst ? .begins : .goesOn
    case .transcription, .speech, .image:
      return type.phase == .done ? .ends : isFirst ? .begins : .inside
    default: return .inside
    }
  }

  private mutating func begin(
    _ found: Placement, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let tag = event.string(of: "oresp", "request", in: line)
    let name = ResponseIdentity(found.response, tag: tag, lane: found.lane)
    let response = Response(name: name)
    if found.slot == slots.count { slots.append(response) } else { slots[found.slot] = response }
  }

  private mutating func noteOver(_ response: ClosedResponse) {
    let place = response.number % ResponseTable.mostEnded
    while over.count <= place { over.append(nil) }
    over[place] = (slots[response.slot].name, response.slot)
    slots[response.slot].number = response.lastNumber
  }

  /// The slot of a response, or the one that it had; `nil` when it is not remembered.
  private func slot(of found: Placement) -> Int? {
    if found.slot >= 0 { return found.slot }
    let place = found.response % ResponseTable.mostEnded
    guard place < over.count, let known = over[place], known.name.number == found.response else {
      return nil
    }
    return known.slot
  }

  private mutating func noteIDs(of event: borrowing Event, _ line: Span<UInt8>, in slot: Int) {
    guard event.type?.family == .lifecycle else { return }
    let name = slots[slot].name
    if name.id.isEmpty { name.id = event.string(of: "response", "id", in: line) }
    if event.step.kind == .ends { name.endID = event.string(of: "response", "id", in: line) }
  }

  /// Tells `event` its item, if that is the one of the event before it (`ItemRouter.usual`).
  @inline(__always)
  private func noteUsualItem(
    of event: inout Event, _ type: EventType, _ line: Span<UInt8>
  ) -> Bool {
    guard type.isAboutItem, type.family != .outputItem, let usual = slots[event.slot].usualItem,
      event.integer(of: "output_index", in: line) == usual.index
    else { return false }
    event.item = usual.number
    return true
  }

  /// Tells `event` its item. A repeat opens none.
  private mutating func noteItem(of event: inout Event, _ line: Span<UInt8>) {
    guard needsItems, let type = event.type, type.isAboutItem, let response = event.response else {
      return
    }
    guard !event.step.isRepeated else {
      event.item = response.items.known(of: event, line) ?? -1
      return
    }
    if noteUsualItem(of: &event, type, line) { return }
    let index = event.integer(of: "output_index", in: line)
    event.item = response.items.item(of: type, event, line, at: index) ?? -1
    slots[event.slot].usualItem = response.items.usual
  }

  @inline(__always)
  private func put(_ event: inout Event, in slot: Int) {
    event.slot = slot
    if event.response !== slots[slot].name { event.response = slots[slot].name }
  }
}
