import Core

/// Decides what follows a failed attempt, for its own request and for all others of the run: as the
/// API's own clients do, by the waits that the server asks for and the usual delays, except that a
/// used-up quota is not retried.
struct RetryPolicy: Sendable {
  /// The moment at which an attempt failed.
  struct Moment: Sendable {
    /// The number of the attempt, from 1.
    var attempt = 1
    /// The seconds since the epoch.
    var now = 0
    /// The time on the steady clock, and on it the end of the run; `nil` for no limit.
    var steady = 0
    var deadline: Int?
    /// Whether the server answered other requests since it last refused this one for its pace.
    var othersAnswered = false
    /// Whether the next request asks for the rest of a response, and so for no other one.
    var asksForRest = false
  }

  /// What follows a failed attempt.
  enum Decision: Equatable, Sendable {
    /// Retry after any time in the range, in milliseconds. An attempt that does not count leaves
    /// as many others as before; with `pausesAll` no request of the run starts meanwhile.
    case again(after: ClosedRange<Int>, counts: Bool = true, pausesAll: Bool = false)
    /// Do not retry, for the reason `why` where the failure itself does not show it. With
    /// `stopsBatch` every other request to the server would fail, too; else none starts for `pause`
    /// milliseconds.
    case stop(why: String? = nil, stopsBatch: Bool = false, pause: Int = 0)
  }

  private let settings: RetrySettings

  init(_ settings: RetrySettings) { self.settings = settings }

  /// The decision on `failure` at `moment`.
  func decision(on failure: FailedAttempt, at moment: Moment) -> Decision {
    // The failure may not happen again at the next attempt.
    var isPassing = false
    var stopsBatch = false
    // HTTP 429: the server only wants the request later.
    var isOfPace = false
    var asked: Int?
    switch failure {
    case .broken(let fault):
      switch fault.cause {
      case .nameNotResolved, .connectionFailed, .connectionLost, .timeout, .truncatedStream,
        .brokenAnswer:
        isPassing = true
      // The server may still be at work on the answer, which costs as much as one that comes.
      case .silence: isPassing = moment.asksForRest
      case .certificateNotTrusted, .clientCertificateRefused, .proxyRefused: stopsBatch = true
      case .tlsFailed, .proxyFailed, .timeLimit, .transportFailed, .emptyAnswer, .eventTooLong:
        break
      }
    case .refused(let head, let error):
      let isTooLarge = head.status == 429 && error.exceedsLimit
      isOfPace = head.status == 429 && !error.isQuota && !isTooLarge
      stopsBatch = head.status == 401 || error.isQuota
      switch head["x-should-retry"]?.lowercased() {
      case _ where error.isQuota || isTooLarge: break
      case "true": isPassing = true
      case "false": break
      default:
        let isTemporary = APIError.status(http: head.status) == .temporary || error.isOverload
        isPassing = 400..<600 ~= head.status && isTemporary
      }
      // A wait helps only what may pass: a page that is not found may say `Retry-After`, too.
      if isPassing {
        asked = RetryAfter.milliseconds(in: head, now: moment.now) ?? error.retryMilliseconds
      }
    }
    let asksTooMuch = asked ?? 0 > ReplyHead.longestDelay
    // A server that answers others meanwhile will come to this one, too.
    let counts = !isOfPace || !moment.othersAnswered
    let attempt = counts ? moment.attempt : max(moment.attempt - 1, 1)
    guard isPassing, attempt <= settings.count else {
      return .stop(
        stopsBatch: stopsBatch || asksTooMuch, pause: asksTooMuch ? 0 : asked ?? 0)
    }
    var delay = Self.ownDelay(attempt)
    if case .refused(let head, _) = failure, let asked {
      guard !asksTooMuch else {
        let time = RetryAfter.text(asked, in: head)
        let why = "the server asks to wait \(time) seconds, more than 120"
        return .stop(why: why, stopsBatch: true)
      }
      delay = asked...asked
    }
    if let deadline = moment.deadline, delay.upperBound >= deadline - moment.steady {
      return .stop(
        why: "--max-time would be over", stopsBatch: stopsBatch, pause: asked ?? 0)
    }
    return .again(after: delay, counts: counts, pausesAll: isOfPace || asked != nil)
  }

  /// Whether a request that ended with `status`, by `error` if the server sent one, is not sent again
  /// by a later run: it is neither a failure that may pass, nor about what a person sees to, which is
  /// the key, the quota, the model and the URL.
  static func isSettled(_ status: ExitStatus, by error: APIError? = nil) -> Bool {
    guard status != .temporary else { return false }
    guard let error else { return true }
    return status == .refusedForGood && !error.isQuota
      && ![401, 403, 404].contains(error.httpStatus)
  }

  /// The delay when the server asks for none: half a second, doubled each time up to eight seconds,
  /// less up to a quarter, so that many clients do not come back at the same moment.
  private static func ownDelay(_ attempt: Int) -> ClosedRange<Int> {
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
