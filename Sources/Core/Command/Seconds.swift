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
}
