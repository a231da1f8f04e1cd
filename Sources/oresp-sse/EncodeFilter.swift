package import Core

/// Gives each event as a block of an event stream.
package struct EncodeFilter: EventFilter {
  private let endsWithMark: Bool
  /// The start of the last event's block.
  private var head: [UInt8] = []

  package init(_ settings: SSETool.Settings) { endsWithMark = settings.endsWithMark }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    // What the toolkit made or added to has a member of its own.
    if event.type != nil, let name = event.typeName, event.value(of: "oresp", in: line) == nil {
      if !event.isContinuation { head = EventStreamEncoder.head(name: line.extracting(name)) }
      return EventStreamEncoder.append(line: line, behind: head.span, to: &output.bytes)
    }
    let name = event.typeName.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
    if name.span.equals("oresp.comment") {
      let text = JSONChildren.string(of: "comment", in: line) ?? []
      return EventStreamEncoder.append(comment: text.span, to: &output.bytes)
    }
    if name.span.equals("oresp.unparsed") {
      let data = JSONChildren.string(of: "data", in: line) ?? []
      return EventStreamEncoder.append(data: data.span, to: &output.bytes)
    }
    var data: [UInt8] = []
    EventLine.appendWithoutOwn(line, to: &data)
    var id: [UInt8]?
    var retry: Int?
    if let place = JSONChildren.value(of: "oresp", in: line) {
      let own = line.extracting(place)
      id = JSONChildren.string(of: "id", in: own)
      retry = JSONChildren.integer(of: "retry", in: own)
    }
    append(data.span, name: name.span, id: id, retry: retry, to: &output)
  }

  package mutating func finish(into output: inout Output) {
    if endsWithMark {
      EventStreamEncoder.append(data: Array("[DONE]".utf8).span, to: &output.bytes)
    }
  }

  private func append(
    _ data: Span<UInt8>, name: Span<UInt8>, id: [UInt8]?, retry: Int?, to output: inout Output
  ) {
    if let id {
      EventStreamEncoder.append(
        data: data, name: name, id: id.span, retry: retry, to: &output.bytes)
    } else {
      EventStreamEncoder.append(data: data, name: name, retry: retry, to: &output.bytes)
    }
  }
}
