import Core

/// Writes one line about a run (the manual's LOG) to a file that many runs share: in a single write,
/// at its end, be that a signal's. It has facts, no text of the request or the answer, no secrets.
final class RunLog: ReplyCopy, TransferWatcher, @unchecked Sendable {
  private let file: Descriptor
  private let startMicroseconds = Clock.microseconds()
  private let startMilliseconds = Clock.steadyMilliseconds()
  private let request: [(name: String, value: JSONValue)]
  private let redaction: Redaction
  private let lock = Lock()
  // What follows is changed with the lock held only.
  private var head: ReplyHead?
  private var transfer: TransferFacts?
  private var response = ResponseFacts()
  private var retries: [JSONValue] = []
  private var outputBytes = 0
  /// The worst that was told.
  private var worst: Notice?
  private var isWritten = false

  init(_ path: String, _ request: HTTPRequest, _ redaction: Redaction) throws(Failure) {
    file = try Descriptor(writing: path, appends: true)
    (self.request, self.redaction) = (Self.members(of: request), redaction)
    EndSignals.precede { [weak self] signal in try? self?.write(exit: 128 + signal) }
  }

  func take(_ output: inout Output, of head: ReplyHead?, _ response: ResponseFacts) {
    let (count, notices) = (output.bytes.count, output.notices)
    lock.hold {
      self.head = head
      self.response = response
      outputBytes += count
      for notice in notices { keep(notice) }
    }
  }

  func note(_ notice: Notice) { lock.hold { keep(notice) } }

  func ended(_ facts: TransferFacts) { lock.hold { transfer = facts } }

  /// Writes the line of a run that ended with `exit`, if none was written yet.
  func write(exit: Int) throws(Failure) {
    try lock.hold { () throws(Failure) in
      guard !isWritten else { return }
      isWritten = true
      let line = line(exit: exit) + [ASCII.lf]
      try file.write(line.span)
    }
  }

  private func keep(_ notice: Notice) {
    if notice.kind == .retry { retries.append(.object(notice.facts)) }
    if let status = notice.status, status > worst?.status ?? .completed { worst = notice }
  }

  private func line(exit: Int) -> [UInt8] {
    let time = Clock.text(
      epochSeconds: startMicroseconds / 1_000_000, "%Y-%m-%dT%H:%M:%SZ")
    let all: [(name: String, value: JSONValue)] =
      [("time", .text(time)), ("version", .text(CommandPage.version))]
      + request + replyMembers + responseMembers + timeMembers + verdict(exit)
    return redaction.ofJSON(JSONValue.object(all).line)
  }

  private static func members(of request: HTTPRequest) -> [(name: String, value: JSONValue)] {
    let body = request.body.text.span
    let stream = JSONChildren.value(of: "stream", in: body) ?? 0..<0
    let isStream = body.extracting(stream).equals("true")
    // A query may hold a secret.
    return [
      ("url", .text(String(request.url.prefix { $0 != "?" }))),
      ("model", .text(JSONChildren.text(of: "model", in: body))), ("stream", .bool(isStream)),
      ("request_bytes", .integer(request.body.count)),
    ]
  }

  private var replyMembers: [(name: String, value: JSONValue)] {
    guard let head else { return [("http_status", .null)] }
    let limits = RateLimits.members(of: head)
    let version = transfer?.httpVersion ?? ""
    // What is too large in microseconds makes no sense.
    let milliseconds = head["openai-processing-ms"].flatMap { Int($0) }
    let time = milliseconds.flatMap { $0.magnitude <= Int.max / 1000 ? $0 : nil }
    return [("http_status", .integer(head.status))]
      + (version.isEmpty ? [] : [("http_version", .text(version))])
      + (head.requestID.map { [("request_id", .text($0))] } ?? [])
      + (time.map { [("processing_seconds", .decimal($0, places: 3))] } ?? [])
      + (limits.isEmpty ? [] : [("rate_limits", .object(limits))])
  }

  private var responseMembers: [(name: String, value: JSONValue)] {
    guard !response.id.isEmpty else { return [] }
    return [
      ("response_id", .text(response.id)), ("response_status", .text(response.status)),
      ("response_model", response.model.isEmpty ? .null : .text(response.model)),
    ] + (response.usage.map { [("usage", $0)] } ?? [])
  }

  private var timeMembers: [(name: String, value: JSONValue)] {
    let elapsed = Clock.steadyMilliseconds() - startMilliseconds
    var members: [(name: String, value: JSONValue)] = [
      ("output_bytes", .integer(outputBytes)), ("retries", .array(retries)),
      ("elapsed_seconds", .decimal(elapsed, places: 3)),
    ]
    guard let transfer else { return members }
    let times = [
      ("name_lookup", transfer.nameTime), ("connect", transfer.connectTime),
      ("tls", transfer.tlsTime), ("first_byte", transfer.firstByteTime),
      ("total", transfer.totalTime),
    ]
    members.append(("received_bytes", .integer(transfer.receivedBytes)))
    members.append(
      ("seconds", .object(times.map { ($0.0, $0.1 > 0 ? .decimal($0.1, places: 6) : .null) })))
    return members
  }

  private func verdict(_ exit: Int) -> [(name: String, value: JSONValue)] {
    let names: [Int: String] = [
      0: "completed", 1: "negative", 2: "usage", 3: "bad_input", 4: "refused", 5: "temporary",
      6: "incomplete", 7: "refusal", 8: "cancelled",
    ]
    return [
      ("exit", .integer(exit)), ("verdict", .text(names[exit] ?? "interrupted")),
      ("retryable", .bool(exit == Int(ExitStatus.temporary.rawValue))),
      ("message", message.map { .text($0) } ?? .null),
    ]
  }

  /// The worst that was told. The words of a refusal are the answer's own, and not for a log.
  private var message: String? {
    worst?.status == .refusal ? "the model refused" : worst?.message
  }
}
