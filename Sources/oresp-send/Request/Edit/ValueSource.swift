package import Core

/// A value of the request: given on the command line, or the place where it is.
package enum ValueSource: Sendable {
  case given(JSONValue)
  /// A file that is the text.
  case textFile(String)
  /// A file that has the value as JSON.
  case jsonFile(String)
  /// An environment variable that has a secret.
  case secretVariable(String)
  /// A file that has a secret, perhaps with a line end behind it.
  case secretFile(String)
  /// A file that has secrets as JSON.
  case secretJSONFile(String)

  /// `text` as people type one: `@FILE` is the text of a file, and a text that begins with `@` has
  /// one more before it.
  static func text(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@@") { return .given(.text(String(text.dropFirst()))) }
    guard text.hasPrefix("@") else { return .given(.text(text)) }
    return .textFile(try file(text))
  }

  /// `text` as people type JSON: `@FILE` is a file that has it.
  static func json(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@") { return .jsonFile(try file(text)) }
    return .given(.raw(try checked(Array(text.utf8))))
  }

  private static func file(_ text: String) throws(Failure) -> String {
    guard text.utf8.count > 1 else { throw .usage("expected the name of a file behind @") }
    return String(text.dropFirst())
  }

  /// `text` without the space around it, when it is one JSON value.
  private static func checked(_ text: [UInt8]) throws(Failure) -> [UInt8] {
    if let fault = JSONScanner.fault(in: text.span) { throw .usage("not JSON: \(fault)") }
    return trimmed(text, ASCII.isSpace)
  }

  fileprivate static func trimmed(_ text: [UInt8], _ isSpace: (UInt8) -> Bool) -> [UInt8] {
    let start = text.firstIndex { !isSpace($0) } ?? text.count
    let end = text.lastIndex { !isSpace($0) } ?? start - 1
    return Array(text[start..<max(start, end + 1)])
  }

  /// The file that is read for it.
  var file: String? {
    switch self {
    case .textFile(let path), .jsonFile(let path), .secretFile(let path), .secretJSONFile(let path):
      path
    case .given, .secretVariable: nil
    }
  }
}

/// Fetches the values of a request from where they are, and keeps what was secret of them.
package struct ValueReader {
  private let sources: RequestBuilder.Sources
  /// What must not be shown.
  private(set) var secrets: [JSONValue] = []

  init(_ sources: RequestBuilder.Sources) { self.sources = sources }

  mutating func value(of source: ValueSource) throws(Failure) -> JSONValue {
    switch source {
    case .given(let value): return value
    case .textFile(let path): return .string(try text(of: path))
    case .jsonFile(let path): return try json(in: path)
    case .secretVariable(let name):
      guard let text = sources.variable(name) else {
        throw .usage("the environment variable \(name) is unset or empty")
      }
      return secret(.text(text))
    case .secretFile(let path):
      let text = ValueSource.trimmed(try text(of: path)) { $0 == ASCII.lf || $0 == ASCII.cr }
      guard !text.isEmpty else { throw .broken(path, "empty") }
      return secret(.string(text))
    case .secretJSONFile(let path): return secret(try json(in: path))
    }
  }

  /// The JSON value in the file at `path`.
  func json(in path: String) throws(Failure) -> JSONValue {
    let text = try text(of: path)
    if let fault = JSONScanner.fault(in: text.span) {
      throw .broken(path, "not JSON: \(fault)")
    }
    return .raw(ValueSource.trimmed(text, ASCII.isSpace))
  }

  private func text(of path: String) throws(Failure) -> [UInt8] {
    let text = try sources.read(path)
    guard UTF8Repair.isValid(text.span) else {
      throw .broken(path, "not UTF-8")
    }
    return text
  }

  private mutating func secret(_ value: JSONValue) -> JSONValue {
    secrets.append(value)
    return value
  }
}
