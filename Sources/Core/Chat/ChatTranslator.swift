/// Turns answers of Chat Completions, streamed or whole, into responses: one for each choice. The
/// events of further choices come after the end of the first. Of
///
///     {"id":"c1","choices":[{"index":0,"message":{…}},{"index":1,"message":{…}}]}
///
/// the first makes the events of the response `c1`, the second then those of `c1_1`. Each tag has
/// answers of its own.
package struct ChatTranslator {
  /// The open answer of one tag.
  private struct Lane {
    /// One for each choice that is used.
    var choices = [ChatChoice()]
    /// The number of the object that it heard last.
    var heard = 0
    /// What came behind its last chunk and tells why the answer ends, should nothing follow it.
    var reason: APIError?

    var isOpen: Bool { choices[0].isOpen }
  }

  /// An event that was made.
  struct Made {
    let line: [UInt8]
    /// The tag of its answer; empty when it has none.
    let tag: [UInt8]
  }

  /// The events, and the messages, that nobody has taken yet.
  private var events: [Made] = []
  private var notes: [String] = []

  /// By their tags; the empty tag stands for none.
  private var lanes: [[UInt8]: Lane] = [:]
  /// The number of objects so far.
  private var count = 0

  /// The most choices that a request can ask for.
  private static let mostChoices = 128
  /// The most tags whose answers are open at once; another ends the one heard of longest ago.
  private static let mostLanes = 1024

  package init() {}

  /// Whether `object` is a chunk or an answer of Chat Completions.
  package static func isAnswer(_ object: Span<UInt8>) -> Bool {
    JSONChildren.value(of: "choices", in: object).map { object[$0.lowerBound] } == ASCII.openBracket
  }

  /// Whether `id` is the id of a further choice of the answer with the id `answer`.
  package static func isID(_ id: [UInt8], ofChoiceOf answer: [UInt8]) -> Bool {
    guard !answer.isEmpty, id.count > answer.count + 1, id.count <= answer.count + 4,
      id[answer.count] == UInt8(ascii: "_"), id.starts(with: answer)
    else { return false }
    return id[(answer.count + 1)...].allSatisfy(ASCII.isDigit)
  }

  /// Whether an answer with `tag` is open.
  func isOpen(_ tag: [UInt8]) -> Bool { lanes[tag]?.isOpen == true }

  /// Whether an answer with `tag` is open each of whose choices has its end.
  func isComplete(_ tag: [UInt8]) -> Bool {
    guard let lane = lanes[tag], lane.isOpen else { return false }
    return lane.choices.allSatisfy { !$0.isOpen || $0.isComplete }
  }

  /// The warning about `error`, which came behind the end of a complete answer.
  static func behindEnd(_ error: APIError) -> String {
    "an error behind the end of the answer: " + error.summary
  }

  /// The reason that `object`, which has no choices, gives for the end of an answer behind whose
  /// chunks it stands, in its own words; `nil` when it tells tokens, filters and other facts alone.
  package static func reason(in object: Span<UInt8>) -> APIError? {
    let error = APIError(in: object)
    if error.isNone || !error.words.isEmpty { return error.isNone ? nil : error }
    var members = JSONChildren()
    while let member = members.next(in: object) {
      let name = JSONString.text(inside: object.extracting(member.name)).lowercased()
      if name == "type" { return nil }
      let isFact =
        facts.contains(name) || kindsOfFacts.contains { name.contains($0) }
        || object.extracting(member.value).equals("null")
      if !isFact { return APIError(words: [UInt8](copying: object.extracting(first: 200))) }
    }
    return nil
  }

  /// The members that tell something about an answer, and no reason for its end: by their names, and
  /// by parts of them.
  private static let facts: Set<String> = [
    "id", "object", "created", "created_at", "model", "choices", "provider", "service_tier",
    "system_fingerprint", "obfuscation", "event", "index", "n", "version", "region", "timestamp",
    "latency", "duration", "oresp", "success",
  ]
  private static let kindsOfFacts = [
    "usage", "token", "metadata", "annotation", "filter", "metric", "timing", "cost", "citation",
    "source", "search_results", "moderation", "request_id", "session_id", "x_",
  ]

  /// Whether events were made that nobody has taken.
  var hasMade: Bool { !events.isEmpty }

  /// Returns what was made since the last call.
  mutating func takeAll() -> (events: [Made], notes: [String]) {
    defer {
      events = []
      notes = []
    }
    return (events, notes)
  }

  /// Appends `object`, a chunk or an answer with `tag`.
  mutating func append(_ object: Span<UInt8>, tag: [UInt8]) {
    count += 1
    let heard = count
    change(tag) { lane in
      lane.heard = heard
      if lane.choices[0].append(object) { lane.reason = nil }
      let last = lane.choices[0].others.filter { $0 < Self.mostChoices }.max() ?? 0
      while lane.choices.count <= last {
        lane.choices.append(ChatChoice(number: lane.choices.count))
      }
      for number in 1..<lane.choices.count { lane.choices[number].append(object) }
    }
    if lanes.count > Self.mostLanes,
      let oldest = lanes.min(by: { $0.value.heard < $1.value.heard })
    {
      interrupt(oldest.key)
      lanes[oldest.key] = nil
    }
  }

  /// Notes `reason`, which may tell why the answer with `tag` ends.
  mutating func note(_ reason: APIError, tag: [UInt8]) { lanes[tag]?.reason = reason }

  /// Whether an answer with `tag` would end for a reason that was noted.
  func hasReason(_ tag: [UInt8]) -> Bool {
    guard let lane = lanes[tag] else { return false }
    return lane.reason != nil && lane.choices.contains(where: \.lacksEnd)
  }

  /// Handles the mark `[DONE]`, which has no tag.
  mutating func endStream() { each([]) { $0.endStream() } }

  /// Handles `error`, which came in place of the rest of the answer with `tag`; another tool
  /// reported it if it `isReported`. Of several choices those that have an end end before it.
  mutating func fail(_ error: APIError, isReported: Bool, tag: [UInt8]) {
    lanes[tag]?.reason = nil
    let isOfOthers = lanes[tag]?.choices.contains(where: \.lacksEnd) == true
    each(tag) { choice in
      if isOfOthers, !choice.lacksEnd {
        choice.endStream()
      } else {
        choice.fail(error, isReported: isReported)
      }
    }
  }

  /// Ends the open answer with `tag`, where another response begins.
  mutating func interrupt(_ tag: [UInt8]) { each(tag) { $0.interrupt() } }

  /// Ends the input, and all answers.
  mutating func endInput() {
    for tag in lanes.sorted(by: { $0.value.heard < $1.value.heard }).map(\.key) {
      each(tag, isEnd: true) { $0.interrupt() }
    }
  }

  /// Has each choice of the answer with `tag`, if one is open, do `work`.
  private mutating func each(
    _ tag: [UInt8], isEnd: Bool = false, _ work: (inout ChatChoice) -> Void
  ) {
    guard lanes[tag] != nil else { return }
    change(tag, isEnd: isEnd) { lane in
      for number in lane.choices.indices {
        if let reason = lane.reason, lane.choices[number].lacksEnd {
          lane.choices[number].fail(reason, isReported: false)
        }
        work(&lane.choices[number])
      }
      lane.reason = nil
    }
  }

  /// Has `work` change the answer with `tag`, then takes over what its choices made: those behind
  /// the first have to wait for its end, or for that of the input (`isEnd`). A tag whose answer has
  /// ended is forgotten.
  private mutating func change(
    _ tag: [UInt8], isEnd: Bool = false, _ work: (inout Lane) -> Void
  ) {
    // Taken out, so that its texts are not copied.
    var lane = lanes.removeValue(forKey: tag) ?? Lane()
    work(&lane)
    for number in lane.choices.indices where number == 0 || isEnd || !lane.isOpen {
      events += lane.choices[number].events.map { Made(line: $0, tag: tag) }
      notes += lane.choices[number].notes
      lane.choices[number].events = []
      lane.choices[number].notes = []
    }
    if tag.isEmpty || lane.choices.contains(where: \.isOpen) { lanes[tag] = lane }
  }
}
