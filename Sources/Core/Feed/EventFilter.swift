/// A tool's own work on events, one after another.
package protocol EventFilter: ~Copyable {
  /// Handles an event, whose line is `line`.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output)

  /// Where each event goes, by its type alone; asked for once, before the first event.
  var triage: EventTriage { get }

  /// How the toolkit's own reports of ends are handled; asked for once, too.
  var ownEnds: OwnEnds { get }

  /// Counts the events that `triage` passed or dropped since the last call. Called once a read.
  mutating func note(_ skimmed: SkimmedEvents)

  /// Ends the last input.
  mutating func finish(into output: inout Output)

  /// Does what is left once all responses are judged.
  mutating func close(into output: inout Output)

  /// Which responses count for the verdict; `nil` when all do.
  var judged: ((ResponseName) -> Bool)? { get }

  /// The status beyond that of all notices; asked for at the end.
  var status: ExitStatus { get }

  /// Whether the input had something else for it than events, which is as good.
  var hasOther: Bool { get }

  /// Does what was put off until `Output.wakeAt`, no input having come before.
  mutating func wake(into output: inout Output)
}

extension EventFilter where Self: ~Copyable {
  package var triage: EventTriage { .handlingAll }

  package var ownEnds: OwnEnds { OwnEnds() }

  package mutating func note(_ skimmed: SkimmedEvents) {}

  package mutating func close(into output: inout Output) {}

  package var judged: ((ResponseName) -> Bool)? { nil }

  package var status: ExitStatus { .completed }

  package var hasOther: Bool { false }

  package mutating func wake(into output: inout Output) {}
}
