import Core
import Foundation
import Testing

@testable import oresp_send

@Suite struct SendRetryPolicyTests {
  /// Sun, 06 Nov 1994 08:49:30 GMT, seven seconds before the standard's example.
  private static let now = 784_111_770

  private static func decision(
    _ failure: FailedAttempt, attempt: Int = 1, left: Int? = nil,
    _ change: (inout RetrySettings) -> Void = { _ in }
  ) -> RetryPolicy.Decision {
    var settings = RetrySettings()
    change(&settings)
    return RetryPolicy(settings).decision(on: failure, attempt: attempt, left: left, now: now)
  }

  private static func refused(
    _ status: Int, _ headers: [(name: String, value: String)] = [], _ body: String = ""
  ) -> FailedAttempt {
    .refused(ReplyHead(status: status, headers: headers), body: Array(body.utf8))
  }

  private static let first = RetryPolicy.Decision.again(after: 375...500)
  private static let never = RetryPolicy.Decision.stop(nil)
  private static let asksTooMuch = RetryPolicy.Decision.stop(
    "the server asks to wait 121 seconds, more than 120")

  @Test(arguments: [408, 409, 425, 429, 500, 502, 503, 504, 520, 529, 599])
  func `a status that passes is tried again`(status: Int) {
    #expect(Self.decision(Self.refused(status)) == Self.first)
    #expect(Self.decision(Self.refused(status, [], "<html>")) == Self.first)
  }

  @Test(arguments: [300, 307, 400, 401, 402, 403, 404, 407, 410, 413, 422, 451, 499, 501, 505, 600])
  func `any other status is not`(status: Int) {
    #expect(Self.decision(Self.refused(status)) == Self.never)
    #expect(Self.decision(Self.refused(status, [("retry-after", "1")])) == Self.never)
  }

  @Test(arguments: [
    (#"{"error":{"code":"insufficient_quota"}}"#, never),
    (#"{"error":{"type":"insufficient_quota","code":null}}"#, never),
    (#"{"error":{"code":"credit_balance_exhausted"}}"#, never),
    (#"{"error":{"code":"organization_spend_limit_exceeded"}}"#, never),
    (#"{"error":{"code":"project_spend_limit_exceeded"}}"#, never),
    (#"{"error":{"code":"organization_usage_limit_exceeded"}}"#, never),
    (#"{"error":{"type":"usage_limit_reached","resets_in_seconds":259200}}"#, never),
    (#"{"error":{"code":"rate_limit_exceeded","type":"rate_limit_error"}}"#, first),
    (#"{"error":{"code":"slow_down"}}"#, first),
    (#"{"error":"insufficient_quota"}"#, first), ("insufficient_quota", first),
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
        .stop("the server asks to wait 99999999999999999999999 seconds, more than 120")
      ),
    ] as [(String?, String?, RetryPolicy.Decision)])
  func `the server's own delay is kept`(
    milliseconds: String?, seconds: String?, expected: RetryPolicy.Decision
  ) {
    var headers: [(name: String, value: String)] = []
    if let seconds { headers.append(("retry-after", seconds)) }
    if let milliseconds { headers.append(("retry-after-ms", milliseconds)) }
    for status in [429, 503] {
      #expect(Self.decision(Self.refused(status, headers)) == expected)
    }
  }

  @Test(arguments: [
    (1, 375...500), (2, 750...1000), (3, 1500...2000), (4, 3000...4000), (5, 6000...8000),
    (6, 6000...8000), (1000, 6000...8000),
  ])
  func `the own delay doubles up to eight seconds`(attempt: Int, delay: ClosedRange<Int>) {
    let decision = Self.decision(Self.refused(500), attempt: attempt) { $0.count = 1000 }
    #expect(decision == .again(after: delay))
  }

  @Test func `no more attempts are made than were asked for`() {
    #expect(Self.decision(Self.refused(500), attempt: 2) == .again(after: 750...1000))
    #expect(Self.decision(Self.refused(500), attempt: 3) == Self.never)
    #expect(Self.decision(Self.refused(500)) { $0.count = 0 } == Self.never)
  }

  @Test(arguments: [
    ("name_not_resolved", first), ("connection_failed", first), ("connection_lost", first),
    ("timeout", first), ("tls_failed", never), ("transport_failed", never),
    ("bad_encoding", never),
  ])
  func `a fault on the way is tried again where it may pass`(
    code: String, expected: RetryPolicy.Decision
  ) {
    let fault = TransportFault(code, "words", advice: "")
    #expect(Self.decision(.broken(fault)) == expected)
  }

  @Test func `a limit of time is kept`() {
    let failure = Self.refused(503, [("retry-after", "2")])
    let late = RetryPolicy.Decision.stop("--max-time would be over")
    let wait = RetryPolicy.Decision.again(after: 2000...2000)
    #expect(Self.decision(failure, left: 2001) == wait)
    #expect(Self.decision(failure, left: 2000) == late)
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
