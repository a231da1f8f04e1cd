import Core

/// Follows a response by its events: what it is doing, and what is known of it.
struct Progress {
  private(set) var state: StatusState?
  private(set) var facts = StatusFacts()
  private var verdict = Verdict()
  private var words = WordCounter()
  private var hasDelta = false
  /// The messages that are commentary, which is no part of the answer's text.
  private var commentary: Set<String> = []
  /// When the response began.
  private var beganAt = 0

  /// Takes an event, whose line is `line` and which came at `now` (milliseconds). Tells whether it
  /// has text of the answer.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, now: Int) -> Bool {
    guard let type = event.type, !event.step.isRepeated else { return false }
    let (judgements, step) = (type.isJudged ? verdict.handle(event, line) : [], event.step)
    switch type.family {
    case .lifecycle:
      if step.kind == .begins || step.leavesCut { begin(now: now) }
      if step.kind == .ends {
        // The first judgement is on the response that was cut off, if one was.
        let tokens = Self.tokens(event.value(of: "response", "usage", in: line), in: line)
        end(tokens, judgements.dropFirst(step.leavesCut ? 1 : 0).last, now: now)
      } else {
        state = Self.state(type)
      }
    case .error: break
    case .outputItem: handleItem(event, line, isDone: type.phase == .done)
    case .outputText: handleText(type.phase, event, line)
    case .transcription, .speech, .image:
      if step.isFirst || step.leavesCut { begin(now: now) }
      handleAlone(type, event, line)
      guard step.kind == .ends else { break }
      let tokens = Self.tokens(event.value(of: "usage", in: line), in: line)
      end(tokens, judgements.dropFirst(step.leavesCut ? 1 : 0).last, now: now)
    case .refusal: state = .refusing
    default: handleWork(type, event, line)
    }
    if state?.isEnd != true { facts.milliseconds = now - beganAt }
    return hasText(type, event, line)
  }

  /// Takes the end of the last input, which came at `now`.
  mutating func finish(now: Int) {
    let isCut = !verdict.hasEnd
    if isCut { facts.milliseconds = now - beganAt }
    if let judgement = verdict.conclude() { end(judgement, isCut ? .cut : .error) }
  }

  /// Forgets the response before, but for the verdict on it.
  private mutating func begin(now: Int) {
    (facts, words, hasDelta) = (StatusFacts(), WordCounter(), false)
    (commentary, beganAt) = ([], now)
  }

  /// Takes an event of the stream of another endpoint.
  private mutating func handleAlone(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    switch type.family {
    case .transcription: handleText(type.phase, event, line)
    case .image: state = .imageGenerating
    default: state = .processing
    }
  }

  /// Whether an event brings text of the answer, as a delta or whole.
  private mutating func hasText(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Bool {
    switch (type.family, type.phase) {
    case (.transcription, .delta), (.transcription, .done): return true
    case (.outputText, .delta), (.outputText, .done), (.contentPart, .done):
      return commentary.isEmpty
        || !commentary.contains(event.text(of: "item_id", in: line))
    case (.outputItem, _) where event.text(of: "item", "type", in: line) == "message":
      guard event.text(of: "item", "phase", in: line) == "commentary" else {
        return type.phase == .done
      }
      commentary.insert(event.text(of: "item", "id", in: line))
      return false
    default: return false
    }
  }

  /// What a response does that an event of this type tells of.
  private static func state(_ type: EventType) -> StatusState {
    switch type.row.name.description {
    case "response.created": .starting
    case "response.queued": .queued
    default: .processing
    }
  }

  private static func tokens(_ usage: Range<Int>?, in line: Span<UInt8>) -> Int? {
    usage.flatMap { JSONChildren.integer(of: "total_tokens", in: line.extracting($0)) }
  }

  private mutating func end(_ tokens: Int?, _ judgement: Verdict.Judgement?, now: Int) {
    facts.tokens = tokens
    facts.milliseconds = now - beganAt
    if let judgement { end(judgement, .failed) } else { state = .done }
  }

  private mutating func end(_ judgement: Verdict.Judgement, _ otherwise: StatusState) {
    facts.reason = judgement.message
    switch judgement.status {
    case .incomplete: state = .incomplete
    case .refusal: state = .refused
    case .cancelled: state = .cancelled
    default: state = otherwise
    }
  }

  private mutating func handleText(
    _ phase: EventPhase, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    switch phase {
    case .delta:
      hasDelta = true
      count(event.value(of: "delta", in: line), in: line)
      state = facts.citations > 0 ? .citing : .drafting
    case .annotation:
      facts.citations += 1
      state = .citing
    case .done:
      if !hasDelta { count(event.value(of: "text", in: line), in: line) }
      hasDelta = false
      words.endPart()
      state = .finalising
    default: break
    }
  }

  private mutating func count(_ text: Range<Int>?, in line: Span<UInt8>) {
    guard let text, line[text.lowerBound] == ASCII.quote else { return }
    JSONString.withText(of: line.extracting(text)) { words.count($0) }
    facts.words = words.total
  }

  private mutating func handleItem(
    _ event: borrowing Event, _ line: Span<UInt8>, isDone: Bool
  ) {
    guard let place = event.value(of: "item", in: line) else { return }
    let item = StatusItem(at: place, of: event, line)
    guard let next = isDone ? item.doneState : item.state else { return }
    if !item.name.isEmpty || !isDone { facts.name = item.name }
    if !item.query.isEmpty || !isDone { facts.query = item.query }
    if next == .searchStarting { facts.settleSources() }
    if let count = item.sources { facts.note(sources: count) }
    if next == .searchDone || next == .fileSearchDone { facts.settleSources() }
    state = next
  }

  private mutating func handleWork(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    guard let next = StatusItem.state(type) else { return }
    state = next
    if let progress = event.value(of: "progress", in: line),
      let count = JSONChildren.integer(of: "sources_consulted", in: line.extracting(progress))
    {
      facts.note(sources: count)
    }
    if let results = event.value(of: "results", in: line),
      case let results = line.extracting(results),
      let sources = JSONChildren.value(of: "sources", in: results)
    {
      facts.note(sources: JSONChildren.elements(at: sources, in: results).count)
    }
  }
}

/// What is known of a response while it runs.
struct StatusFacts {
  var query = ""
  var name = ""
  var reason = ""
  var words = 0
  var citations = 0
  var tokens: Int?
  /// How long it has taken.
  var milliseconds: Int?
  /// The sources of the searches that are over, and of the one that is not.
  private var settledSources = 0
  private var newSources = 0

  var sources: Int { clampedSum(settledSources, newSources) }

  static let names = [
    "query", "sources", "words", "citations", "seconds", "tokens", "name", "reason",
  ]

  /// What `name` stands for; `nil` when that is not known, or nothing.
  private func value(of name: Substring) -> JSONValue? {
    func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .text(text) }
    func count(_ count: Int) -> JSONValue? { count > 0 ? .integer(count) : nil }
    return switch name {
    case "query": text(query)
    case "name": text(self.name)
    case "reason": text(reason)
    case "sources": count(sources)
    case "words": count(words)
    case "citations": count(citations)
    case "tokens": tokens.map { .integer($0) }
    case "seconds": milliseconds.map { .raw(Array("\($0 / 1000).\($0 % 1000 / 100)".utf8)) }
    default: nil
    }
  }

  /// What the placeholder `name` stands for; `nil` when that is not known, or nothing.
  func text(of name: Substring) -> String? {
    value(of: name).map { String(decoding: $0.string ?? $0.line, as: UTF8.self) }
  }

  /// The same as members of a notice.
  var members: [(name: String, value: JSONValue)] {
    Self.names.compactMap { name in value(of: name[...]).map { (name, $0) } }
  }

  /// Notes that the search that runs has `count` sources.
  mutating func note(sources count: Int) { newSources = max(0, count) }

  /// Ends the search that runs.
  mutating func settleSources() { (settledSources, newSources) = (sources, 0) }
}

/// Counts words, which white space separates, in text that comes in pieces.
struct WordCounter {
  private(set) var total = 0
  private var isInside = false

  mutating func count(_ text: Span<UInt8>) {
    for index in text.indices {
      let isWord = !ASCII.isSpace(text[index])
      if isWord, !isInside { total += 1 }
      isInside = isWord
    }
  }

  /// Ends the word that is open.
  mutating func endPart() { isInside = false }
}
