/// An error that a server sent, in any shape: nested under `error`, flat, a plain string, FastAPI's
/// `detail`, or a problem (RFC 9457).
package struct APIError: Sendable {
  package var type = ""
  package var code = ""
  package var message = ""
  /// The member of the request that it is about, as the server calls it: `param`.
  package var parameter = ""
  /// The HTTP status, where the body or the event has one.
  package var httpStatus: Int?
  /// The time at which a limit that was reached is reset, or the wait for it, in words.
  private var reset = ""
  /// The wait in milliseconds that a member of its own asks for.
  private var retryDelay: Int?
  /// Whether its message is a `detail`, in which FastAPI explains what is wrong with a request.
  private var isDetail = false
  /// The server behind a gateway, and the reason that it gave.
  private var provider = ""
  private var reasonBehind = ""

  /// The most levels of nested errors that are read: proxies wrap the errors of servers.
  private static let depth = 4
  /// The most characters of a reason behind a gateway's words, which may be a whole page.
  private static let longestReason = 500

  package init() {}

  /// The error that a server told in `words` alone.
  package init(words: [UInt8]) { message = String(decoding: words, as: UTF8.self) }

  /// Reads the error out of `body`, an error event or an error body. The members of a nested error
  /// come first, then those beside it.
  package init(in body: Span<UInt8>) {
    readMembers(of: body, depth: Self.depth)
  }

  /// Reads the error out of `error`, the value of an `error` member: an object, a string, or an
  /// array of which the first counts.
  package init(value error: Span<UInt8>) { self.init(value: error, depth: Self.depth) }

  private init(value error: Span<UInt8>, depth: Int) {
    switch error.byte(at: 0) {
    case ASCII.quote:
      // Gateways send the error of a server as a text: {"error":"{\"message\":…}"}
      let text = JSONString.decoded(error)
      let isObject = text.first { !ASCII.isSpace($0) } == ASCII.openBrace
      if depth > 0, isObject, JSONScan.accepts(text.span) {
        readMembers(of: text.span, depth: depth - 1)
      }
      if message.isEmpty { message = String(decoding: text, as: UTF8.self) }
    case ASCII.openBracket where depth > 0:
      guard let first = JSONChildren.elements(at: 0..<error.count, in: error).first else { return }
      self = APIError(value: error.extracting(first), depth: depth - 1)
    case ASCII.openBrace: readMembers(of: error, depth: depth)
    default: break
    }
  }

  private mutating func readMembers(of object: Span<UInt8>, depth: Int) {
    var members = JSONChildren()
    var title = ""
    var detail = ""
    var hasNested = false
    while let member = members.next(in: object) {
      let value = object.extracting(member.value)
      let name = JSONString.text(inside: object.extracting(member.name))
      switch name {
      case _ where Self.nests.contains(name) && depth > 0 && !hasNested:
        let nested = APIError(value: value, depth: depth - 1)
        guard !nested.isEmpty else { break }
        hasNested = true
        // Spring: {"status":404,"error":"Not Found","message":"no handler for it"}
        if value[0] == ASCII.quote, nested.name.isEmpty {
          title = nested.message
        } else {
          take(nested)
        }
      case "type" where type.isEmpty:
        // Beside a nested error stands the type of the event, not of the error.
        let text = Self.text(value)
        if !["error", "response.error", "about:blank"].contains(text) { type = text }
      case "errorType" where type.isEmpty, "__type" where type.isEmpty: type = Self.text(value)
      case _ where Self.codes.contains(name) && code.isEmpty: code = Self.text(value)
      case _ where Self.messages.contains(name) && message.isEmpty: message = Self.text(value)
      case "param" where parameter.isEmpty: parameter = Self.text(value)
      case "title" where title.isEmpty: title = Self.text(value)
      case "detail" where depth > 0 && value[0] == ASCII.openBrace:
        // Apigee: {"fault":{"faultstring":"…","detail":{"errorcode":"…"}}}
        let nested = APIError(value: value, depth: depth - 1)
        if code.isEmpty { code = nested.code }
        detail = nested.message.isEmpty ? Self.text(value) : nested.message
      case "detail" where detail.isEmpty: detail = Self.text(value)
      case "status", "status_code", "statusCode", "statuscode": read(status: value)
      case "metadata" where depth > 0: readReason(in: value, depth: depth - 1)
      case "resets_at":
        // The ChatGPT backend: {"type":"usage_limit_reached","resets_at":1785585600,…}
        guard let time = JSONNumber.integer(value), 0..<1 << 37 ~= time else { break }
        reset = "resets at " + Clock.text(epochSeconds: time, "%Y-%m-%dT%H:%M:%SZ")
      case "retry_after", "retryDelay": retryDelay = retryDelay ?? Self.milliseconds(value)
      case "details":
        // Google: {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}
        for detail in JSONChildren.elements(at: member.value, in: object) {
          let delay = JSONChildren.value(of: "retryDelay", in: object.extracting(detail))
          retryDelay =
            retryDelay
            ?? delay.flatMap {
              Self.milliseconds(object.extracting(detail).extracting($0))
            }
        }
      case "resets_in_seconds" where reset.isEmpty:
        guard let time = JSONNumber.integer(value), 0..<1 << 37 ~= time else { break }
        reset = "resets in " + Self.rough(seconds: time)
      default: break
      }
    }
    // RFC 9457: {"type":"about:blank","title":"Too Many Requests","status":429,"detail":"slow down"}
    isDetail = isDetail || message.isEmpty && title.isEmpty && !detail.isEmpty
    if message.isEmpty { message = detail }
    guard !title.isEmpty, title != message else { return }
    if message.isEmpty {
      message = title
    } else if code.isEmpty, !title.contains(" ") {
      code = title
    } else {
      message = title + (title.hasSuffix(".") ? " " : ": ") + message
    }
  }

  /// Whether `object` is a problem (RFC 9457), which has a title or a detail: its type, if it has
  /// one, is a URI, and of another owner's event that has such a type its status tells it apart.
  static func isProblem(_ object: Span<UInt8>) -> Bool {
    var members = JSONChildren()
    var type = ""
    var hasWords = false
    var isFailure = false
    while let member = members.next(in: object) {
      let value = object.extracting(member.value)
      switch JSONString.text(inside: object.extracting(member.name)) {
      case "type": type = text(value)
      case "title", "detail": hasWords = hasWords || value.count > 2 && value[0] == ASCII.quote
      case "status": isFailure = Int(text(value)).map { 400..<600 ~= $0 } ?? false
      default: break
      }
    }
    let isNamed = ["about:", "http:", "https:", "urn:", "tag:"].contains { type.hasPrefix($0) }
    return hasWords && (isNamed || isFailure && (type.isEmpty || isReference(type)))
  }

  /// Whether nothing was read.
  private var isEmpty: Bool { code.isEmpty && type.isEmpty && message.isEmpty }

  /// Takes over what `nested`, an error inside, says.
  private mutating func take(_ nested: APIError) {
    if !nested.type.isEmpty { type = nested.type }
    if !nested.code.isEmpty { code = nested.code }
    if !nested.message.isEmpty {
      message = nested.message
      isDetail = nested.isDetail
    }
    if !nested.parameter.isEmpty { parameter = nested.parameter }
    httpStatus = nested.httpStatus ?? httpStatus
    if !nested.reset.isEmpty { reset = nested.reset }
    retryDelay = nested.retryDelay ?? retryDelay
    if !nested.provider.isEmpty { provider = nested.provider }
    if !nested.reasonBehind.isEmpty { reasonBehind = nested.reasonBehind }
  }

  /// Reads a status: one of HTTP, or MiniMax's own: {"base_resp":{"status_code":1002,…}}
  private mutating func read(status value: Span<UInt8>) {
    let text = Self.text(value)
    guard let number = Int(text) else { return }
    if 100...999 ~= number {
      httpStatus = httpStatus ?? number
    } else if code.isEmpty {
      code = text
    }
  }

  /// Reads what OpenRouter says of the server behind it:
  /// `{"raw":"busy, retry shortly","provider_name":"HostA"}`.
  private mutating func readReason(in metadata: Span<UInt8>, depth: Int) {
    guard metadata.byte(at: 0) == ASCII.openBrace else { return }
    if provider.isEmpty { provider = JSONChildren.text(of: "provider_name", in: metadata) }
    guard let raw = JSONChildren.value(of: "raw", in: metadata), reasonBehind.isEmpty else {
      return
    }
    let words = APIError(value: metadata.extracting(raw), depth: depth).message
    let shown = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    reasonBehind = String(shown.prefix(Self.longestReason))
  }

  /// The members that hold an error inside another object.
  private static let nests: Set<String> = ["error", "Error", "errors", "fault", "base_resp"]

  private static let codes: Set<String> = [
    "code", "Code", "errorCode", "error_code", "errorcode", "errcode", "err_code",
  ]

  private static let messages: Set<String> = [
    "message", "Message", "errorMessage", "error_message", "error_msg", "errmsg", "err_msg", "msg",
    "status_msg", "faultstring", "error_description",
  ]

  /// A time in words, such as `72 h`.
  private static func rough(seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
  }

  /// The text of a string; empty for `null`; any other value as it is spelled.
  private static func text(_ value: Span<UInt8>) -> String {
    if !value.isEmpty, value[0] == ASCII.quote { return JSONString.text(value) }
    return value.equals("null") ? "" : String(decoding: value)
  }

  /// The exit status for the error. A used-up quota goes before the HTTP status, as it shares 429
  /// with a rate limit (api: error codes); other codes count only without one. An unknown error is
  /// temporary.
  package var status: ExitStatus {
    let names = [code, type].map(Self.normalised)
    if isQuota { return .refusedForGood }
    if isOverload { return .temporary }
    if ["event_too_long", "no_events", "invalid_line"].contains(code) { return .badInput }
    let httpStatus = httpStatus ?? Int(code)
    let isOfPace = httpStatus == 429 || names.contains { $0.hasPrefix("rate_limit") }
    if isOfPace, exceedsLimit { return .refusedForGood }
    if let httpStatus, 100...599 ~= httpStatus {
      return Self.status(http: httpStatus)
    }
    for name in names where !name.isEmpty {
      if Self.temporary.contains(name) { return .temporary }
      if Self.isForGood(name) { return .refusedForGood }
    }
    return isDetail ? .refusedForGood : .temporary
  }

  /// The exit status for an HTTP status.
  package static func status(http: Int) -> ExitStatus {
    switch http {
    case 408, 409, 425, 429: .temporary
    case 300..<500, 501, 505: .refusedForGood
    default: .temporary
    }
  }

  /// Whether it says that nothing is wrong: `{"status_code":0,"status_msg":"success"}`.
  package var isNone: Bool {
    ["0", "200", "ok", "success"].contains(code.lowercased())
      || httpStatus.map { 200..<300 ~= $0 } == true && code.isEmpty
  }

  /// The wait in milliseconds that it asks for, in a member or in its words; `nil` for none.
  package var retryMilliseconds: Int? {
    retryDelay ?? AskedWait.milliseconds(inWords: message)
  }

  /// The milliseconds of a wait: a number of seconds, or a text such as `36s`.
  private static func milliseconds(_ value: Span<UInt8>) -> Int? {
    let text = Array(text(value).utf8)
    if let time = AskedWait.milliseconds(text[...]) { return time }
    guard let seconds = JSONDecimal(text.span), !seconds.isNegative else { return nil }
    guard let (time, isExact) = seconds.scaled(by: 3) else { return AskedWait.longest }
    return min(isExact ? time : time + 1, AskedWait.longest)
  }

  /// Whether its message says that the request alone is larger than the limit of its kind, so that
  /// no wait helps: `Request too large for gpt-5 …: Limit 30000, Requested 45000.`
  package var exceedsLimit: Bool {
    let words = message.lowercased()
    if words.contains("request too large") { return true }
    guard let requested = Self.number(behind: "requested", in: words),
      let limit = Self.number(behind: "limit", in: words)
    else { return false }
    return requested > limit
  }

  /// The first number right behind `word` in `text`; commas may stand between its digits.
  private static func number(behind word: String, in text: String) -> Int? {
    var rest = text[...]
    while let parts = rest.cut(at: word) {
      rest = parts.after
      let digits = rest.drop { $0 == " " || $0 == ":" }.prefix { $0.isNumber || $0 == "," }
      if let number = Int(digits.filter { $0 != "," }) { return number }
    }
    return nil
  }

  /// The error in one line: code or type, and message.
  package var summary: String { reset.isEmpty ? reason : "\(reason) (\(reset))" }

  private var reason: String {
    var name = name
    if name.isEmpty, let httpStatus { name = "HTTP \(httpStatus)" }
    if words.isEmpty { return name.isEmpty ? "no reason given" : name }
    return name.isEmpty ? words : "\(name): \(words)"
  }

  /// Its code, or else its type, unless that is a URI; empty for neither.
  package var name: String {
    if !code.isEmpty { return code }
    return Self.isReference(type) ? "" : type
  }

  /// Whether `type` is a URI or a part of one, as the types of problems are.
  private static func isReference(_ type: String) -> Bool {
    type.utf8.contains(ASCII.colon) || type.utf8.contains(UInt8(ascii: "/"))
  }

  /// The message, with the reason behind it: `Provider returned error (HostA: busy)`.
  package var words: String {
    let others = message.contains(reasonBehind) ? [provider] : [provider, reasonBehind]
    let behind = others.filter { !$0.isEmpty }.joined(separator: ": ")
    if message.isEmpty || behind.isEmpty { return message.isEmpty ? behind : message }
    return "\(message) (\(behind))"
  }

  /// Its code, type and parameter, for a program that reads notices.
  package var facts: [(name: String, value: JSONValue)] {
    [("code", code), ("error_type", type), ("param", parameter)].filter { !$0.1.isEmpty }
      .map { ($0.0, .text($0.1)) }
  }

  private static func normalised(_ name: String) -> String {
    String(name.map { $0 == "-" || $0 == " " ? "_" : Character($0.lowercased()) })
  }

  /// Whether a quota or a credit is used up, which a person must see to.
  package var isQuota: Bool { [code, type].contains { Self.quota.contains(Self.normalised($0)) } }

  /// Whether the server has too much to do, which it may say with HTTP 400, too.
  package var isOverload: Bool {
    [code, type].contains { Self.overload.contains(Self.normalised($0)) }
  }

  private static let overload: Set<String> = ["server_is_overloaded", "overloaded_error"]

  private static let quota: Set<String> = [
    "insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "credits",
    "billing_hard_limit_reached", "billing_not_active", "usage_limit_reached",
  ]

  private static let temporary: Set<String> = [
    "server_error", "rate_limit", "rate_limit_error", "rate_limit_exceeded", "slow_down",
    "service_unavailable_error", "timeout", "vector_store_timeout", "failed_to_download_image",
    "internal_error", "internal_server_error", "model_error", "too_many_requests", "api_error",
    "api_connection_error", "unavailable", "resource_exhausted", "deadline_exceeded",
    "missing_events",
  ]

  private static let forGood: Set<String> = [
    "bio_policy", "misalignment_policy_violation", "data_residency_mismatch", "content_filter",
    "context_length_exceeded", "image_content_policy_violation", "content_policy_violation",
    "image_too_large", "image_too_small", "image_file_too_large", "image_parse_error",
    "empty_image_file", "ip_not_authorized", "unauthorized", "unauthenticated", "forbidden",
    "authentication_error", "permission_error", "permission_denied", "not_found",
    "string_above_max_length", "account_deactivated", "failed_precondition",
    "certificate_not_trusted", "client_certificate_refused", "proxy_refused",
  ]

  private static func isForGood(_ name: String) -> Bool {
    forGood.contains(name) || name.hasSuffix("_not_found") || name.hasSuffix("_not_found_error")
      || ["invalid_", "unsupported_", "unknown_parameter", "missing_", "not_found_"].contains {
        name.hasPrefix($0)
      }
  }
}
