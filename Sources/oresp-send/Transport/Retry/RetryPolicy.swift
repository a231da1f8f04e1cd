import Core

/// Whether and when a failed attempt is made again, by what the server says and what is usual: the
/// same as the API's own clients do, but that a used-up quota is left to people.
package struct RetryPolicy: Sendable {
  /// What is done about a failed attempt.
  package enum Decision: Equatable, Sendable {
    /// Another is made after a time in the range, in milliseconds; any time in it will do.
    case again(after: ClosedRange<Int>)
    /// None is made; why, where that is not plain.
    case stop(String?)
  }

  /// How long a server may ask to wait, in milliseconds.
  package static let longestServerDelay = 120_000

  private let settings: RetrySettings
  /// How long all may take, in milliseconds; 0 is no limit.
  private let totalMilliseconds: Int

  package init(_ settings: RetrySettings, totalMilliseconds: Int = 0) {
    (self.settings, self.totalMilliseconds) = (settings, totalMilliseconds)
  }

  /// The decision on `failure`, of attempt number `attempt`, counted from 1. `elapsed` is the time
  /// since the first began, in milliseconds, and `now` the time of day, in seconds since the epoch.
  package func decision(
    on failure: FailedAttempt, attempt: Int, elapsed: Int, now: Int
  ) -> Decision {
    guard attempt <= settings.count, Self.isPassing(failure) else { return .stop(nil) }
    let delay: ClosedRange<Int>
    if case .refused(let head, _) = failure,
      let asked = RetryAfter.milliseconds(in: head, now: now)
    {
      guard asked <= Self.longestServerDelay else {
        let time = Seconds.text(microseconds: asked * 1000)
        return .stop("the server asks to wait \(time) seconds, more than 120")
      }
      delay = asked...asked
    } else {
      delay = ownDelay(attempt)
    }
    return limit(delay, elapsed)
  }

  /// Statuses that pass: request timeout, conflict, too early, too many requests, and the server's
  /// own troubles.
  package static func isPassing(status: Int) -> Bool {
    [408, 409, 425, 429].contains(status) || 500...599 ~= status
  }

  private static let passingFaults: Set<String> = [
    "name_not_resolved", "connection_failed", "connection_lost", "timeout",
  ]

  /// Whether `failure` may be gone the next time.
  private static func isPassing(_ failure: FailedAttempt) -> Bool {
    switch failure {
    case .broken(let fault): return passingFaults.contains(fault.code)
    case .refused(let head, let body):
      if FailedAttempt.error(in: body).isQuota { return false }
      switch head["x-should-retry"]?.lowercased() {
      case "true": return true
      case "false": return false
      default: return isPassing(status: head.status)
      }
    }
  }

  /// Half a second, doubled each time up to eight, less up to a quarter so that many clients do not
  /// come back all at once.
  private func ownDelay(_ attempt: Int) -> ClosedRange<Int> {
    if let delay = settings.delayMilliseconds { return delay...delay }
    let delay = min(500 << min(attempt - 1, 4), 8000)
    return delay * 3 / 4...delay
  }

  private func limit(_ delay: ClosedRange<Int>, _ elapsed: Int) -> Decision {
    if settings.longestMilliseconds > 0, elapsed + delay.lowerBound >= settings.longestMilliseconds
    {
      return .stop("--retry-max-time would be over")
    }
    if totalMilliseconds > 0, elapsed + delay.upperBound >= totalMilliseconds {
      return .stop("--max-time would be over")
    }
    return .again(after: delay)
  }
}
