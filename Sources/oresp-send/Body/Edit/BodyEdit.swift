import Core

/// A change of the request's body by an option. Its value is JSON, or the `ValueSource` that it is
/// read from.
struct BodyEdit<Value: Sendable>: Sendable {
  /// The option as messages name it.
  let option: String
  let path: BodyPath
  /// The value that is set; `nil` removes the member.
  let value: Value?

  init(_ option: String, _ path: BodyPath, _ value: Value?) {
    self.option = option
    self.path = path
    self.value = value
  }

  init(_ option: String, _ path: String, _ value: Value) {
    self.init(option, BodyPath(members: path), value)
  }
}

extension BodyEdit<ValueSource> {
  /// The change with its value.
  func read(_ reader: inout ValueReader) throws(Failure) -> BodyEdit<JSONValue> {
    guard let value else { return BodyEdit<JSONValue>(option, path, nil) }
    return BodyEdit<JSONValue>(option, path, try within(option, reader.value(of: value)))
  }
}

extension BodyEdit<JSONValue> {
  func apply(to body: inout RequestBody) throws(Failure) {
    guard let value else { return body.remove(at: path) }
    try within(option, body.set(value, at: path))
  }
}

/// Does `work`, and puts `place` before its message on wrong usage. Other failures pass unchanged.
func within<Value>(
  _ place: String, _ work: @autoclosure () throws(Failure) -> Value
) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    guard case .usage(let why) = error else { throw error }
    throw .usage("\(place): \(why)")
  }
}

/// Does `work` on JSON of the command line itself, and makes its failures wrong usage.
func asUsage<Value>(_ work: @autoclosure () throws(Failure) -> Value) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    throw .usage(error.message ?? "")
  }
}

/// A value of the request, or the place to read it from.
enum ValueSource: Sendable {
  case given(JSONValue)
  /// A file with the value as text or JSON. Line ends around a secret do not count, nor does the
  /// last one with `endsLine`.
  case file(String, isJSON: Bool = false, isSecret: Bool = false, endsLine: Bool = false)
  /// An environment variable with a secret.
  case secretVariable(String)

  /// The file that `text` names as a whole: `@FILE`, or `-` for standard input; `nil` for other
  /// text.
  static func file(in text: String) -> String? {
    if Descriptor.isStdin(text) { return "-" }
    return text.hasPrefix("@") ? String(text.dropFirst()) : nil
  }

  /// Reads a text as people type it: `@FILE` is the text of a file, and `@@` a plain `@`.
  static func text(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@@") { return .given(.text(String(text.dropFirst()))) }
    guard text.hasPrefix("@") else { return .given(.text(text)) }
    return .file(try path(in: text))
  }

  /// Reads JSON as people type it: `@FILE` is a file with JSON.
  static func json(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@") { return .file(try path(in: text), isJSON: true) }
    return .given(try asUsage(FileText(Array(text.utf8), name: "").json()))
  }

  private static func path(in text: String) throws(Failure) -> String {
    guard text.utf8.count > 1 else { throw .usage("expected the name of a file after @") }
    return String(text.dropFirst())
  }

  /// The file with the value.
  var file: String? {
    switch self {
    case .file(let path, _, _, _): path
    case .given, .secretVariable: nil
    }
  }
}

/// Reads the values of a request, and notes the secrets among them.
struct ValueReader {
  let sources: Sources
  /// The values that must not be shown.
  private(set) var secrets: [JSONValue] = []

  mutating func value(of source: ValueSource) throws(Failure) -> JSONValue {
    switch source {
    case .given(let value): return value
    case .secretVariable(let name):
      guard let text = sources.variable(name) else {
        throw .usage("the environment variable \(name) is unset or empty")
      }
      return secret(.text(text))
    case .file(let path, let isJSON, let isSecret, let endsLine):
      let file = try sources.text(path)
      if isJSON {
        let value = try file.json()
        return isSecret ? secret(value) : value
      }
      try file.checkUTF8()
      guard isSecret else {
        var bytes = file.bytes
        if endsLine, bytes.last == ASCII.lf { bytes.removeLast() }
        if endsLine, bytes.count < file.bytes.count, bytes.last == ASCII.cr { bytes.removeLast() }
        return .string(bytes)
      }
      let range = file.bytes.span.trimmed { $0 == ASCII.lf || $0 == ASCII.cr }
      guard !range.isEmpty else { throw file.fault("empty") }
      return secret(.string(Array(file.bytes[range])))
    }
  }

  private mutating func secret(_ value: JSONValue) -> JSONValue {
    // Headers of an MCP server are secrets, each for itself.
    secrets += value.opened.members?.map(\.value) ?? [value]
    return value
  }
}
