/// Reads the clues of an event: all that may say which response it belongs to.
extension Responses {
  mutating func clues(of event: borrowing Event, _ line: Span<UInt8>) -> Clues {
    var clues = Clues()
    clues.division = division(of: event, line)
    clues.number = event.sequenceNumber(in: line)
    let isLifecycle = event.type?.family == .lifecycle
    // Some servers give all events the number 0, which says nothing.
    if clues.number == 0, !isLifecycle || event.type?.phase != .start { clues.number = nil }
    if isLifecycle {
      clues.response = Self.text(at: event.value(of: "response", "id", in: line), in: line)
      return clues
    }
    clues.response = Self.text(at: event.value(of: "response_id", in: line), in: line)
    if let item = event.value(of: "item_id", in: line) {
      clues.item = Self.text(at: item, in: line)
    } else if event.type?.family == .outputItem {
      clues.item = Self.text(at: event.value(of: "item", "id", in: line), in: line)
      clues.index = event.integer(of: "output_index", in: line)
    }
    return clues
  }

  /// The division of an event; 0 when it has no tag, -1 when its tag is new.
  mutating func division(of event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let tag = Self.text(at: event.value(of: "oresp", "request", in: line), in: line)
    let stream = Self.text(at: event.value(of: "stream_id", in: line), in: line)
    guard tag != nil || stream != nil else { return 0 }
    hasTags = true
    let found: Owner?
    if let stream {
      found = owner(of: Self.key(tag, stream, line).span, in: -2)
    } else {
      found = owner(spelled: line.extracting(tag ?? 0..<0), in: -1)
    }
    guard let found, isDivision(found) else { return -1 }
    return found.slot
  }

  /// The key under which `ids` holds the stream `stream` of the tag `tag`.
  static func key(
    _ tag: Range<Int>?, _ stream: Range<Int>, _ line: Span<UInt8>
  ) -> [UInt8] {
    JSONString.decoded(inside: line.extracting(tag ?? 0..<0)) + [0]
      + JSONString.decoded(inside: line.extracting(stream))
  }

  mutating func isDivision(_ owner: Owner) -> Bool {
    divisions[owner.slot].number == owner.number && divisions[owner.slot].users > 0
  }

  /// Whether a response may begin with `event`.
  static func mayBegin(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    switch event.type?.family {
    case .keepalive, .metadata, .websocket, .websocketClient: return false
    case nil:
      guard let name = event.typeName else { return false }
      return !line.extracting(name).starts(with: "oresp.")
    default: return true
    }
  }

  /// The mark that sets an end apart from another end of the same response.
  static func mark(_ clues: Clues, _ line: Span<UInt8>) -> UInt64 {
    guard clues.response != nil, let number = clues.number else { return line.mixed(into: 1) }
    return UInt64(truncatingIfNeeded: number)
  }

  /// Whether `event` may begin the response behind one that has no beginning.
  static func mayBeginNext(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard mayBegin(event, line), let name = event.typeName else { return false }
    return event.isError || line.extracting(name).starts(with: "response.")
  }

  static func text(at place: Range<Int>?, in line: Span<UInt8>) -> Range<Int>? {
    guard let place, place.count > 2, line[place.lowerBound] == ASCII.quote else { return nil }
    return place.lowerBound + 1..<place.upperBound - 1
  }
}
