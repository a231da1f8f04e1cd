import Core

/// Replaces secrets in output and messages.
struct Redaction: Sendable {
  /// The least bytes of a secret: a shorter one is no real key, and could be part of any word.
  private static let shortest = 8

  /// The secrets, the longest first, since one may begin another.
  private let secrets: [[UInt8]]

  init(_ secrets: [[UInt8]]) {
    self.secrets = secrets.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
  }

  /// `text` with `[key]` in place of every secret.
  func of(_ text: [UInt8]) -> [UInt8] {
    secrets.reduce(text) { text, secret in Self.of(secret, in: text) }
  }

  /// `text` with `[key]` in place of every secret, even one that a JSON string spells with escapes.
  /// With `isCut` the start of a secret at the end of `text` counts, too.
  func ofJSON(_ text: [UInt8], isCut: Bool = false) -> [UInt8] {
    guard !secrets.isEmpty else { return text }
    var shown: [UInt8] = []
    var index = 0
    while let start = text.span.firstIndex(of: ASCII.quote, from: index),
      let end = JSONChildren.endOfValue(text.span, at: start)
    {
      shown += text[index..<start]
      let held = JSONString.decoded(text.span.extracting(start..<end))
      let clean = of(held)
      if clean == held {
        shown += text[start..<end]
      } else {
        JSONString.encode(clean.span, into: &shown)
      }
      index = end
    }
    let clean = of(shown + text[index...])
    return isCut ? withoutStart(clean) : clean
  }

  /// `text` with `[key]` in place of the start of a secret at its end.
  private func withoutStart(_ text: [UInt8]) -> [UInt8] {
    for secret in secrets {
      for count in stride(from: secret.count - 1, through: Self.shortest, by: -1)
      where text.suffix(count).elementsEqual(secret.prefix(count)) {
        return text.dropLast(count) + Array("[key]".utf8)
      }
    }
    return text
  }

  /// `notice` with `[key]` in place of every secret in its message and facts.
  func of(_ notice: Notice) -> Notice {
    guard !secrets.isEmpty else { return notice }
    var notice = notice
    // A server's error that is no text stands in the message as JSON.
    notice.message = String(decoding: ofJSON(Array(notice.message.utf8)), as: UTF8.self)
    notice.facts = notice.facts.map { ($0.name, .raw(ofJSON($0.value.line))) }
    return notice
  }

  private static func of(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    var index = 0
    while let start = text.span.firstIndex(of: secret[0], from: index) {
      shown += text[index..<start]
      if text[start...].starts(with: secret) {
        shown += Array("[key]".utf8)
        index = start + secret.count
      } else {
        shown.append(text[start])
        index = start + 1
      }
    }
    return shown + text[index...]
  }
}

extension Redaction {
  /// `text` with `[user]` in place of the user and password of every URL.
  static func userInfo(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let parts = rest.cut(at: "://") {
      shown += parts.before + "://"
      rest = parts.after
      let authority = rest.prefix { !" /?#'\"".contains($0) }
      guard let end = authority.lastIndex(of: "@") else { continue }
      shown += "[user]"
      rest = rest[end...]
    }
    return shown + rest
  }

  /// `text` without the query of every URL and path in it: `GET /v1/files?limit=9 HTTP/1.1`
  static func openURL(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let parts = rest.cut(at: "?") {
      shown += parts.before
      let word = parts.before.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
      if word.contains("/") {
        rest = parts.after.drop { !" ]'\")".contains($0) }
      } else {
        shown += "?"
        rest = parts.after
      }
    }
    return shown + rest
  }

  /// A header line, with `[secret]` for its value if its name marks it as secret.
  static func header(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":"), SecretName.isOfHeader(line[..<colon]) else {
      return line
    }
    return line[...colon] + " [secret]"
  }
}

/// Removes the values of secret headers from the lines of a reply, one by one.
struct HeaderMask {
  /// Whether the last header is secret, so that a line which continues it is, too (RFC 9112, 5.2).
  private var isSecret = false

  /// `line`, with its line end, without a secret value.
  mutating func of(_ line: [UInt8]) -> [UInt8] {
    guard let first = line.first, first != ASCII.cr, first != ASCII.lf else { return line }
    let goesOn = first == ASCII.space || first == UInt8(ascii: "\t")
    let text = String(decoding: line, as: UTF8.self)
    let shown = Redaction.header(text)
    isSecret = goesOn ? isSecret : shown != text
    guard isSecret else { return line }
    return Array((goesOn ? " [secret]\r\n" : shown + "\r\n").utf8)
  }
}
