import Core

/// Turns answers of Chat Completions, streamed or whole, into events of the Responses API, and
/// gives them to a filter, in their order with the events that came as such.
struct ChatFilter<Events: EventFilter>: Filter, ~Copyable {
  private var events: Events
  private var feed: EventFeed
  private var chat = ChatTranslator()
  /// Messages that were reported: each is reported once.
  private var reported: Set<String> = []
  private let settings: SSETool.Settings

  /// With the form `chat`, an object that is neither an event nor a chunk is an error.
  init(_ events: Events, _ settings: SSETool.Settings) {
    var reading = settings.reading
    (reading.acceptsChat, reading.isGeneric) = (true, true)
    if settings.form == .chat { (reading.acceptsAnything, reading.keepsMarks) = (true, true) }
    feed = EventFeed(reading, sorting: events.triage, judging: events.judged, events.ownEnds)
    (self.events, self.settings) = (events, settings)
  }

  mutating func handle(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: false, into: &output)
  }

  mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: true, into: &output)
    guard output.pauseUntil == nil else { return }
    feed.endInput(into: &output)
    chat.endInput()
    give(at: nil, into: &output)
  }

  mutating func finish(into output: inout Output) -> ExitStatus {
    events.finish(into: &output)
    feed.finish(into: &output)
    return events.status
  }

  var complaint: Notice? {
    if settings.form == .chat, let foreign = feed.foreign {
      return Notice(.error, foreign, status: .badInput)
    }
    return feed.judge.meets(.objects, hasBytes: feed.hasBytes)
      ? nil : .withoutEvents(hasBytes: feed.hasBytes)
  }

  private mutating func run(_ input: inout InputBuffer, isEnd: Bool, into output: inout Output) {
    let enough = output.bytes.count + Output.enough
    let isForced = settings.form == .chat
    while let place = Self.read(
      &feed, &events, &chat, isForced, &input, isEnd: isEnd, into: &output)
    {
      give(at: place, into: &output)
      if output.bytes.count >= enough { return output.leaveOff() }
      if output.isOver { return }
    }
  }

  /// Reads on until `chat` made events. Returns the place of the object that they came from;
  /// `nil` when no more is there.
  private static func read(
    _ feed: inout EventFeed, _ events: inout Events, _ chat: inout ChatTranslator,
    _ isForced: Bool, _ input: inout InputBuffer, isEnd: Bool, into output: inout Output
  ) -> Notice.Place? {
    var found: Notice.Place?
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _ output: inout Output) -> Gate {
      let tag = event.string(of: "oresp", "request", in: line)
      guard event.typeName != nil else {
        if ChatTranslator.isAnswer(line) {
          chat.append(line, tag: tag)
          found = event.inputPlace
          return .replace
        }
        // A line of the Batch API: {"custom_id":"a","response":{"body":{"choices":[…]}}}
        if let body = JSONChildren.value(of: "response", "body", in: line),
          ChatTranslator.isAnswer(line.extracting(body))
        {
          let name = JSONChildren.string(of: "custom_id", in: line) ?? []
          chat.append(line.extracting(body), tag: name)
          found = event.inputPlace
          return .replace
        }
        if !isForced { return .open }
        let why = "neither an event nor an answer of Chat Completions"
        output.notices.append(Notice(.error, why, status: .badInput, at: event.inputPlace))
        return .drop
      }
      if event.isDone(line) {
        chat.endStream()
        found = event.inputPlace
        return .replace
      }
      guard chat.isOpen(tag) else { return .open }
      if event.type?.family == .lifecycle {
        chat.interrupt(tag)
        found = event.inputPlace
        return .wait
      }
      if event.isError { chat.fail(APIError(in: line), tag: tag) }
      return .open
    }
    feed.each(in: &input, isEnd: isEnd, into: &output, gate: gate) { event, line, output in
      events.handle(event, line, into: &output)
    }
    return found
  }

  /// Hands on what was made, up to the end of the last response that is wanted.
  private mutating func give(at place: Notice.Place?, into output: inout Output) {
    let (made, notes) = chat.takeAll()
    for note in notes where reported.insert(note).inserted {
      output.notices.append(Notice(.warning, note, at: place))
    }
    for made in made {
      let line = EventLine.tagged(made.line, made.tag)
      if let most = settings.reading.responses, feed.judge.ends >= most { break }
      Self.give(line.span, at: place, &feed, &events, into: &output)
    }
    output.isOver = settings.reading.responses.map { feed.judge.ends >= $0 } ?? output.isOver
  }

  private static func give(
    _ line: Span<UInt8>, at place: Notice.Place?, _ feed: inout EventFeed,
    _ events: inout Events, into output: inout Output
  ) {
    var event = Event(of: line)
    if let place { event.inputPlace = place }
    feed.judge(&event, line, into: &output) { events.handle($0, $1, into: &$2) }
  }
}
