/// An error that a server sent, in any shape: nested under `error`, flat, a plain string, or
/// FastAPI's `detail`.
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
  /// Whether its message is a `detail`, in which FastAPI explains what is wrong with a request.
  private var isDetail = false

  /// The most levels of nested errors that are read: proxies wrap the errors of servers.
  private static let depth = 4

  package init() {}

  /// Reads the error out of `body`, an error event or an error body. The members of a nested error
  /// come first, then those beside it.
  package init(in body: Span<UInt8>) {
    readMembers(of: body, depth: Self.depth)
  }

  /// Reads the error out of `error`, the value of an `error` member: an object or a string.
  package init(value error: Span<UInt8>) { self.init(value: error, depth: Self.depth) }

  private init(value error: Span<UInt8>, depth: Int) {
    if !error.isEmpty, error[0] == ASCII.quote {
      // Gateways send the error of a server as a text: {"error":"{\"message\":…}"}
      let text = JSONString.decoded(error)
      let isObject = text.first { !ASCII.isSpace($0) } == ASCII.openBrace
      if depth > 0, isObject, JSONScan.accepts(text.span) {
        readMembers(of: text.span, depth: depth - 1)
      }
      if message.isEmpty { message = String(decoding: text, as: UTF8.self) }
    } else {
      readMembers(of: error, depth: depth)
    }
  }

  private mutating func readMembers(of object: Span<UInt8>, depth: Int) {
    var members = JSONChildren()
    var hasNested = false
    while let member = members.next(in: object) {
      let value = object.extracting(member.value)
      switch JSONString.text(inside: object.extracting(member.name)) {
      case "error" where depth > 0 && !hasNested, "Error" where depth > 0 && !hasNested:
        hasNested = true
        let nested = APIError(value: value, depth: depth - 1)
        if !nested.type.isEmpty { type = nested.type }
        if !nested.code.isEmpty { code = nested.code }
        if !nested.message.isEmpty { message = nested.message }
        if !nested.parameter.isEmpty { parameter = nested.parameter }
        httpStatus = nested.httpStatus ?? httpStatus
        if !nested.reset.isEmpty { reset = nested.reset }
      case "type" where type.isEmpty:
        // Beside a nested error stands the type of the event, not of the error.
        let text = Self.text(value)
        if text != "error", text != "response.error" { type = text }
      case "errorType" where type.isEmpty, "__type" where type.isEmpty: type = Self.text(value)
      case "code" where code.isEmpty, "Code" where code.isEmpty, "errorCode" where code.isEmpty:
        code = Self.text(value)
      case "message" where message.isEmpty, "Message" where message.isEmpty,
        "errorMessage" where message.isEmpty:
        message = Self.text(value)
      case "param" where parameter.isEmpty: parameter = Self.text(value)
      case "detail":
        isDetail = message.isEmpty
        if message.isEmpty { message = Self.text(value) }
      case "status", "status_code", "statusCode":
        httpStatus = httpStatus ?? JSONNumber.integer(value)
      case "resets_at":
        // The ChatGPT backend: {"type":"usage_limit_reached","resets_at":1785585600,…}
        guard let time = JSONNumber.integer(value), 0..<1 << 37 ~= time else { break }
        reset = "resets at " + Clock.text(epochSeconds: time, "%Y-%m-%dT%H:%M:%SZ")
      case "resets_in_seconds" where reset.isEmpty:
        guard let time = JSONNumber.integer(value), 0..<1 << 37 ~= time else { break }
        reset = "resets in " + Self.rough(seconds: time)
      default: break
      }
    }
  }

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
    if ["event_too_long", "no_events"].contains(code) { return .badInput }
    if let httpStatus = httpStatus ?? Int(code), 100...599 ~= httpStatus {
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

  /// The error in one line: code or type, and message.
  package var summary: String { reset.isEmpty ? reason : "\(reason) (\(reset))" }

  private var reason: String {
    var name = code.isEmpty ? type : code
    if name.isEmpty, let httpStatus { name = "HTTP \(httpStatus)" }
    if message.isEmpty { return name.isEmpty ? "no reason given" : name }
    return name.isEmpty ? message : "\(name): \(message)"
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
    "service_unavailable_error", "server_is_overloaded", "overloaded_error", "timeout",
    "vector_store_timeout", "failed_to_download_image", "internal_error", "internal_server_error",
    "model_error", "too_many_requests", "api_error", "api_connection_error", "unavailable",
    "resource_exhausted", "deadline_exceeded",
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
