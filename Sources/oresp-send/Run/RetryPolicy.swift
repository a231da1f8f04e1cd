import Core

/// Whether and when a failed attempt is made again, by what the server says and what is usual: the
/// same as the API's own clients do, but that a used-up quota is left to people.
struct RetryPolicy: Sendable {
  /// What is done about a failed attempt.
  enum Decision: Equatable, Sendable {
    /// Another is made after a time in the range, in milliseconds; any time in it will do.
    case again(after: ClosedRange<Int>)
    /// None is made; why, where that is not plain.
    case stop(String?)
  }

  private let settings: RetrySettings
  /// How long all may take, in milliseconds; 0 is no limit.
  private let totalMilliseconds: Int

  init(_ settings: RetrySettings, totalMilliseconds: Int = 0) {
    (self.settings, self.totalMilliseconds) = (settings, totalMilliseconds)
  }

  /// The decision on `failure`, of attempt number `attempt`, counted from 1. `elapsed` is the time
  /// since the first began, in milliseconds, and `now` the time of day, in seconds since the epoch.
  func decision(
    on failure: FailedAttempt, attempt: Int, elapsed: Int, now: Int
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
    if totalMilliseconds > 0, elapsed + delay.upperBound >= totalMilliseconds {
      return .stop("--max-time would be over")
    }
    return .again(after: delay)
  }

  private static let passingFaults: Set<String> = [
    "name_not_resolved", "connection_failed", "connection_lost", "timeout", TransportFault.cut.code,
    TransportFault.broken.code,
  ]

  /// Whether `failure` may be gone the next time.
  private static func isPassing(_ failure: FailedAttempt) -> Bool {
    switch failure {
    case .broken(let fault): return passingFaults.contains(fault.code) && !fault.endsRun
    case .refused(let head, _):
      if failure.isQuota { return false }
      switch head["x-should-retry"]?.lowercased() {
      case "true": return true
      case "false": return false
      default: return 400..<600 ~= head.status && APIError.status(http: head.status) == .temporary
      }
    }
  }

  /// Why every other request to the same server would fail as this one did, if that is so.
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

  /// Half a second, doubled each time up to eight, less up to a quarter so that many clients do not
  /// come back all at once.
  private func ownDelay(_ attempt: Int) -> ClosedRange<Int> {
    let own = settings.delayMilliseconds
    if own > 0 { return own...own }
    let delay = min(500 << min(attempt - 1, 4), 8000)
    return delay * 3 / 4...delay
  }
}

/// How long a server asks to wait before the next attempt.
enum RetryAfter {
  /// More milliseconds than any date is away. More is taken for that.
  private static let longest = 1_000_000_000_000_000

  /// The wait in milliseconds: of `retry-after-ms`, or else `retry-after`, a number of seconds or a
  /// date (RFC 9110, section 10.2.3). `nil` when `head` asks for none, or what it asks for makes no
  /// sense. `now` is in seconds since the epoch; the server's own clock counts where it tells that.
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

  /// The wait of `milliseconds`, which `head` asks for, in seconds.
  static func text(_ milliseconds: Int, in head: ReplyHead) -> String {
    let text = milliseconds < longest ? nil : head["retry-after"]
    return text ?? Seconds.text(milliseconds: milliseconds)
  }
}

/// How often and how long a request is made again.
struct RetrySettings: Sendable {
  /// How often at most.
  var count = 2
  /// The wait before each, where the server asks for none; 0 is one that doubles.
  var delayMilliseconds = 0
}
