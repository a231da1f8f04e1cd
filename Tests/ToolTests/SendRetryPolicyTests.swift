import Core
import Foundation
import Testing

@testable import oresp_send

@Suite struct SendRetryPolicyTests {
  /// Sun, 06 Nov 1994 08:49:30 GMT, seven seconds before the standard's example.
  private static let now = 784_111_770

  private static func decision(
    _ failure: FailedAttempt, attempt: Int = 1, left: Int? = nil, othersAnswered: Bool = false,
    asksForRest: Bool = false, retries: Int = 2
  ) -> RetryPolicy.Decision {
    // The run is seven seconds old.
    let moment = RetryPolicy.Moment(
      attempt: attempt, now: now, steady: 7000, deadline: left.map { 7000 + $0 },
      othersAnswered: othersAnswered, asksForRest: asksForRest)
    return RetryPolicy(RetrySettings(count: retries)).decision(on: failure, at: moment)
  }

  private static func refused(
    _ status: Int, _ headers: [(name: String, value: String)] = [], _ body: String = ""
  ) -> FailedAttempt {
    .refused(ReplyHead(status: status, headers: headers), body: Array(body.utf8))
  }

  private static let first = RetryPolicy.Decision.again(after: 375...500)
  private static let never = RetryPolicy.Decision.stop()
  private static let neverForAny = RetryPolicy.Decision.stop(stopsBatch: true)
  private static let asksTooMuch = RetryPolicy.Decision.stop(
    why: "the server asks to wait 121 seconds, more than 120", stopsBatch: true)

  /// `decision` on an attempt that the server refused for its pace.
  private static func ofPace(_ decision: RetryPolicy.Decision) -> RetryPolicy.Decision {
    guard case .again(let delay, let counts, _) = decision else { return decision }
    return .again(after: delay, counts: counts, pausesAll: true)
  }

  @Test(arguments: [408, 409, 425, 429, 500, 502, 503, 504, 520, 529, 599])
  func `a status that passes is tried again`(status: Int) {
    let expected = status == 429 ? Self.ofPace(Self.first) : Self.first
    #expect(Self.decision(Self.refused(status)) == expected)
    #expect(Self.decision(Self.refused(status, [], "<html>")) == expected)
  }

  @Test(arguments: [300, 307, 400, 401, 402, 403, 404, 407, 410, 413, 422, 451, 499, 501, 505, 600])
  func `any other status is not`(status: Int) {
    let expected = status == 401 ? Self.neverForAny : Self.never
    #expect(Self.decision(Self.refused(status)) == expected)
    for time in ["1", "300"] {
      #expect(Self.decision(Self.refused(status, [("retry-after", time)])) == expected)
    }
  }

  @Test(arguments: [
    (#"{"error":{"code":"insufficient_quota"}}"#, neverForAny),
    (#"{"error":{"type":"insufficient_quota","code":null}}"#, neverForAny),
    (#"{"error":{"code":"credit_balance_exhausted"}}"#, neverForAny),
    (#"{"error":{"code":"organization_spend_limit_exceeded"}}"#, neverForAny),
    (#"{"error":{"code":"project_spend_limit_exceeded"}}"#, neverForAny),
    (#"{"error":{"code":"organization_usage_limit_exceeded"}}"#, neverForAny),
    (#"{"error":{"type":"usage_limit_reached","resets_in_seconds":259200}}"#, neverForAny),
    (#"{"error":{"code":"rate_limit_exceeded","type":"rate_limit_error"}}"#, ofPace(first)),
    (#"{"error":{"code":"slow_down"}}"#, ofPace(first)),
    (#"{"error":"insufficient_quota"}"#, ofPace(first)), ("insufficient_quota", ofPace(first)),
  ])
  func `a used-up quota is left to people`(body: String, expected: RetryPolicy.Decision) {
    #expect(Self.decision(Self.refused(429, [], body)) == expected)
    let asked = Self.decision(Self.refused(429, [("x-should-retry", "true")], body))
    #expect(asked == expected)
  }

  @Test func `a server with too much to do is asked again whatever its status`() {
    let body = #"{"error":{"type":"server_error","code":"server_is_overloaded"}}"#
    for status in [400, 403, 503] {
      #expect(Self.decision(Self.refused(status, [], body)) == Self.first)
    }
    #expect(
      Self.decision(Self.refused(400, [], #"{"error":{"type":"server_error"}}"#)) == Self.never)
  }

  @Test(arguments: [
    (400, "true", first), (401, "TRUE", first), (500, "false", never), (429, "false", never),
    (401, "false", neverForAny),
    (500, "maybe", first), (400, "maybe", never),
  ])
  func `the server's word comes before its status`(
    status: Int, word: String, expected: RetryPolicy.Decision
  ) {
    #expect(Self.decision(Self.refused(status, [("x-should-retry", word)])) == expected)
  }

  @Test(
    arguments: [
      (nil, "0", .again(after: 0...0)), (nil, "7", .again(after: 7000...7000)),
      (nil, "1.5", .again(after: 1500...1500)), (nil, "120", .again(after: 120_000...120_000)),
      (nil, "121", asksTooMuch), ("121000", nil, asksTooMuch),
      (nil, "Sun, 06 Nov 1994 08:49:37 GMT", .again(after: 7000...7000)),
      (nil, "Sunday, 06-Nov-94 08:49:37 GMT", .again(after: 7000...7000)),
      (nil, "Sun Nov  6 08:49:37 1994", .again(after: 7000...7000)),
      (nil, "Sun, 06 Nov 1994 08:49:00 GMT", .again(after: 0...0)),
      (nil, "Sun, 06 Nov 1994 08:51:31 GMT", asksTooMuch),
      ("250", "7", .again(after: 250...250)), ("0.5", nil, .again(after: 1...1)),
      ("x", "7", .again(after: 7000...7000)),
      (nil, "-1", first), (nil, "soon", first), (nil, "", first), (nil, "1e3", first),
      (nil, "Sun, 06 Foo 1994 08:49:37 GMT", first), (nil, ".", first),
      (
        nil, "99999999999999999999999",
        .stop(
          why: "the server asks to wait 99999999999999999999999 seconds, more than 120",
          stopsBatch: true)
      ),
    ] as [(String?, String?, RetryPolicy.Decision)])
  func `the server's own delay is kept`(
    milliseconds: String?, seconds: String?, expected: RetryPolicy.Decision
  ) {
    var headers: [(name: String, value: String)] = []
    if let seconds { headers.append(("retry-after", seconds)) }
    if let milliseconds { headers.append(("retry-after-ms", milliseconds)) }
    let own = expected == Self.first ? expected : Self.ofPace(expected)
    #expect(Self.decision(Self.refused(503, headers)) == own)
    #expect(Self.decision(Self.refused(429, headers)) == Self.ofPace(expected))
  }

  @Test(
    arguments: [
      (429, #"{"error":{"message":"Limit reached. Please try again in 6.4s."}}"#, 6400),
      (503, #"{"message":"Please retry after 2 seconds."}"#, 2000),
      (
        429,
        #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}"#,
        36_000
      ),
      (429, #"{"message":"slow","retry_after":1.5}"#, 1500),
      (429, #"{"detail":"Try again in 120s"}"#, 120_000),
    ])
  func `a wait that stands in the body alone is kept`(status: Int, body: String, time: Int) {
    let wait = RetryPolicy.Decision.again(after: time...time, pausesAll: true)
    #expect(Self.decision(Self.refused(status, [], body)) == wait)
    let head = [(name: "retry-after", value: "7")]
    let told = RetryPolicy.Decision.again(after: 7000...7000, pausesAll: true)
    #expect(Self.decision(Self.refused(status, head, body)) == told)
  }

  @Test func `a wait in the body that is too long is none`() {
    let body = #"{"error":{"message":"Please try again in 2m1s."}}"#
    #expect(Self.decision(Self.refused(429, [], body)) == Self.asksTooMuch)
  }

  @Test(arguments: [
    "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 45000.",
    "Rate limit reached on tokens per min: Limit 10000, Used 0, Requested 10001. Please try again in 1s.",
    "rate limit: limit: 30,000, requested: 45,000",
  ])
  func `a request that is larger than the limit is refused for good`(words: String) {
    let body = #"{"error":{"code":"rate_limit_exceeded","message":"\#(words)"}}"#
    for headers in [[], [(name: "x-should-retry", value: "true")], [("retry-after", "600")]] {
      #expect(Self.decision(Self.refused(429, headers, body)) == Self.never)
    }
    // It says so of no other refusal.
    #expect(Self.decision(Self.refused(503, [], #"{"message":"Request too large"}"#)) == Self.first)
  }

  @Test func `only a refusal that may pass holds others, even when it is not tried again`() {
    let head = [(name: "retry-after", value: "7")]
    for (status, pause) in [(429, 7000), (503, 7000), (404, 0), (401, 0), (300, 0)] {
      let stop = RetryPolicy.Decision.stop(stopsBatch: status == 401, pause: pause)
      #expect(Self.decision(Self.refused(status, head), retries: 0) == stop)
    }
  }

  @Test(arguments: [
    (1, 375...500), (2, 750...1000), (3, 1500...2000), (4, 3000...4000), (5, 6000...8000),
    (6, 6000...8000), (1000, 6000...8000),
  ])
  func `the own delay doubles up to eight seconds`(attempt: Int, delay: ClosedRange<Int>) {
    let decision = Self.decision(Self.refused(500), attempt: attempt, retries: 1000)
    #expect(decision == .again(after: delay))
  }

  @Test func `no more attempts are made than were asked for`() {
    #expect(Self.decision(Self.refused(500), attempt: 2) == .again(after: 750...1000))
    #expect(Self.decision(Self.refused(500), attempt: 3) == Self.never)
    #expect(Self.decision(Self.refused(500), retries: 0) == Self.never)
  }

  /// What follows a fault by its cause; any other cause is no matter for a retry.
  private static let causes: [TransportFault.Cause: RetryPolicy.Decision] = [
    .nameNotResolved: first, .connectionFailed: first, .connectionLost: first, .timeout: first,
    .truncatedStream: first, .brokenAnswer: first, .silence: never,
    .certificateNotTrusted: neverForAny,
    .clientCertificateRefused: neverForAny, .proxyRefused: neverForAny,
  ]

  @Test(arguments: TransportFault.Cause.allCases)
  func `a fault on the way is tried again where it may pass`(cause: TransportFault.Cause) {
    let fault = TransportFault(cause, "words", advice: "")
    #expect(Self.decision(.broken(fault)) == Self.causes[cause] ?? Self.never)
  }

  @Test func `behind a silence the rest is asked for, and no other answer`() {
    let failure = FailedAttempt.broken(TransportFault(.silence, "words", advice: ""))
    #expect(Self.decision(failure, asksForRest: true) == Self.first)
  }

  @Test(
    arguments: [
      // The attempt, whether others were answered meanwhile, and what follows.
      (1, false, .again(after: 375...500, pausesAll: true)),
      (2, false, .again(after: 750...1000, pausesAll: true)), (3, false, never),
      (2, true, .again(after: 375...500, counts: false, pausesAll: true)),
      (3, true, .again(after: 750...1000, counts: false, pausesAll: true)), (4, true, never),
    ] as [(Int, Bool, RetryPolicy.Decision)])
  func `an attempt that the server puts off does not count while it answers others`(
    attempt: Int, othersAnswered: Bool, expected: RetryPolicy.Decision
  ) {
    let failure = Self.refused(429)
    let got = Self.decision(failure, attempt: attempt, othersAnswered: othersAnswered)
    #expect(got == expected)
    // Of any other refusal it does.
    let other = Self.decision(Self.refused(500), attempt: attempt, othersAnswered: othersAnswered)
    #expect(other == Self.decision(Self.refused(500), attempt: attempt))
  }

  @Test func `a limit of time is kept`() {
    let failure = Self.refused(503, [("retry-after", "2")])
    let late = RetryPolicy.Decision.stop(why: "--max-time would be over")
    let wait = RetryPolicy.Decision.again(after: 2000...2000, pausesAll: true)
    #expect(Self.decision(failure, left: 2001) == wait)
    #expect(
      Self.decision(failure, left: 2000) == .stop(why: "--max-time would be over", pause: 2000))
    #expect(Self.decision(Self.refused(500), left: 501) == Self.first)
    #expect(Self.decision(Self.refused(500), left: 500) == late)
  }

  @Test(arguments: [-5_000_000_000, 0, 951_825_600, 1_709_164_800, 4_107_542_400, 100_000_000_000])
  func `moments agree with the system's calendar`(seconds: Int) {
    let text = Clock.text(epochSeconds: seconds, "%Y-%m-%dT%H:%M:%SZ")
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(text == ISO8601DateFormatter().string(from: date))
  }

  /// The forms of RFC 9110, section 5.6.7, with its examples.
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Wed, 31 Dec 2036 23:59:60 GMT", 2_114_380_800),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
      ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1900 08:49:37 GMT", nil), ("", nil), ("soon", nil), ("1 2 3 4 5 6", nil),
    ] as [(String, Int?)])
  func `a date is taken in the forms of HTTP`(text: String, seconds: Int?) {
    #expect(HTTPDate.seconds(text) == seconds)
  }
}
