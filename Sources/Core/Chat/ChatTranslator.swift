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
  /// One choice of the open answer of a tag.
  fileprivate struct Choice {
    let number: Int
    /// Whether it came first: it has the id and the token counts of the answer.
    let isFirst: Bool
    var sequence = ChatSequence()
    var answer: ChatAnswer?
    /// Answers that are over, some of whose events were not taken yet.
    var over: [ChatAnswer] = []

    /// Whether an answer is open whose end did not come.
    var lacksEnd: Bool { sequence.isOpen && sequence.end == nil }
    var hasEvent: Bool { answer?.hasEvent == true || over.contains(where: \.hasEvent) }
  }

  /// The open answer of one tag.
  fileprivate struct Lane {
    /// The choices in the order in which they came; the first one has those of no choice, too.
    var choices: [Choice] = []
    var numbers = ChatNumbers()
    /// The number of its answers so far.
    var count = 0
    /// The number of the object that it heard last.
    var heard = 0
    /// What came behind its last chunk and tells why the answer ends, should nothing follow it.
    var reason: APIError?
    /// Whether all its choices have ended, so that none waits for the first.
    var isEnding = false
    var notes: [String] = []

    var isOpen: Bool { choices.contains { $0.sequence.isOpen } }
    /// The number of choices whose events may be taken.
    var readyCount: Int { isEnding || choices.first?.sequence.isOpen != true ? choices.count : 1 }
    var hasEvent: Bool { choices.prefix(readyCount).contains(where: \.hasEvent) }
  }

  /// An event that was made.
  struct Made {
    let line: [UInt8]
    /// The tag of its answer; empty when it has none.
    let tag: [UInt8]
  }

  /// By their tags; the empty tag stands for none.
  private var lanes: [[UInt8]: Lane] = [:]
  /// The tags whose events are taken next, and the lanes that were given up for others.
  private var ready: [[UInt8]] = []
  private var left: [(tag: [UInt8], lane: Lane)] = []
  /// The number of objects so far.
  private var count = 0
  private var notes: [String] = []
  /// Whether an object came since the last input ended.
  private(set) var hasAnswers = false
  /// The place of the object, mark or event that made the next events.
  var place = Notice.Place(line: 1, byte: 0)

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

  /// Whether anything came of Chat Completions.
  var hasObjects: Bool { count > 0 }

  /// Whether the end of the input would cut the open answer without a tag.
  var isCut: Bool { isOpen([]) && !isComplete([]) && !hasReason }

  /// Whether an answer with `tag` is open.
  func isOpen(_ tag: [UInt8]) -> Bool { lanes[tag]?.isOpen == true }

  /// Whether an answer with `tag` is open each of whose choices has its end.
  func isComplete(_ tag: [UInt8]) -> Bool {
    guard let lane = lanes[tag], lane.isOpen else { return false }
    return lane.choices.allSatisfy { !$0.sequence.isOpen || $0.sequence.isComplete }
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

  /// The reason that `object`, which has no choices, gives for the end of an answer behind whose
  /// chunks it stands, in its own words; `nil` when it tells tokens, filters and other facts alone.
  static func reason(in object: Span<UInt8>) -> APIError? {
    let error = APIError(in: object)
    if error.isNone || !error.words.isEmpty { return error.isNone ? nil : error }
    var members = JSONChildren()
    while let member = members.next(in: object) {
      let name = JSONString.text(inside: object.extracting(member.name)).lowercased()
      if name == "type" { return nil }
      let isFact =
        facts.contains(name) || kindsOfFacts.contains { name.contains($0) }
        || object.extracting(member.value).equals("null")
      if !isFact { return APIError(words: object.extracting(first: 200).withoutLineEnds) }
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

  /// Whether there are events to take.
  var hasEvent: Bool { !ready.isEmpty || !left.isEmpty }

  /// Takes the next event; `nil` when there is none.
  mutating func next() -> Made? {
    while let tag = left.first?.tag {
      if let line = left[0].lane.next() { return Made(line: line, tag: tag) }
      left.removeFirst()
    }
    while let tag = ready.first {
      if let line = lanes[tag]?.next() { return Made(line: line, tag: tag) }
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
    change(tag) { [count] lane in
      lane.heard = count
      lane.append(whole, object)
    }
    guard lanes.count > Self.mostLanes,
      let oldest = lanes.min(by: { $0.value.heard < $1.value.heard })?.key
    else { return }
    interrupt(oldest)
    ready.removeAll { $0 == oldest }
    if let lane = lanes.removeValue(forKey: oldest) { left.append((oldest, lane)) }
  }

  /// Notes `words`, which came in place of a chunk without a tag; false when no answer is open.
  mutating func note(words: [UInt8]) -> Bool {
    guard isOpen([]) else { return false }
    lanes[[]]?.reason = APIError(words: words)
    return true
  }

  /// Notes that `object`, which has no choices, may tell why the open answer with `tag` ends.
  mutating func noteReason(in object: Span<UInt8>, tag: [UInt8]) {
    if isOpen(tag), let reason = Self.reason(in: object) { lanes[tag]?.reason = reason }
  }

  /// Handles the mark `[DONE]`, which has no tag.
  mutating func endStream() {
    guard lanes[[]] != nil else { return }
    change([]) { lane in
      lane.failByReason()
      for index in lane.choices.indices { lane.endStream(index) }
    }
  }

  /// Handles `error`, which came in place of the rest of the answer with `tag`. Of several choices
  /// those that have an end end before it.
  mutating func fail(_ error: APIError, tag: [UInt8]) {
    guard lanes[tag] != nil else { return }
    change(tag) { lane in
      lane.reason = nil
      let isOfOthers = lane.choices.contains(where: \.lacksEnd)
      for index in lane.choices.indices {
        if isOfOthers, !lane.choices[index].lacksEnd {
          lane.endStream(index)
        } else {
          lane.sendWaiting(index)
          lane.choices[index].sequence.fail(error)
        }
      }
    }
  }

  /// Ends the open answer with `tag`, where another response begins.
  mutating func interrupt(_ tag: [UInt8]) {
    guard lanes[tag] != nil else { return }
    change(tag) { lane in
      lane.failByReason()
      for index in lane.choices.indices { lane.interrupt(index) }
      lane.isEnding = true
    }
  }

  /// Ends the input, and all answers.
  mutating func endInput() {
    hasAnswers = false
    for tag in lanes.sorted(by: { $0.value.heard < $1.value.heard }).map(\.key) { interrupt(tag) }
  }

  /// Has `work` change the lane with `tag`.
  private mutating func change(_ tag: [UInt8], _ work: (inout Lane) -> Void) {
    work(&lanes[tag, default: Lane()])
    if let found = lanes[tag]?.notes, !found.isEmpty {
      notes += found
      lanes[tag]?.notes = []
    }
    if lanes[tag]?.hasEvent != true {
      leave(tag)
    } else if !ready.contains(tag) {
      ready.append(tag)
    }
  }

  /// Leaves a lane whose events were taken. A tag whose answer has ended is forgotten.
  private mutating func leave(_ tag: [UInt8]) {
    lanes[tag]?.isEnding = false
    if !tag.isEmpty, !isOpen(tag) { lanes[tag] = nil }
  }
}

extension ChatTranslator.Lane {
  /// Takes the line of the next event; `nil` when there is none.
  fileprivate mutating func next() -> [UInt8]? {
    for index in 0..<readyCount {
      while !choices[index].over.isEmpty {
        if let line = choices[index].over[0].next() { return line }
        choices[index].over.removeFirst()
      }
      if let line = choices[index].answer?.next() { return line }
    }
    return nil
  }

  /// Appends `object`, whose members `whole` has, to each of its choices.
  fileprivate mutating func append(_ whole: ChatObject, _ object: Span<UInt8>) {
    if !isOpen {
      choices = []
      numbers = ChatNumbers()
    }
    if !whole.choices.isEmpty { reason = nil }
    var places: [(position: Int, place: Range<Int>)] = []
    for (number, place) in whole.choices {
      guard let position = numbers.position(of: number) else {
        notes.append("choice \(number) is left out: choices have the numbers 0 to 127")
        continue
      }
      places.append((position, place))
      if position == choices.count { begin(number) }
    }
    // What an object has of no choice, as token counts, is the first one's.
    if places.isEmpty, !whole.choices.isEmpty { return }
    if choices.isEmpty { begin(0) }
    append(places.first { $0.position == 0 }?.place, of: whole, object, to: 0)
    for (position, place) in places where position > 0 {
      append(place, of: whole, object, to: position)
    }
  }

  private mutating func begin(_ number: Int) {
    choices.append(ChatTranslator.Choice(number: number, isFirst: choices.isEmpty))
  }

  private mutating func append(
    _ place: Range<Int>?, of whole: ChatObject, _ object: Span<UInt8>, to index: Int
  ) {
    let isInside = choices[index].sequence.isOpen
    let chunk = ChatChunk(place, of: whole, in: object, isInside: isInside)
    if choices[index].sequence.isOther(chunk) { interrupt(index) }
    let isRepeated = choices[index].sequence.isRepeated(in: chunk)
    if choices[index].sequence.isComplete, let error = chunk.failure {
      notes.append(ChatTranslator.behindEnd(error))
    }
    guard choices[index].sequence.append(chunk) else { return }
    if !chunk.isEmpty {
      begin(index, object, chunk.id)
      choices[index].answer?.add(
        chunk, isRepeated: isRepeated, citing: whole.cited, object)
    }
    if let moderation = whole.moderation { choices[index].answer?.moderation = moderation }
    if let guess = chunk.end?.note { notes.append(guess) }
    takeNotes(index)
    if chunk.isWhole, !isRepeated { finish(index) }
  }

  /// Ends the choices without an end for the reason that came.
  fileprivate mutating func failByReason() {
    guard let reason else { return }
    for index in choices.indices where choices[index].lacksEnd {
      choices[index].sequence.fail(reason)
    }
    self.reason = nil
  }

  /// Ends the answer of a choice, as `[DONE]` came.
  fileprivate mutating func endStream(_ index: Int) {
    guard choices[index].sequence.isOpen else { return }
    let isGuessed = choices[index].lacksEnd
    choices[index].sequence.appendMark()
    if isGuessed, let guess = choices[index].sequence.end?.note { notes.append(guess) }
    finish(index)
  }

  /// Ends the answer of a choice where another begins, if a reason for its end came. If not it was
  /// cut, and its response stays open.
  fileprivate mutating func interrupt(_ index: Int) {
    if choices[index].sequence.end != nil { return finish(index) }
    sendWaiting(index)
    leave(index)
  }

  /// Sends what waited for more of an open answer: its beginning, and its last call.
  fileprivate mutating func sendWaiting(_ index: Int) {
    guard choices[index].sequence.isOpen else { return }
    begin(index, Span(), "")
    choices[index].answer?.sendCall()
  }

  /// Begins the answer of `object` unless one is open. Azure's first chunk, the results of its
  /// filters, begins none, since it has no id.
  private mutating func begin(_ index: Int, _ object: Span<UInt8>, _ id: String) {
    guard choices[index].answer == nil else { return }
    if choices[index].isFirst { count += 1 }
    let id = id.isEmpty ? "chat_\(count)" : id
    let number = choices[index].number
    choices[index].answer = ChatAnswer(
      object, id: choices[index].isFirst ? id : "\(id)_\(number)")
  }

  private mutating func finish(_ index: Int) {
    begin(index, Span(), "")
    let sequence = choices[index].sequence
    let usage = choices[index].isFirst ? sequence.usage : nil
    choices[index].answer?.finish(sequence.end ?? ChatEnd(), usage)
    leave(index)
  }

  /// Leaves the answer of a choice, which is over; its events are taken first.
  private mutating func leave(_ index: Int) {
    takeNotes(index)
    if let answer = choices[index].answer.take() { choices[index].over.append(answer) }
    choices[index].sequence = ChatSequence()
  }

  private mutating func takeNotes(_ index: Int) {
    notes += choices[index].answer?.notes ?? []
    choices[index].answer?.notes = []
  }
}
