import Core

/// Prints something of each response that is over.
protocol RecordPrinter {
  associatedtype Record: ResponseRecord

  mutating func print(_ response: ResponseRecords<Record>.Response, into output: inout Output)

  /// Prints what follows all responses.
  mutating func finish(into output: inout Output)
}

/// Follows the responses of a stream, and has a printer print each when it is over.
struct RecordFilter<Printer: RecordPrinter>: EventFilter {
  private var records = ResponseRecords<Printer.Record>()
  private var printer: Printer

  init(_ printer: Printer) { self.printer = printer }

  var hasOther: Bool { records.hasLogged }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    for response in records.handle(event, line) { printer.print(response, into: &output) }
  }

  mutating func finish(into output: inout Output) {
    for response in records.finish() { printer.print(response, into: &output) }
    printer.finish(into: &output)
  }
}

/// Prints the token usage of each response, as the server sent it.
struct UsagePrinter: RecordPrinter {
  func print(_ response: ResponseRecords<NoRecord>.Response, into output: inout Output) {
    let (status, usage) = (response.facts.status, response.facts.usage)
    output.append(line: response.facts.line([("status", status), ("usage", usage)]).span)
  }

  func finish(into output: inout Output) {}
}
