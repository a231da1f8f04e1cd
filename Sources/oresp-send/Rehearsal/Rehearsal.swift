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
    (self.rehearsal, self.pause) = (rehearsal, pause)
  }

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    var head = [("x-request-id", "req_rehearsal")]
    var (status, type) = (200, "text/event-stream; charset=utf-8")
    let blocks: [[UInt8]]
    switch rehearsal {
    case .http401:
      (status, type, blocks) = (401, "application/json", [Array(Self.badKey.utf8)])
    case .http429:
      (status, type, blocks) = (429, "application/json", [Array(Self.rateLimit.utf8)])
      head.append(("retry-after", "20"))
    default:
      let model = JSONChildren.text(of: "model", in: request.body.text.span)
      blocks = RehearsalScript(rehearsal, model: model).blocks
    }
    receiver.begin(ReplyHead(status: status, headers: [("content-type", type)] + head))
    for block in blocks {
      if rehearsal == .slow { pause(100) }
      guard try receiver.take(block.span) else { break }
      try receiver.flush()
    }
    return nil
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
