import Core

/// Decides whether and when a failed attempt is retried: as the API's own clients do, by the
/// server's headers and the usual delays, except that a used-up quota is not retried.
struct RetryPolicy: Sendable {
  /// The decision on a failed attempt.
  enum Decision: Equatable, Sendable {
    /// Retry after any time in the range, in milliseconds.
    case again(after: ClosedRange<Int>)
    /// Do not retry; the value is the reason, where the failure itself does not show it.
    case stop(String?)
  }

  private let settings: RetrySettings

  init(_ settings: RetrySettings) { self.settings = settings }

  /// The decision on `failure` of attempt number `attempt`, from 1. `left` is the time of the run
  /// that is left, in milliseconds, `nil` for no limit, and `now` is in seconds since the epoch.
  func decision(
    on failure: FailedAttempt, attempt: Int, left: Int? = nil, now: Int
  ) -> Decision {
    guard attempt <= settings.count, Self.isPassing(failure) else { return .stop(nil) }
    var delay = ownDelay(attempt)
    if case .refused(let head, _) = failure,
      let asked = RetryAfter.milliseconds(in: head, now: now)
    {
      guard asked <= ReplyHead.longestDelay else {
        let time = RetryAfter.text(asked, in: head)
        return .stop("the server asks to wait \(time) seconds, more than 120")
      }
      delay = asked...asked
    }
    if let left, delay.upperBound >= left {
      return .stop("--max-time would be over")
    }
    return .again(after: delay)
  }

  private static let passingFaults: Set<String> = [
    "name_not_resolved", "connection_failed", "connection_lost", "timeout", TransportFault.cut.code,
    TransportFault.broken.code,
  ]

  /// Whether `failure` may not happen again at the next attempt.
  private static func isPassing(_ failure: FailedAttempt) -> Bool {
    switch failure {
    case .broken(let fault): return passingFaults.contains(fault.code) && !fault.endsRun
    case .refused(let head, _):
      if failure.isQuota { return false }
      switch head["x-should-retry"]?.lowercased() {
      case "true": return true
      case "false": return false
      default:
        let isPassing = APIError.status(http: head.status) == .temporary || failure.isOverload
        return 400..<600 ~= head.status && isPassing
      }
    }
  }

  /// The reason why every other request to this server would fail, too; `nil` when it need not.
  static func isForAll(_ failure: FailedAttempt, now: Int) -> String? {
    switch failure {
    case .broken(let fault):
      let codes = ["certificate_not_trusted", "client_certificate_refused", "proxy_refused"]
      return codes.contains(fault.code) ? fault.message : nil
    case .refused(let head, _):
      let asked = RetryAfter.milliseconds(in: head, now: now) ?? 0
      let isKept = head.status != 401 && !failure.isQuota && asked <= ReplyHead.longestDelay
      return isKept ? nil : failure.reason
    }
  }

  /// The delay when the server asks for none: half a second, doubled each time up to eight seconds,
  /// less up to a quarter, so that many clients do not come back at the same moment.
  private func ownDelay(_ attempt: Int) -> ClosedRange<Int> {
    let delay = min(500 << min(attempt - 1, 4), 8000)
    return delay * 3 / 4...delay
  }
}

/// The wait that a server asks for before the next attempt.
enum RetryAfter {
  /// The longest wait in milliseconds, beyond any date; a longer one is cut to it.
  private static let longest = 1_000_000_000_000_000

  /// The wait in milliseconds, from `retry-after-ms`, or else from `retry-after`: a number of
  /// seconds or a date (RFC 9110, section 10.2.3). `nil` when `head` has no such header that makes
  /// sense. `now` is in seconds since the epoch; the header `date`, if there is one, replaces it.
  static func milliseconds(in head: ReplyHead, now: Int) -> Int? {
    let wait = { (text: String, places: Int) in
      JSONDecimal(typed: text)?.scaledUp(by: places, most: longest)
    }
    if let wait = head["retry-after-ms"].flatMap({ wait($0, 0) }) { return wait }
    guard let text = head["retry-after"] else { return nil }
    if let wait = wait(text, 3) { return wait }
    let now = head["date"].flatMap(HTTPDate.seconds) ?? now
    return HTTPDate.seconds(text).map { min(max(0, $0 - now) * 1000, longest) }
  }

  /// The wait of `milliseconds`, which `head` asks for, as text in seconds.
  static func text(_ milliseconds: Int, in head: ReplyHead) -> String {
    let text = milliseconds < longest ? nil : head["retry-after"]
    return text ?? Seconds.text(milliseconds: milliseconds)
  }
}

/// The retries of a request.
struct RetrySettings: Sendable {
  /// The most retries.
  var count = 2
}
