import Core

/// Where the value of an edit comes from.
struct Source: Sendable {
  /// The value that the command line itself gives; `nil` when it is elsewhere.
  let given: JSONValue?
  /// The file with the value.
  let file: String?
  /// Whether the value must not be shown.
  private(set) var isSecret = false
  private let read: @Sendable (Sources) throws(Failure) -> JSONValue

  private init(
    given: JSONValue? = nil, file: String? = nil, isSecret: Bool = false,
    read: @escaping @Sendable (Sources) throws(Failure) -> JSONValue
  ) {
    self.given = given
    self.file = file
    self.isSecret = isSecret
    self.read = read
  }

  /// Reads the value. The line ends around a secret do not count.
  func value(_ sources: Sources) throws(Failure) -> JSONValue {
    let value = try read(sources)
    guard isSecret, let text = value.string else { return value }
    let range = text.span.trimmed { $0 == ASCII.lf || $0 == ASCII.cr }
    guard !range.isEmpty else { throw Sources.file([], file ?? "").fault("empty") }
    return .string(Array(text[range]))
  }

  /// The same source as that of a secret, if it is not on the command line.
  var asSecret: Source {
    var source = self
    source.isSecret = given == nil
    return source
  }
}

extension Source {
  static func given(_ value: JSONValue) -> Source { Source(given: value) { _ in value } }

  /// The file at `path`, of which `read` makes the value.
  static func file(
    _ path: String, _ read: @escaping @Sendable (FileText) throws(Failure) -> JSONValue
  ) -> Source {
    Source(file: path) { sources throws(Failure) in try read(try sources.text(path)) }
  }

  /// The text of the file at `path`; its last line end does not count with `endsLine`.
  static func textFile(_ path: String, endsLine: Bool = false) -> Source {
    file(path) { file throws(Failure) in
      try file.checkUTF8()
      var bytes = file.bytes
      if endsLine, bytes.last == ASCII.lf { bytes.removeLast() }
      if endsLine, bytes.count < file.bytes.count, bytes.last == ASCII.cr { bytes.removeLast() }
      return .string(bytes)
    }
  }

  /// The environment variable `name`, a secret.
  static func variable(_ name: String) -> Source {
    Source(isSecret: true) { sources throws(Failure) in
      guard let text = sources.variable(name) else {
        throw .usage("the environment variable \(name) is unset or empty")
      }
      return .text(text)
    }
  }

  /// The body in the preset `name`, or in the file at `name` if that is a path.
  static func preset(_ name: String) -> Source {
    Source(file: PresetFolder.isFile(name) ? name : nil) { sources throws(Failure) in
      try PresetFolder(sources).preset(name).root
    }
  }

  /// A text as people type it: `@FILE` is the text of a file, and `@@` a plain `@`.
  static func text(_ text: String, endsLine: Bool = false) throws(Failure) -> Source {
    if text.hasPrefix("@@") { return .given(.text(String(text.dropFirst()))) }
    guard text.hasPrefix("@") else { return .given(.text(text)) }
    return textFile(try path(in: text), endsLine: endsLine)
  }

  /// JSON as people type it: `@FILE` is a file with JSON. `read` makes the value of its text.
  static func json(
    _ text: String,
    _ read: @escaping @Sendable (FileText) throws(Failure) -> JSONValue = {
      file throws(Failure) in try file.json()
    }
  ) throws(Failure) -> Source {
    if text.hasPrefix("@") { return file(try path(in: text), read) }
    return .given(try asUsage(read(FileText(Array(text.utf8), name: ""))))
  }

  /// The file at `argument`, or `argument` itself if it begins as JSON does. `read` makes the value
  /// of its text.
  static func fileOrJSON(
    _ argument: String, _ read: @escaping @Sendable (FileText) throws(Failure) -> JSONValue
  ) throws(Failure) -> Source {
    guard Sources.isInPlace(argument) else { return file(argument, read) }
    return .given(try asUsage(read(FileText(argument.systemBytes, name: ""))))
  }

  /// The file that `text` names as a whole: `@FILE`, or `-` for standard input; `nil` for other
  /// text.
  static func file(in text: String) -> String? {
    if Descriptor.isStdin(text) { return "-" }
    return text.hasPrefix("@") ? String(text.dropFirst()) : nil
  }

  private static func path(in text: String) throws(Failure) -> String {
    guard text.utf8.count > 1 else { throw .usage("expected the name of a file after @") }
    return String(text.dropFirst())
  }
}
