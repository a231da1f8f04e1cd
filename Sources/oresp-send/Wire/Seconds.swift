import Core

/// Numbers of seconds, as people type and read them.
enum Seconds {
  /// The most milliseconds: they fit the 32 bits in which libraries count.
  static let longest = 2_000_000_000

  /// The milliseconds in `text`, a number of seconds such as `30` or `0.5`, rounded up; `nil` when
  /// it is no such number, negative, or above 2,000,000.
  static func milliseconds(_ text: String) -> Int? {
    let time = JSONDecimal(typed: text)?.scaledUp(by: 3, most: longest + 1)
    return time.flatMap { $0 <= longest ? $0 : nil }
  }

  /// `milliseconds` as a number of seconds, with no more digits than it needs.
  static func text(milliseconds: Int) -> String { JSONDecimal.text(milliseconds, places: 3) }

  /// `microseconds` as a JSON number of seconds.
  static func value(microseconds: Int) -> JSONValue {
    .raw(Array(JSONDecimal.text(microseconds, places: 6).utf8))
  }
}

extension JSONDecimal {
  /// The number in `text`: digits, perhaps with a point among them; `nil` for any other text.
  init?(typed text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    self.init(bytes.span)
  }

  /// Its value times 10^`places`, rounded up unless it is negative, and no more than `most`.
  func scaledUp(by places: Int, most: Int) -> Int {
    guard let (value, isExact) = scaled(by: places) else { return isNegative ? 0 : most }
    return min(isExact ? value : value + 1, most)
  }
}
