package import Core

/// Prints the token usage of each response, as the server sent it.
package struct UsageFilter: EventFilter {
  private var trackers = ResponseTrackers()

  package init() {}

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    for facts in trackers.handle(event, line) { print(facts, into: &output) }
  }

  package var hasOther: Bool { trackers.hasLogged }

  package mutating func finish(into output: inout Output) {
    for facts in trackers.finish() { print(facts, into: &output) }
  }

  private func print(_ facts: ResponseFacts, into output: inout Output) {
    let line = facts.line([("status", facts.status), ("usage", facts.usage)])
    output.append(line: line.span)
  }
}
