import Core

/// What is noted of one response, event by event.
protocol ResponseRecord {
  init()

  /// What `line`, of a log of `oresp-send`, tells of a run.
  init(logged line: Span<UInt8>)

  /// Takes an event.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>)
}

/// Follows the responses of all lanes of a stream, each in a record of its own.
struct ResponseRecords<Record: ResponseRecord> {
  /// A response that is over, and what was noted of it.
  struct Closed {
    var facts: ResponseFacts
    var record: Record
    /// Whether it has no terminal event.
    var isCut = false
  }

  private struct Lane {
    var tracker = ResponseTracker()
    var record = Record()

    mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> [Closed] {
      if tracker.isLogged(event, line) {
        let facts = ResponseFacts(logged: line)
        return facts.map { [Closed(facts: $0, record: Record(logged: line))] } ?? []
      }
      guard ResponseTracker.follows(event) else {
        if tracker.isOpen { record.handle(event, line) }
        return []
      }
      guard event.step.isFirst || tracker.isOpen else { return [] }
      var closed: [Closed] = []
      let ends = tracker.handle(event, line)
      if let facts = ends.cut { closed.append(close(facts, isCut: true)) }
      record.handle(event, line)
      if let facts = ends.whole { closed.append(close(facts, isCut: false)) }
      return closed
    }

    mutating func close(_ facts: ResponseFacts, isCut: Bool) -> Closed {
      defer { record = Record() }
      return Closed(facts: facts, record: record, isCut: isCut)
    }
  }

  private var lanes = PerLane(Lane())

  /// Takes an event; the responses that it ended.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> [Closed] {
    if event.step.isRepeated || event.response == nil { return [] }
    return event.lane == 0
      ? lanes.first.handle(event, line) : lanes[event.lane].handle(event, line)
  }

  /// Takes the end of the input; the responses that had not ended, and what belongs to none.
  mutating func finish() -> [Closed] {
    var closed: [Closed] = []
    for lane in lanes.all.indices {
      guard let rest = lanes[lane].tracker.finish() else { continue }
      closed.append(lanes[lane].close(rest, isCut: true))
    }
    return closed
  }

  /// What was noted of the response in `lane`; `nil` where that has ended.
  func open(in lane: Int) -> Record? { lanes[lane].tracker.isOpen ? lanes[lane].record : nil }

  /// Whether lines of a log of `oresp-send` came.
  var hasLogged: Bool { lanes.all.contains { $0.tracker.hasLogged } }
}
