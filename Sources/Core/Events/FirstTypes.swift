/// What the types of an input's first events show of it, until an answer begins.
struct FirstTypes {
  /// Whether an event was of a known family.
  private(set) var hasKnown = false
  /// Whether an answer has begun: text behind it is the error that ends it.
  var hasBegun = false
  /// The error for an input whose first object with a type shows that it has no events; else `nil`.
  private(set) var foreign: String?
  /// The same, for tools that need the meaning of events, by one of the first types.
  private(set) var otherProtocol: String?
  /// The number of types that were looked at, as far as other protocols are searched for.
  private var count = 0

  /// Looks at the type of `event`, whose line is `line`, unless an answer has begun.
  mutating func look(at event: borrowing Event, _ line: Span<UInt8>) {
    guard !hasBegun, let place = event.typeName else { return }
    if event.type == nil, count < 16, otherProtocol == nil,
      let found = ForeignInput.named(byObject: line, unwraps: true)
    {
      otherProtocol = found.what
      if count == 0, !found.isForReaders { foreign = found.what }
    }
    if count < 16 { count += 1 }
    hasKnown =
      hasKnown || foreign != nil || event.type != nil
      || EventCatalogue.isOfFamily(line.extracting(place))
    hasBegun = event.type?.isOfAnswer == true
  }
}
