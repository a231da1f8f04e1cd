import Core

/// The formats of strings that structured outputs know (JSON Schema 2020-12, Validation section
/// 7.3). Each has a pattern; what no pattern can say is checked behind it.
enum SchemaFormat: String, CaseIterable, Sendable {
  case dateTime = "date-time"
  case time, date, duration, email, hostname, ipv4, ipv6, uuid

  /// Whether `text` is of the format.
  func holds(for text: Span<UInt8>) -> Bool {
    guard Self.patterns[self]?.matches(text) == true else { return false }
    let text = String(decoding: text)
    switch self {
    case .dateTime: return Self.isDay(text.prefix(10)) && Self.isSecond(text.dropFirst(11))
    case .date: return Self.isDay(text[...])
    case .time: return Self.isSecond(text[...])
    case .email: return Self.isMailbox(text)
    case .hostname: return text.utf8.count <= 253
    case .ipv4: return Self.isAddress(text[...], AF_INET)
    case .ipv6: return Self.isAddress(text[...], AF_INET6)
    case .duration, .uuid: return true
    }
  }

  private static let patterns: [SchemaFormat: Pattern] = {
    // `full-date` and `full-time` of RFC 3339, section 5.6.
    let date = #"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"#
    let time = #"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"#
    // A duration, appendix A: weeks alone, or units in their order without a gap between them.
    let days = #"(\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)"#
    let hours = #"T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S)"#
    // RFC 1123, section 2.1: labels of letters, digits and inner hyphens, 63 at most.
    let label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    let host = #"\#(label)(\.\#(label))*"#
    // RFC 5321, section 4.1.2: a dotted word or a quoted text, and a host or an address.
    let word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    let local = #"(\#(word)(\.\#(word))*|"([ !#-\[\]-~]|\\[ -~])*")"#
    let rows: [SchemaFormat: String] = [
      .dateTime: "\(date)[Tt]\(time)", .time: time, .date: date,
      .duration: #"P(\d+W|\#(days)(\#(hours))?|\#(hours))"#,
      .email: #"\#(local)@(\#(host)|\[[0-9A-Fa-f.:IPv]+\])"#, .hostname: host,
      .ipv4: "[0-9.]+", .ipv6: "[0-9A-Fa-f:.]+",
      // RFC 4122, section 3.
      .uuid: "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    ]
    return rows.compactMapValues { try? Pattern("^(\($0))$") }
  }()

  /// A day that its month does not have is one of the next month to the C library.
  private static func isDay(_ date: Substring) -> Bool {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return false }
    let seconds = Clock.epochSeconds(year: parts[0], month: parts[1], day: parts[2])
    return Clock.text(epochSeconds: seconds, "%m-%d") == date.suffix(5)
  }

  /// A leap second is only where it is 23:59:60 in UTC.
  private static func isSecond(_ time: Substring) -> Bool {
    guard time.dropFirst(6).hasPrefix("60") else { return true }
    func minutes(_ clock: Substring) -> Int {
      clock.prefix(5).split(separator: ":").compactMap { Int($0) }.reduce(0) { $0 * 60 + $1 }
    }
    let isUTC = time.last == "Z" || time.last == "z"
    let zone = isUTC ? 0 : minutes(time.suffix(5)) * (time.dropLast(5).last == "-" ? -1 : 1)
    return (minutes(time) - zone + 2880) % 1440 == 1439
  }

  private static func isMailbox(_ text: String) -> Bool {
    let at = text.lastIndex(of: "@") ?? text.startIndex
    let domain = text[at...].dropFirst()
    guard 1...64 ~= text[..<at].utf8.count, domain.utf8.count <= 253 else { return false }
    guard domain.hasPrefix("[") else { return true }
    let inner = domain.dropFirst().dropLast()
    return inner.hasPrefix("IPv6:")
      ? isAddress(inner.dropFirst(5), AF_INET6) : isAddress(inner, AF_INET)
  }

  private static func isAddress(_ text: Substring, _ family: Int32) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(family, String(text), &address) == 1
  }
}
