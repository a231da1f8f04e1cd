/// A tool's own work on events, one after another.
package protocol EventFilter: ~Copyable {
  /// Handles an event, whose line is `line`.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output)

  /// The course of each event, by its type alone; read once, before the first event.
  var triage: EventTriage { get }

  /// The handling of the toolkit's own reports of ends; read once, too.
  var ownEnds: OwnEnds { get }

  /// Whether it reads `Event.item` and the items of responses; read once, too.
  var needsItems: Bool { get }

  /// Whether it reports itself which events are out of order; read once, too.
  var checksOrder: Bool { get }

  /// Counts the events that `triage` passed or dropped since the last call. Called once a read.
  mutating func note(_ skimmed: SkimmedEvents)

  /// Ends a response: nothing more comes of it. Called once for each, behind its last event, or
  /// before the event that shows that it was cut.
  mutating func close(_ response: Response, into output: inout Output)

  /// Ends the last input; all responses are closed.
  mutating func finish(into output: inout Output)

  /// Ends the filter's work once all responses are judged.
  mutating func conclude(into output: inout Output)

  /// Selects the responses that count for the verdict; `nil` when all do.
  var judged: ((Response) -> Bool)? { get }

  /// The filter's own exit status, beside the notices' ones; read at the end.
  var status: ExitStatus { get }

  /// Whether the input had something other than events that the filter accepts instead.
  var hasOther: Bool { get }

  /// Does the work put off until `Output.wakeAt`, when no input has come before then.
  mutating func wake(into output: inout Output)
}

extension EventFilter where Self: ~Copyable {
  package var triage: EventTriage { .handlingAll }

  package var ownEnds: OwnEnds { OwnEnds() }

  package var needsItems: Bool { false }

  package var checksOrder: Bool { false }

  package mutating func note(_ skimmed: SkimmedEvents) {}

  package mutating func close(_ response: Response, into output: inout Output) {}

  package mutating func conclude(into output: inout Output) {}

  package var judged: ((Response) -> Bool)? { nil }

  package var status: ExitStatus { .completed }

  package var hasOther: Bool { false }

  package mutating func wake(into output: inout Output) {}
}
