import Core

/// Prints the token usage of each response, as the server sent it.
struct UsageFilter: EventFilter {
  private var facts = OpenFacts()

  var hasOther: Bool { facts.hasLogged }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    if let logged = facts.handle(event, line) { print(logged, into: &output) }
  }

  mutating func close(_ response: Response, into output: inout Output) {
    if let facts = facts.close(response) { print(facts, into: &output) }
  }

  mutating func finish(into output: inout Output) {}

  private func print(_ facts: ResponseFacts, into output: inout Output) {
    let members = facts.created + [("status", facts.status), ("usage", facts.usage)]
    output.append(line: facts.line(members).span)
  }
}
