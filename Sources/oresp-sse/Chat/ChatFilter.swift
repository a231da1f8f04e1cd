import Core

/// Turns what servers of Chat Completions send, as a stream or whole, into events of the Responses
/// API, and gives those to a filter.
struct ChatFilter<Events: EventFilter>: Filter, ~Copyable {
  private var events: Events
  private var feed: EventFeed
  private var translator = ChatTranslator()
  private var judge = Judge()
  private let responses: Int?

  init(_ events: Events, reading settings: EventReader.Settings) {
    var reading = settings
    (reading.takesAnything, reading.keepsMarks) = (true, true)
    reading.responses = nil
    self.events = events
    responses = settings.responses
    feed = EventFeed(reading, sorting: .takingAll)
  }

  mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: false, into: &output)
  }

  mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    run(&input, isEnd: true, into: &output)
    guard output.pauseUntil == nil else { return }
    feed.endInput(into: &output)
    translator.endInput()
    Self.give(&translator, &events, &judge, responses, at: nil, into: &output)
  }

  mutating func finish(into output: inout Output) -> ExitStatus {
    events.finish(into: &output)
    judge.finish(into: &output)
    return events.status
  }

  var complaint: Notice? {
    if let foreign = feed.foreign { return Notice(.error, foreign, status: .badInput) }
    return judge.meets(.objects, hasBytes: feed.hasBytes)
      ? nil : .withoutEvents(hasBytes: feed.hasBytes)
  }

  private mutating func run(
    _ input: inout InputBuffer, isEnd: Bool, into output: inout Output
  ) {
    let responses = responses
    Self.run(&feed, &input, isEnd: isEnd, &translator, &events, &judge, responses, &output)
    output.isOver = responses.map { judge.ends >= $0 } ?? false
  }

  private static func run(
    _ feed: inout EventFeed, _ input: inout InputBuffer, isEnd: Bool,
    _ translator: inout ChatTranslator, _ events: inout Events, _ judge: inout Judge,
    _ responses: Int?, _ output: inout Output
  ) {
    func gate(_ event: borrowing Event, _ line: Span<UInt8>, _ output: inout Output) -> Gate {
      if let responses, judge.ends >= responses { return .last }
      if event.isDone(line) {
        translator.endStream()
        give(&translator, &events, &judge, responses, at: event.inputPlace, into: &output)
      } else if translator.take(line) {
        give(&translator, &events, &judge, responses, at: event.inputPlace, into: &output)
      } else if event.typeName != nil {
        if event.type?.family == .lifecycle {
          translator.interrupt()
          give(&translator, &events, &judge, responses, at: event.inputPlace, into: &output)
        }
        var copy = HeldEvent(event, line).event
        judge.handle(&copy, line, into: &output) { events.handle($0, $1, into: &$2) }
        if event.isError {
          translator.fail(APIError(in: line))
        }
      } else {
        let why = "neither an event nor an answer of Chat Completions"
        output.notices.append(
          Notice(.error, why, status: .badInput, at: event.inputPlace))
      }
      // What is judged are the events that were made.
      return .drop
    }
    feed.each(in: &input, isEnd: isEnd, into: &output, gate: gate) { _, _, _ in }
  }

  /// Gives what the translator made, as long as no more than `responses` have ended, and tells what
  /// it noted at `place`.
  private static func give(
    _ translator: inout ChatTranslator, _ events: inout Events, _ judge: inout Judge,
    _ responses: Int?, at place: Notice.Place?, into output: inout Output
  ) {
    for note in translator.notes { output.notices.append(Notice(.warning, note, at: place)) }
    translator.notes = []
    for line in translator.events {
      if let responses, judge.ends >= responses { break }
      var event = Event(of: line.span)
      if let place { event.inputPlace = place }
      judge.handle(&event, line.span, into: &output) { events.handle($0, $1, into: &$2) }
    }
    translator.events = []
  }
}
