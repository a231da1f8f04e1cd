package import Core

/// Prints something of what is rebuilt from events.
package protocol RebuiltPrinter {
  /// Looks at an event before it is rebuilt from.
  mutating func see(_ event: Event, _ line: Span<UInt8>, into output: inout Output)

  /// Prints something of an item that has ended.
  mutating func print(_ item: ResponseBuilder.Item, into output: inout Output)

  /// Prints something of a response that has ended.
  mutating func print(_ response: ResponseBuilder.Response, into output: inout Output)
}

extension RebuiltPrinter {
  package mutating func see(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {}
  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {}
  package mutating func print(_ response: ResponseBuilder.Response, into output: inout Output) {}
}

/// Rebuilds responses and items from events, and has a printer print what it makes of them. Each lane
/// has a builder and a printer.
package struct RebuildFilter<Printer: RebuiltPrinter>: EventFilter {
  private var builders = PerLane(ResponseBuilder())
  // No PerLane: with a type that is not known here it would cost as much as the event itself.
  private let new: Printer
  private var first: Printer
  private var others: [Printer] = []

  package init(_ printer: Printer) { (new, first) = (printer, printer) }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    self[printerOf: event.lane].see(event, line, into: &output)
    if let type = event.type, !builders[event.lane].handle(type, line) {
      output.notices.append(.brokenMember(at: event.inputPlace))
    }
    print(of: event.lane, into: &output)
  }

  package mutating func finish(into output: inout Output) {
    for lane in builders.all.indices {
      builders[lane].finish()
      print(of: lane, into: &output)
    }
  }

  private mutating func print(of lane: Int, into output: inout Output) {
    for item in builders[lane].takeItems() { self[printerOf: lane].print(item, into: &output) }
    for response in builders[lane].takeResponses() {
      self[printerOf: lane].print(response, into: &output)
    }
  }

  private subscript(printerOf lane: Int) -> Printer {
    get { lane == 0 ? first : lane <= others.count ? others[lane - 1] : new }
    _modify {
      if lane == 0 {
        yield &first
      } else {
        while others.count < lane { others.append(new) }
        yield &others[lane - 1]
      }
    }
  }
}

/// Prints Response objects.
package struct ResponsePrinter: RebuiltPrinter {
  private let keepsPartial: Bool

  package init(_ settings: EventsTool.Settings) { keepsPartial = settings.keepsPartial }

  package mutating func print(_ response: ResponseBuilder.Response, into output: inout Output) {
    if keepsPartial || !response.isTruncated { output.append(line: response.json.span) }
  }
}

/// Prints output items.
package struct ItemPrinter: RebuiltPrinter {
  package init() {}

  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {
    output.append(line: item.json.span)
  }
}
