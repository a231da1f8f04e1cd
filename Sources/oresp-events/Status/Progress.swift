import Core

/// Follows a response: its state, and the facts that are shown with it.
struct Progress {
  private(set) var state: StatusState?
  private(set) var facts = StatusFacts()
  /// The input of its last event, where there are several.
  var inputName: String?
  private var words = WordCounter()
  private var hasDelta = false
  /// The ids of messages of commentary, which is no part of the answer.
  private var commentary: Set<String> = []
  /// When the response began.
  private var beganAt: Int?

  /// Handles an event that came at `now` (milliseconds). Returns whether it has text of the answer.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, now: Int) -> Bool {
    guard let type = event.type, event.step != .again else { return false }
    let beganAt = self.beganAt ?? now
    self.beganAt = beganAt
    switch type.family {
    case .lifecycle:
      if event.step == .ends {
        end(event.value(of: "response", "usage", in: line), of: event, line)
      } else {
        state = StatusItem.state(type) ?? .processing
      }
    case .error: break
    case .outputItem: handleItem(event, line, isDone: type.phase == .done)
    case .outputText, .transcription: handleText(type.phase, event, line)
    case .image: state = .imageGenerating
    case .speech: state = .processing
    case .refusal: state = .refusing
    default: handleWork(type, event, line)
    }
    if type.family.standsAlone, event.step == .ends {
      end(event.value(of: "usage", in: line), of: event, line)
    }
    if state?.isEnd != true || event.step == .ends { facts.milliseconds = now - beganAt }
    return hasText(type, event, line)
  }

  /// Ends `response` at `now`, if none of its events did.
  mutating func close(_ response: Response, now: Int) {
    guard state?.isEnd != true, let outcome = response.outcome else { return }
    if !outcome.isError { facts.milliseconds = now - (beganAt ?? now) }
    end(outcome, outcome.isCut ? .cut : .error)
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

  private mutating func end(
    _ usage: Range<Int>?, of event: borrowing Event, _ line: Span<UInt8>
  ) {
    let tokens = usage.flatMap { event.value(of: "total_tokens", inside: $0, in: line) }
    facts.tokens = tokens.flatMap { JSONNumber.integer(line.extracting($0)) }
    if let outcome = event.response?.outcome { end(outcome, .failed) } else { state = .done }
  }

  private mutating func end(_ outcome: Response.Outcome, _ otherwise: StatusState) {
    facts.reason = outcome.message
    switch outcome.status {
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
    guard let place = event.object(of: "item", in: line) else { return }
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
    if let place = event.value(of: "progress", "sources_consulted", in: line),
      let count = JSONNumber.integer(line.extracting(place))
    {
      facts.note(sources: count)
    }
    if let sources = event.value(of: "results", "sources", in: line) {
      facts.note(sources: JSONChildren.elements(at: sources, in: line).count)
    }
  }
}

/// The facts of a response that are shown with its state.
struct StatusFacts {
  var query = ""
  var name = ""
  var reason = ""
  var words = 0
  var citations = 0
  var tokens: Int?
  /// The time since the response began.
  var milliseconds: Int?
  /// The sources of the searches that are over, and of the open search.
  private var settledSources = 0
  private var newSources = 0

  var sources: Int { clampedSum(settledSources, newSources) }

  /// The values of the placeholders, each `nil` when it is not known, or nothing.
  private var values: [(name: String, value: JSONValue?)] {
    func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .text(text) }
    func count(_ count: Int) -> JSONValue? { count > 0 ? .integer(count) : nil }
    let seconds = milliseconds.map { "\($0 / 1000).\($0 % 1000 / 100)" }
    return [
      ("query", text(query)), ("sources", count(sources)), ("words", count(words)),
      ("citations", count(citations)), ("seconds", seconds.map { .raw(Array($0.utf8)) }),
      ("tokens", tokens.map { .integer($0) }), ("name", text(name)), ("reason", text(reason)),
    ]
  }

  /// The values that are known as members of a notice.
  var members: [(name: String, value: JSONValue)] {
    values.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Notes that the open search has `count` sources.
  mutating func note(sources count: Int) { newSources = max(0, count) }

  /// Ends the open search.
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
