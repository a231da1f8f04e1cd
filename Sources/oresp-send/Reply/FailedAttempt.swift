import Core

/// An attempt that brought no answer.
enum FailedAttempt: Sendable {
  /// The server refused the request; the body may be anything.
  case refused(ReplyHead, body: [UInt8])
  /// The transport failed before any answer came.
  case broken(TransportFault)

  /// The failure in one line, for people.
  var reason: String {
    switch self {
    case .refused(let head, let body):
      let error = Self.error(in: body)
      let origin = head.requestID.map { "HTTP \(head.status), request \($0)" }
      let told = error.code.isEmpty && error.message.isEmpty ? "" : ": " + error.summary
      return (origin ?? "HTTP \(head.status)") + told
    case .broken(let fault): return fault.message
    }
  }

  /// The failure for programs.
  var facts: JSONValue.Members {
    switch self {
    case .refused(let head, let body):
      let code = Self.error(in: body).code
      return head.facts.filter { $0.name != "retry_after" }
        + JSONValue.present([("code", code.isEmpty ? nil : .text(code))])
    case .broken(let fault): return [("code", .text(fault.code))]
    }
  }

  /// The fault of the transport; `nil` when the server refused.
  var fault: TransportFault? { if case .broken(let fault) = self { fault } else { nil } }

  /// Whether the server only wants the request later (HTTP 429).
  var isOfPace: Bool {
    if case .refused(let head, _) = self { head.status == 429 && !isQuota } else { false }
  }

  private static func error(in body: [UInt8]) -> APIError {
    ErrorBody.object(in: body).map { APIError(in: $0.span) } ?? APIError()
  }

  /// Whether the server has too much to do, whatever its status.
  var isOverload: Bool {
    if case .refused(_, let body) = self { Self.error(in: body).isOverload } else { false }
  }

  /// Whether a quota is used up, which only a person can change.
  var isQuota: Bool {
    if case .refused(_, let body) = self { Self.error(in: body).isQuota } else { false }
  }
}
