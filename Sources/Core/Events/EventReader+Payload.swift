/// Checks the data of a block, or a JSON text, and makes it an event's line.
extension EventReader {
  /// Makes the event's line of `line`, the data of a block or a part of another payload; false as
  /// below.
  mutating func settle(_ event: inout Event, made line: [UInt8]) -> Bool {
    event.lineRange = nil
    made = line
    var scan = JSONScan()
    event.members.removeAll()
    if let fault = scan.fault(in: line.span, noting: &event.members) {
      return reject(&event, line.span, "not JSON: \(fault)")
    }
    return settle(&event, line.span, isUTF8: scan.isUTF8, hasLineEnds: scan.hasLineEnds)
  }

  /// Makes the event's line of `payload`, a value whose members are noted, and finds its type.
  /// False when `payload` is a list, whose elements are then in `parts`.
  mutating func settle(
    _ event: inout Event, _ payload: Span<UInt8>, isUTF8: Bool, hasLineEnds: Bool
  ) -> Bool {
    guard isUTF8 else {
      reportRepair(at: event.place)
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      return settle(&event, made: repaired)
    }
    guard payload[0] == ASCII.openBrace else {
      return reject(&event, payload, "a JSON value, not an object")
    }
    if hasLineEnds { return settle(&event, made: payload.withoutLineEnds) }
    event.noteType(in: payload, types)
    if let name = event.typeName {
      if event.type == nil, payload.extracting(name).equals(EventLine.unparsed) {
        noteUnparsed(&event, payload)
        return true
      }
      // vLLM, SGLang, Mistral: {"object":"error","message":"…","type":"BadRequestError","code":400}
      if event.type == nil, Self.isErrorObject(event, payload) {
        return settle(&event, error: payload)
      }
      if !hasBegun { lookAtType(event, payload) }
      if hasChat, endsChat(event, payload) { return false }
      // An object with an item's type but no id is not the API's: {"type":"message","role":…}
      guard event.type == nil, foreign == nil, Self.isItem(payload.extracting(name)),
        event.members.value(of: "id", in: payload) != nil
      else { return true }
      made = EventLine.wrapping(item: payload)
    } else if hasKnownTypes, !hasChat, Self.isFailedChat(event, payload) {
      return settle(&event, error: payload)
    } else if settings.chat != .kept, translate(event, payload) {
      return false
    } else {
      if !hasBegun { hasBegun = ChatTranslator.isAnswer(payload) }
      let name = stream.name
      let shape = LineShape(
        payload, blockName: name.span,
        takesErrors: hasBegun ? .all : settings.isGeneric ? .none : .plain)
      if shape.mayBeForeign, !settings.acceptsAnything,
        let found = ForeignInput.named(byObject: payload, unwraps: !settings.isGeneric)
      {
        report(.error, found.what, at: event.place)
        guard case .named = shape else { return true }
      }
      switch shape {
      case .typed, .untyped:
        guard settings.chat == .only else { return true }
        let why = "neither an event nor an answer of Chat Completions"
        notices.append(Notice(.error, why, status: .badInput, at: event.place))
        return false
      case .named: made = EventLine.adding(type: name.span, to: payload)
      case .response:
        made = EventLine.wrapping(response: payload)
        event.isDocument = settings.documentsStandAlone
      case .error: return settle(&event, error: payload)
      case .document(let type):
        guard format == .json, !settings.acceptsAnything else { return true }
        made = EventLine.wrapping(payload, as: type)
      case .batch:
        guard let line = EventLine.wrapping(batch: payload) else { return true }
        made = line
        event.isDocument = true
      case .list where event.isPart: return true
      case .list:
        for place in JSONChildren.elements(of: "data", in: payload).reversed() {
          let part = [UInt8](copying: payload.extracting(place))
          parts.append(Part(payload: part, place: event.place))
        }
        return false
      }
      event.isUntypedBlock = format == .eventStream
    }
    settleMade(&event)
    return !hasChat || !endsChat(event)
  }

  /// Makes the event's line of `error`, an error body.
  mutating func settle(_ event: inout Event, error: Span<UInt8>) -> Bool {
    made = EventLine.wrapping(error: error)
    event.isUntypedBlock = format == .eventStream
    settleMade(&event)
    return !hasChat || !endsChat(event)
  }

  /// Makes `made` the event's line, and finds its type.
  mutating func settleMade(_ event: inout Event) {
    noteMade(&event)
    guard !hasBegun else { return }
    let line = made
    lookAtType(event, line.span)
  }

  /// Whether `payload` says that it is an error, whatever its type.
  private static func isErrorObject(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    guard let kind = event.value(of: "object", in: payload) else { return false }
    return payload.extracting(kind).equals("\"error\"")
  }

  /// Whether `payload` is a chunk of Chat Completions that brings an error. Some bridges end a
  /// stream of events so: {"object":"chat.completion.chunk","choices":[…],"error":{…}}
  private static func isFailedChat(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    guard let error = event.value(of: "error", in: payload), ChatTranslator.isAnswer(payload)
    else { return false }
    return payload[error.lowerBound] == ASCII.openBrace || payload[error.lowerBound] == ASCII.quote
  }

  /// Has the answers of Chat Completions in `payload` translated: a chunk, an answer, or a line of
  /// the Batch API with one. False when it has none.
  private mutating func translate(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    if ChatTranslator.isAnswer(payload) {
      chat.append(payload, tag: Self.tag(of: event, payload))
    } else if let body = event.value(of: "response", "body", in: payload),
      ChatTranslator.isAnswer(payload.extracting(body))
    {
      let name = JSONChildren.string(of: "custom_id", in: payload) ?? []
      chat.append(payload.extracting(body), tag: name)
    } else {
      return false
    }
    hasChat = true
    chatPlace = event.place
    takeTranslated(at: event.place)
    return true
  }

  /// Takes over the events that were made of answers, which are read next.
  private mutating func takeTranslated(at place: Notice.Place) {
    let (made, notes) = chat.takeAll()
    for note in notes { report(.warning, note, at: place) }
    for event in made.reversed() {
      let line = EventLine.tagged(event.line, event.tag)
      parts.append(Part(payload: line, place: place, isLine: true))
    }
  }

  /// Handles the event `line`, which stands among the objects of Chat Completions: an error ends
  /// the open answer with its tag, and so does another response. In the latter case it is true, and
  /// the events of the end come first, then `line`.
  private mutating func endsChat(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard event.isError || event.type?.family == .lifecycle else { return false }
    let tag = Self.tag(of: event, line)
    guard chat.isOpen(tag) else { return false }
    guard !event.isError else {
      chat.fail(APIError(in: line), tag: tag)
      return false
    }
    chat.interrupt(tag)
    parts.append(Part(payload: [UInt8](copying: line), place: event.place, isLine: true))
    takeTranslated(at: event.place)
    return true
  }

  /// Does the same for the event whose line the reader made.
  private mutating func endsChat(_ event: borrowing Event) -> Bool {
    let line = made
    return endsChat(event, line.span)
  }

  /// Ends the answers of Chat Completions at the end of the input.
  mutating func endChat() {
    hasChat = false
    chat.endInput()
    takeTranslated(at: chatPlace)
  }

  private static func tag(of event: borrowing Event, _ line: Span<UInt8>) -> [UInt8] {
    event.string(of: "oresp", "request", in: line)
  }

  /// Makes the event stand for the mark `[DONE]`; false when nobody waits for the mark, or when it
  /// ends an answer of Chat Completions, whose last events come first.
  mutating func makeMark(_ event: inout Event) -> Bool {
    guard hasChat else {
      if settings.keepsMarks { make(&event, EventLine.done, "data", Span()) }
      return settings.keepsMarks
    }
    if settings.keepsMarks {
      let mark = EventLine.synthetic(EventLine.done, "data", [])
      parts.append(Part(payload: mark, place: event.place, isLine: true))
    }
    chat.endStream()
    takeTranslated(at: event.place)
    return false
  }

  /// Notes whether the event's type is of a known family and begins an answer, and which other
  /// protocol one of the first types is of. Reports that of the first type.
  private mutating func lookAtType(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let place = event.typeName else { return }
    if event.type == nil, earlyTypes < 16, otherProtocol == nil,
      let found = ForeignInput.named(byObject: line, unwraps: true)
    {
      otherProtocol = found.what
      if earlyTypes == 0, !found.isForReaders { foreign = found.what }
    }
    if earlyTypes < 16 { earlyTypes += 1 }
    hasKnownTypes =
      hasKnownTypes || foreign != nil || event.type != nil
      || EventCatalogue.isOfFamily(line.extracting(place))
    hasBegun = event.type.map { $0.isOfAnswer } ?? false
    guard let foreign, !settings.acceptsAnything else { return }
    report(.error, foreign, at: event.place)
  }

  /// Notes that the event, whose line is `line`, holds what an earlier tool could not read.
  private mutating func noteUnparsed(_ event: inout Event, _ line: Span<UInt8>) {
    let data = JSONChildren.string(of: "data", in: line)
    event.isHeartbeat = data.map { Heartbeat.isOne($0.span) } ?? false
    guard !event.isHeartbeat else { return }
    let why = "an earlier tool found input that is not JSON (oresp.unparsed)"
    report(.error, why, at: event.place)
  }

  /// Makes `made` the event's line.
  private func noteMade(_ event: inout Event) {
    event.lineRange = nil
    event.note(made.span)
  }

  /// Makes the event an `oresp.unparsed` that holds `payload`.
  @discardableResult
  mutating func reject(_ event: inout Event, _ payload: Span<UInt8>, _ why: String) -> Bool {
    if !UTF8Repair.isValid(payload) { reportRepair(at: event.place) }
    notices.append(Notice(.error, why, status: .badInput, at: event.place))
    make(&event, EventLine.unparsed, "data", payload)
    return true
  }

  /// Makes the event an `oresp.unparsed` that holds the heartbeat `data`. Returns true.
  mutating func makeHeartbeat(_ event: inout Event, _ data: Span<UInt8>) -> Bool {
    if settings.reportsHeartbeats {
      report(.warning, "data that is no event is read as a heartbeat", at: event.place)
    }
    make(&event, EventLine.unparsed, "data", data)
    event.isHeartbeat = true
    return true
  }

  /// Makes the event an error with `words`, which a server sent in place of an event. Returns true.
  mutating func makeError(_ event: inout Event, _ words: [UInt8]) -> Bool {
    if !UTF8Repair.isValid(words.span) { reportRepair(at: event.place) }
    make(&event, "error", "message", words.span)
    return !hasChat || !endsChat(event)
  }

  private mutating func reportRepair(at place: Notice.Place) {
    notices.append(Notice(.warning, "not UTF-8; U+FFFD put in its place", at: place))
  }

  /// Makes the event one of the toolkit's own type `type`, with `text` in its member `member`.
  mutating func make(
    _ event: inout Event, _ type: StaticString, _ member: StaticString, _ text: Span<UInt8>
  ) {
    made = EventLine.synthetic(type, member, [UInt8](copying: text))
    noteMade(&event)
  }

  mutating func noteOversized(at place: Notice.Place) {
    let why = "an event is longer than \(settings.limit) bytes, and dropped"
    notices.append(Notice(.error, why, status: .badInput, at: place))
  }

  /// Whether the type `name`, which the catalogue of events does not know, is an output item's.
  @inline(never)
  static func isItem(_ name: Span<UInt8>) -> Bool {
    ItemCatalogue.row(of: String(decoding: name)) != nil
  }

  static let endMark: StaticString = "[DONE]"
}

/// The kind of an object without a usable `type`, found by its top-level members.
package enum LineShape {
  /// It has a `type` that is no string.
  case typed
  /// An event whose type is the name of its block.
  case named
  /// A whole Response object.
  case response
  /// An error body: `error` nested or plain, FastAPI's `detail`, or `"object": "error"`.
  case error
  /// A page of a list: `"object": "list"`.
  case list
  /// A line of the output of the Batch API.
  case batch
  /// The answer of another endpoint; the value is the type of the last event of its stream.
  case document(StaticString)
  /// None of these.
  case untyped

  /// Answers known by their members: the required and the optional ones.
  private static let documents: [(event: StaticString, has: Set<String>, mayHave: Set<String>)] = [
    (
      "transcript.text.done", ["text"],
      [
        "usage", "language", "languages", "duration", "segments", "words", "task", "logprobs",
        "x_groq",
      ]
    ),
    (
      "image_generation.completed", ["created", "data"],
      ["usage", "background", "output_format", "quality", "size"]
    ),
  ]

  /// Whether the object may be a known kind of foreign input (`ForeignInput`).
  var mayBeForeign: Bool {
    switch self {
    case .untyped, .named, .batch: true
    default: false
    }
  }

  /// Whether `value`, white space aside, opens and closes as an object.
  package static func isObject(_ value: Span<UInt8>) -> Bool {
    let inner = value.extracting(value.trimmed())
    return inner.count >= 2 && inner[0] == ASCII.openBrace
      && inner[inner.count - 1] == ASCII.closeBrace
  }

  /// The objects that are taken for errors of gateways, which have a message and no name around it.
  enum GatewayErrors {
    case none
    /// Those that have no other members than such errors have.
    case plain
    /// All that have a message.
    case all
  }

  /// The members of the errors of gateways: the ones that hold the message, or an object with it,
  /// and those beside them.
  private static let messages = [
    ("message", ASCII.quote), ("Message", ASCII.quote), ("errorMessage", ASCII.quote),
    ("Error", ASCII.openBrace),
  ]
  private static let besideMessages: Set<String> = [
    "message", "Message", "errorMessage", "Error", "code", "Code", "errorCode", "errorType",
    "__type", "param", "path", "status", "statusCode", "status_code", "success", "timestamp",
    "connectionId", "requestId", "RequestId", "request_id", "requestID", "stackTrace", "trace_id",
  ]

  /// Finds the kind of `line`, which came in a block named `blockName`, if that is not empty.
  init(
    _ line: Span<UInt8>, blockName: Span<UInt8>, takesErrors errors: GatewayErrors = .plain
  ) {
    var members = JSONChildren()
    var object: [UInt8] = []
    // The first byte of each member's value.
    var first: [String: UInt8] = [:]
    while let member = members.next(in: line) {
      let value = line.extracting(member.value)
      let name = JSONString.text(inside: line.extracting(member.name))
      if first[name] == nil, name == "object" { object = [UInt8](copying: value) }
      first[name] = first[name] ?? value[0]
    }
    let names = Set(first.keys)
    let isError = object.span.equals("\"error\"")
    let isList = object.span.equals("\"list\"")
    let isResponse = object.span.equals("\"response\"")
    let isOther = object.first == ASCII.quote && !isList && !isResponse
    let isUnfit = [("text", ASCII.quote), ("data", ASCII.openBracket)].contains { name, start in
      first[name].map { $0 != start } ?? false
    }
    let hasState = names.contains("status") || names.contains("id")
    let hasError = first["error"] == ASCII.openBrace || first["error"] == ASCII.quote
    if isError {
      self = .error
    } else if names.contains("type") {
      self = .typed
    } else if names.contains("custom_id") {
      self = .batch
    } else if isList, first["data"] == ASCII.openBracket {
      self = .list
    } else if isResponse && !names.contains("deleted")
      || first["output"] == ASCII.openBracket && hasState
    {
      self = .response
    } else if hasError || names.contains("detail"), !isOther {
      self = .error
    } else if errors != .none, !isOther, first["choices"] == nil, !blockName.equals("error"),
      Self.messages.contains(where: { first[$0] == $1 }),
      errors == .all || names.isSubset(of: Self.besideMessages)
    {
      self = .error
    } else if !isOther, !isUnfit,
      let document = Self.documents.first(where: {
        $0.has.isSubset(of: names) && names.isSubset(of: $0.has.union($0.mayHave))
      })
    {
      self = .document(document.event)
    } else {
      self = blockName.isEmpty || blockName.equals("message") ? .untyped : .named
    }
  }
}
