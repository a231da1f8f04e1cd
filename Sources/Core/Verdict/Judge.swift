/// Reaches the verdict on a stream of events and tells it: what every tool does beside its own work.
package struct Judge {
  private var verdict = Verdict()
  private var hasObjects = false
  private var hasTypes = false
  private var lastSequenceNumber: Int?
  /// The input that told last where the response is, where several are read.
  private var inputName: String?

  package init() {}

  /// Handles an event, whose line is `line`.
  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    _ = judge(event, line, into: &output) { _, _, _ in .counts }
  }

  /// Gives `handle` the event, with what it is to its response, and then tells the verdict on it.
  /// An event that does not count changes nothing.
  @inline(__always)
  mutating func judge(
    _ event: Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> EventReply
  ) -> EventReply {
    if let type = event.type, type.isJudged {
      return judge(event, type, line, into: &output, handle)
    }
    let reply = handle(event, line, &output)
    if reply == .counts {
      hasObjects = true
      hasTypes = hasTypes || event.typeName != nil
    }
    return reply
  }

  private mutating func judge(
    _ event: Event, _ type: EventType, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (Event, Span<UInt8>, inout Output) -> EventReply
  ) -> EventReply {
    let former = self
    (hasObjects, hasTypes) = (true, true)
    let judgements = verdict.handle(type, line)
    var event = event
    event.step = verdict.step
    let reply = handle(event, line, &output)
    guard reply == .counts else {
      self = former
      return reply
    }
    if !judgements.isEmpty { noteSequence(line) }
    for judgement in judgements {
      if !judgement.isOfFormer { inputName = output.inputName }
      tell(judgement, into: &output)
    }
    inputName = output.inputName
    if type.family == .lifecycle { tellOfWebhook(event, line, into: &output) }
    return reply
  }

  /// Tells of an event that names a response and brings nothing of it.
  private func tellOfWebhook(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    // A payload has some 170 bytes; longer events are not read for this.
    guard line.count < 500, JSONChildren.text(of: "object", in: line) == "event" else { return }
    let id = JSONChildren.text(of: "data", "id", in: line)
    let why = "a webhook's payload names the response \(id), and has nothing of it"
    output.notices.append(Notice(.warning, why, at: event.inputPlace))
  }

  /// Takes events with types that decide nothing.
  package mutating func note(_ skimmed: SkimmedEvents) {
    guard skimmed.count > 0 else { return }
    (hasObjects, hasTypes) = (true, true)
  }

  /// Keeps the sequence number of the event that came last, for what is told of a stream's end.
  /// Called once a read, not once an event.
  package mutating func noteSequence(_ line: Span<UInt8>) {
    guard let value = JSONChildren.value(of: "sequence_number", in: line) else { return }
    lastSequenceNumber = JSONNumber.integer(line.extracting(value)) ?? lastSequenceNumber
  }

  /// Takes the end of the last input.
  package mutating func finish(into output: inout Output) {
    if let judgement = verdict.conclude() { tell(judgement, into: &output) }
  }

  /// Whether a response began that has neither ended nor been told to have failed.
  package var isOpen: Bool { verdict.isOpen && !verdict.hasEnd }

  /// Whether the last response ended, or was told to have failed.
  package var hasEnd: Bool { verdict.hasEnd }

  /// How many responses have ended, or were told to have failed.
  package var ends: Int { verdict.ends }

  /// Whether the response was last told of by a whole Response that has not ended yet.
  package var isPending: Bool { verdict.isPending }

  /// Whether the last event of a response was its end.
  package var isAtEnd: Bool { verdict.isAtEnd }

  /// Whether the events that came are enough for a tool that needs `needed`, from an input that has
  /// bytes or not.
  package func meets(_ needed: EventsNeeded, hasBytes: Bool = true) -> Bool {
    switch needed {
    case .none: hasObjects || !hasBytes
    case .objects: hasObjects
    case .typed: hasTypes
    }
  }

  private func tell(_ judgement: Verdict.Judgement, into output: inout Output) {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    notice.input = inputName
    notice.isTold = judgement.isTold
    if !judgement.responseID.isEmpty {
      notice.facts.append(("response_id", .text(judgement.responseID)))
    }
    if let lastSequenceNumber {
      notice.facts.append(("last_sequence_number", .integer(lastSequenceNumber)))
    }
    output.notices.append(notice)
  }
}
