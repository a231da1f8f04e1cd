import Core

/// Answers every request by itself, as a server might: no key, no network, the same each time.
struct RehearsalTransport: Transport {
  /// The base URL of the server that it plays.
  static let base = "http://localhost/rehearsal"

  private let rehearsal: Rehearsal
  private let recording: Recording?
  private let pause: (Int) -> Void

  /// Reads the recording that is to be played, if any, by `open`; `pause` waits so many milliseconds.
  init(
    _ rehearsal: Rehearsal,
    open: (String) throws(Failure) -> Descriptor = Descriptor.init(reading:),
    pause: @escaping (Int) -> Void = Clock.pause
  ) throws(Failure) {
    (self.rehearsal, self.pause) = (rehearsal, pause)
    recording = if let path = rehearsal.recording { try Recording(path, open: open) } else { nil }
  }

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    let (head, blocks) = recording.map { ($0.head, $0.blocks) } ?? reply(to: request)
    receiver.begin(head)
    for block in blocks {
      if rehearsal.outcome == .slow { pause(100) }
      guard try receiver.take(block.span) else { break }
      try receiver.flush()
    }
    // A document that was cut shows only by the length that was promised.
    let isCut = rehearsal.outcome == .cut && recording == nil && !head.isEventStream
    let isNew = ["/responses", "/chat/completions"].contains { request.url == Self.base + $0 }
    return isCut && isNew ? .cut : nil
  }

  /// A made reply.
  private func reply(to request: HTTPRequest) -> (ReplyHead, [[UInt8]]) {
    var headers = [("x-request-id", "req_rehearsal")]
    if rehearsal.outcome == .http429 { headers.append(("retry-after", "20")) }
    let failures = [Rehearsal.Outcome.http401: 401, .http429: 429, .http500: 500]
    if let status = failures[rehearsal.outcome] {
      return (Self.head(status, headers), [Self.failure(status).line])
    }
    let made = answer(to: request)
    let type = made.isStream ? "text/event-stream; charset=utf-8" : nil
    return (Self.head(200, headers, type: type), made.blocks)
  }

  private static func head(
    _ status: Int, _ headers: [(String, String)], type: String? = nil
  ) -> ReplyHead {
    ReplyHead(
      status: status, headers: [("content-type", type ?? "application/json")] + headers)
  }

  private static func failure(_ status: Int) -> JSONValue {
    let (message, type, code): (String, String, JSONValue) =
      switch status {
      case 401:
        ("Incorrect API key provided: rehearsal.", "invalid_request_error", "invalid_api_key")
      case 429:
        (
          "Rate limit reached for requests. Please try again in 20s.", "rate_limit_error",
          "rate_limit_exceeded"
        )
      default:
        ("The server had an error while processing your request.", "server_error", .null)
      }
    return ["error": ["message": "\(message)", "type": "\(type)", "param": .null, "code": code]]
  }

  /// What the endpoint that `request` is for answers: an event stream, or a document.
  private func answer(to request: HTTPRequest) -> (isStream: Bool, blocks: [[UInt8]]) {
    let (place, query) = Typed.parts(
      of: String(request.url.dropFirst(Self.base.count)), at: "?")
    let steps = place.split(separator: "/").map(String.init)
    func document(_ value: JSONValue) -> (Bool, [[UInt8]]) { (false, [value.line]) }
    switch (request.method, steps.first, steps.count, steps.last) {
    case ("POST", "responses", 1, _), ("POST", "chat", 2, "completions"):
      let asked = String(decoding: request.body.text, as: UTF8.self)
      let script = RehearsalScript(rehearsal.outcome, asked: asked)
      let isStream = request.says("stream")
      if !isStream, request.says("background") { return document(script.queued) }
      return (isStream, isStream ? script.blocks : [script.document])
    case ("GET", "responses", 2, let id?):
      // A stream that was cut is whole when it is asked for again.
      let outcome = rehearsal.outcome == .cut ? .completed : rehearsal.outcome
      let script = RehearsalScript(outcome, asked: #"{"background":true}"#, id: id)
      let items = query?.split(separator: "&") ?? []
      guard items.contains("stream=true") else { return (false, [script.document]) }
      let last = items.first { $0.hasPrefix("starting_after=") }?.split(separator: "=").last
      return (true, Array(script.blocks.dropFirst(last.flatMap { Int($0) }.map { $0 + 1 } ?? 0)))
    case ("POST", "responses", 3, "cancel"):
      return document(RehearsalScript(.completed, asked: "", id: steps[1]).cancelled)
    case ("DELETE", _, _, let id?):
      // As `response` is an object of `responses`.
      return document(["id": "\(id)", "object": "\(steps[0].dropLast())", "deleted": true])
    case ("GET", "responses", 3, "input_items"):
      let text: JSONValue = ["type": "input_text", "text": "This was asked."]
      return document(
        Self.list([["id": "msg_asked", "type": "message", "role": "user", "content": [text]]]))
    case ("POST", "responses", 2, "input_tokens"):
      return document(["object": "response.input_tokens", "input_tokens": 312])
    case ("POST", "responses", 2, "compact"):
      let item: JSONValue = ["id": "cmp_1", "type": "compaction", "encrypted_content": "rehearsal"]
      return document(["id": "rehearsal", "object": "response.compaction", "output": [item]])
    case ("GET", _, 1, _): return document(Self.list([]))
    default:
      return document(["id": "rehearsal", "object": "rehearsal", "status": "completed"])
    }
  }

  private static func list(_ items: [JSONValue]) -> JSONValue {
    ["object": "list", "data": .array(items), "has_more": false]
  }
}
