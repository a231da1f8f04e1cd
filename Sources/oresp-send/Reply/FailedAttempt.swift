import Core

/// An attempt that brought no reply.
enum FailedAttempt: Sendable {
  /// The server refused; the body may be anything.
  case refused(ReplyHead, body: [UInt8])
  /// None came.
  case broken(TransportFault)

  /// What happened, in one line.
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

  /// The same for programs.
  var facts: JSONValue.Members {
    switch self {
    case .refused(let head, let body):
      let code = Self.error(in: body).code
      return head.facts.filter { $0.name != "retry_after" }
        + JSONValue.present([("code", code.isEmpty ? nil : .text(code))])
    case .broken(let fault): return [("code", .text(fault.code))]
    }
  }

  /// How the transport ended it, if no reply came.
  var fault: TransportFault? { if case .broken(let fault) = self { fault } else { nil } }

  /// Whether the server would take the request later.
  var isOfPace: Bool {
    if case .refused(let head, _) = self { head.status == 429 && !isQuota } else { false }
  }

  private static func error(in body: [UInt8]) -> APIError {
    ErrorBody.object(in: body).map { APIError(in: $0.span) } ?? APIError()
  }

  /// Whether a quota is used up, which a person must see to.
  var isQuota: Bool {
    if case .refused(_, let body) = self { Self.error(in: body).isQuota } else { false }
  }
}
