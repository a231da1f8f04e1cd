import Core

/// How a rehearsed answer ends.
enum Rehearsal: String, CaseIterable, Sendable {
  case completed, failed, incomplete, refusal, cut, error
  case http401 = "http-401"
  case http429 = "http-429"
  case slow
}

/// Answers every request by itself, as a server might: no key, no network, the same each time.
struct RehearsalTransport: Transport {
  private let rehearsal: Rehearsal
  private let pause: (Int) -> Void

  /// `pause` waits so many milliseconds.
  init(_ rehearsal: Rehearsal, pause: @escaping (Int) -> Void = Clock.pause) {
    self.rehearsal = rehearsal
    self.pause = pause
  }

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    switch rehearsal {
    case .http401: return try refuse(401, Self.badKey, [], receiver)
    case .http429: return try refuse(429, Self.rateLimit, [("retry-after", "20")], receiver)
    default: break
    }
    receiver.begin(head(200, type: "text/event-stream; charset=utf-8"))
    let model = JSONChildren.text(of: "model", in: request.body.text.span)
    for block in RehearsalScript(rehearsal, model: model).blocks {
      if rehearsal == .slow { pause(100) }
      guard try receiver.take(block.span) else { break }
      try receiver.flush()
    }
    return nil
  }

  private func refuse(
    _ status: Int, _ document: String, _ headers: [(name: String, value: String)],
    _ receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    receiver.begin(head(status, type: "application/json", headers))
    _ = try receiver.take(Array(document.utf8).span)
    return nil
  }

  private func head(
    _ status: Int, type: String, _ headers: [(name: String, value: String)] = []
  ) -> ReplyHead {
    ReplyHead(
      status: status,
      headers: [("content-type", type), ("x-request-id", "req_rehearsal")] + headers)
  }

  private static let badKey = #"""
    {"error":{"message":"Incorrect API key provided: rehearsal.",\#
    "type":"invalid_request_error","param":null,"code":"invalid_api_key"}}
    """#

  private static let rateLimit = #"""
    {"error":{"message":"Rate limit reached for requests. Please try again in 20s.",\#
    "type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}
    """#
}
