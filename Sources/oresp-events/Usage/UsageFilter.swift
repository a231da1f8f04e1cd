package import Core

/// Prints the token usage of each response, as the server sent it.
package struct UsageFilter: EventFilter {
  private var responses = ResponseRecords<NoRecord>()

  package init() {}

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    for response in responses.handle(event, line) { print(response.facts, into: &output) }
  }

  package var hasOther: Bool { responses.hasLogged }

  package mutating func finish(into output: inout Output) {
    for response in responses.finish() { print(response.facts, into: &output) }
  }

  private func print(_ facts: ResponseFacts, into output: inout Output) {
    let line = facts.line([("status", facts.status), ("usage", facts.usage)])
    output.append(line: line.span)
  }
}
