import Core

/// The rules for headers of a request.
enum RequestHeader {
  /// Names of headers on the framing of the body, which only the transport sets.
  private static let framing: Set<String> = ["content-length", "transfer-encoding", "expect"]

  /// The header's name in `line`, in lower case.
  static func name(of line: String) -> String {
    line.prefix { $0 != ":" && $0 != ";" }.lowercased()
  }

  /// The header line in `text`: `Name: value`; or as in curl, `Name:`, which removes the tool's own
  /// header, and `Name;`, which sends the header without a value. Refuses a secret value if
  /// `isPublic`: on a command line everybody can read it.
  static func line(_ text: String, isPublic: Bool = true) throws(Failure) -> String {
    let isEmpty = text.hasSuffix(";") && !text.contains(":")
    guard let colon = isEmpty ? text.utf8.indices.last : text.utf8.firstIndex(of: ASCII.colon)
    else {
      throw .usage("expected 'Name: value', got no colon")
    }
    let name = try Self.name(text[..<colon])
    let value = text.utf8[colon...].dropFirst().drop { $0 == 32 || $0 == 9 }
    if value.isEmpty { return name + (isEmpty ? ";" : ":") }
    guard !isPublic || !SecretName.isOfHeader(name) else {
      throw .usage(
        "\(name): everybody can read a command line; see --api-key-file and -H @FILE")
    }
    guard value.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else {
      throw .usage("\(name): expected a value without control characters")
    }
    return "\(name): \(Substring(value))"
  }

  /// Returns `name` if it is the name of a header that people may set.
  private static func name(_ name: Substring) throws(Failure) -> Substring {
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
      throw .usage("expected 'Name: value', got another kind of name")
    }
    guard !framing.contains(name.lowercased()) else {
      throw .usage("\(name): this header cannot be set")
    }
    return name
  }

  /// Returns `text` if it is one ASCII word, for a header's value; messages call it `source`.
  static func word(_ text: String, from source: String) throws(Failure) -> String {
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw .usage("\(source): it has white space, a control character or a non-ASCII one")
    }
    return text
  }

  /// Whether `byte` may stand in a header's name (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
