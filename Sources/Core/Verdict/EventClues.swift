/// What the line of an event tells of the response that the event belongs to.
package struct EventClues: Sendable {
  /// Its sequence number.
  package private(set) var number: Int?
  /// The ids of its response and of its item, behind the tag of its stream; `nil` where it tells
  /// none.
  package private(set) var response: [UInt8]?
  package private(set) var item: [UInt8]?
  /// The tag of its stream (`oresp.request`) and the lane of its WebSocket (`stream_id`); empty when
  /// it has neither.
  package private(set) var tag: [UInt8] = []
  /// Where the output has its item.
  package private(set) var outputIndex: Int?
  /// When its response was made, in seconds since the epoch.
  package private(set) var createdAt: Int?
  /// Whether it is the first of its response, or the last.
  package private(set) var isBeginning = false
  package private(set) var isEnd = false
  /// Whether it is an error of the toolkit's own, such as tells of a connection that broke.
  package private(set) var isOwnError = false

  package init() {}

  package init(_ event: Event, _ line: Span<UInt8>) {
    let isAboutResponse = event.type?.family == .lifecycle
    isBeginning = isAboutResponse && event.type?.phase == .start
    isEnd = isAboutResponse && event.type?.phase == .terminal
    number = event.sequenceNumber(in: line)
    response =
      Self.id(event.value(of: "response_id", in: line), line)
      ?? Self.id(event.value(of: "response", "id", in: line), line)
    item =
      Self.id(event.value(of: "item_id", in: line), line)
      ?? Self.id(event.value(of: "item", "id", in: line), line)
    outputIndex = Self.integer(event.value(of: "output_index", in: line), line)
    createdAt = Self.integer(event.value(of: "response", "created_at", in: line), line)
    tag = Self.id(event.value(of: "oresp", "request", in: line), line) ?? []
    isOwnError = event.type?.family == .error && event.isSynthetic(line)
    let socketLane = Self.id(event.value(of: "stream_id", in: line), line) ?? []
    if !socketLane.isEmpty { tag += [0] + socketLane }
    response = tagged(response)
    item = tagged(item)
  }

  /// The id `id` of something in the stream of the event.
  package func tagged(_ id: [UInt8]?) -> [UInt8]? {
    id.flatMap { $0.isEmpty ? nil : tag + [0] + $0 }
  }

  private static func id(_ value: Range<Int>?, _ line: Span<UInt8>) -> [UInt8]? {
    guard let value, line[value.lowerBound] == ASCII.quote else { return nil }
    return JSONString.decoded(line.extracting(value))
  }

  private static func integer(_ value: Range<Int>?, _ line: Span<UInt8>) -> Int? {
    value.flatMap { JSONNumber.integer(line.extracting($0)) }
  }
}
