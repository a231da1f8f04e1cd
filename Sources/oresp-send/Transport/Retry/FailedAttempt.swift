package import Core

/// An attempt that brought no answer.
package enum FailedAttempt: Sendable {
  /// The server refused; the body may be anything.
  case refused(AnswerHead, body: [UInt8])
  /// None came.
  case broken(TransportFault)

  /// What happened, in one line.
  package var reason: String {
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
  package var facts: [(name: String, value: JSONValue)] {
    switch self {
    case .refused(let head, let body):
      let code = Self.error(in: body).code
      return head.facts.filter { $0.name != "retry_after" }
        + (code.isEmpty ? [] : [("code", .text(code))])
    case .broken(let fault): return [("code", .text(fault.code))]
    }
  }

  static func error(in body: [UInt8]) -> APIError {
    LineShape.isObject(body.span) ? APIError(in: body.span) : APIError()
  }
}
