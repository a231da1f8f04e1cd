/// What becomes of the data of a block, or of a JSON text: it is checked and made the line of an event.
extension EventReader {
  /// Makes `line` the event's line, or what must be made of it.
  mutating func settle(
    _ event: inout Event, made line: [UInt8], of input: borrowing InputBuffer
  ) {
    (event.place, made) = (nil, line)
    settle(&event, line.span, of: input)
  }

  /// Makes `payload` the event's line, as it is or as it must be, and finds its type.
  mutating func settle(
    _ event: inout Event, _ payload: Span<UInt8>, of input: borrowing InputBuffer
  ) {
    if settings.validates || format == .eventStream, !UTF8Repair.isValid(payload) {
      notices.append(Notice(.warning, "not UTF-8; U+FFFD put in its place", at: event.inputPlace))
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      return settle(&event, made: repaired, of: input)
    }
    if let why = fault(in: payload) { return reject(&event, payload, why) }
    if event.place == nil || format == .json,
      payload.firstIndex(of: ASCII.lf) != nil || payload.firstIndex(of: ASCII.cr) != nil
    {
      return settle(&event, made: payload.withoutLineEnds, of: input)
    }
    (event.typeName, event.type) = Event.type(of: payload)
    if let name = event.typeName {
      if payload.extracting(name).equals(EventLine.unparsed) { noteUnparsed(event) }
      return
    }
    let name = stream.name.read(in: input) { [UInt8](copying: $0) }
    switch LineShape(payload, blockName: name.span) {
    case .broken: return reject(&event, payload, "not JSON: a member is broken")
    case .typed, .untyped: return
    case .named: made = EventLine.adding(type: name.span, to: payload)
    case .response: made = EventLine.wrapping(response: payload)
    case .error: made = EventLine.wrapping(error: payload)
    }
    event.place = nil
    (event.typeName, event.type) = Event.type(of: made.span)
  }

  /// Why `payload` cannot be an event; `nil` when it can.
  private func fault(in payload: Span<UInt8>) -> String? {
    let isObject = !payload.isEmpty && payload[0] == ASCII.openBrace
    // The decoder of JSON texts has looked at what it gives.
    if format == .eventStream, !(isObject && isSound(payload)),
      let fault = JSONScanner.fault(in: payload)
    {
      return "not JSON: \(fault)"
    }
    return isObject ? nil : "a JSON value that is no object"
  }

  /// Whether a quick look tells that `payload`, which begins as an object, is one and no more.
  private func isSound(_ payload: Span<UInt8>) -> Bool {
    let isWhole =
      !settings.validates && CompactJSON.endByBraces(payload, from: 1) == payload.count
    return isWhole || CompactJSON.end(of: payload, at: 0) == payload.count
  }

  /// Makes the event an `oresp.unparsed` that holds `payload`.
  mutating func reject(_ event: inout Event, _ payload: Span<UInt8>, _ why: String) {
    notices.append(Notice(.error, why, status: .badInput, at: event.inputPlace))
    make(&event, EventLine.unparsed, "data", payload)
  }

  /// Makes the event one of the toolkit's own.
  mutating func make(
    _ event: inout Event, _ type: StaticString, _ member: StaticString, _ text: Span<UInt8>
  ) {
    made = EventLine.synthetic(type, member, [UInt8](copying: text))
    event.place = nil
    (event.typeName, event.type) = Event.type(of: made.span)
  }

  private mutating func noteUnparsed(_ event: Event) {
    guard !hasNotedUnparsed else { return }
    hasNotedUnparsed = true
    let why = "an earlier stage found what is not JSON (oresp.unparsed)"
    notices.append(Notice(.error, why, status: .badInput, at: event.inputPlace))
  }
}
