/// The ids, the index and the number of an event: all that says whose it is.
struct EventClues {
  /// The lane of its tag and stream (`Responses`).
  var lane = 0
  /// The values of `response.id` or `response_id`, and of `item_id` or `item.id`.
  let response: Range<Int>?
  let item: Range<Int>?
  let index: Int?
  /// The sequence number; `nil` for a 0 on another event than `response.created`.
  let number: Int?
  /// Whether it is a whole Response.
  let isDocument: Bool

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    response = Self.id(
      event.value(of: "response", "id", in: line) ?? event.value(of: "response_id", in: line), line)
    item = Self.id(
      event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line), line)
    index = event.integer(of: "output_index", in: line)
    isDocument = event.isDocument && event.type?.family == .lifecycle
    let isCreated = event.type?.family == .lifecycle && event.type?.phase == .start
    let found = event.sequenceNumber(in: line) ?? -1
    number = found > 0 || found == 0 && isCreated ? found : nil
  }

  /// The string at `value`, unless it is empty or no string.
  private static func id(_ value: Range<Int>?, _ line: Span<UInt8>) -> Range<Int>? {
    guard let value, value.count > 2, line[value.lowerBound] == ASCII.quote else { return nil }
    return value
  }
}

extension Event {
  /// Whether a response may begin with the event.
  func mayBegin(_ line: Span<UInt8>) -> Bool {
    switch type?.family {
    case .keepalive, .metadata, .websocket, .websocketClient, .ownEnd: return false
    case nil:
      guard let name = typeName else { return false }
      return line.extracting(name).starts(with: "response.")
    default: return true
    }
  }

  /// A hash that sets the event apart from another with its number.
  @inline(__always)
  func mark(_ line: Span<UInt8>) -> UInt64 {
    guard type?.phase == .delta, let delta = value(of: "delta", in: line) else {
      return wholeMark(line)
    }
    return line.sampled(delta, into: UInt64(truncatingIfNeeded: line.count))
  }

  /// The same of an event that is no delta.
  @inline(never)
  private func wholeMark(_ line: Span<UInt8>) -> UInt64 {
    let mark = UInt64(truncatingIfNeeded: line.count)
    let name = line.sampled(typeName ?? 0..<0, into: mark)
    let item = value(of: "item_id", in: line) ?? value(of: "item", "id", in: line)
    return item.map { line.extracting($0).mixed(into: name) } ?? name
  }
}
