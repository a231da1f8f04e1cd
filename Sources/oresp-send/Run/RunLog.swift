import Core

/// The file of a log, opened once for all requests of a run.
final class LogFile {
  private var outlet: Outlet

  init(_ path: String, _ notifier: Notifier) throws(Failure) {
    // An outlet with a time limit would not write a line in one call.
    outlet = try Outlet(notifier.limited(by: nil), writing: path, appends: true)
  }

  func append(_ line: [UInt8]) throws(Failure) { try outlet.write(line.span) }
}

/// Writes one line about a request (the manual's LOG) to a file that many runs share, in a single
/// write at its end, even one by a signal. The line has facts: no text of the request or the
/// answer, and no secrets.
final class RunLog: TransferWatcher {
  private let startMicroseconds = Clock.microseconds()
  private let startMilliseconds = Clock.steadyMilliseconds()
  private let request: JSONValue.Members
  /// The size of the request's body in bytes; `nil` for a form, which the transport makes.
  private let bodySize: Int?
  private let redaction: Redaction
  private let file: LogFile
  private var head: ReplyHead?
  private var transfer: TransferFacts?
  private var response = ResponseFacts()
  private var retries: [JSONValue] = []
  private var outputBytes = 0
  /// The notice with the worst status so far.
  private var worst: Notice?
  private var isWritten = false

  init(in file: LogFile, _ request: HTTPRequest, _ redaction: Redaction) {
    self.file = file
    (self.request, self.redaction) = (Self.members(of: request), redaction)
    bodySize = request.form.isEmpty ? request.body.count : nil
  }

  /// Notes the bytes and notices that go out next. `head` is the reply's, once no retry can replace
  /// it; `response` has the facts of the events so far.
  func note(_ output: borrowing Output, of head: ReplyHead?, _ response: ResponseFacts) {
    self.head = head
    self.response = response
    for notice in output.notices { note(notice) }
  }

  /// Notes that the output has taken `count` bytes of those.
  func note(written count: Int) { outputBytes += count }

  func see(_ sign: TransferSign) {
    if case .ended(let facts) = sign { transfer = facts }
  }

  /// Writes the line of a job that ends with status `exit`, unless it is written already.
  func end(exit: Int) throws(Failure) {
    guard !isWritten else { return }
    isWritten = true
    try file.append(line(exit: exit) + [ASCII.lf])
  }

  /// Notes a notice that goes out.
  func note(_ notice: Notice) {
    if notice.kind == .retry { retries.append(.object(notice.facts)) }
    if let status = notice.status, status > worst?.status ?? .completed { worst = notice }
  }

  private func line(exit: Int) -> [UInt8] {
    let time = Clock.text(
      epochSeconds: startMicroseconds / 1_000_000, "%Y-%m-%dT%H:%M:%SZ")
    let start: JSONValue.Members = [("time", .text(time)), ("version", .text(CommandPage.version))]
    let size = bodySize ?? transfer?.sentBytes
    let body = [("request_bytes", size.map(JSONValue.integer) ?? .null)]
    let all = start + request + body + replyMembers + responseMembers + timeMembers + verdict(exit)
    return redaction.ofJSON(JSONValue.object(all).line)
  }

  private static func members(of request: HTTPRequest) -> JSONValue.Members {
    [
      ("method", .text(request.method)), ("url", .text(request.openURL)),
      ("model", .text(request.text("model"))),
      ("stream", .bool(request.says("stream"))),
    ]
  }

  private var replyMembers: JSONValue.Members {
    guard let head else { return [("http_status", .null)] }
    let version = transfer?.httpVersion ?? ""
    // `nil` for a time that overflows in microseconds.
    let time = head["openai-processing-ms"].flatMap { Int($0 + "000") }
    return JSONValue.present([
      ("http_status", .integer(head.status)),
      ("http_version", version.isEmpty ? nil : .text(version)),
      ("request_id", head.requestID.map(JSONValue.text)),
      ("processing_seconds", time.map(Seconds.value(microseconds:))),
    ])
  }

  private var responseMembers: JSONValue.Members {
    guard !response.id.isEmpty else { return [] }
    return JSONValue.present([
      ("response_id", .text(response.id)),
      ("response_status", response.status.isEmpty ? .null : .text(response.status)),
      ("last_sequence_number", response.last.map(JSONValue.integer)),
      ("conversation_id", response.conversation.isEmpty ? nil : .text(response.conversation)),
      ("response_model", response.model.isEmpty ? .null : .text(response.model)),
      ("service_tier", response.serviceTier.isEmpty ? nil : .text(response.serviceTier)),
      ("usage", response.usage),
    ])
  }

  private var timeMembers: JSONValue.Members {
    let elapsed = Clock.steadyMilliseconds() - startMilliseconds
    let times = transfer.map { transfer in
      [
        ("name_lookup", transfer.nameTime), ("connect", transfer.connectTime),
        ("tls", transfer.tlsTime), ("first_byte", transfer.firstByteTime),
        ("total", transfer.totalTime),
      ].map { ($0, $1 > 0 ? Seconds.value(microseconds: $1) : .null) }
    }
    return JSONValue.present([
      ("output_bytes", .integer(outputBytes)), ("retries", .array(retries)),
      ("elapsed_seconds", Seconds.value(microseconds: elapsed * 1000)),
      ("received_bytes", transfer.map { .integer($0.receivedBytes) }),
      ("seconds", times.map(JSONValue.object)),
    ])
  }

  private func verdict(_ exit: Int) -> JSONValue.Members {
    let names = [
      "completed", "negative", "usage", "bad_input", "refused", "temporary", "incomplete",
      "refusal", "cancelled",
    ]
    // The model's own words in a refusal stay out of the log.
    let message = worst?.status == .refusal ? "the model refused" : worst?.message
    return [
      ("exit", .integer(exit)),
      ("verdict", .text(names.indices.contains(exit) ? names[exit] : "interrupted")),
      ("retryable", .bool(exit == Int(ExitStatus.temporary.rawValue))),
      ("message", message.map(JSONValue.text) ?? .null),
    ]
  }
}
