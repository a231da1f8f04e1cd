import Core

/// Facts of one response that a product gathers, event by event.
protocol ResponseRecord {
  init()

  /// Reads `line`, which `oresp-send --log` wrote of a run.
  init(logged line: Span<UInt8>)

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>)
}

extension ResponseRecord {
  init(logged line: Span<UInt8>) { self.init() }
}

/// No facts, for products that need `ResponseFacts` alone.
struct NoRecord: ResponseRecord {
  func handle(_ event: borrowing Event, _ line: Span<UInt8>) {}
}

/// Follows the responses of a stream, and returns each with its facts when it is over.
struct ResponseRecords<Record: ResponseRecord> {
  struct Response {
    fileprivate var name: ResponseName?
    fileprivate(set) var facts = ResponseFacts()
    fileprivate(set) var record = Record()
    /// Whether it is over without a terminal event.
    fileprivate(set) var isCut = false

    /// Whether it goes on, and is no part of another.
    var isOpen: Bool { name.map { $0.whole == nil } ?? false }

    /// The message on its end, if it did not simply complete.
    var failure: String? { name?.outcome?.message }

    /// Handles an event of the slot. Returns the responses that it ended.
    fileprivate mutating func handle(
      _ event: borrowing Event, _ line: Span<UInt8>
    ) -> [Response] {
      // Most events say nothing of their response.
      if !event.step.isFirst, event.step.kind == .inside, event.type?.family != .metadata {
        if isOpen { record.handle(event, line) }
        return []
      }
      var over: [Response] = []
      if event.step.isFirst {
        over = finish()
        name = event.response
        facts = ResponseFacts(tag: name?.tag ?? [])
      }
      guard isOpen else { return over }
      facts.update(with: event, line)
      record.handle(event, line)
      if event.step.kind == .ends {
        over.append(self)
        self = Response()
      }
      return over
    }

    /// Ends the response as a cut one, if it goes on.
    fileprivate mutating func finish() -> [Response] {
      defer { self = Response() }
      isCut = true
      return isOpen ? [self] : []
    }
  }

  private var slots = PerLane(Response())
  /// Whether lines of a log of `oresp-send` came.
  private(set) var hasLogged = false

  /// Handles an event. Returns the responses that it ended.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> [Response] {
    if event.step.isRepeated || event.response == nil { return [] }
    guard event.isLogged(line) else { return slots[event.lane].handle(event, line) }
    hasLogged = true
    return ResponseFacts(logged: line).map {
      [Response(facts: $0, record: Record(logged: line))]
    } ?? []
  }

  /// Ends the input. Returns the responses that had not ended.
  mutating func finish() -> [Response] {
    slots.slots.flatMap { slots[$0].finish() }
  }

  /// The record of the response in `slot`, if it goes on.
  func open(in slot: Int) -> Record? { slots[slot].isOpen ? slots[slot].record : nil }
}
