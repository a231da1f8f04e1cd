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

  /// Answers known by their members: the required ones, some with the first byte of their value,
  /// and the names of all that they may have.
  private static let documents: [(event: StaticString, has: Set<String>, mayHave: Set<String>)] = [
    (
      "transcript.text.done", ["text\""],
      [
        "text", "usage", "language", "languages", "duration", "segments", "words", "task",
        "logprobs", "x_groq",
      ]
    ),
    (
      "image_generation.completed", ["created", "data["],
      ["created", "data", "usage", "background", "output_format", "quality", "size"]
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

  /// Whether `object`, which has no id or no type, is a message of the output, with its content as
  /// parts or as a string. Messages of other roles are of a request.
  private static func isMessage(_ object: Span<UInt8>) -> Bool {
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

  /// The members of the errors of gateways: those that hold the message, or an object with it, with
  /// the first byte of their values, and the names of all.
  private static let messages: Set<String> = [
    "message\"", "Message\"", "errorMessage\"", "Error{", "base_resp{",
  ]
  private static let besideMessages: Set<String> = [
    "message", "Message", "errorMessage", "Error", "base_resp", "code", "Code", "errorCode",
    "error_code", "errorType", "__type", "param", "path", "status", "statusCode", "status_code",
    "success", "timestamp", "connectionId", "requestId", "RequestId", "request_id", "requestID",
    "stackTrace", "trace_id", "traceId", "data", "details", "documentation_url", "hint",
  ]

  /// Finds the kind of `line`, whose members `event` has noted. It came in a block named
  /// `blockName`, if that is not empty, or `isAmongValues`, of which parts of a response and
  /// answers of other endpoints are some; it `isBehindEvents` of Responses alone. Objects of Chat
  /// Completions are a kind of their own if the owner `readsChat`.
  init(
    _ line: Span<UInt8>, of event: borrowing Event, blockName: Span<UInt8>, isAmongValues: Bool,
    isBehindEvents: Bool, takesErrors errors: GatewayErrors, readsChat: Bool
  ) {
    if event.type != nil {
      self = .event
    } else if let name = event.typeName {
      self = Self.typed(event, line, name, isAmongValues: isAmongValues, readsChat: readsChat)
    } else if isBehindEvents, let error = event.value(of: "error", in: line),
      [ASCII.openBrace, ASCII.quote].contains(line[error.lowerBound]), ChatTranslator.isAnswer(line)
    {
      // Some bridges end a stream of events so: {"choices":[…],"error":{…}}
      self = .error
    } else if readsChat, let place = Self.placeOfChat(event, line) {
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
    if readsChat, event.value(of: "choices", in: line) != nil, ChatTranslator.isAnswer(line) {
      return .chat(0..<line.count)
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
    if row.type.description == "message" { return isMessage(line) }
    return event.value(of: "call_id", in: line) != nil
      || row.values.contains { value in
        value.path.first.flatMap { event.value(of: $0, in: line) } != nil
      }
  }

  /// The place of a chunk or an answer of Chat Completions that `line` is, or has in it.
  private static func placeOfChat(_ event: borrowing Event, _ line: Span<UInt8>) -> Range<Int>? {
    if ChatTranslator.isAnswer(line) { return 0..<line.count }
    guard let body = event.value(of: "response", "body", in: line) else { return nil }
    return ChatTranslator.isAnswer(line.extracting(body)) ? body : nil
  }

  /// Finds the kind of `line`, which has no type that is known and came in a block named
  /// `blockName`, if that is not empty.
  init(
    _ line: Span<UInt8>, blockName: Span<UInt8> = Span(), isAmongValues: Bool = false,
    takesErrors errors: GatewayErrors = .plain
  ) {
    var names: Set<String> = []
    // The same with the first byte of each value: `error{`.
    var signs: Set<String> = []
    var object: [UInt8] = []
    var members = JSONChildren()
    while let member = members.next(in: line) {
      let value = line.extracting(member.value)
      let name = JSONString.text(inside: line.extracting(member.name))
      // {"success":true,"error":""}
      let isBlank = name == "error" && value.count == 2 && value[0] != ASCII.openBrace
      guard !isBlank, names.insert(name).inserted else { continue }
      signs.insert(name + String(Unicode.Scalar(value[0])))
      if name == "object" { object = [UInt8](copying: value) }
    }
    let isList = object.span.equals("\"list\"")
    let isResponse = object.span.equals("\"response\"")
    let isOther = object.first == ASCII.quote && !isList && !isResponse
    let hasState = names.contains("status") || names.contains("id")
    let hasError = !signs.isDisjoint(with: ["error{", "error[", "error\""])
    let isMessage = names.contains("role") && !isOther && !hasError && Self.isMessage(line)
    let isKnown = errors == .all || names.isSubset(of: Self.besideMessages)
    if object.span.equals("\"error\"") {
      self = .error
    } else if names.contains("type"), !signs.contains("typen") {
      self = .untyped
    } else if names.contains("custom_id") {
      self = .batch
    } else if isList, signs.contains("data[") {
      self = .list
    } else if isResponse && !names.contains("deleted") || signs.contains("output[") && hasState {
      self = .response
    } else if isAmongValues, isMessage {
      self = .item
    } else if hasError || names.contains("detail"), !isOther, !isMessage {
      self = .error
    } else if errors != .none, isKnown, !isOther, !blockName.equals("error"),
      !signs.isDisjoint(with: Self.messages), !APIError(in: line).isNone
    {
      self = .error
    } else if signs.contains("title\""), APIError.isProblem(line) {
      self = .error
    } else if isAmongValues, !isOther,
      let document = Self.documents.first(where: {
        $0.has.isSubset(of: names.union(signs)) && names.isSubset(of: $0.mayHave)
      })
    {
      self = .document(document.event)
    } else {
      self = blockName.isEmpty || blockName.equals("message") ? .untyped : .named
    }
  }
}
