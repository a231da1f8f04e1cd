import Core

/// The `error` event for a reply that failed before, or beside, its own events.
struct FailureEvent {
  /// The event's JSON, on one line.
  let data: [UInt8]
  /// The object in it that has the error, as an API's refusal has it: `{"error":{…}}`
  let error: [UInt8]
  /// The advice for a person.
  private(set) var advice: String

  /// The event for a reply that broke off or never came.
  init(_ fault: TransportFault, _ head: ReplyHead?) {
    self.init(
      "api_connection_error", fault.cause.code, fault.message, head, advice: fault.advice)
  }

  /// The event for a refusal of `request`, or for an answer that no API gives: it has the server's
  /// own error as it was spelled, or else one made of `head` and `body`.
  init(body: [UInt8], _ head: ReplyHead, _ request: HTTPRequest) {
    let told = ErrorBody.object(in: body)
    let members =
      told.flatMap(ErrorBody.members) ?? [("error", Self.described(told, body, head))]
    // A status of 200 would look to a later tool as if nothing were wrong.
    let status = head.isSuccess ? nil : head.status
    self.init(members, status: status, head)
    advice = Self.advice(for: APIError(in: data.span), head, request)
  }

  /// The event for an answer to `request` that is JSON, but neither events nor a response.
  init(withoutEvents head: ReplyHead?, _ request: HTTPRequest) {
    self.init(
      "unsupported_answer", "no_events", "the answer is JSON, but neither events nor a response",
      head, advice: "check \(request.serverSource)")
  }

  /// The advice where a server seems to have Chat Completions only.
  fileprivate static func chatAdvice(_ request: HTTPRequest) -> String {
    "--api=chat asks a server that has Chat Completions only; or check \(request.serverSource): the"
      + " request went to \(request.openURL)"
  }

  /// The event in place of events that did not come, as `message` says, and will not.
  init(missingEvents message: String, _ head: ReplyHead?) {
    self.init("api_connection_error", "missing_events", message, head)
  }

  /// The event for a line of a batch that is no request, as `message` says.
  init(invalidLine message: String) {
    self.init("invalid_request_error", "invalid_line", message, nil)
  }

  private init(
    _ type: String, _ code: String, _ message: String, _ head: ReplyHead?, advice: String = ""
  ) {
    self.init([("error", Self.error(type, code, message))], status: nil, head, advice: advice)
  }

  private init(
    _ members: JSONValue.Members, status: Int?, _ head: ReplyHead?, advice: String = ""
  ) {
    error = JSONValue.object(members).line
    let added = JSONValue.present([("status", status.map(JSONValue.integer))])
    var own = EventLine.synthetic
    own["request_id"] = head?.requestID.map(JSONValue.text)
    data = JSONValue.object([("type", .text("error"))] + members + added + [("oresp", own)]).line
    self.advice = advice
  }

  private static func error(_ type: String, _ code: String, _ message: String) -> JSONValue {
    [
      "type": "\(type)", "code": code.isEmpty ? .null : "\(code)", "message": "\(message)",
    ]
  }

  /// The error for a reply that has none in the API's form; `told` is the object in its body.
  private static func described(_ told: [UInt8]?, _ body: [UInt8], _ head: ReplyHead) -> JSONValue {
    if 300..<400 ~= head.status {
      let place = head["location"] ?? "nowhere"
      return error("redirect", "", "the server points to \(place), which is not followed")
    }
    let (isPage, words) = excerpt(of: body)
    if head.isSuccess {
      let what = isPage ? "web page" : "text"
      return error("unsupported_answer", "", "the answer is a \(what), not JSON: \(words)")
    }
    let told = told.map { APIError(in: $0.span) } ?? APIError()
    let type = told.type.isEmpty ? "http_error" : told.type
    guard told.words.isEmpty else { return error(type, told.code, told.words) }
    let what = body.isEmpty ? " with an empty body" : ": " + words
    return error(type, told.code, "HTTP \(head.status)" + what)
  }

  /// Whether `body`, which may be anything, is a web page, and its first words.
  private static func excerpt(of body: [UInt8]) -> (isPage: Bool, words: String) {
    let isPage = body.first { !ASCII.isSpace($0) } == UInt8(ascii: "<")
    let text = String(decoding: body.prefix(1000), as: UTF8.self)
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    return (isPage, words.count > 200 ? words.prefix(200) + "..." : words)
  }

  private static func advice(
    for error: APIError, _ head: ReplyHead, _ request: HTTPRequest
  ) -> String {
    let wait =
      head["retry-after"].map { text in
        ", after \(text)\(JSONDecimal(typed: text) == nil ? "" : " s") (retry-after)"
      } ?? ""
    let place = request.serverSource
    // A server that lacks the path says no more than that, or names it: {"detail":"Not Found"}
    let code = error.code.lowercased()
    let isPlain =
      ["", "not_found", "notfound", "not_found_error"].contains(code) || Int(code) != nil
      || code.contains("url")
    let lacksPath = isPlain && !error.words.contains("model")
    switch head.status {
    case 404 where request.asksForResponse && lacksPath, 405 where request.asksForResponse:
      return chatAdvice(request)
    case 200..<400: return "check \(place); the request went to \(request.openURL)"
    case 401: return "check the key"
    case 403: return "check what the key may do"
    case 404:
      let model = JSONChildren.value(of: "model", in: request.body.span)
      let what = model == nil ? "what was asked for" : "the model"
      return "check \(what) and \(place); the request went to \(request.openURL)"
    case 429 where error.status == .refusedForGood: return "check the account's plan and limits"
    default:
      return error.status == .temporary ? "try again later" + wait : "check the request with -n"
    }
  }
}

extension Notice {
  /// The warning about an answer of Chat Completions to `request`, which asked for a response.
  static func chatUnasked(_ request: HTTPRequest) -> Notice {
    Notice(.warning, "the answer is of Chat Completions; " + FailureEvent.chatAdvice(request))
  }
}

extension HTTPRequest {
  /// Whether it asks for a new response.
  fileprivate var asksForResponse: Bool {
    method == "POST" && Typed.parts(of: openURL, at: "?").0.hasSuffix("/responses")
  }
}

/// The body of a refusal, which may be anything.
enum ErrorBody {
  /// The object with the error: all of `body`, or the first event in it that is an error, or the
  /// error of the first failed response. `nil` when there is none.
  static func object(in body: [UInt8]) -> [UInt8]? {
    if LineShape.isObject(body.span) { return body }
    var found: [UInt8]?
    EventFeed.all(in: body, acceptsAnything: true, sorting: .judging) { event, line in
      if found == nil { found = error(event, line) }
    }
    return found
  }

  private static func error(_ event: borrowing Event, _ line: Span<UInt8>) -> [UInt8]? {
    if event.isError { return [UInt8](copying: line) }
    guard let error = JSONChildren.raw(of: "response", "error", in: line),
      case .raw(let text) = error, text.first == ASCII.openBrace
    else { return nil }
    return (["error": error] as JSONValue).line
  }

  /// The members of `object`, without the ones that the event sets itself; `nil` when it is not an
  /// error body in the API's own form.
  static func members(of object: [UInt8]) -> JSONValue.Members? {
    guard UTF8Repair.isValid(object.span),
      case .object(let members) = JSONValue(object: object.span),
      case .raw(let error) = JSONValue.object(members)["error"], error.first == ASCII.openBrace
    else { return nil }
    return members.filter { !["type", "status", "oresp"].contains($0.name) }.map { member in
      guard case .raw(let text) = member.value else { return member }
      // Line breaks can stand between tokens only.
      return (member.name, .raw(text.span.withoutLineEnds))
    }
  }
}

extension TransportFault {
  static let cut = TransportFault(
    .truncatedStream, "the stream ended before the response did", advice: "try again")
  static let broken = TransportFault(
    .brokenAnswer, "the answer is JSON that breaks off", advice: "try again")
  /// An event, or a document, is longer than the limit.
  static let tooLong = TransportFault(
    .eventTooLong, "an event of the answer is longer than 256 MiB", advice: "ask for less")
  /// The reply ended without an event; `place` is the variable or option that names the server.
  static func empty(_ place: String) -> TransportFault {
    TransportFault(.emptyAnswer, "the answer has no event in it", advice: "check \(place)")
  }
}

extension EventTriage {
  /// Hands on only the events that decide the verdict.
  static let judging = EventTriage(unknown: .drop) { _ in .drop }
}
