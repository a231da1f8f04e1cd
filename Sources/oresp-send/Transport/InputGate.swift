import Core

/// Has the server count the tokens of an input before it is sent.
struct InputGate: Sendable {
  /// How many it may have.
  let most: Int
  /// Asks for the count.
  let request: HTTPRequest

  /// Why the input is not to be sent; `nil` when it may be. A refusal to count goes to `receiver`.
  func fault(
    _ loop: AttemptLoop, _ deadline: Int?, _ receiver: any AttemptReceiver
  ) throws(Failure) -> TransportFault? {
    var request = request
    request.deadline = deadline
    let reply = WholeReply()
    let fault = try loop.send(request, to: reply)
    if let why = reply.unretried { receiver.giveUp(because: why) }
    if let head = reply.head, !head.isSuccess {
      receiver.expect(replyTo: request)
      receiver.begin(head)
      _ = try receiver.take(reply.body.span)
    }
    if let fault { return fault }
    guard reply.head?.isSuccess == true,
      let count = JSONChildren.integer(of: "input_tokens", in: reply.body.span)
    else {
      return TransportFault(
        "unsupported_answer", "the server does not count the tokens of an input",
        advice: "send it without --max-input-tokens")
    }
    guard count > most else { return nil }
    return TransportFault(
      "max_input_tokens", "the input has \(count) tokens, more than \(most); it was not sent",
      advice: "--max-input-tokens sets another limit")
  }
}

/// Keeps a reply that is short.
final class WholeReply: AttemptReceiver {
  /// How much of it is kept.
  private static let limit = 1 << 20

  private(set) var head: ReplyHead?
  private(set) var body: [UInt8] = []
  /// Why it was not asked for again, where that is not plain.
  private(set) var unretried: String?
  let isClosed = false
  let hasEnd = false

  func begin(_ head: ReplyHead) { self.head = head }

  func take(_ bytes: Span<UInt8>) -> Bool {
    body.append(copying: bytes.extracting(first: Self.limit - body.count))
    return body.count < Self.limit
  }

  func flush() {}

  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    if let head, !head.isSuccess { return .refused(head, body: body) }
    return fault.map { .broken($0) }
  }

  func restart() { (head, body) = (nil, []) }

  func giveUp(because why: String) { unretried = why }
}
