/// Reaches the verdict on a stream of events and tells it: what every tool does beside its own work.
package struct Judge {
  private var verdict = Verdict()
  private var hasObjects = false
  private var hasTypes = false
  private var lastSequenceNumber: Int?

  package init() {}

  /// Takes an event, whose line is `line`.
  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    hasObjects = true
    hasTypes = hasTypes || event.typeName != nil
    guard let type = event.type else { return }
    let judgements = verdict.handle(type, line)
    if !judgements.isEmpty { noteSequence(line) }
    for judgement in judgements { tell(judgement, into: &output) }
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

  /// Whether the events that came are enough for a tool that needs `needed`.
  package func meets(_ needed: EventsNeeded) -> Bool {
    switch needed {
    case .none: true
    case .objects: hasObjects
    case .typed: hasTypes
    }
  }

  private func tell(_ judgement: Verdict.Judgement, into output: inout Output) {
    var notice = Notice(.error, judgement.message, status: judgement.status)
    if !judgement.responseID.isEmpty {
      notice.facts.append(("response_id", .text(judgement.responseID)))
    }
    if let lastSequenceNumber {
      notice.facts.append(("last_sequence_number", .integer(lastSequenceNumber)))
    }
    output.notices.append(notice)
  }
}
