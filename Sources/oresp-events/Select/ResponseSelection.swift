import Core

/// Which responses of a stream to keep.
///
/// What of one kind is given several times allows each; what of several kinds is given must all hold.
package struct ResponseSelection: Sendable {
  package var tags: [[UInt8]] = []
  package var ids: [[UInt8]] = []
  /// Counted from 1 in the order in which the responses begin.
  package var numbers: [Int] = []

  package init() {}

  /// Whether every response is kept.
  package var isEmpty: Bool { tags.isEmpty && ids.isEmpty && numbers.isEmpty }

  func selects(_ response: CountedResponses.Response) -> Bool {
    (tags.isEmpty || tags.contains(response.tag)) && (ids.isEmpty || ids.contains(response.id))
      && (numbers.isEmpty || numbers.contains(response.number))
  }
}

/// Hands on the events of selected responses.
struct ResponseSelectFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let selection: ResponseSelection
  private var responses = CountedResponses()

  init(_ events: consuming Events, _ selection: ResponseSelection) {
    self.events = events
    self.selection = selection
  }

  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard selection.selects(responses.response(of: event, line).0) else { return }
    events.handle(event, line, into: &output)
  }

  mutating func finish(into output: inout Output) { events.finish(into: &output) }

  var hasOther: Bool { events.hasOther }

  var status: ExitStatus { events.status }

  mutating func wake(into output: inout Output) { events.wake(into: &output) }
}

/// Counts the responses of a stream, and tells of each event to which it belongs.
struct CountedResponses {
  struct Response {
    /// Counted from 1; 0 before the first event, and for one before the last of its lane, whose end
    /// came again.
    fileprivate(set) var number = 0
    /// Empty when it is not known.
    fileprivate(set) var id: [UInt8] = []
    fileprivate(set) var tag: [UInt8] = []
    /// The id that its end has, which may be another.
    fileprivate var endID: [UInt8] = []
    /// Whether anything came but what has nothing to do with a response.
    fileprivate var hasBegun = false
    fileprivate var hasEnded = false
  }

  private var count = 0
  private var lanes = PerLane(Response())

  /// The response of `event`, and whether that is its first event.
  mutating func response(of event: Event, _ line: Span<UInt8>) -> (Response, isNew: Bool) {
    var response = lanes[event.lane]
    let step = event.step
    let isTold = event.type?.family == .lifecycle
    let id = isTold ? event.string(of: "response", "id", in: line) : []
    if step.kind == .ends, step.isRepeated, id != response.endID {
      return (Response(id: id, tag: event.string(of: "oresp", "request", in: line)), false)
    }
    let isNext =
      step.kind == .begins || step.leavesCut || response.hasEnded && step.isFirst
    let isNew = response.number == 0 || isNext && response.hasBegun
    if isNew {
      count += 1
      response = Response(number: count)
    }
    if response.id.isEmpty { response.id = id }
    if step.kind == .ends { response.endID = id }
    if isNew || isTold, response.tag.isEmpty {
      response.tag = event.string(of: "oresp", "request", in: line)
    }
    response.hasBegun = response.hasBegun || event.type?.isOfResponse ?? false
    response.hasEnded = response.hasEnded || step.kind == .ends
    lanes[event.lane] = response
    return (response, isNew)
  }
}

extension EventType {
  /// Whether its events are part of a response.
  fileprivate var isOfResponse: Bool {
    switch family {
    case .keepalive, .metadata, .websocket, .websocketClient: false
    default: true
    }
  }
}
