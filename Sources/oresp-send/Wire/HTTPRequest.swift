import Core

/// An HTTP request.
struct HTTPRequest: Sendable {
  var method = "POST"
  var url: String
  /// Whole header lines, without their line ends.
  var headers: [String]
  var body: [UInt8]
  /// The form that is sent in place of the body; empty for none.
  var form: [FormPart] = []
  /// Whether the server is on this machine, so that no proxy of the environment is used.
  var isLocal: Bool
  /// The variable or the option that says where the server is, for advice.
  var serverSource = "OPENAI_BASE_URL"
  /// The time by which its reply must end (`Clock.steadyMilliseconds`); `nil` for no limit.
  var deadline: Int?

  /// Its URL without the query, which may have a secret.
  var openURL: String { String(url.prefix { $0 != "?" }) }

  /// Adds `item`, which is percent-encoded, to the query of its URL.
  mutating func add(query item: String) { url += (url.contains("?") ? "&" : "?") + item }

  /// Whether the member `name` of the body, or the field of the form, is `true`.
  func says(_ name: StaticString) -> Bool {
    let text = body.span
    guard form.isEmpty else { return field(name) == "true" }
    return JSONChildren.value(of: name, in: text).map { text.extracting($0).equals("true") }
      ?? false
  }

  /// The text of the member `name` of the body, or of the field of the form; empty when there is
  /// none.
  func text(_ name: StaticString) -> String {
    form.isEmpty ? JSONChildren.text(of: name, in: body.span) : field(name)
  }

  private func field(_ name: StaticString) -> String {
    let part = form.first { $0.path == nil && $0.name == "\(name)" }
    return String(system: part?.bytes ?? [])
  }
}

/// A field of a form, and its bytes.
struct FormPart: Sendable {
  let name: String
  /// The file with the bytes; `nil` for a value on the command line.
  let path: String?
  /// The bytes; `nil` for a regular file, which is read while it is sent.
  let bytes: [UInt8]?
  let mediaType: String?
  /// The file's name for the server.
  let fileName: String?

  /// The value, if its name marks it as secret; otherwise `nil`.
  var secret: [UInt8]? {
    guard SecretName.isOfMember(name), let bytes else { return nil }
    return Array(bytes[bytes.span.trimmed()])
  }
}
