import Core

/// A kind of value that people type for a member of the request: how it is read, and how it is laid
/// over the body.
struct ArgumentKind: Sendable {
  enum Form {
    /// One value.
    case single
    /// `true` or `false`; `true` if the option stands alone.
    case flag
    /// No value: the option sets other members.
    case tag
    /// A member and its value, with that mark between: `NAME=VALUE`. Once for each member.
    case member(Unicode.Scalar)
  }

  /// The word for a value in help.
  let placeholder: String
  let form: Form
  let way: Edit.Way
  /// The words for completions.
  let valueHint: ValueHint
  private let read: @Sendable (String) throws(Failure) -> Source

  private init(
    _ placeholder: String, _ form: Form = .single, _ way: Edit.Way = .set,
    hint valueHint: ValueHint = .any,
    read: @escaping @Sendable (String) throws(Failure) -> Source
  ) {
    self.placeholder = placeholder
    self.form = form
    self.way = way
    self.valueHint = valueHint
    self.read = read
  }

  /// The edit by which `option` lays the value `text` at `path`, or at a member of it.
  func edit(_ option: String, _ text: String, at path: BodyPath) throws(Failure) -> Edit {
    guard case .member(let separator) = form else {
      return Edit(option, path, try read(text), way)
    }
    let (name, value) = Typed.parts(of: text, at: separator)
    guard let value, !name.isEmpty else { throw .usage("expected \(placeholder), got \(text)") }
    return Edit(option, path.appending(.member(name)), try within(name, read(value)))
  }
}

/// Kinds of values of parameters.
extension ArgumentKind {
  /// A text, or `@FILE`.
  static let text = Self("TEXT") { text throws(Failure) in try .text(text) }

  /// A text, `@FILE`, whose last line end does not count, or `-` for standard input.
  static let line = Self("TEXT") { text throws(Failure) in
    Descriptor.isStdin(text) ? .textFile("-", endsLine: true) : try .text(text, endsLine: true)
  }

  /// The id of a thing; no file is read.
  static let id = Self("ID", hint: .id) { text throws(Failure) in
    guard !text.isEmpty, !text.hasPrefix("@"), !Descriptor.isStdin(text) else {
      throw .usage("expected ID, got \(text)")
    }
    return .given(.text(text))
  }

  /// JSON, or `@FILE`.
  static let json = Self("JSON|@FILE") { text throws(Failure) in try .json(text) }

  /// A text; no file is read.
  static let word = Self("WORD") { text throws(Failure) in .given(.text(try checked(text))) }

  /// One of `words`, which the API documents, or another one.
  static func open(_ words: [String]) -> Self {
    let placeholder = words.count <= 4 ? words.joined(separator: "|") : "WORD"
    return Self(placeholder, hint: .oneOf(words)) { text throws(Failure) in
      .given(.text(try checked(text)))
    }
  }

  /// A whole number in JSON's spelling, so not `010`.
  static let integer = Self("N") { text throws(Failure) in
    let bytes = Array(text.utf8)
    let digits = bytes.first == ASCII.minus ? bytes.dropFirst() : bytes[...]
    guard digits.allSatisfy(ASCII.isDigit), JSONScan.accepts(bytes.span) else {
      throw .usage("expected a whole number, got \(text)")
    }
    return .given(.raw(bytes))
  }

  /// A number in JSON's spelling, so not `.5`.
  static let number = Self("N") { text throws(Failure) in
    let bytes = Array(text.utf8)
    guard JSONScan.accepts(bytes.span), JSONDecimal(bytes.span) != nil else {
      throw .usage("expected a number such as 0.5, got \(text)")
    }
    return .given(.raw(bytes))
  }

  static let flag = Self("true|false", .flag) { text throws(Failure) in try literal(text) }

  /// An entry of `metadata`.
  static let note = Self("KEY=VALUE", .member("=")) { .given(.text($0)) }

  /// A prompt template, `ID` or `ID@VERSION`.
  static let template = Self("ID[@VERSION]") { text throws(Failure) in
    let (id, version) = Typed.parts(of: text, at: "@")
    guard !id.isEmpty, version != "" else {
      throw .usage("expected ID or ID@VERSION, got \(text)")
    }
    var template: JSONValue = ["id": "\(id)"]
    template["version"] = version.map(JSONValue.text)
    return .given(template)
  }

  static let toolChoice = Self("CHOICE", hint: .oneOf(ToolChoice.names)) {
    text throws(Failure) in .given(try ToolChoice.value(text))
  }

  private static func checked(_ text: String) throws(Failure) -> String {
    guard !text.isEmpty else { throw .usage("expected a value") }
    return text
  }
}

/// Kinds of values of the members of a tool. The server checks them.
extension ArgumentKind {
  /// A number, `true`, `false` or `null` as JSON has it, or else a text or `@FILE`.
  static func literal(_ placeholder: String) -> Self {
    Self(placeholder) { text throws(Failure) in try literal(text) }
  }

  private static func literal(_ text: String) throws(Failure) -> Source {
    let isLiteral = text.utf8.first.map { !"\"{[ ".utf8.contains($0) } == true
    guard isLiteral, JSONScan.accepts(Array(text.utf8).span) else { return try .text(text) }
    return .given(.raw(Array(text.utf8)))
  }

  /// No value.
  static let tag = Self("", .tag) { _ in .given(.null) }

  /// Words with `;` between. The words of several such options add up.
  static let list = Self("A;B", .single, .append) { text in
    .given(.array(Typed.words(of: text, at: ";").map(JSONValue.text)))
  }

  /// A file with a text.
  static let file = Self("FILE", hint: .file) { .textFile($0) }

  /// A file with the schema of a function's parameters, or with all of the function.
  static let definition = Self("FILE", .single, .fill, hint: .file) { path in
    .file(path) { file throws(Failure) in ToolKind.definition(try file.json()) }
  }

  /// An environment variable with a secret.
  static let variable = Self("VARIABLE") { text throws(Failure) in
    .variable(try checked(text))
  }

  /// A member, and an environment variable with its value, a secret.
  static let variableMember = Self("NAME:VARIABLE", .member(":")) { text throws(Failure) in
    .variable(try checked(text))
  }
}
