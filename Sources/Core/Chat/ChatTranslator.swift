/// Turns answers of Chat Completions, streamed or whole, into responses: one for each choice. The
/// events of further choices come after the end of the first. Of
///
///     {"id":"c1","choices":[{"index":0,"message":{…}},{"index":1,"message":{…}}]}
///
/// the first makes the events of the response `c1`, the second then those of `c1_1`. Each tag has
/// answers of its own.
///
/// Holds all of the open answers, since their last events repeat them; events are made when they are
/// taken.
package struct ChatTranslator {
  /// The open answer of one tag.
  private struct Lane {
    /// The choices in the order in which they came; the first one has those of no choice, too.
    var choices: [ChatChoice] = []
    /// The number of its answers so far.
    var count = 0
    /// The number of the object that it heard last.
    var heard = 0
    /// What came behind its last chunk and tells why the answer ends, should nothing follow it.
    var reason: APIError?

    var isOpen: Bool { choices.contains(where: \.isOpen) }
    /// The choices whose events may be taken: all, once the first has ended.
    var ready: Range<Int> { choices.first?.isOpen == true ? 0..<1 : choices.indices }
    var hasEvent: Bool { choices[ready].contains(where: \.hasEvent) }
  }

  /// By their tags; the empty tag stands for none.
  private var lanes: [[UInt8]: Lane] = [:]
  /// The tags whose events are taken next.
  private var ready: [[UInt8]] = []
  /// The number of objects so far.
  private var count = 0
  private var notes: [String] = []
  /// Whether an object came since the last input ended.
  private(set) var hasAnswers = false
  /// The place of the object, mark or event that made the next events.
  var place = Notice.Place(line: 1, byte: 0)

  /// The most tags whose answers are open at once; another ends the one heard of longest ago.
  private static let mostLanes = 1024
  /// The numbers that a request for several choices can give them.
  private static let numbers = 0..<128

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

  /// Whether anything came of Chat Completions.
  var hasObjects: Bool { count > 0 }

  /// Whether the end of the input would cut the open answer without a tag.
  var isCut: Bool { isOpen([]) && !isComplete([]) && !hasReason }

  /// Whether an answer with `tag` is open.
  func isOpen(_ tag: [UInt8]) -> Bool { lanes[tag]?.isOpen == true }

  /// Whether an answer with `tag` is open each of whose choices has its end.
  func isComplete(_ tag: [UInt8]) -> Bool {
    guard let lane = lanes[tag], lane.isOpen else { return false }
    return lane.choices.allSatisfy { !$0.isOpen || $0.isComplete }
  }

  /// Whether the answer without a tag would end for a reason that was noted.
  var hasReason: Bool {
    guard let lane = lanes[[]] else { return false }
    return lane.reason != nil && lane.choices.contains(where: \.lacksEnd)
  }

  /// The warning about `error`, which came behind the end of a complete answer.
  static func behindEnd(_ error: APIError) -> String {
    "an error behind the end of the answer: " + error.summary
  }

  /// Whether there are events to take.
  var hasEvent: Bool { !ready.isEmpty }

  /// Takes the line of the next event, and the tag of its answer; `nil` when there is none.
  mutating func next() -> (line: [UInt8], tag: [UInt8])? {
    while let tag = ready.first {
      for index in lanes[tag]?.ready ?? 0..<0 {
        if let line = lanes[tag]?.choices[index].next() { return (line, tag) }
      }
      ready.removeFirst()
      leave(tag)
    }
    return nil
  }

  /// Takes the messages since the last call.
  mutating func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// Appends `object`, a chunk or an answer with `tag`.
  mutating func append(_ object: Span<UInt8>, tag: [UInt8]) {
    hasAnswers = true
    guard let whole = ChatObject(object) else { return }
    count += 1
    var lane = lanes.removeValue(forKey: tag) ?? Lane()
    lane.heard = count
    append(whole, object, to: &lane)
    lanes[tag] = lane
    noteChange(of: tag)
    guard lanes.count > Self.mostLanes,
      let oldest = lanes.filter({ !$0.key.isEmpty }).min(by: { $0.value.heard < $1.value.heard })
    else { return }
    interrupt(oldest.key)
  }

  /// Appends `object`, whose members `whole` has, to each of its choices.
  private mutating func append(
    _ whole: ChatObject, _ object: Span<UInt8>, to lane: inout Lane
  ) {
    if !lane.isOpen { lane.choices = [] }
    if !whole.choices.isEmpty { lane.reason = nil }
    var places: [Range<Int>?] = Array(repeating: nil, count: lane.choices.count)
    for (number, place) in whole.choices {
      guard Self.numbers.contains(number) else {
        notes.append("choice \(number) is left out: choices have the numbers 0 to 127")
        continue
      }
      if let index = lane.choices.firstIndex(where: { $0.number == number }) {
        places[index] = place
      } else {
        lane.choices.append(ChatChoice(number: number, isFirst: places.isEmpty))
        places.append(place)
      }
    }
    if places.isEmpty {
      guard whole.choices.isEmpty else { return }
      lane.choices.append(ChatChoice(number: 0, isFirst: true))
      places.append(nil)
    }
    // What an object has of no choice, as token counts, is the first one's.
    for (index, place) in places.enumerated() where index == 0 || place != nil {
      lane.choices[index].append(place, of: whole, object, &lane.count)
    }
  }

  /// Notes `words`, which came in place of a chunk without a tag; false when no answer is open.
  mutating func note(words: [UInt8]) -> Bool {
    guard isOpen([]) else { return false }
    lanes[[]]?.reason = APIError(words: words)
    return true
  }

  /// Notes that `object`, which has no choices, may tell why the open answer with `tag` ends: what
  /// has an id, a type or token counts tells facts.
  mutating func noteReason(in object: Span<UInt8>, tag: [UInt8]) {
    let error = APIError(in: object)
    guard isOpen(tag), !error.isNone else { return }
    let isFact = (["id", "type", "usage"] as [StaticString]).contains {
      JSONChildren.value(of: $0, in: object) != nil
    }
    if !error.words.isEmpty {
      lanes[tag]?.reason = error
    } else if !isFact {
      lanes[tag]?.reason = APIError(words: object.extracting(first: 200).withoutLineEnds)
    }
  }

  /// Handles the mark `[DONE]`, which has no tag.
  mutating func endStream() {
    change([]) { lane in
      Self.failByReason(&lane)
      for index in lane.choices.indices { lane.choices[index].endStream(&lane.count) }
    }
  }

  /// Handles `error`, which came in place of the rest of the answer with `tag`. Of several choices
  /// those that have an end end before it.
  mutating func fail(_ error: APIError, tag: [UInt8]) {
    change(tag) { lane in
      lane.reason = nil
      let isOfOthers = lane.choices.contains(where: \.lacksEnd)
      for index in lane.choices.indices {
        if isOfOthers, !lane.choices[index].lacksEnd {
          lane.choices[index].endStream(&lane.count)
        } else {
          lane.choices[index].sendWaiting(&lane.count)
          lane.choices[index].fail(error)
        }
      }
    }
  }

  /// Ends the open answer with `tag`, where another response begins.
  mutating func interrupt(_ tag: [UInt8]) {
    change(tag) { lane in
      Self.failByReason(&lane)
      for index in lane.choices.indices { lane.choices[index].interrupt(&lane.count) }
    }
  }

  /// Ends the input, and all answers.
  mutating func endInput() {
    hasAnswers = false
    for tag in lanes.sorted(by: { $0.value.heard < $1.value.heard }).map(\.key) { interrupt(tag) }
  }

  /// Ends the choices without an end for the reason that came.
  private static func failByReason(_ lane: inout Lane) {
    guard let reason = lane.reason.take() else { return }
    for index in lane.choices.indices where lane.choices[index].lacksEnd {
      lane.choices[index].fail(reason)
    }
  }

  /// Has `work` change the lane with `tag`, if there is one.
  private mutating func change(_ tag: [UInt8], _ work: (inout Lane) -> Void) {
    guard var lane = lanes.removeValue(forKey: tag) else { return }
    work(&lane)
    lanes[tag] = lane
    noteChange(of: tag)
  }

  /// Notes what the lane with `tag`, which has changed, has to take.
  private mutating func noteChange(of tag: [UInt8]) {
    for index in lanes[tag]?.choices.indices ?? 0..<0 {
      notes += lanes[tag]?.choices[index].takeNotes() ?? []
    }
    if lanes[tag]?.hasEvent != true {
      leave(tag)
    } else if !ready.contains(tag) {
      ready.append(tag)
    }
  }

  /// Leaves a lane whose events were taken. A tag whose answer has ended is forgotten.
  private mutating func leave(_ tag: [UInt8]) {
    if !tag.isEmpty, !isOpen(tag) { lanes[tag] = nil }
  }
}
