/// What a delta was about. Another delta about the same adds to the same text, which nobody need look
/// up again.
package struct DeltaRun: Sendable {
  package let type: EventType
  /// The number of the item, and of the part or command of it.
  private let item: Int
  package let part: Int

  /// `nil` for an event whose type is not known.
  package init?(of event: borrowing Event, _ line: Span<UInt8>) {
    guard let type = event.type else { return nil }
    self.type = type
    item = event.item
    part = event.partIndex(in: line)
  }

  /// The member `delta` of an event that is about the same, if that is a string, an object or an
  /// array; else `nil`.
  package func delta(of event: borrowing Event, _ line: Span<UInt8>) -> Range<Int>? {
    guard event.type?.index == type.index, event.item == item, event.partIndex(in: line) == part
    else { return nil }
    return event.content(of: "delta", in: line)
  }
}
