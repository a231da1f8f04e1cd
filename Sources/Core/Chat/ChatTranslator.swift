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
  /// The answers with one tag, as far as their events were not all taken.
  private struct Lane {
    /// In the order in which they began.
    var answers: [ChatAnswer] = []
    /// The number of the choice that came first: it has what an object has of no choice.
    var first = 0
    /// What its answer is called if the server gives it no id.
    var name = ""
    /// The number of the object that it heard last.
    var heard = 0
    /// What came behind the last chunk and tells why the answer ends, should nothing follow it.
    var reason: APIError?

    var isOpen: Bool { answers.contains(where: \.isOpen) }
    var lacksEnd: Bool { answers.contains { $0.isOpen && $0.end == nil } }

    /// Takes the line of the next event, of the first choice until that has ended; `nil` when there
    /// is none.
    mutating func next() -> [UInt8]? {
      while let index = answers.firstIndex(where: \.isFirst) ?? answers.indices.first {
        if let line = answers[index].next() { return line }
        if answers[index].isOpen { return nil }
        answers.remove(at: index)
      }
      return nil
    }

    /// Has the choices without an end fail by `error`, and ends the others.
    mutating func fail(_ error: APIError) {
      reason = nil
      for index in answers.indices where answers[index].isOpen {
        if answers[index].end == nil {
          answers[index].fail(error)
        } else {
          answers[index].close()
        }
      }
    }

    /// Ends the choices, with `isMarked` as `[DONE]` came; those without an end for the reason that
    /// came.
    mutating func end(isMarked: Bool, _ notes: inout [String]) {
      for index in answers.indices where answers[index].isOpen {
        if answers[index].end == nil, let reason { answers[index].fail(reason) }
        if isMarked { answers[index].endAtMark(&notes) }
        answers[index].close()
      }
      reason = nil
    }
  }

  /// By their tags; the empty tag stands for none.
  private var lanes: [[UInt8]: Lane] = [:]
  /// The tags whose events are taken next.
  private var ready: [[UInt8]] = []
  /// The numbers of objects and of answers so far.
  private var objectCount = 0
  private var answerCount = 0
  /// Messages on what was guessed or left out; the owner removes them.
  var notes: [String] = []
  /// The place of the object, mark or event that made the next events.
  var place = Notice.Place(line: 1, byte: 0)

  /// The most tags whose answers are open at once; another ends the one heard of longest ago.
  private static let mostLanes = 1024
  /// The numbers that a request for several choices can give them.
  private static let numbers = 0..<128

  package init() {}

  /// Gives answers without ids others than `former`, that of the input before, did.
  init(behind former: ChatTranslator) { answerCount = former.answerCount }

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
  var hasObjects: Bool { objectCount > 0 }

  /// Whether an answer is open, or has events to take.
  var hasAnswers: Bool { !lanes.isEmpty }

  /// Whether there may be events to take.
  var hasEvent: Bool { !ready.isEmpty }

  /// Whether an answer with `tag` is open.
  func isOpen(_ tag: [UInt8]) -> Bool { lanes[tag]?.isOpen == true }

  /// Whether an answer with `tag` is open each of whose choices has its end, which no error
  /// changes.
  func isComplete(_ tag: [UInt8]) -> Bool {
    guard let lane = lanes[tag], lane.isOpen else { return false }
    return lane.answers.allSatisfy { !$0.isOpen || $0.isComplete }
  }

  /// Whether a choice of the open answer without a tag lacks its end.
  var lacksEnd: Bool { lanes[[]]?.lacksEnd == true }

  /// Whether the end of the input would cut the open answer without a tag.
  var isCut: Bool { lacksEnd && lanes[[]]?.reason == nil }

  /// The warning about `error`, which came behind the end of a complete answer.
  static func behindEnd(_ error: APIError) -> String {
    "an error behind the end of the answer: " + error.summary
  }

  /// Takes the line of the next event, and the tag of its answer; `nil` when there is none.
  mutating func next() -> (line: [UInt8], tag: [UInt8])? {
    while let tag = ready.first {
      if let line = lanes[tag]?.next() { return (line, tag) }
      ready.removeFirst()
      if lanes[tag]?.answers.isEmpty == true { lanes[tag] = nil }
    }
    return nil
  }

  /// Appends `object`, a chunk or an answer with `tag`.
  mutating func append(_ object: Span<UInt8>, tag: [UInt8]) {
    objectCount += 1
    var lane = lanes.removeValue(forKey: tag) ?? Lane()
    lane.heard = objectCount
    append(object, to: &lane)
    lanes[tag] = lane
    noteChange(of: tag)
    guard lanes.count > Self.mostLanes,
      let oldest = lanes.filter({ !$0.key.isEmpty }).min(by: { $0.value.heard < $1.value.heard })
    else { return }
    end(oldest.key)
  }

  /// Appends `object` to the open answer of each of its choices, or to the one that it begins.
  private mutating func append(_ object: Span<UInt8>, to lane: inout Lane) {
    let whole = ChatObject(object)
    if !whole.choices.isEmpty { lane.reason = nil }
    var choices: [(number: Int, place: Range<Int>?)] = []
    for (number, place) in whole.choices {
      if Self.numbers.contains(number) {
        choices.append((number, place))
      } else {
        notes.append("choice \(number) is left out: choices have the numbers 0 to 127")
      }
    }
    if !lane.isOpen {
      guard choices.isEmpty == whole.choices.isEmpty else { return }
      lane.first = choices.first?.number ?? 0
    }
    if !choices.contains(where: { $0.number == lane.first }) {
      choices.insert((lane.first, nil), at: 0)
    }
    for (number, place) in choices {
      let chunk = ChatChunk(of: whole, at: place, in: object)
      var index = lane.answers.lastIndex { $0.isOpen && $0.number == number }
      if let open = index, lane.answers[open].isOver(at: chunk) {
        lane.answers[open].close()
        index = nil
      }
      // {"choices":[],"usage":{…}} behind [DONE] belongs to none.
      if index == nil, whole.choices.isEmpty, whole.usage != nil { continue }
      if index == nil {
        let isFirst = number == lane.first
        if isFirst {
          answerCount += 1
          lane.name = "chat_\(answerCount)"
        }
        lane.answers.append(ChatAnswer(number, isFirst: isFirst, name: lane.name))
      }
      lane.answers[index ?? lane.answers.count - 1].append(chunk, object, &notes)
    }
  }

  /// Notes `words`, which came in place of the rest of the open answer without a tag.
  mutating func noteReason(_ words: [UInt8]) { lanes[[]]?.reason = APIError(words: words) }

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

  /// Handles `error`, which came in place of the rest of the answer with `tag`. Choices that have
  /// an end end before it.
  mutating func fail(_ error: APIError, tag: [UInt8]) {
    lanes[tag]?.fail(error)
    noteChange(of: tag)
  }

  /// Ends the open answer with `tag`, where another response begins, or with `isMarked` as `[DONE]`
  /// came.
  mutating func end(_ tag: [UInt8], isMarked: Bool = false) {
    lanes[tag]?.end(isMarked: isMarked, &notes)
    noteChange(of: tag)
  }

  /// Ends the input, and all answers.
  mutating func endInput() {
    for tag in lanes.sorted(by: { $0.value.heard < $1.value.heard }).map(\.key) { end(tag) }
  }

  /// Notes that the lane with `tag` may have events to take.
  private mutating func noteChange(of tag: [UInt8]) {
    if !ready.contains(tag) { ready.append(tag) }
  }
}
