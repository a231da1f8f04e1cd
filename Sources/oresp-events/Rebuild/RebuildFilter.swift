package import Core

/// Prints rebuilt Response objects.
package struct RebuildFilter: EventFilter {
  private let keepsPartial: Bool
  private var builder = ResponseBuilder()

  package init(_ settings: EventsTool.Settings) { keepsPartial = settings.keepsPartial }

  package mutating func take(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    builder.take(event, line, into: &output)
    print(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    builder.finish()
    print(into: &output)
  }

  private mutating func print(into output: inout Output) {
    for response in builder.takeResponses() where keepsPartial || !response.isTruncated {
      output.append(line: response.json.span)
    }
    _ = builder.takeItems()
  }
}

/// Prints output items as they end.
package struct ItemsFilter: EventFilter {
  private var builder = ResponseBuilder()

  package init() {}

  package mutating func take(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    builder.take(event, line, into: &output)
    print(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    builder.finish()
    print(into: &output)
  }

  private mutating func print(into output: inout Output) {
    for item in builder.takeItems() { output.append(line: item.json.span) }
    _ = builder.takeResponses()
  }
}

extension ResponseBuilder {
  /// Takes an event of any kind, and tells in `output` if its line is broken.
  mutating func take(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let type = event.type, !take(type, line) else { return }
    output.notices.append(
      Notice(.error, "not JSON: a member is broken", status: .badInput, at: event.inputPlace))
  }
}
