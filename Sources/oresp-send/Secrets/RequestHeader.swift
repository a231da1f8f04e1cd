import Core

/// Headers that a request has.
enum RequestHeader {
  /// Names of headers whose value is a secret.
  private static let secret: Set<String> = [
    "authorization", "proxy-authorization", "api-key", "x-api-key", "cookie", "set-cookie",
  ]

  /// Names of headers that say where the body ends, which is the transport's business.
  private static let framing: Set<String> = ["content-length", "transfer-encoding", "expect"]

  static func isSecret(_ name: some StringProtocol) -> Bool {
    secret.contains(name.lowercased())
  }

  /// The name in `line`, in lower case.
  static func name(of line: String) -> String { line.prefix { $0 != ":" }.lowercased() }

  /// The header line that `text` is: `Name: value`. Refuses one with a secret, which does not belong
  /// on a command line.
  static func line(_ text: String) throws(Failure) -> String {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw .usage("expected 'Name: value', got no colon")
    }
    let name = text[..<colon]
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
      throw .usage("expected 'Name: value', got another kind of name")
    }
    guard !isSecret(name) else {
      throw .usage("\(name): everybody can read a command line; see --api-key-file")
    }
    guard !framing.contains(name.lowercased()) else {
      throw .usage("\(name): is not for you to set")
    }
    let value = text.utf8[colon...].dropFirst().drop { $0 == 32 || $0 == 9 }
    guard !value.isEmpty, value.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else {
      throw .usage("\(name): expected a value without control characters")
    }
    return "\(name): \(Substring(value))"
  }

  /// `text`, which is to become a header's value and must be one word; it comes from `source`.
  static func word(_ text: String, from source: String) throws(Failure) -> String {
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw .usage("\(source): white space, a control character or a non-ASCII one is in it")
    }
    return text
  }

  /// Whether `byte` can stand in a header's name (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
