import Core

/// Takes secrets out of what is to be shown.
struct Redaction: Sendable {
  /// One shorter than this is no key that anybody guards, and could be part of any word.
  private static let shortest = 8

  /// The longest first, since one may begin another.
  private let secrets: [[UInt8]]

  init(_ secrets: [[UInt8]]) {
    let known = secrets.filter { $0.count >= Self.shortest }
    self.secrets = (known + known.flatMap(Self.spellings)).sorted { $0.count > $1.count }
  }

  /// `secret` as a URL has it, and as it stands in the base64 of a longer text, at each of the
  /// three places that it can have there, but for what depends on that text.
  private static func spellings(_ secret: [UInt8]) -> [[UInt8]] {
    let parts = String(decoding: secret, as: UTF8.self).percentEncoded
      .split(separator: "%", omittingEmptySubsequences: false).map(String.init)
    let others = parts.dropFirst()
    let low = parts.prefix(1) + others.map { $0.prefix(2).lowercased() + $0.dropFirst(2) }
    var all =
      others.isEmpty ? [] : [parts, Array(low)].map { Array($0.joined(separator: "%").utf8) }
    for front in 0..<3 {
      let shifted = Array(repeating: 0, count: front) + secret
      var text: [UInt8] = []
      Base64Encoder.append(Array(shifted.prefix(shifted.count / 3 * 3)), to: &text)
      all.append(Array(text.dropFirst((front * 4 + 2) / 3)))
    }
    return all.filter { $0.count >= shortest }
  }

  /// `text` with `[key]` wherever a secret stands.
  func of(_ text: [UInt8]) -> [UInt8] {
    secrets.reduce(text) { text, secret in Self.of(secret, in: text) }
  }

  /// `text` with `[key]` wherever a secret stands, also where a JSON string spells it with escapes.
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

  /// The same for lines of which each has JSON of its own, as those of an event stream have.
  func ofLines(_ text: [UInt8]) -> [UInt8] {
    guard !secrets.isEmpty else { return text }
    var shown: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != ASCII.lf && $0 != ASCII.cr }
      shown += ofJSON(Array(line))
      rest = rest[line.endIndex...]
      if let end = rest.popFirst() { shown.append(end) }
    }
    return shown
  }

  /// `text` with `[key]` for the start of a secret at its end.
  private func withoutStart(_ text: [UInt8]) -> [UInt8] {
    for secret in secrets {
      for count in stride(from: secret.count - 1, through: Self.shortest, by: -1)
      where text.suffix(count).elementsEqual(secret.prefix(count)) {
        return text.dropLast(count) + Array("[key]".utf8)
      }
    }
    return text
  }

  /// `notice` with `[key]` wherever a secret stands in its message and facts.
  func of(_ notice: Notice) -> Notice {
    guard !secrets.isEmpty else { return notice }
    var notice = notice
    // What is no text of the server's is told as the JSON that it is.
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
  /// `text` with `[user]` for the user and password of every URL in it.
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

  /// A header line with `[secret]` for its value, if its name says that it has one.
  static func header(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":"), RequestHeader.isSecret(line[..<colon]) else {
      return line
    }
    return line[...colon] + " [secret]"
  }
}

/// Takes the values of secret headers out of the lines of a reply, which come one by one.
struct HeaderMask {
  /// Whether a line that begins with white space goes on with a secret (RFC 9112, section 5.2).
  private var isSecret = false

  /// `line`, with its line end, as it may be shown.
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
