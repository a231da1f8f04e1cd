package import Core

/// The limits that a server tells in its headers `x-ratelimit-…`, as numbers.
package enum RateLimits {
  /// The members for `head`: `limit_requests`, `remaining_tokens`, `reset_requests_seconds` and so
  /// on, as far as it has them. What a server does not know, which it tells as -1, is `null`.
  package static func members(of head: ReplyHead) -> [(name: String, value: JSONValue)] {
    let prefix = "x-ratelimit-"
    return head.headers.compactMap { header in
      guard header.name.hasPrefix(prefix) else { return nil }
      let name = header.name.dropFirst(prefix.count).map { $0 == "-" ? "_" : $0 }
      if name.starts(with: "reset") {
        return microseconds(header.value).map { (String(name) + "_seconds", seconds($0)) }
      }
      return Int(header.value).map { (String(name), $0 < 0 ? .null : .integer($0)) }
    }
  }

  static func seconds(_ microseconds: Int) -> JSONValue {
    .raw(Array(Seconds.text(microseconds: microseconds).utf8))
  }

  /// The microseconds of each unit; of two that begin alike the longer stands first.
  private static let units: [(name: String, microseconds: Double)] = [
    ("ms", 1000), ("us", 1), ("µs", 1), ("ns", 0.001), ("h", 3_600_000_000), ("m", 60_000_000),
    ("s", 1_000_000),
  ]

  /// The microseconds that `text` means: numbers with their units, such as `6m0s`, `1.5s` and
  /// `12ms`, or one number of seconds. `nil` when it is neither, or beyond thirty years.
  package static func microseconds(_ text: String) -> Int? {
    var rest = text[...]
    var total = 0.0
    repeat {
      let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      guard let number = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let unit = units.first { rest.hasPrefix($0.name) }
      // A number alone is in seconds; beside others it is none.
      guard unit != nil || digits.count == text.count else { return nil }
      total += number * (unit?.microseconds ?? 1_000_000)
      rest = rest.dropFirst(unit?.name.count ?? 0)
    } while !rest.isEmpty
    return total < 1e15 ? Int(total.rounded()) : nil
  }
}
