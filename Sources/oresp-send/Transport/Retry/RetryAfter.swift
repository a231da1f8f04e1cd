/// How long a server asks to wait before the next attempt.
package enum RetryAfter {
  /// What no server means: a day. More is taken for that.
  private static let longest = 86_400_000.0

  /// The wait in milliseconds: of `retry-after-ms`, or else `retry-after`, a number of seconds or a
  /// date (RFC 9110, section 10.2.3). `nil` when `head` asks for none, or what it asks for makes no
  /// sense. `now` is in seconds since the epoch.
  package static func milliseconds(in head: AnswerHead, now: Int) -> Int? {
    if let wait = head["retry-after-ms"].flatMap({ number($0, times: 1) }) { return wait }
    guard let text = head["retry-after"] else { return nil }
    if let wait = number(text, times: 1000) { return wait }
    return HTTPDate.seconds(text).map { min(max(0, $0 - now) * 1000, Int(longest)) }
  }

  private static func number(_ text: String, times scale: Double) -> Int? {
    let isPlain = text.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
    guard isPlain, let value = Double(text) else { return nil }
    return Int(min(value * scale, longest).rounded(.up))
  }
}
