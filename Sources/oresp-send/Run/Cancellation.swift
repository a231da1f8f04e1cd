import Core

/// Cancels a response on the server when a signal ends the run before the response has ended.
final class Cancellation: ReplyCopy {
  /// The time limit of the request that cancels.
  private static let milliseconds = 5000

  private let requests: ResponseRequests
  private let settings: TransportSettings
  private let report: (Notice) -> Void
  /// The id of the response; empty once it has ended, or while it is unknown.
  private var id: String

  init(
    _ id: String, _ requests: ResponseRequests, _ settings: TransportSettings,
    report: @escaping (Notice) -> Void
  ) {
    (self.id, self.requests, self.settings, self.report) = (id, requests, settings, report)
  }

  func write(_ output: borrowing Output, of head: ReplyHead?, _ response: ResponseFacts) {
    let isRunning = ["queued", "in_progress"].contains(response.status)
    guard !response.status.isEmpty else { return }
    id = isRunning ? response.id : ""
  }

  /// Cancels the response, if its id is known and it has not ended.
  func cancel() {
    guard !id.isEmpty else { return }
    var request = requests.cancel(id)
    request.deadline = Clock.steadyMilliseconds() + Self.milliseconds
    let reply = ReplyStatus()
    let fault = try? CurlPool(settings).send(request, to: reply)
    if reply.head?.isSuccess == true {
      report(Notice(.status, "cancelled \(id)"))
    } else {
      let why = (fault ?? nil)?.message ?? "HTTP \(reply.head?.status ?? 0)"
      report(Notice(.warning, "\(id) is not cancelled: \(why)"))
    }
  }
}

/// Keeps the head of a reply.
private final class ReplyStatus: ReplyReceiver {
  private(set) var head: ReplyHead?
  let isClosed = false
  let hasEnd = false

  func begin(_ head: ReplyHead) { self.head = head }

  func receive(_ bytes: Span<UInt8>) -> Bool { true }

  func flush() {}
}
