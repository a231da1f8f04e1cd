package import Core

/// Prints each event as a block of an event stream. Of
///
///     {"type":"a","n":1,"oresp":{"at":1.5,"id":"7"}}
///
/// the lines are `id: 7`, `event: a` and `data: {"type":"a","n":1}`, and a blank one.
package struct EncodeFilter: EventFilter {
  private let endsWithMark: Bool
  /// The start of the last event's block, and the name of its type.
  private var head: [UInt8] = []
  private var headName: [UInt8] = []

  package init(_ settings: SSETool.Settings) { endsWithMark = settings.endsWithMark }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.type != nil, let name = event.typeName, event.value(of: "oresp", in: line) == nil {
      if !line.extracting(name).equals(headName.span) {
        headName = [UInt8](copying: line.extracting(name))
        head = EventStreamEncoder.head(name: headName.span)
      }
      return EventStreamEncoder.append(line: line, behind: head.span, to: &output.bytes)
    }
    if let told = ToldMark.seconds(in: line) { ToldMark.append(told, to: &output.bytes) }
    let name = event.typeName.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
    if name.span.equals("oresp.unparsed") {
      let data = JSONChildren.string(of: "data", in: line) ?? []
      return EventStreamEncoder.append(data: data.span, to: &output.bytes)
    }
    var data: [UInt8] = []
    EventLine.appendWithoutOwn(line, to: &data)
    let own = line.extracting(JSONChildren.value(of: "oresp", in: line) ?? 0..<0)
    let given = JSONChildren.string(of: "id", in: own)
    let id = given ?? []
    EventStreamEncoder.append(
      data: data.span, name: name.span, id: given == nil ? nil : id.span,
      retry: JSONChildren.integer(of: "retry", in: own), to: &output.bytes)
  }

  package var ownEnds: OwnEnds {
    var ends = OwnEnds()
    ends.marks = .written
    return ends
  }

  package mutating func finish(into output: inout Output) {
    if endsWithMark { output.bytes.append("data: [DONE]\n\n") }
  }
}
