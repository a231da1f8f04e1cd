/// Takes a secret out of what is to be shown.
package enum Redaction {
  /// `text` with `[key]` wherever `secret` stands. One shorter than 8 bytes is no key that anybody
  /// guards, and could be part of any word.
  package static func of(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    guard secret.count >= 8, text.count >= secret.count else { return text }
    var shown: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index...].starts(with: secret) {
        shown += Array("[key]".utf8)
        index += secret.count
      } else {
        shown.append(text[index])
        index += 1
      }
    }
    return shown
  }

  /// `text` without any of `secrets`.
  package static func of(_ secrets: [[UInt8]], in text: [UInt8]) -> [UInt8] {
    secrets.reduce(text) { of($1, in: $0) }
  }

  /// `text` with `[user]` for the user and password of every URL in it.
  package static func userInfo(_ text: String) -> String {
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
  package static func header(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":"), RequestHeader.isSecret(line[..<colon]) else {
      return line
    }
    return line[...colon] + " [secret]"
  }
}
