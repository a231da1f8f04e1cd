import Core

/// The limits in a server's headers `x-ratelimit-…`, as numbers.
enum RateLimits {
  /// The members for `head`, as far as it has them: `limit_requests`, `remaining_tokens`,
  /// `reset_requests_seconds` and so on. The value -1, for unknown, becomes `null`.
  static func members(of head: ReplyHead) -> JSONValue.Members {
    let prefix = "x-ratelimit-"
    return head.headers.compactMap { header in
      guard header.name.hasPrefix(prefix) else { return nil }
      let name = header.name.dropFirst(prefix.count).map { $0 == "-" ? "_" : $0 }
      if name.starts(with: "reset") {
        return microseconds(header.value).map {
          (String(name) + "_seconds", Seconds.value(microseconds: $0))
        }
      }
      return Int(header.value).map { (String(name), $0 < 0 ? .null : .integer($0)) }
    }
  }

  /// The units, each of `times` · 10^`places` nanoseconds. A name stands before its own prefix:
  /// `ms` before `m`.
  private static let units: [(name: String, places: Int, times: Int)] = [
    ("ms", 6, 1), ("us", 3, 1), ("µs", 3, 1), ("ns", 0, 1), ("h", 9, 3600), ("m", 9, 60),
    ("s", 9, 1),
  ]

  /// Thirty years in nanoseconds, more than any server means.
  private static let longest = 1_000_000_000_000_000_000

  /// The microseconds in `text`: numbers with their units, such as `6m0s`, `1.5s` and `12ms`, or
  /// one number of seconds. `nil` when it is neither, or beyond thirty years.
  static func microseconds(_ text: String) -> Int? {
    var rest = text[...]
    var total = 0
    repeat {
      let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let unit = units.first { rest.hasPrefix($0.name) }
      // A number without a unit means seconds when it is all of the text, and nothing else: `1m30`
      guard unit != nil || digits.count == text.count,
        let time = JSONDecimal(typed: digits)?.scaled(by: unit?.places ?? 9)?.value,
        time <= longest / (unit?.times ?? 1)
      else { return nil }
      total += time * (unit?.times ?? 1)
      guard total < longest else { return nil }
      rest = rest.dropFirst(unit?.name.count ?? 0)
    } while !rest.isEmpty
    return (total + 500) / 1000
  }
}
