import Core

/// Times as people type them.
package enum Seconds {
  /// The most milliseconds that are taken: they fit 32 bits, which is what libraries count in.
  private static let longest = 2_000_000_000

  /// The milliseconds that `text` means, a number of seconds such as `30` or `0.5`, rounded up;
  /// `nil` when it is none, negative, or above 2,000,000.
  package static func milliseconds(_ text: String) -> Int? {
    let time = JSONDecimal(typed: text)?.scaledUp(by: 3, most: longest + 1)
    return time.flatMap { $0 <= longest ? $0 : nil }
  }

  /// `microseconds` as a number of seconds, with no more digits than it needs.
  package static func text(microseconds: Int) -> String {
    JSONDecimal.text(microseconds, places: 6)
  }
}
