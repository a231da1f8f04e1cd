import Core

/// Answers each request by itself when it begins, without a key and a network, the same each time.
final class RehearsalCarrier: Carrier {
  /// The base URL of its server.
  static let base = "http://localhost/rehearsal"

  private static let refusals: [Rehearsal.Outcome: (status: Int, error: String)] = [
    .http401: (
      401,
      #""Incorrect API key provided: rehearsal.","type":"invalid_request_error","param":null,"code":"invalid_api_key""#
    ),
    .http429: (
      429,
      #""Rate limit reached for requests. Please try again in 20s.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded""#
    ),
    .http500: (500, #""\#(serverError)","type":"server_error","param":null,"code":null"#),
  ]
  static let serverError = "The server had an error while processing your request."
  private static let notStored = (
    404,
    #""no response is stored in a rehearsal; --rehearse=@FILE plays one","type":"invalid_request_error","param":null,"code":null"#
  )

  private let rehearsal: Rehearsal
  private let recording: Recording?
  private let totalMilliseconds: Int
  private let pause: (Int) -> Void
  private var ended: [Ended] = []
  /// The time on the clock of the rehearsal.
  private var milliseconds = 0
  /// The time after which a response that is asked for again and again will never end.
  private static let longest = 3_600_000

  /// `totalMilliseconds` is the time limit of the run; 0 is none. `open` opens the recording, if
  /// there is one. `pause` waits for a number of milliseconds.
  init(
    _ rehearsal: Rehearsal, totalMilliseconds: Int = 0,
    open: (String) throws(Failure) -> Descriptor = Descriptor.init(reading:),
    pause: @escaping (Int) -> Void = Clock.pause
  ) throws(Failure) {
    self.rehearsal = rehearsal
    self.totalMilliseconds = totalMilliseconds
    self.pause = pause
    recording = if let path = rehearsal.recording { try Recording(path, open: open) } else { nil }
  }

  /// A clock that goes on only by the pauses and the waits of the run. The waits take no time.
  var world: World { World(steadyMilliseconds: { self.milliseconds }) }

  func begin(_ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int) throws(Failure) {
    let fault = if let fault = isOver(request) { fault } else { try answer(request, to: receiver) }
    ended.append((number, fault))
  }

  /// The fault of a request whose time limit is over; `nil` before that.
  private func isOver(_ request: HTTPRequest) -> TransportFault? {
    let limit = request.deadline ?? (request.method == "GET" ? Self.longest : .max)
    guard milliseconds >= limit else { return nil }
    if request.deadline != nil { return .overTime(totalMilliseconds) }
    return TransportFault(
      .timeLimit, "the rehearsed response has not ended after an hour",
      advice: "rehearse one that has ended")
  }

  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) -> [Ended] {
    if ended.isEmpty, let input {
      let time = Clock.steadyMilliseconds() + milliseconds
      _ = Descriptor(borrowing: input, name: "").isIdle(until: time)
    } else if ended.isEmpty {
      self.milliseconds += milliseconds
    }
    defer { ended = [] }
    return ended
  }

  private func answer(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    // The rest of a response in the background stays lost.
    if rehearsal.outcome == .cut, recording == nil, Self.isForStored(request) { return .cut }
    let (head, blocks) = recording.map { ($0.head, [$0.body]) } ?? reply(to: request)
    receiver.begin(head)
    for block in blocks {
      if rehearsal.outcome == .slow {
        pause(100)
        try EndSignals.check()
        milliseconds += 100
        if let fault = isOver(request) { return fault }
      }
      guard try receiver.receive(block.span) else { break }
      try receiver.flush()
    }
    // Only its length shows that a document was cut, so the carrier reports it.
    let isCut = rehearsal.outcome == .cut && recording == nil && !head.isEventStream
    let isNew = ["/responses", "/chat/completions"].contains { request.url == Self.base + $0 }
    return isCut && isNew ? .cut : nil
  }

  /// Whether `request` asks for a response by its id.
  private static func isForStored(_ request: HTTPRequest) -> Bool {
    let start = base + "/responses/"
    return request.method == "GET" && request.url.hasPrefix(start)
      && !request.url.dropFirst(start.count).prefix { $0 != "?" }.contains("/")
  }

  /// The head and the pieces of the reply to `request`.
  private func reply(to request: HTTPRequest) -> (ReplyHead, [[UInt8]]) {
    let refusal =
      Self.refusals[rehearsal.outcome] ?? (Self.isForStored(request) ? Self.notStored : nil)
    let wait = rehearsal.outcome == .http429 ? [("retry-after", "20")] : []
    let (isStream, blocks) =
      refusal.map { (false, [Array(#"{"error":{"message":\#($0.error)}}"#.utf8)]) }
      ?? answer(to: request)
    let type = isStream ? "text/event-stream; charset=utf-8" : "application/json"
    let headers = [("content-type", type), ("x-request-id", "req_rehearsal")] + wait
    return (ReplyHead(status: refusal?.status ?? 200, headers: headers), blocks)
  }

  /// The event stream, or the document, that answers `request`: a new response, an empty list, or an
  /// object of no kind in particular.
  private func answer(to request: HTTPRequest) -> (isStream: Bool, blocks: [[UInt8]]) {
    let (path, _) = Typed.parts(of: String(request.url.dropFirst(Self.base.count)), at: "?")
    let steps = path.split(separator: "/")
    switch (request.method, steps.first, steps.count, steps.last) {
    case ("POST", "responses", 1, _), ("POST", "chat", 2, "completions"):
      let script = RehearsalScript(rehearsal.outcome, asked: request.body)
      return request.says("stream") ? (true, script.blocks) : (false, [script.document])
    // A list has a plural name without an id behind it: `/models`, `/responses/ID/input_items`
    case ("GET", _, let count, _) where !count.isMultiple(of: 2):
      return (false, [Array(#"{"object":"list","data":[],"has_more":false}"#.utf8)])
    default: return (false, [Array(#"{"id":"rehearsal","status":"completed"}"#.utf8)])
    }
  }
}
