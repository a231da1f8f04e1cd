import Core

/// The responses of a stream to keep.
///
/// Of several values of one kind any will do; values of several kinds must all fit.
package struct ResponseSelection: Sendable {
  package var tags: [[UInt8]] = []
  package var ids: [[UInt8]] = []
  /// Counted from 1 in the order in which the responses begin.
  package var numbers: [Int] = []
  /// Whether it is an answer, not a fault of the input, that there is none.
  package var mayMiss = false

  /// Whether every response is kept.
  var isEmpty: Bool { tags.isEmpty && ids.isEmpty && numbers.isEmpty }

  /// The words for it: `response 3`.
  fileprivate var words: String {
    func list(_ values: [[UInt8]]) -> String {
      values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " or ")
    }
    var words = "response"
    if !numbers.isEmpty { words += " " + numbers.map(String.init).joined(separator: " or ") }
    if !ids.isEmpty { words += " with the id " + list(ids) }
    if !tags.isEmpty { words += " of the request " + list(tags) }
    return words
  }

  func selects(_ response: Response) -> Bool {
    (tags.isEmpty || tags.contains(response.tag)) && (ids.isEmpty || ids.contains(response.id))
      && (numbers.isEmpty || numbers.contains(response.number))
  }
}

/// Hands on the events of selected responses.
struct ResponseSelectFilter<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  private var events: Events
  private let selection: ResponseSelection
  /// The responses that are over: their number, the first different names of them, as the selection
  /// asks for tags or for ids, and whether one of them was selected.
  private var count = 0
  private var names: [[UInt8]] = []
  private var hasSelected = false
  private static var mostNames: Int { 5 }

  init(_ events: consuming Events, _ selection: ResponseSelection) {
    self.events = events
    self.selection = selection
  }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let response = event.response, selection.selects(response) else { return }
    events.handle(event, line, into: &output)
  }

  mutating func finish(into output: inout Output) {
    events.finish(into: &output)
    // What comes behind the end of the last one that is read may be it.
    if count > 0, !hasSelected, !output.isOver { output.notices.append(missing) }
  }

  /// The notice that the response that was asked for is not there.
  private var missing: Notice {
    let why = "no \(selection.words): the input has \(responses)"
    if selection.mayMiss { return Notice(.warning, why) }
    return Notice(.error, why, status: .badInput)
  }

  /// The words for the responses in the input: their names, or their number.
  private var responses: String {
    if selection.tags.isEmpty, selection.ids.isEmpty { return "\(count)" }
    if names.isEmpty { return selection.tags.isEmpty ? "no ids" : "no tags" }
    let shown = names.prefix(Self.mostNames).map { String(decoding: $0, as: UTF8.self) }
    return shown.joined(separator: ", ") + (names.count > Self.mostNames ? " and others" : "")
  }

  /// Notes a response that is over.
  private mutating func note(_ response: Response) {
    count += 1
    hasSelected = hasSelected || selection.selects(response)
    let name = selection.tags.isEmpty ? response.id : response.tag
    if !name.isEmpty, names.count <= Self.mostNames, !names.contains(name) { names.append(name) }
  }

  mutating func close(_ response: Response, into output: inout Output) {
    note(response)
    guard selection.selects(response) else { return }
    events.close(response, into: &output)
  }

  mutating func conclude(into output: inout Output) { events.conclude(into: &output) }

  var hasOther: Bool { events.hasOther }

  var judged: ((Response) -> Bool)? { { [selection] in selection.selects($0) } }

  var status: ExitStatus { events.status }

  var ownEnds: OwnEnds { events.ownEnds }

  var needsItems: Bool { events.needsItems }

  mutating func wake(into output: inout Output) { events.wake(into: &output) }
}
