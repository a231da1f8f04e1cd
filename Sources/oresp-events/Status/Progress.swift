import Core

/// Follows a response by its events: what it is doing, and what is known of it.
struct Progress {
  private(set) var state: StatusState?
  private(set) var facts = StatusFacts()
  private var verdict = Verdict()
  private var words = WordCounter()
  private var hasDelta = false
  private var hasError = false
  /// When the response began by the clock, and by its own line if that tells.
  private var beganAt = 0
  private var beganSeconds: Double?

  /// Takes an event, whose line is `line` and which came at `now` (milliseconds).
  mutating func handle(_ event: Event, _ line: Span<UInt8>, now: Int) {
    guard let type = event.type else { return }
    let row = type.row
    let judgement = verdict.handle(type, line).last
    switch row.family {
    case .lifecycle: takeLifecycle(row, judgement, line, now: now)
    case .error: hasError = true
    case .outputItem: takeItem(line, isDone: row.phase == .done)
    case .outputText: takeText(row.phase, line)
    case .refusal: state = .refusing
    default: takeStatus(row, line)
    }
    if state?.isEnd != true { facts.milliseconds = now - beganAt }
  }

  /// Takes the end of the last input.
  mutating func finish() {
    let isCut = !verdict.hasEnd
    if let judgement = verdict.conclude() { end(judgement, isCut ? .cut : .error) }
  }

  private mutating func takeLifecycle(
    _ row: EventCatalogue.Row, _ judgement: Verdict.Judgement?, _ line: Span<UInt8>, now: Int
  ) {
    switch row.phase {
    case .start:
      self = Self(after: self)
      (beganAt, beganSeconds, state) = (now, Pacer.time(of: line), .starting)
    case .terminal:
      facts.tokens = JSONChildren.value(of: "response", "usage", "total_tokens", in: line)
        .flatMap { JSONNumber.integer(line.extracting($0)) }
      facts.milliseconds = duration(to: line, now: now)
      if let judgement { end(judgement, .failed) } else { state = .done }
    default:
      if state == nil { (beganAt, beganSeconds) = (now, Pacer.time(of: line)) }
      state = row.name.description == "response.queued" ? .queued : .processing
    }
  }

  /// One that follows another response, of which it keeps the verdict alone.
  private init(after other: Self) { verdict = other.verdict }

  init() {}

  private func duration(to line: Span<UInt8>, now: Int) -> Int {
    guard let start = beganSeconds, let end = Pacer.time(of: line), 0...1e9 ~= end - start else {
      return now - beganAt
    }
    return Int((end - start) * 1000)
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

  private mutating func takeText(_ phase: EventPhase, _ line: Span<UInt8>) {
    switch phase {
    case .delta:
      hasDelta = true
      count(JSONChildren.value(of: "delta", in: line), of: line)
      state = facts.citations > 0 ? .citing : .drafting
    case .annotation:
      facts.citations += 1
      state = .citing
    case .done:
      if !hasDelta { count(JSONChildren.value(of: "text", in: line), of: line) }
      hasDelta = false
      words.endPart()
      state = .finalising
    default: break
    }
  }

  private mutating func count(_ value: Range<Int>?, of line: Span<UInt8>) {
    guard let value, line[value.lowerBound] == ASCII.quote else { return }
    words.take(JSONString.decoded(line.extracting(value)))
    facts.words = words.count
  }

  private mutating func takeItem(_ line: Span<UInt8>, isDone: Bool) {
    guard let value = JSONChildren.value(of: "item", in: line) else { return }
    let item = StatusItem(line.extracting(value))
    guard let next = isDone ? item.doneState : item.state else { return }
    if !item.name.isEmpty || !isDone { facts.name = item.name }
    if !item.query.isEmpty || !isDone { facts.query = item.query }
    if next == .searchStarting { facts.settleSources() }
    if let count = item.sources { facts.note(sources: count) }
    if next == .searchDone || next == .fileSearchDone { facts.settleSources() }
    state = next
  }

  private mutating func takeStatus(_ row: EventCatalogue.Row, _ line: Span<UInt8>) {
    guard let next = StatusItem.state(row) else { return }
    state = next
    if let consulted = JSONChildren.value(of: "progress", "sources_consulted", in: line),
      let count = JSONNumber.integer(line.extracting(consulted))
    {
      facts.note(sources: count)
    }
    if let results = JSONChildren.value(of: "results", "sources", in: line) {
      facts.note(sources: StatusItem.count(in: line.extracting(results)))
    }
  }
}
