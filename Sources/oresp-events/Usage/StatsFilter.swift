package import Core

/// Prints a line of figures for each response: what came, and how fast.
package struct StatsFilter: EventFilter {
  private var tracker = ResponseTracker()
  private var tally = Tally()

  package init() {}

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    let members = EventMembers(line)
    if members == nil { output.notices.append(.brokenMember(at: event.inputPlace)) }
    let end = tracker.handle(event, members, line)
    if case .before(let facts) = end { print(facts, into: &output) }
    tally.handle(event, members, line)
    if case .with(let facts) = end { print(facts, into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    let rest = tracker.finish()
    if rest != nil || tally.events > 0 { print(rest ?? ResponseFacts(), into: &output) }
  }

  private mutating func print(_ facts: ResponseFacts, into output: inout Output) {
    let line = JSONValue.object(
      [("response_id", facts.id), ("model", facts.model), ("status", facts.status)]
        + tally.members + tally.times.members(outputTokens: facts.tokens.output)
    ).line
    output.append(line: line.span)
    tally = Tally()
  }
}
