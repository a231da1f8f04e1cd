import Core

/// One change of a request that the command line asks for.
struct BodyEdit: Sendable {
  /// The option that asks for it, as it is told in messages.
  let option: String
  let path: BodyPath
  /// What is set; `nil` takes away what is there.
  let source: ValueSource?

  init(_ option: String, _ path: BodyPath, _ source: ValueSource?) {
    (self.option, self.path, self.source) = (option, path, source)
  }

  init(_ option: String, _ path: String, _ value: JSONValue) {
    self.init(option, BodyPath(members: path), .given(value))
  }

  /// Carries it out.
  func apply(to body: inout RequestBody, _ reader: inout ValueReader) throws(Failure) {
    guard let source else { return body.remove(at: path) }
    try telling(of: option, body.set(reader.value(of: source), at: path))
  }
}

/// Does `work`; what it finds wrong with the usage is told of `place`, and what it finds wrong with
/// a file stays as it is.
func telling<Value>(
  of place: String, _ work: @autoclosure () throws(Failure) -> Value
) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    guard case .usage(let why) = error else { throw error }
    throw .usage("\(place): \(why)")
  }
}

/// Does `work` on JSON that the command line itself has, by which whatever is wrong is wrong usage.
func inPlace<Value>(
  _ work: @autoclosure () throws(Failure) -> Value
) throws(Failure) -> Value {
  do throws(Failure) {
    return try work()
  } catch {
    throw .usage(error.message ?? "")
  }
}

/// A value of the request: given on the command line, or the place where it is.
enum ValueSource: Sendable {
  case given(JSONValue)
  /// A file that is the text, or has the value as JSON. A text that is secret may have a line end
  /// behind it; the last one is left off where `endsLine` says so.
  case file(String, isJSON: Bool = false, isSecret: Bool = false, endsLine: Bool = false)
  /// A file that tells of the thing whose id it is, or of several.
  case told(String, IDKind, isList: Bool = false)
  /// An environment variable that has a secret.
  case secretVariable(String)

  /// `text` as people type one: `@FILE` is the text of a file, and a text that begins with `@` has
  /// one more before it.
  static func text(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@@") {
      return .given(.text(String(text.dropFirst())))
    }
    guard text.hasPrefix("@") else { return .given(.text(text)) }
    return .file(try path(in: text))
  }

  /// `text` as people type JSON: `@FILE` is a file that has it.
  static func json(_ text: String) throws(Failure) -> ValueSource {
    if text.hasPrefix("@") { return .file(try path(in: text), isJSON: true) }
    return .given(.raw(try checked(Array(text.utf8))))
  }

  /// The id of a thing, or `@FILE` that tells of it.
  static func id(_ text: String, of kind: IDKind) throws(Failure) -> ValueSource {
    guard !text.isEmpty else { throw .usage("expected ID or @FILE") }
    if Descriptor.isStdin(text) { return .told("-", kind) }
    return text.hasPrefix("@") ? .told(try path(in: text), kind) : .given(.text(text))
  }

  private static func path(in text: String) throws(Failure) -> String {
    guard text.utf8.count > 1 else { throw .usage("expected the name of a file after @") }
    return String(text.dropFirst())
  }

  /// `text` without the space around it, when it is one JSON value.
  private static func checked(_ text: [UInt8]) throws(Failure) -> [UInt8] {
    try inPlace(FileText(text, name: "").checkJSON())
    return Array(text[text.span.trimmed()])
  }

  /// The file that is read for it.
  var file: String? {
    switch self {
    case .file(let path, _, _, _), .told(let path, _, _): path
    case .given, .secretVariable: nil
    }
  }

  /// The text that is given.
  var given: String? {
    guard case .given(let value) = self else { return nil }
    return value.string.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Fetches the values of a request from where they are, and keeps what was secret of them.
struct ValueReader {
  private let sources: Sources
  /// What must not be shown.
  private(set) var secrets: [JSONValue] = []

  init(_ sources: Sources) { self.sources = sources }

  mutating func value(of source: ValueSource) throws(Failure) -> JSONValue {
    switch source {
    case .given(let value): return value
    case .secretVariable(let name):
      guard let text = sources.variable(name) else {
        throw .usage("the environment variable \(name) is unset or empty")
      }
      return secret(.text(text))
    case .told(let path, let kind, let isList):
      let ids = try ToldID.ids(kind, in: try sources.text(path))
      return isList ? .array(ids.map(JSONValue.text)) : .text(ids.last ?? "")
    case .file(let path, let isJSON, let isSecret, let endsLine):
      let file = try text(path)
      if isJSON {
        let value = try json(in: file)
        return isSecret ? secret(value) : value
      }
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

  /// The file at `path`, which must be UTF-8.
  func text(_ path: String) throws(Failure) -> FileText { try checked(try sources.text(path)) }

  /// The JSON that `argument` of `option` is, or that in the file which it names.
  func json(_ argument: String, of option: String) throws(Failure) -> FileText {
    try checked(try sources.json(argument, of: option))
  }

  /// `file`, which must be UTF-8.
  func checked(_ file: FileText) throws(Failure) -> FileText {
    if let place = UTF8Repair.firstFault(in: file.bytes.span) {
      throw file.fault("not UTF-8", at: place)
    }
    return file
  }

  /// The JSON value that `file` is.
  func json(in file: FileText) throws(Failure) -> JSONValue {
    try file.checkJSON()
    return .raw(Array(file.bytes[file.bytes.span.trimmed()]))
  }

  private mutating func secret(_ value: JSONValue) -> JSONValue {
    secrets.append(value)
    return value
  }
}
