/// What becomes of the data of a block, or of a JSON text: it is checked and made the line of an event.
extension EventReader {
  /// Makes `line` the event's line, or what must be made of it.
  mutating func settle(_ event: inout Event, made line: [UInt8]) {
    (event.place, made) = (nil, line)
    settle(&event, line.span)
  }

  /// Makes `payload` the event's line, as it is or as it must be, and finds its type.
  mutating func settle(_ event: inout Event, _ payload: Span<UInt8>) {
    if settings.validates || format == .eventStream, !UTF8Repair.isValid(payload) {
      notices.append(Notice(.warning, "not UTF-8; U+FFFD put in its place", at: event.inputPlace))
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      return settle(&event, made: repaired)
    }
    if let why = fault(in: payload) { return reject(&event, payload, why) }
    if event.place == nil || format == .json,
      payload.firstIndex(of: ASCII.lf) != nil || payload.firstIndex(of: ASCII.cr) != nil
    {
      return settle(&event, made: payload.withoutLineEnds)
    }
    (event.typeName, event.type) = Event.type(of: payload)
    if let name = event.typeName {
      if payload.extracting(name).equals(EventLine.unparsed) { noteUnparsed(event) }
      return
    }
    let name = stream.name
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

/// What an object without a usable `type` may be, told from its top-level members.
package enum LineShape {
  /// It has a `type` after all, which is no string.
  case typed
  /// It takes its type from the name of its block.
  case named
  /// A whole Response object.
  case response
  /// An error body: `error` nested or plain, or FastAPI's `detail`.
  case error
  /// None of these.
  case untyped
  /// It is no JSON.
  case broken

  /// Whether `value`, white space aside, opens and closes as an object.
  package static func isObject(_ value: Span<UInt8>) -> Bool {
    let inner = value.extracting(value.trimmed())
    return inner.count >= 2 && inner[0] == ASCII.openBrace
      && inner[inner.count - 1] == ASCII.closeBrace
  }

  /// Tells what `line` is, which came in a block of the name `blockName`, if it is not empty.
  init(_ line: Span<UInt8>, blockName: Span<UInt8>) {
    var members = JSONChildren()
    var (isTyped, isResponse, hasOutput, hasState, hasError) = (false, false, false, false, false)
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      let value = line.extracting(member.value)
      if JSONChildren.isName(name, "type") {
        isTyped = true
      } else if JSONChildren.isName(name, "object") {
        isResponse = isResponse || value.equals("\"response\"")
      } else if JSONChildren.isName(name, "output") {
        hasOutput = value[0] == ASCII.openBracket
      } else if JSONChildren.isName(name, "status") || JSONChildren.isName(name, "id") {
        hasState = true
      } else if JSONChildren.isName(name, "error") {
        hasError = hasError || value[0] == ASCII.openBrace || value[0] == ASCII.quote
      } else if JSONChildren.isName(name, "detail") {
        hasError = true
      }
    }
    if members.isBroken {
      self = .broken
    } else if isTyped {
      self = .typed
    } else if isResponse || hasOutput && hasState {
      self = .response
    } else if hasError {
      self = .error
    } else {
      self = blockName.isEmpty || blockName.equals("message") ? .untyped : .named
    }
  }
}
