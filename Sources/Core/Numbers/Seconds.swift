/// Times as people type them.
package enum Seconds {
  /// The most that is taken: in milliseconds it fits 32 bits, which is what libraries count in.
  private static let longest = 2_000_000.0

  /// The milliseconds that `text` means, a number of seconds such as `30` or `0.5`, rounded up;
  /// `nil` when it is none, negative, or above 2,000,000.
  package static func milliseconds(_ text: String) -> Int? {
    let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let seconds = Double(text), seconds <= longest else { return nil }
    return Int((seconds * 1000).rounded(.up))
  }

  /// `microseconds` as a number of seconds, with no more digits than it needs.
  package static func text(microseconds: Int) -> String {
    let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let sign = microseconds < 0 ? "-" : ""
    guard rest > 0 else { return sign + String(seconds) }
    var decimals = String(1_000_000 + rest).dropFirst()
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(sign)\(seconds).\(decimals)"
  }
}
