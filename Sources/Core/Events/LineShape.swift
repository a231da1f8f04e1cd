/// The kind of an object, found by its type or, where that is not known, by its top-level members.
package enum LineShape {
  /// It has a type, and nothing is made of it.
  case event
  /// An event that holds what an earlier tool could not read.
  case unparsed
  /// An output item by itself; a message of the output may lack its type.
  case item
  /// A chunk or an answer of Chat Completions at this place: all of it, or the body in a line of the
  /// Batch API.
  case chat(Range<Int>)
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
    case .untyped, .named: true
    default: false
    }
  }

  /// Whether `value`, white space aside, opens and closes as an object.
  package static func isObject(_ value: Span<UInt8>) -> Bool {
    let inner = value.extracting(value.trimmed())
    return inner.count >= 2 && inner[0] == ASCII.openBrace
      && inner[inner.count - 1] == ASCII.closeBrace
  }

  /// Whether `object`, which has no id or no type, is a message of the output, with its content as
  /// parts or as a string. Messages of other roles are of a request.
  static func isAnswer(_ object: Span<UInt8>) -> Bool {
    guard JSONChildren.text(of: "role", in: object) == "assistant",
      let content = JSONChildren.value(of: "content", in: object)
    else { return false }
    return object[content.lowerBound] == ASCII.quote
      || object[content.lowerBound] == ASCII.openBracket
  }

  /// The objects that are taken for errors of gateways, which have a message and no name around it.
  enum GatewayErrors {
    case none
    /// Those that have no other members than such errors have.
    case plain
    /// All that have a message.
    case all
  }

  /// The members of the errors of gateways: those that hold the message, or an object with it, and
  /// those beside them.
  private static let messages = [
    ("message", ASCII.quote), ("Message", ASCII.quote), ("errorMessage", ASCII.quote),
    ("Error", ASCII.openBrace), ("base_resp", ASCII.openBrace),
  ]
  private static let besideMessages: Set<String> = [
    "message", "Message", "errorMessage", "Error", "base_resp", "code", "Code", "errorCode",
    "error_code", "errorType", "__type", "param", "path", "status", "statusCode", "status_code",
    "success", "timestamp", "connectionId", "requestId", "RequestId", "request_id", "requestID",
    "stackTrace", "trace_id", "traceId", "data", "details", "documentation_url", "hint",
  ]

  /// Finds the kind of `line`, whose members `event` has noted. It came in a block named
  /// `blockName`, if that is not empty, or `isAmongValues`, of which parts of a response and answers
  /// of other endpoints are some; it `isBehindEvents` of Responses alone. Objects of Chat Completions
  /// are a kind of their own if the owner `readsChat`.
  init(
    _ line: Span<UInt8>, of event: borrowing Event, blockName: Span<UInt8>, isAmongValues: Bool,
    isBehindEvents: Bool, takesErrors errors: GatewayErrors, readsChat: Bool
  ) {
    if event.type != nil {
      self = .event
    } else if let name = event.typeName {
      self = Self.typed(event, line, name, isAmongValues: isAmongValues, readsChat: readsChat)
    } else if isBehindEvents, Self.hasError(event, line), ChatTranslator.isAnswer(line) {
      // Some bridges end a stream of events so: {"choices":[…],"error":{…}}
      self = .error
    } else if readsChat, let place = Self.answer(event, line) {
      self = .chat(place)
    } else {
      self.init(line, blockName: blockName, isAmongValues: isAmongValues, takesErrors: errors)
    }
  }

  /// The kind of `line`, whose type `name` the catalogue of events does not know.
  private static func typed(
    _ event: borrowing Event, _ line: Span<UInt8>, _ name: Range<Int>, isAmongValues: Bool,
    readsChat: Bool
  ) -> LineShape {
    if line.extracting(name).equals(EventLine.unparsed) { return .unparsed }
    // vLLM, SGLang, Mistral: {"object":"error","message":"…","type":"BadRequestError","code":400}
    if let kind = event.value(of: "object", in: line), line.extracting(kind).equals("\"error\"") {
      return .error
    }
    if APIError.isProblem(line) { return .error }
    // Some servers give their chunks a type, too.
    if readsChat, event.value(of: "choices", in: line) != nil, let place = answer(event, line) {
      return .chat(place)
    }
    return isItem(event, line, name, isAmongValues: isAmongValues) ? .item : .event
  }

  /// Whether `line` is an output item. Without an id it must have what such an item has, and stand
  /// among JSON values: the blocks of other protocols have such types, too.
  private static func isItem(
    _ event: borrowing Event, _ line: Span<UInt8>, _ name: Range<Int>, isAmongValues: Bool
  ) -> Bool {
    guard let row = ItemCatalogue.row(of: String(decoding: line.extracting(name))) else {
      return false
    }
    if event.value(of: "id", in: line) != nil { return true }
    guard isAmongValues else { return false }
    if row.type.description == "message" { return isAnswer(line) }
    return event.value(of: "call_id", in: line) != nil
      || row.values.contains { value in
        value.path.first.flatMap { event.value(of: $0, in: line) } != nil
      }
  }

  private static func answer(_ event: borrowing Event, _ line: Span<UInt8>) -> Range<Int>? {
    if ChatTranslator.isAnswer(line) { return 0..<line.count }
    guard let body = event.value(of: "response", "body", in: line) else { return nil }
    return ChatTranslator.isAnswer(line.extracting(body)) ? body : nil
  }

  private static func hasError(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard let error = event.value(of: "error", in: line) else { return false }
    return line[error.lowerBound] == ASCII.openBrace || line[error.lowerBound] == ASCII.quote
  }

  /// Finds the kind of `line`, which has no type that is known and came in a block named
  /// `blockName`, if that is not empty.
  init(
    _ line: Span<UInt8>, blockName: Span<UInt8> = Span(), isAmongValues: Bool = false,
    takesErrors errors: GatewayErrors = .plain
  ) {
    var members = JSONChildren()
    var object: [UInt8] = []
    // The first byte of each member's value.
    var first: [String: UInt8] = [:]
    while let member = members.next(in: line) {
      let value = line.extracting(member.value)
      let name = JSONString.text(inside: line.extracting(member.name))
      if first[name] == nil, name == "object" { object = [UInt8](copying: value) }
      // {"success":true,"error":""}
      let isBlank = value.count == 2 && value[0] != ASCII.openBrace
      if !isBlank || name != "error" { first[name] = first[name] ?? value[0] }
    }
    let names = Set(first.keys)
    let isList = object.span.equals("\"list\"")
    let isResponse = object.span.equals("\"response\"")
    let isOther = object.first == ASCII.quote && !isList && !isResponse
    let hasState = names.contains("status") || names.contains("id")
    let hasError = [ASCII.openBrace, ASCII.openBracket, ASCII.quote].contains(first["error"])
    let isKnown = errors == .all || names.isSubset(of: Self.besideMessages)
    if object.span.equals("\"error\"") {
      self = .error
    } else if let type = first["type"], type != UInt8(ascii: "n") {
      self = .untyped
    } else if names.contains("custom_id") {
      self = .batch
    } else if isList, first["data"] == ASCII.openBracket {
      self = .list
    } else if isResponse && !names.contains("deleted")
      || first["output"] == ASCII.openBracket && hasState
    {
      self = .response
    } else if isAmongValues, names.contains("role"), !isOther, !hasError, Self.isAnswer(line) {
      self = .item
    } else if hasError || names.contains("detail"), !isOther {
      self = .error
    } else if errors != .none, isKnown, !isOther, !blockName.equals("error"),
      Self.messages.contains(where: { first[$0] == $1 }), !APIError(in: line).isNone
    {
      self = .error
    } else if first["title"] == ASCII.quote, APIError.isProblem(line) {
      self = .error
    } else if isAmongValues, !isOther, first["text"] ?? ASCII.quote == ASCII.quote,
      first["data"] ?? ASCII.openBracket == ASCII.openBracket,
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
