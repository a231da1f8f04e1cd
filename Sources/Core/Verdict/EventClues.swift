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
    var members = JSONChildren()
    var socketLane: [UInt8] = []
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      let value = line.extracting(member.value)
      if JSONChildren.isName(name, "sequence_number") {
        number = number ?? JSONNumber.integer(value)
      } else if JSONChildren.isName(name, "response_id") {
        response = response ?? Self.id(value)
      } else if JSONChildren.isName(name, "item_id") {
        item = item ?? Self.id(value)
      } else if JSONChildren.isName(name, "output_index") {
        outputIndex = JSONNumber.integer(value)
      } else if JSONChildren.isName(name, "item") {
        item = item ?? JSONChildren.string(of: "id", in: value)
      } else if JSONChildren.isName(name, "response") {
        response = response ?? JSONChildren.string(of: "id", in: value)
        createdAt = JSONChildren.integer(of: "created_at", in: value)
      } else if JSONChildren.isName(name, "stream_id") {
        socketLane = Self.id(value) ?? []
      } else if JSONChildren.isName(name, "oresp") {
        tag = JSONChildren.string(of: "request", in: value) ?? []
        isOwnError =
          event.type?.family == .error && JSONChildren.value(of: "synthetic", in: value) != nil
      }
    }
    if !socketLane.isEmpty { tag += [0] + socketLane }
    response = tagged(response)
    item = tagged(item)
  }

  /// The id `id` of something in the stream of the event.
  package func tagged(_ id: [UInt8]?) -> [UInt8]? {
    id.flatMap { $0.isEmpty ? nil : tag + [0] + $0 }
  }

  /// Whether `line` has a tag, or the name of a stream.
  static func hasTag(_ line: Span<UInt8>) -> Bool {
    JSONChildren.value(of: "oresp", "request", in: line) != nil
      || JSONChildren.value(of: "stream_id", in: line) != nil
  }

  /// Whether `line` may have a tag where the toolkit puts it: behind all that its server sent.
  static func mayEndInTag(_ line: Span<UInt8>) -> Bool {
    var index = line.count - 1
    while index > 8, line[index] != ASCII.openBrace { index -= 1 }
    return index > 8 && line.starts(with: "\"oresp\":", at: index - 8)
  }

  private static func id(_ value: Span<UInt8>) -> [UInt8]? {
    value[0] == ASCII.quote ? JSONString.decoded(value) : nil
  }
}
