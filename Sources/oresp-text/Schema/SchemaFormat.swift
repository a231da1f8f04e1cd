import Core

/// The formats of strings that are checked (JSON Schema 2020-12, Validation section 7.3), each by a
/// pattern: a day that its month does not have passes.
enum SchemaFormat {
  static let patterns: [String: Pattern] = {
    // `full-date` and `full-time` of RFC 3339, section 5.6.
    let date = #"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"#
    let time = #"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"#
    // RFC 3986, section 3.2.2.
    let octet = #"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"#
    let ipv4 = #"\#(octet)(\.\#(octet)){3}"#
    let group = "[0-9A-Fa-f]{1,4}"
    let end = "(\(group):\(group)|\(ipv4))"
    let short = (1...5).map { "(:|(\(group):){1,\($0)}):(\(group):){\(5 - $0)}\(end)" }
    let ipv6 =
      (["(\(group):){6}\(end)", "::(\(group):){5}\(end)"] + short
      + ["(:|(\(group):){1,6}):\(group)", "(:|(\(group):){1,7}):"]).joined(separator: "|")
    // RFC 5321, section 4.1.2: a dotted word or a quoted text, and a host or an address.
    let word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    let local = #"(\#(word)(\.\#(word))*|"([ !#-\[\]-~]|\\[ -~])*")"#
    let label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
    let host = #"(\#(label)(\.\#(label))*|\[(\#(ipv4)|IPv6:(\#(ipv6)))\])"#
    // RFC 4122, section 3.
    let uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    let rows = [
      "date-time": "\(date)[Tt]\(time)", "date": date, "time": time, "uuid": uuid,
      "email": "\(local)@\(host)", "ipv4": ipv4, "ipv6": ipv6,
    ]
    return rows.compactMapValues { try? Pattern("^(\($0))$") }
  }()
}
