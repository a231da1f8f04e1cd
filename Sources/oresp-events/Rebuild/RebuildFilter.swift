package import Core

/// Prints items or responses rebuilt from events.
package protocol RebuiltPrinter {
  /// The data that the builder keeps for this printer.
  var keeping: ResponseBuilder.Keeping { get }

  /// Prints something of an event about a web search, before the builder handles it.
  mutating func see(search: borrowing Event, _ line: Span<UInt8>, into output: inout Output)

  /// Prints something of an item that has ended.
  mutating func print(
    _ item: ResponseBuilder.Item, of response: Response, into output: inout Output)

  /// Prints something of `response`, which has ended and is `rebuilt`.
  mutating func print(
    _ rebuilt: ResponseBuilder.Rebuilt, of response: Response, into output: inout Output)
}

extension RebuiltPrinter {
  package var keeping: ResponseBuilder.Keeping { .items }

  package mutating func see(
    search: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {}
  package mutating func print(
    _ item: ResponseBuilder.Item, of response: Response, into output: inout Output
  ) {}
  package mutating func print(
    _ rebuilt: ResponseBuilder.Rebuilt, of response: Response, into output: inout Output
  ) {}
}

/// Rebuilds responses and items from events, and passes them to a printer. Each response has a
/// builder and a printer.
package struct RebuildFilter: EventFilter {
  private struct Work {
    var printer: any RebuiltPrinter
    var builder: ResponseBuilder

    init(_ printer: any RebuiltPrinter) {
      self.printer = printer
      builder = ResponseBuilder(keeping: printer.keeping)
    }

    mutating func handle(
      _ event: borrowing Event, _ line: Span<UInt8>, of response: Response,
      into output: inout Output
    ) {
      if event.type?.family == .webSearchCall { printer.see(search: event, line, into: &output) }
      builder.handle(event, line)
      if builder.hasFinished { print(of: response, into: &output, at: event.place) }
    }

    mutating func finish(_ response: Response, into output: inout Output) {
      builder.finish()
      print(of: response, into: &output)
    }

    private mutating func print(
      of response: Response, into output: inout Output, at place: Notice.Place? = nil
    ) {
      for item in builder.takeItems() { printer.print(item, of: response, into: &output) }
      guard let rebuilt = builder.takeResponse() else { return }
      printer.print(rebuilt, of: response, into: &output)
      output.notices += rebuilt.warnings.map { Notice(.warning, $0, at: place) }
    }
  }

  private var work: PerResponse<Work>

  package let ownEnds: OwnEnds
  package let needsItems = true

  package init(_ printer: any RebuiltPrinter, _ ownEnds: OwnEnds = OwnEnds()) {
    self.ownEnds = ownEnds
    work = PerResponse(Work(printer))
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.goesOn, let index = work.index(of: event),
      work.states[index].builder.goOn(with: event, line)
    {
      return
    }
    guard let response = event.response, event.step != .again else { return }
    work[response].handle(event, line, of: response, into: &output)
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    work[response].finish(response, into: &output)
    work.remove(response)
  }

  package mutating func finish(into output: inout Output) {}
}

/// Prints Response objects.
package struct ResponsePrinter: RebuiltPrinter {
  package let keeping = ResponseBuilder.Keeping.responses

  private let keepsPartial: Bool

  package init(keepsPartial: Bool) { self.keepsPartial = keepsPartial }

  package mutating func print(
    _ rebuilt: ResponseBuilder.Rebuilt, of response: Response, into output: inout Output
  ) {
    guard keepsPartial || !rebuilt.isTruncated else {
      response.remark = "only --partial prints what came of it"
      return
    }
    var facts: [(name: String, value: JSONValue)] = []
    if let told = response.told { facts.append(("told", .integer(told))) }
    if !response.tag.isEmpty { facts.append(("request", .string(response.tag))) }
    output.append(line: EventLine.adding(facts, to: rebuilt.json).span)
  }
}

/// Prints output items.
package struct ItemPrinter: RebuiltPrinter {
  package init() {}

  package mutating func print(
    _ item: ResponseBuilder.Item, of response: Response, into output: inout Output
  ) {
    output.append(line: EventLine.tagged(item.json, response.tag).span)
  }
}
