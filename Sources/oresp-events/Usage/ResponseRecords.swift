import Core

/// Facts of one response that a product gathers, event by event.
protocol ResponseRecord {
  init()

  /// Reads `line`, which `oresp-send --log` wrote of a run.
  init(logged line: Span<UInt8>)

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>)

  /// Ends the response, of which `items` came.
  mutating func close(_ items: ItemRouter)
}

extension ResponseRecord {
  func close(_ items: ItemRouter) {}

  init(logged line: Span<UInt8>) { self.init() }
}

/// No facts, for products that need `ResponseFacts` alone.
struct NoRecord: ResponseRecord {
  func handle(_ event: borrowing Event, _ line: Span<UInt8>) {}
}

/// Follows the responses of a stream, and returns each with its facts when it is over.
struct ResponseRecords<Record: ResponseRecord> {
  struct Response {
    fileprivate var name: ResponseIdentity?
    fileprivate(set) var facts = ResponseFacts()
    fileprivate(set) var record = Record()
    /// Whether it is over without a terminal event.
    fileprivate(set) var isCut = false

    /// The message on its end, if it did not simply complete.
    var failure: String? { name?.outcome?.message }
  }

  private var slots = PerResponse(Response())
  /// Whether lines of a log of `oresp-send` came.
  private(set) var hasLogged = false

  /// Handles an event. Returns the response of a line that `oresp-send --log` wrote.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> Response? {
    guard !event.step.isRepeated, let name = event.response else { return nil }
    if event.isLogged(line) {
      hasLogged = true
      return ResponseFacts(logged: line).map { Response(facts: $0, record: Record(logged: line)) }
    }
    let slot = event.slot
    if event.step.isFirst {
      slots[slot] = Response()
      slots[slot].name = name
      slots[slot].isCut = true
      slots[slot].facts = ResponseFacts(tag: name.tag)
    }
    // Most events say nothing of their response.
    if event.step.isFirst || event.step.kind != .inside || event.type?.family == .metadata {
      slots[slot].facts.update(with: event, line)
      if event.step.kind == .ends { slots[slot].isCut = false }
    }
    slots[slot].record.handle(event, line)
    return nil
  }

  /// Returns the response that is over; `nil` for one of which only lines of a log came.
  mutating func close(_ ended: EndedResponse) -> Response? {
    guard slots[ended.slot].name === ended.response else { return nil }
    var response = slots[ended.slot]
    slots[ended.slot] = Response()
    response.record.close(ended.response.items)
    if response.isCut, let outcome = ended.response.outcome, !outcome.isUnfinished {
      response.facts.end(as: outcome)
    }
    return response
  }

  /// The record of the response in `slot`, if it goes on.
  func open(in slot: Int) -> Record? { slots[slot].name == nil ? nil : slots[slot].record }
}
