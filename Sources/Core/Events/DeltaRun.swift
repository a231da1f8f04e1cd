/// What a delta was about. Another delta about the same adds to the same text, which nobody need look
/// up again.
package struct DeltaRun: Sendable {
  /// The index of its type.
  private let type: Int
  /// The number of the item, and of the part or command of it.
  private let item: Int
  package let part: Int

  /// `nil` for an event whose type is not known.
  package init?(of event: borrowing Event, _ line: Span<UInt8>) {
    guard let type = event.type else { return nil }
    self.type = type.index
    item = event.item
    part = event.partIndex(in: line)
  }

  /// The member `delta` of an event that is about the same, if that is a string, an object or an
  /// array; else `nil`.
  @inline(__always)
  package func delta(of event: borrowing Event, _ line: Span<UInt8>) -> Range<Int>? {
    guard event.type?.index == type, event.item == item, event.partIndex(in: line) == part
    else { return nil }
    return event.content(of: "delta", in: line)
  }

  /// The same; `nil` also for an event with log probabilities.
  package func bareDelta(of event: borrowing Event, _ line: Span<UInt8>) -> Range<Int>? {
    Self.hasLogprobs(event, line) ? nil : delta(of: event, line)
  }

  /// Whether `event`, a delta of a text, brings log probabilities.
  @inline(__always)
  package static func hasLogprobs(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard let list = event.value(of: "logprobs", in: line) else { return false }
    return list.count > 2 || line[list.lowerBound] != ASCII.openBracket
  }
}
