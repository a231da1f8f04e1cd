/// The wait that the words of an error ask for: `Please try again in 6.4s.`, `Please retry after 2
/// seconds.`, `try again in 1m30s`.
enum AskedWait {
  /// The words in front of a time.
  private static let openings = ["try again in ", "try again after ", "retry in ", "retry after "]

  /// The units, each of `times` · 10^`places` milliseconds.
  private static let units: [(names: [String], places: Int, times: Int)] = [
    (["ms", "millisecond", "milliseconds"], 0, 1), (["s", "sec", "second", "seconds"], 3, 1),
    (["m", "min", "minute", "minutes"], 3, 60), (["h", "hour", "hours"], 3, 3600),
    (["d", "day", "days"], 3, 86_400),
  ]

  /// Thirty years in milliseconds, more than any server means.
  static let longest = 1_000_000_000_000

  /// The milliseconds that `message` asks for, rounded up; `nil` when it asks for no wait.
  static func milliseconds(inWords message: String) -> Int? {
    let words = message.utf8.map(ASCII.lowercased)
    for place in words.indices {
      for opening in openings where words.span.starts(with: Array(opening.utf8).span, at: place) {
        let rest = words[(place + opening.utf8.count)...]
        if let time = milliseconds(rest) { return time }
      }
    }
    return nil
  }

  /// The milliseconds at the start of `text`: numbers, each with its unit. `nil` when there are none.
  static func milliseconds(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    var total: Int?
    while true {
      let digits = rest.prefix { ASCII.isDigit($0) || $0 == ASCII.point }
      let behind = rest.dropFirst(digits.count).drop { $0 == ASCII.space }
      let name = behind.prefix { ASCII.isLetter($0) }
      guard
        let unit = units.first(where: { $0.names.contains(String(decoding: name, as: UTF8.self)) }),
        let number = JSONDecimal(Array(digits).span),
        let (value, isExact) = number.scaled(by: unit.places), value < longest
      else { return total }
      total = min((total ?? 0) + (isExact ? value : value + 1) * unit.times, longest)
      rest = behind.dropFirst(name.count).drop { $0 == ASCII.space }
    }
  }
}
