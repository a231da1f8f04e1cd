import Core

/// An attempt that brought no answer.
enum FailedAttempt: Sendable {
  /// The server refused the request, with the error in its body.
  case refused(ReplyHead, APIError)
  /// The transport failed before any answer came.
  case broken(TransportFault)

  /// The refusal in `head` and `body`, which may be anything.
  static func refused(_ head: ReplyHead, body: [UInt8]) -> FailedAttempt {
    .refused(head, ErrorBody.object(in: body).map { APIError(in: $0.span) } ?? APIError())
  }

  /// The failure in one line, for people.
  var reason: String {
    switch self {
    case .refused(let head, let error):
      let status = head.requestID.map { "HTTP \(head.status), request \($0)" }
      let told = error.code.isEmpty && error.message.isEmpty ? "" : ": " + error.summary
      return (status ?? "HTTP \(head.status)") + told
    case .broken(let fault): return fault.message
    }
  }

  /// The failure for programs.
  var facts: JSONValue.Members {
    switch self {
    case .refused(let head, let error):
      return head.facts.filter { $0.name != "retry_after" }
        + JSONValue.present([("code", error.code.isEmpty ? nil : .text(error.code))])
    case .broken(let fault): return [("code", .text(fault.cause.code))]
    }
  }
}
