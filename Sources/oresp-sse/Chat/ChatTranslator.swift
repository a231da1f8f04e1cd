import Core

/// Turns the answers of Chat Completions in one input into responses, one for each choice. The
/// events of further choices come after the end of the first. Answers of several tags are told
/// apart: of
///
///     {"custom_id":"a","response":{"body":{"id":"c1","choices":[…]}}}
///
/// of the Batch API, and of chunks with `"oresp":{"request":"a"}`, the events have the tag `a`.
struct ChatTranslator {
  /// The open answer of one tag.
  private struct Lane {
    /// One for each choice that is used.
    var choices = [ChatChoice()]
    /// The number of the object that it heard last.
    var heard = 0

    var isOpen: Bool { choices[0].isOpen }
  }

  /// The lines of events, and the messages, that nobody has taken yet.
  private var events: [[UInt8]] = []
  private var notes: [Notice] = []

  /// By their tags; the empty tag stands for none.
  private var lanes: [[UInt8]: Lane] = [:]
  /// The number of objects so far.
  private var count = 0
  private var reported: Set<String> = []

  /// The most choices that a request can ask for.
  private static let mostChoices = 128
  /// The most tags whose answers are open at once; another ends the one heard of longest ago.
  private static let mostLanes = 1024

  /// Whether an answer with the tag of `event`, whose line is `line`, is open.
  func isOpen(for event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    !lanes.isEmpty && lanes[Self.tag(of: event, line)]?.isOpen == true
  }

  /// Returns what was made since the last call.
  mutating func takeAll() -> (events: [[UInt8]], notes: [Notice]) {
    defer { (events, notes) = ([], []) }
    return (events, notes)
  }

  /// Appends `object`, of any kind, which was read as `event`. False when it is not from Chat
  /// Completions.
  mutating func append(_ event: borrowing Event, _ object: Span<UInt8>) -> Bool {
    if append(chunk: object, Self.tag(of: event, object)) { return true }
    // A line of the Batch API
    guard let body = JSONChildren.value(of: "response", "body", in: object) else { return false }
    let name = JSONChildren.string(of: "custom_id", in: object) ?? []
    return append(chunk: object.extracting(body), name)
  }

  private mutating func append(chunk object: Span<UInt8>, _ tag: [UInt8]) -> Bool {
    guard let choices = JSONChildren.value(of: "choices", in: object),
      object[choices.lowerBound] == ASCII.openBracket
    else { return false }
    count += 1
    let heard = count
    change(tag) { lane in
      lane.heard = heard
      lane.choices[0].append(object)
      let last = lane.choices[0].others.filter { $0 < Self.mostChoices }.max() ?? 0
      while lane.choices.count <= last {
        lane.choices.append(ChatChoice(number: lane.choices.count))
      }
      for number in 1..<lane.choices.count { lane.choices[number].append(object) }
    }
    if lanes.count > Self.mostLanes,
      let oldest = lanes.min(by: { $0.value.heard < $1.value.heard })
    {
      each(oldest.key) { $0.interrupt() }
      lanes[oldest.key] = nil
    }
    return true
  }

  /// Handles the mark `[DONE]`, which has no tag.
  mutating func endStream() { each([]) { $0.endStream() } }

  /// Handles `error`, which came as `event` in place of the rest of an answer.
  mutating func fail(_ event: borrowing Event, _ line: Span<UInt8>) {
    let error = APIError(in: line)
    each(Self.tag(of: event, line)) { $0.fail(error) }
  }

  /// Ends the open answer with the tag of `event`, which is about another response.
  mutating func interrupt(_ event: borrowing Event, _ line: Span<UInt8>) {
    each(Self.tag(of: event, line)) { $0.interrupt() }
  }

  mutating func endInput() {
    for tag in lanes.sorted(by: { $0.value.heard < $1.value.heard }).map(\.key) {
      each(tag, isEnd: true) { $0.endInput() }
    }
  }

  private static func tag(of event: borrowing Event, _ line: Span<UInt8>) -> [UInt8] {
    event.string(of: "oresp", "request", in: line)
  }

  /// Has each choice of the answer `tag`, if one is open, do `work`.
  private mutating func each(
    _ tag: [UInt8], isEnd: Bool = false, _ work: (inout ChatChoice) -> Void
  ) {
    guard lanes[tag] != nil else { return }
    change(tag, isEnd: isEnd) { lane in
      for number in lane.choices.indices { work(&lane.choices[number]) }
    }
  }

  /// Has `work` change the answer `tag`, then takes over what its choices made: those behind the
  /// first have to wait for its end, or for that of the input (`isEnd`). A tag whose answer has
  /// ended is forgotten.
  private mutating func change(
    _ tag: [UInt8], isEnd: Bool = false, _ work: (inout Lane) -> Void
  ) {
    // Taken out, so that its texts are not copied.
    var lane = lanes.removeValue(forKey: tag) ?? Lane()
    work(&lane)
    for number in lane.choices.indices where number == 0 || isEnd || !lane.isOpen {
      for line in lane.choices[number].events { events.append(EventLine.tagged(line, tag)) }
      for note in lane.choices[number].notes { report(Notice(.warning, note)) }
      (lane.choices[number].events, lane.choices[number].notes) = ([], [])
    }
    if tag.isEmpty || lane.choices.contains(where: \.isOpen) { lanes[tag] = lane }
  }

  private mutating func report(_ note: Notice) {
    if reported.insert(note.message).inserted { notes.append(note) }
  }
}
