/// One event's line as the reader knows it: its type and the places of its members.
///
/// The line itself stands in the input or in the reader, and is passed beside the event. All ranges
/// but `lineRange` count from the line's first byte. An event cannot be copied, so that handing it on
/// costs nothing; to keep one for later, keep its line and its `EventState`.
package struct Event: ~Copyable {
  /// The range of the line in the input buffer; `nil` when the reader made the line.
  package var lineRange: Range<Int>?
  /// The type as it is spelled, between its quotes; `nil` when the line has no string `type`.
  package var typeName: Range<Int>?
  /// The type, when the catalogue knows it.
  package var type: EventType?
  /// What it does to its response.
  package internal(set) var step = Step.none
  /// Its response; `nil` when it belongs to none.
  package internal(set) var response: Response?
  /// The number of its item among the `items` of its response; -1 when it is about none, or where
  /// nobody asked for items.
  package internal(set) var item = -1
  /// Whether it is of the same type and about the same item and part as the event before it of its
  /// response, where items were asked for.
  package internal(set) var goesOn = false
  /// The places of the items of the Response that it ends with, or is; none for other events.
  package private(set) var output: [Range<Int>] = []
  /// The place in the input where the event starts.
  package var place = Notice.Place(line: 0, byte: 0)
  /// The end of the event with its frame, in bytes from the start of the input.
  package var inputEnd = 0

  /// The other fields of the event's block than data; `nil` when it had none, or only a name that
  /// the reader was not asked to keep.
  package var block: EventBlock?

  /// Whether it came in a block whose data has no `type`, so that the reader gave it one.
  package var isUntypedBlock = false
  /// Whether it is an `oresp.unparsed` that holds a heartbeat.
  package internal(set) var isHeartbeat = false
  /// Whether it is a whole Response that came without a type.
  package internal(set) var isDocument = false
  /// Whether the reader made it of an error that the server sent without a type.
  package internal(set) var isBareError = false
  /// Whether it was made of answers of Chat Completions.
  package internal(set) var isOfChat = false

  /// The time at which a tool told how it ends its response, in the mark in front of its block, and
  /// once it is judged also in that of its line, or as this tool told it; `nil` when none did, or
  /// nothing may say so.
  package internal(set) var told: Int?

  /// The places of the members of its line.
  package var members = Members()

  /// A value of any type keeps the event in memory: a struct of this size without one is copied for
  /// each function that gets it.
  private let inMemory: (any Sendable)? = nil

  package init() {}

  /// An event with the line `line`, an object that the toolkit made or kept.
  package init(of line: Span<UInt8>) {
    note(line)
    noteOutput(of: line)
  }

  /// Becomes an event that starts at `place` in the input, and keeps only its members.
  @inline(__always)
  mutating func begin(at place: Notice.Place) {
    lineRange = nil
    typeName = nil
    type = nil
    if block != nil { block = nil }
    step = .none
    item = -1
    goesOn = false
    told = nil
    if !output.isEmpty { output = [] }
    self.place = place
    isUntypedBlock = false
    isHeartbeat = false
    isDocument = false
    isBareError = false
    isOfChat = false
  }

  /// Notes the members and the type of `line`, an object.
  mutating func note(_ line: Span<UInt8>) {
    var scan = JSONScan()
    members.removeAll()
    _ = scan.scan(line, noting: &members)
    noteType(in: line, EventTypes.all)
  }

  /// Finds the items of the Response that it brings, for all that read them.
  mutating func noteOutput(of line: Span<UInt8>) {
    let isWhole = type?.family == .lifecycle && (type?.phase == .terminal || isDocument)
    output = JSONChildren.elements(
      at: isWhole ? value(of: "response", "output", in: line) : nil, in: line)
  }

  /// Finds the type, one of `types`, among the members of `line`.
  @inline(__always)
  mutating func noteType(in line: Span<UInt8>, _ types: EventTypes) {
    guard let value = members.value(of: "type", in: line), line[value.lowerBound] == ASCII.quote
    else {
      (typeName, type) = (nil, nil)
      return
    }
    let name = value.lowerBound + 1..<value.upperBound - 1
    typeName = name
    type = types.find(line.extracting(name))
    if type == nil { noteEscapedType(in: line.extracting(name), types) }
  }

  /// Finds the type spelled `name`, if that has escapes.
  @inline(never)
  private mutating func noteEscapedType(in name: Span<UInt8>, _ types: EventTypes) {
    guard name.firstIndex(of: ASCII.backslash) != nil else { return }
    type = types.find(JSONString.decoded(inside: name).span)
  }

  /// The value of the member `name` of its line; `nil` when there is none.
  @inline(__always)
  package func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    members.value(of: name, in: line)
  }

  /// The value of the member `name` of the object that is the member `owner` of its line.
  @inline(__always)
  package func value(
    of owner: StaticString, _ name: StaticString, in line: Span<UInt8>
  ) -> Range<Int>? {
    members.value(of: owner, name, in: line)
  }

  /// The value of the member `name` of the object at `object` in its line; `nil` for none.
  @inline(__always)
  package func value(
    of name: StaticString, inside object: Range<Int>, in line: Span<UInt8>
  ) -> Range<Int>? {
    members.value(of: name, inside: object, of: line)
  }

  /// The value of the member `name` of its line, if that is an object with members; else `nil`.
  @inline(__always)
  package func object(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    guard let value = value(of: name, in: line), line[value.lowerBound] == ASCII.openBrace
    else { return nil }
    let inside = line.extracting(value.lowerBound + 1..<value.upperBound - 1)
    return inside.trimmed().isEmpty ? nil : value
  }

  /// The value of the member `name` of its line, if that is a string, an object or an array; else
  /// `nil`: null and numbers are no values of items.
  @inline(__always)
  package func content(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    guard let value = value(of: name, in: line) else { return nil }
    switch line[value.lowerBound] {
    case ASCII.quote, ASCII.openBrace, ASCII.openBracket: return value
    default: return nil
    }
  }

  /// The piece in the member `delta`, as nearly all types with a piece have it; `nil` for none.
  package func delta(in line: Span<UInt8>) -> Range<Int>? { content(of: "delta", in: line) }

  /// The same; `nil` where log probabilities come with it.
  package func bareDelta(in line: Span<UInt8>) -> Range<Int>? {
    hasLogprobs(line) ? nil : content(of: "delta", in: line)
  }

  /// The text of the member `name`, a string; empty when there is none.
  package func text(of name: StaticString, in line: Span<UInt8>) -> String {
    value(of: name, in: line).map { JSONString.text(line.extracting($0)) } ?? ""
  }

  /// The UTF-8 of `name`, a string in the object `owner`; empty when there is none.
  package func string(
    of owner: StaticString, _ name: StaticString, in line: Span<UInt8>
  ) -> [UInt8] {
    guard let value = value(of: owner, name, in: line), line[value.lowerBound] == ASCII.quote
    else { return [] }
    return JSONString.decoded(line.extracting(value))
  }

  /// The text of `name`, a string in the object `owner`; empty when there is none.
  package func text(
    of owner: StaticString, _ name: StaticString, in line: Span<UInt8>
  ) -> String {
    String(decoding: string(of: owner, name, in: line), as: UTF8.self)
  }

  /// The member `name`, a whole number; `nil` when there is none.
  @inline(__always)
  package func integer(of name: StaticString, in line: Span<UInt8>) -> Int? {
    value(of: name, in: line).flatMap { JSONNumber.integer(line.extracting($0)) }
  }

  /// Its sequence number; `nil` when it has none.
  @inline(__always)
  package func sequenceNumber(in line: Span<UInt8>) -> Int? {
    integer(of: "sequence_number", in: line)
  }

  /// The piece of a value that it brings, in the member that the row of its type names; `nil` for
  /// none. null and numbers are none.
  @inline(__always)
  package func piece(in line: Span<UInt8>) -> Range<Int>? {
    guard type?.hasOwnDelta == true else { return content(of: "delta", in: line) }
    return type?.row.delta.flatMap { content(of: $0, in: line) }
  }

  /// The whole value, part or item that it brings, in the member that the row of its type names;
  /// `nil` for none, and for a delta that has a piece.
  package func whole(in line: Span<UInt8>) -> Range<Int>? {
    guard let type, type.phase != .delta || piece(in: line) == nil else { return nil }
    if type.bringsObject { return object(of: "part", in: line) ?? object(of: "item", in: line) }
    return type.row.final.flatMap { content(of: $0, in: line) }
  }

  /// Whether its type brings a piece or the whole of a value, part or item, and it has none: it says
  /// nothing then.
  package func isVoid(_ line: Span<UInt8>) -> Bool {
    guard let row = type?.row, (row.delta ?? row.final) != nil else { return false }
    return piece(in: line) == nil && whole(in: line) == nil && part(in: line) == nil
  }

  /// The part that it brings in place of a piece; `nil` for none.
  package func part(in line: Span<UInt8>) -> Range<Int>? {
    guard let type, type.values.first?.part != nil, piece(in: line) == nil else { return nil }
    return object(of: "part", in: line)
  }

  /// Whether it brings log probabilities.
  @inline(__always)
  package func hasLogprobs(_ line: Span<UInt8>) -> Bool {
    guard let list = value(of: "logprobs", in: line) else { return false }
    return list.count > 2 || line[list.lowerBound] != ASCII.openBracket
  }

  /// The number of the part, or of the command, that it is about.
  @inline(__always)
  package func partIndex(in line: Span<UInt8>) -> Int {
    integer(of: "content_index", in: line) ?? otherIndex(in: line)
  }

  @inline(never)
  private func otherIndex(in line: Span<UInt8>) -> Int {
    integer(of: "summary_index", in: line) ?? integer(of: "command_index", in: line) ?? 0
  }

  /// Its tag, a string with its quotes; `nil` when it has none, or an empty one.
  @inline(__always)
  package func tag(in line: Span<UInt8>) -> Range<Int>? {
    guard let own = value(of: "oresp", in: line) else { return nil }
    if line.starts(with: #"{"request":""#, at: own.lowerBound) {
      let start = own.lowerBound + 11
      return Self.text(at: start..<JSONStringEnd(line, from: start + 1).index, in: line)
    }
    return Self.text(at: value(of: "request", inside: own, in: line), in: line)
  }

  /// The name of its stream on a WebSocket, a string with its quotes; `nil` when it has none, or an
  /// empty one.
  @inline(__always)
  package func stream(in line: Span<UInt8>) -> Range<Int>? {
    Self.text(at: value(of: "stream_id", in: line), in: line)
  }

  /// The value at `place`, if it is a string and not empty.
  @inline(__always)
  private static func text(at place: Range<Int>?, in line: Span<UInt8>) -> Range<Int>? {
    guard let place, place.count > 2, line[place.lowerBound] == ASCII.quote else { return nil }
    return place
  }

  /// Whether the toolkit made its line.
  @inline(__always)
  package func isSynthetic(_ line: Span<UInt8>) -> Bool {
    value(of: "oresp", "synthetic", in: line) != nil
  }

  /// Whether it reports that a response failed. Many servers give such events no sequence number.
  @inline(__always)
  package var isFailure: Bool { isError || type?.isFailed == true }
}

extension Event {
  /// Whether it is a terminal event of a response.
  package var isTerminal: Bool { type?.family == .lifecycle && type?.phase == .terminal }

  /// Whether it is an error event.
  @inline(__always)
  package var isError: Bool { type?.family == .error }

  /// Whether its response begins with it as a stream begins: with an event of its lifecycle, or of
  /// another endpoint.
  package var isBeginning: Bool {
    step == .begins && (type?.family == .lifecycle || type?.family.standsAlone == true)
  }

  /// Whether `line` is a line of an `oresp-send` log, and no event.
  @inline(__always)
  package func isLogged(_ line: Span<UInt8>) -> Bool {
    typeName == nil && value(of: "verdict", in: line) != nil
  }

  /// Whether the event, whose line is `line`, holds bytes that are no JSON.
  @inline(__always)
  package func isUnparsed(_ line: Span<UInt8>) -> Bool {
    guard type == nil, let typeName else { return false }
    return line.extracting(typeName).equals(EventLine.unparsed)
  }
}

/// The other fields of an event's block than its data; a class, since most blocks have none.
package final class EventBlock: Sendable {
  package let id: [UInt8]?
  /// The reconnection time in milliseconds.
  package let retry: Int?
  package let name: [UInt8]

  init(id: [UInt8]?, retry: Int?, name: [UInt8]) {
    (self.id, self.retry, self.name) = (id, retry, name)
  }
}
