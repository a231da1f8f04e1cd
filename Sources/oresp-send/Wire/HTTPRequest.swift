import Core

/// What is to be sent.
struct HTTPRequest: Sendable {
  var method = "POST"
  var url: String
  /// Whole header lines, without their line ends.
  var headers: [String]
  var body: [UInt8]
  /// What is sent as a form, in the place of the body.
  var form: [FormPart] = []
  /// Whether the server is on this machine, where no proxy is asked.
  var isLocal: Bool
  /// Whether everybody on the way can read it.
  var isInTheClear = false
  /// What of it people can change.
  var origin = RequestOrigin()
  /// When all of it must be over, if ever (`Clock.steadyMilliseconds`).
  var deadline: Int?

  /// Its URL as it may be shown: a query may hold a secret.
  var openURL: String { String(url.prefix { $0 != "?" }) }

  /// Whether the member `name` of the body, or the field of the form, is true.
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

/// What people have said for a request to be as it is.
struct RequestOrigin: Sendable {
  /// The variable or the option that says where the server is.
  var place = "OPENAI_BASE_URL"
  /// The options that set something in its body, and what each has set.
  var options: [(name: String, path: String)] = []

  /// The option that has set what the server calls `parameter`, or a part of it, or what it is a
  /// part of; the last of several.
  func option(of parameter: String) -> String? {
    options.last { option in
      let (short, long) =
        option.path.utf8.count < parameter.utf8.count
        ? (option.path, parameter) : (parameter, option.path)
      return !short.isEmpty && long.hasPrefix(short)
        && [nil, ".", "["].contains(long.dropFirst(short.count).first)
    }?.name
  }
}

/// A field of a form, and its bytes.
struct FormPart: Sendable {
  let name: String
  /// The file that has the bytes; `nil` of a value on the command line.
  let path: String?
  /// The bytes; `nil` of a regular file, which is read while it is sent.
  let bytes: [UInt8]?
  let mediaType: String?
  /// The name that the server is given for the file.
  let fileName: String?

  /// The value, if it is one that must not be shown.
  var secret: [UInt8]? {
    guard RequestHeader.isSecret(name), let bytes else { return nil }
    return Array(bytes[bytes.span.trimmed()])
  }
}
