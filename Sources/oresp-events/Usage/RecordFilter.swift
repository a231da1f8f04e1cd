import Core

/// A filter that prints something of each response that is over. The feed calls the methods of a
/// generic type unspecialized, which takes 1,600 instructions more an event: so this is a protocol.
protocol RecordFilter: EventFilter {
  associatedtype Record: ResponseRecord

  var records: ResponseRecords<Record> { get set }

  mutating func print(_ response: ResponseRecords<Record>.Response, into output: inout Output)

  /// Prints what follows all responses.
  mutating func printEnd(into output: inout Output)
}

extension RecordFilter {
  var hasOther: Bool { records.hasLogged }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    if let logged = records.handle(event, line) { print(logged, into: &output) }
  }

  mutating func close(_ ended: EndedResponse, into output: inout Output) {
    if let response = records.close(ended) { print(response, into: &output) }
  }

  mutating func finish(into output: inout Output) {
    printEnd(into: &output)
  }
}

/// Prints the token usage of each response, as the server sent it.
struct UsageFilter: RecordFilter {
  var records = ResponseRecords<NoRecord>()

  func print(_ response: ResponseRecords<NoRecord>.Response, into output: inout Output) {
    let (status, usage) = (response.facts.status, response.facts.usage)
    output.append(line: response.facts.line([("status", status), ("usage", usage)]).span)
  }

  func printEnd(into output: inout Output) {}
}
