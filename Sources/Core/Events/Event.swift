/// What is known of one event's line without reading all of it.
///
/// The line itself stands in the input or in the reader; whoever handles an event is given it beside
/// this. All ranges count from the line's first byte.
package struct Event {
  /// Where the line stands in the input; `nil` when the reader made it.
  package var place: Range<Int>?
  /// The type as it is spelled, between its quotes; `nil` when the line has no string `type`.
  package var typeName: Range<Int>?
  /// The type, when the catalogue knows it.
  package var type: EventType?
  /// What the event is to its response.
  package var step = Lifecycle.Step.inside
  /// The lane of its response (`ResponseLanes`): whoever keeps a state of a response keeps one for
  /// each lane (`PerLane`).
  package var lane = 0
  /// Where the event starts in the input.
  package var inputPlace = Notice.Place(line: 0, byte: 0)
  /// Where the event ends, what frames it included, in bytes from the start of the input.
  package var inputEnd = 0

  /// What the event's block had beside its data; `nil` when that is nothing, or a name that the
  /// reader was not asked to keep.
  package var block: EventBlock?

  /// Whether it came in a block whose data has no `type`, so that the reader gave it one.
  package var isUntypedBlock = false

  /// The deltas that it stands for, where it stands for several: its line is then all from the first
  /// byte of the first one's line to the last byte of the last one's, what frames them included. Only
  /// a filter whose triage gathers deltas is given such.
  package var run: DeltaRun?

  package init() {}

  init(at place: Notice.Place) { inputPlace = place }

  /// Whether it tells that a response failed. Many servers give such events no sequence number.
  package var isFailure: Bool { isError || type == .failed }

  /// Where the line stands of the last event that it stands for.
  var lastPlace: Range<Int>? {
    guard let place, let last = run?.last else { return place }
    return place.lowerBound + last.lowerBound..<place.upperBound
  }

  /// The type of `line`, an object.
  package static func type(of line: Span<UInt8>) -> (Range<Int>?, EventType?) {
    type(of: line, at: 0..<line.count)
  }

  /// The type of the object at `place` in `bytes`, its name counted from there. Most servers put it
  /// first: then nothing else is looked at.
  @inline(__always)
  static func type(of bytes: Span<UInt8>, at place: Range<Int>) -> (Range<Int>?, EventType?) {
    if bytes.starts(with: "{\"type\":\"", at: place.lowerBound) {
      let start = place.lowerBound + 9
      let end = bytes.endOfStringRun(from: start)
      if end < place.upperBound, bytes[end] == ASCII.quote {
        return (9..<end - place.lowerBound, EventType(bytes.extracting(start..<end)))
      }
    }
    return unusualType(of: bytes.extracting(place))
  }

  private static func unusualType(of line: Span<UInt8>) -> (Range<Int>?, EventType?) {
    guard let value = JSONChildren.value(of: "type", in: line),
      line[value.lowerBound] == ASCII.quote
    else { return (nil, nil) }
    let name = value.lowerBound + 1..<value.upperBound - 1
    let spelled = line.extracting(name)
    guard spelled.firstIndex(of: ASCII.backslash) != nil else { return (name, EventType(spelled)) }
    return (name, EventType(JSONString.decoded(inside: spelled).span))
  }
}

extension Event {
  /// Whether it tells of an error that is not in a response.
  package var isError: Bool { type?.family == .error }

  /// Whether the event, whose line is `line`, is none, but of a log of `oresp-send`.
  package func isLogged(_ line: Span<UInt8>) -> Bool {
    typeName == nil && JSONChildren.value(of: "verdict", in: line) != nil
  }

  /// Whether the event, whose line is `line`, stands for the mark `[DONE]`.
  package func isDone(_ line: Span<UInt8>) -> Bool {
    typeName.map { line.extracting($0).equals(EventLine.done) } ?? false
  }
}

/// What the block of an event had beside its data: a class, as most have nothing.
package final class EventBlock: Sendable {
  package let id: [UInt8]?
  /// In milliseconds.
  package let retry: Int?
  package let name: [UInt8]

  init(id: [UInt8]?, retry: Int?, name: [UInt8]) {
    (self.id, self.retry, self.name) = (id, retry, name)
  }
}

/// The members of an event that place it and carry its content, found in one pass.
package struct EventMembers {
  package var sequenceNumber: Int?
  package var outputIndex: Int?
  package var contentIndex: Int?
  package var itemID: Range<Int>?
  /// The member that holds a piece of the value, as the catalogue's row of the type names it.
  package var delta: Range<Int>?
  package var part: Range<Int>?
  package var item: Range<Int>?
  package var response: Range<Int>?
  package var logprobs: Range<Int>?
  package var summaryIndex: Int?
  package var annotationIndex: Int?
  package var commandIndex: Int?
  /// The member that holds the whole value, as the catalogue's row of the type names it.
  package var final: Range<Int>?

  /// The number of the part, or of the command, that the event is about.
  package var partIndex: Int { contentIndex ?? summaryIndex ?? commandIndex ?? 0 }

  /// Reads the members of `line`, a JSON object; `nil` when it is broken. Numbers that are no whole
  /// numbers, or out of range, count as absent. `row` names the members that hold a piece and the
  /// whole of a value.
  package init?(_ line: Span<UInt8>, _ row: EventCatalogue.Row? = nil) {
    let names = (delta: row?.delta ?? "delta", final: row?.final)
    var members = JSONChildren()
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      if member.hasEscapedName {
        let decoded = JSONString.decoded(inside: name)
        take(decoded.span, member.value, of: line, names)
      } else {
        take(name, member.value, of: line, names)
      }
    }
    if members.isBroken { return nil }
  }

  /// Takes the member `name`, unless one of that name came before. By their lengths few names are
  /// left to compare with.
  @inline(__always)
  private mutating func take(
    _ name: Span<UInt8>, _ value: Range<Int>, of line: Span<UInt8>,
    _ names: (delta: StaticString, final: StaticString?)
  ) {
    if name.equals(names.delta) { delta = delta ?? value }
    if let whole = names.final, name.equals(whole) { final = final ?? value }
    func integer() -> Int? { JSONNumber.integer(line.extracting(value)) }
    switch name.count {
    case 4 where name.equals("part"): part = part ?? value
    case 4 where name.equals("item"): item = item ?? value
    case 7 where name.equals("item_id"): itemID = itemID ?? value
    case 8 where name.equals("logprobs"): logprobs = logprobs ?? value
    case 8 where name.equals("response"): response = response ?? value
    case 12 where name.equals("output_index"): outputIndex = outputIndex ?? integer()
    case 13 where name.equals("content_index"): contentIndex = contentIndex ?? integer()
    case 13 where name.equals("summary_index"): summaryIndex = summaryIndex ?? integer()
    case 13 where name.equals("command_index"): commandIndex = commandIndex ?? integer()
    case 15 where name.equals("sequence_number"): sequenceNumber = sequenceNumber ?? integer()
    case 16 where name.equals("annotation_index"): annotationIndex = annotationIndex ?? integer()
    default: break
    }
  }
}
