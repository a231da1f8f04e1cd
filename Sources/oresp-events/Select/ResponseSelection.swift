import Core

/// The responses of a stream to keep.
///
/// Of several values of one kind any will do; values of several kinds must all fit.
package struct ResponseSelection: Sendable {
  package var tags: [[UInt8]] = []
  package var ids: [[UInt8]] = []
  /// Counted from 1 in the order in which the responses begin.
  package var numbers: [Int] = []

  /// Whether every response is kept.
  var isEmpty: Bool { tags.isEmpty && ids.isEmpty && numbers.isEmpty }

  func selects(_ response: ResponseIdentity) -> Bool {
    (tags.isEmpty || tags.contains(response.tag)) && (ids.isEmpty || ids.contains(response.id))
      && (numbers.isEmpty || numbers.contains(response.number))
  }
}

/// Hands on the events of selected responses.
struct ResponseSelectFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let selection: ResponseSelection

  init(_ events: consuming Events, _ selection: ResponseSelection) {
    self.events = events
    self.selection = selection
  }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let response = event.response, selection.selects(response) || response.isNothing else {
      return
    }
    events.handle(event, line, into: &output)
  }

  mutating func finish(into output: inout Output) { events.finish(into: &output) }

  mutating func close(_ ended: EndedResponse, into output: inout Output) {
    guard selection.selects(ended.response) else { return }
    events.close(ended, into: &output)
  }

  mutating func conclude(into output: inout Output) { events.conclude(into: &output) }

  var hasOther: Bool { events.hasOther }

  var judged: ((ResponseIdentity) -> Bool)? { { [selection] in selection.selects($0) } }

  var status: ExitStatus { events.status }

  var ownEnds: OwnEnds { events.ownEnds }

  var needsItems: Bool { events.needsItems }

  mutating func wake(into output: inout Output) { events.wake(into: &output) }
}
