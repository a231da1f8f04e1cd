import Core

/// A kind of value that people type for a member of the request: how it is read.
struct ArgumentKind: Sendable {
  enum Form {
    /// One value.
    case single
    /// `true` or `false`; `true` if the option stands alone.
    case flag
    /// No value: the option sets other members.
    case tag
    /// Words with `;` between. The words of several such options add up.
    case list
    /// A member and its value, with that mark between: `NAME=VALUE`. Once for each member.
    case member(Unicode.Scalar)
  }

  let form: Form
  /// The word for a value in help.
  let placeholder: String
  /// The words that the API documents. Another word is passed on with a warning.
  let known: [String]
  /// The words for completions.
  let valueHint: ValueHint
  /// Whether it names the place of a secret.
  let isSecret: Bool
  private let read: @Sendable (String) throws(Failure) -> ValueSource

  private init(
    _ placeholder: String, _ form: Form = .single, known: [String] = [],
    hint valueHint: ValueHint = .any, isSecret: Bool = false,
    read: @escaping @Sendable (String) throws(Failure) -> ValueSource
  ) {
    self.placeholder = placeholder
    self.form = form
    self.known = known
    self.valueHint = valueHint
    self.isSecret = isSecret
    self.read = read
  }

  /// Reads `text` as the value for `path`. Returns the value and its own path, which is longer for
  /// a member.
  func setting(_ text: String, at path: BodyPath) throws(Failure) -> (BodyPath, ValueSource) {
    guard case .member(let separator) = form else { return (path, try read(text)) }
    let (name, value) = Typed.parts(of: text, at: separator)
    guard let value, !name.isEmpty else { throw .usage("expected \(placeholder), got \(text)") }
    return (path.appending(.member(name)), try within(name, read(value)))
  }

  /// The warning of a value that the API does not document; `nil` for others.
  func hint(_ text: String) -> String? {
    let isKnown = known.contains { $0 == text || $0.hasSuffix("=") && text.hasPrefix($0) }
    return known.isEmpty || isKnown || text.hasPrefix("{") ? nil : Self.hint(text, known)
  }

  static func hint(_ word: String, _ known: [String]) -> String {
    "\(word) is not documented, and passed on as it is\(Core.hint(for: word, among: known))"
  }
}

extension ArgumentKind {
  /// A text, or `@FILE`.
  static let text = Self("TEXT", read: ValueSource.text)

  /// A text, `@FILE`, whose last line end does not count, or `-` for standard input.
  static let line = Self("TEXT") { text throws(Failure) in
    let source = Descriptor.isStdin(text) ? .file("-") : try ValueSource.text(text)
    return source.file.map { .file($0, endsLine: true) } ?? source
  }

  /// The id of a thing; no file is read.
  static let id = Self("ID", hint: .id) { text throws(Failure) in .given(try id(text)) }

  /// Ids with `;` between.
  static let ids = Self("A;B", .list) { text throws(Failure) in
    .given(.array(try words(text).map { word throws(Failure) in try id(word) }))
  }

  /// JSON, or `@FILE`.
  static let json = Self("JSON|@FILE", read: ValueSource.json)

  /// A number, `true`, `false` or `null` as JSON has it, or else a text or `@FILE`.
  static let literal = Self("VALUE") { text throws(Failure) in
    let isLiteral = text.utf8.first.map { !"\"{[ ".utf8.contains($0) } == true
    guard isLiteral, JSONScan.accepts(Array(text.utf8).span) else {
      return try ValueSource.text(text)
    }
    return .given(.raw(Array(text.utf8)))
  }

  /// A text; no file is read.
  static let word = Self("WORD") { text throws(Failure) in .given(.text(try checked(text))) }

  /// One of `words`, which the API documents, or another one, with a warning.
  static func open(_ words: [String]) -> Self {
    let placeholder = words.count <= 4 ? words.joined(separator: "|") : "WORD"
    return Self(placeholder, known: words, hint: .oneOf(words)) { text throws(Failure) in
      .given(.text(try checked(text)))
    }
  }

  /// A whole number in JSON's spelling, so not `010`.
  static let integer = Self("N") { text throws(Failure) in .given(try integer(text)) }

  /// A number in JSON's spelling, so not `.5`.
  static let number = Self("N") { text throws(Failure) in
    let bytes = Array(text.utf8)
    guard JSONScan.accepts(bytes.span), JSONDecimal(bytes.span) != nil else {
      throw .usage("expected a number such as 0.5, got \(text)")
    }
    return .given(.raw(bytes))
  }

  static let flag = Self("true|false", .flag) { text throws(Failure) in
    guard ["true", "false"].contains(text) else {
      throw .usage("expected true or false, got \(text)")
    }
    return .given(.bool(text == "true"))
  }

  static let tag = Self("", .tag) { _ in .given(.null) }

  static let list = Self("A;B", .list) { text throws(Failure) in
    .given(.array(try words(text).map(JSONValue.text)))
  }

  /// Skills, each `ID` or `ID@VERSION`, with `;` between.
  static let skills = Self("ID[@VERSION];...") { text throws(Failure) in
    .given(
      .array(
        try words(text).map { word in
          let (id, version) = Typed.parts(of: word, at: "@")
          return versioned(["type": "skill_reference", "skill_id": "\(id)"], version)
        }))
  }

  /// A file with a text or JSON.
  static func file(isJSON: Bool = false, isSecret: Bool = false) -> Self {
    Self("FILE", hint: .file, isSecret: isSecret) { text throws(Failure) in
      .file(try checked(text), isJSON: isJSON, isSecret: isSecret)
    }
  }

  static let url = Self("URL") { text throws(Failure) in
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw .usage("expected a URL that begins with https:// or http://, got \(text)")
    }
    return .given(.text(text))
  }

  /// An environment variable with a secret.
  static let secretVariable = Self("VARIABLE", isSecret: true) { text throws(Failure) in
    .secretVariable(try checked(text))
  }

  /// A member, and an environment variable with its value, a secret.
  static let secretMember = Self("NAME:VARIABLE", .member(":"), isSecret: true) {
    text throws(Failure) in .secretVariable(try checked(text))
  }

  /// An entry of `metadata`.
  static let note = Self("KEY=VALUE", .member("=")) { .given(.text($0)) }

  /// A prompt template, `ID` or `ID@VERSION`.
  static let template = Self("ID[@VERSION]") { text throws(Failure) in
    let (id, version) = Typed.parts(of: text, at: "@")
    guard !id.isEmpty, version != "" else {
      throw .usage("expected ID or ID@VERSION, got \(text)")
    }
    return .given(versioned(["id": "\(id)"], version))
  }

  static let toolChoice = Self("CHOICE", known: ToolChoice.names, hint: .oneOf(ToolChoice.names)) {
    text throws(Failure) in .given(try ToolChoice.value(text))
  }

  private static func checked(_ text: String) throws(Failure) -> String {
    guard !text.isEmpty else { throw .usage("expected a value") }
    return text
  }

  private static func id(_ text: String) throws(Failure) -> JSONValue {
    guard !text.isEmpty, !text.hasPrefix("@"), !Descriptor.isStdin(text) else {
      throw .usage("expected ID, got \(text)")
    }
    return .text(text)
  }

  private static func words(_ text: String) throws(Failure) -> [String] {
    let words = Typed.words(of: text, at: ";")
    guard !words.contains("") else { throw .usage("expected words with ; between, got \(text)") }
    return words
  }

  private static func integer(_ text: String) throws(Failure) -> JSONValue {
    let bytes = Array(text.utf8)
    let digits = bytes.first == ASCII.minus ? bytes.dropFirst() : bytes[...]
    guard digits.allSatisfy(ASCII.isDigit), JSONScan.accepts(bytes.span) else {
      throw .usage("expected a whole number, got \(text)")
    }
    return .raw(bytes)
  }

  private static func versioned(_ value: JSONValue, _ version: String?) -> JSONValue {
    var value = value
    value["version"] = version.map(JSONValue.text)
    return value
  }
}

/// Cuts the value of an option into its parts.
enum Typed {
  /// The words of `text` between `separator`s. One behind a backslash separates nothing, and
  /// neither does one in a JSON object or array behind `=`.
  static func words(of text: String, at separator: Unicode.Scalar) -> [String] {
    let bytes = Array(text.utf8)
    let separator = UInt8(ascii: separator)
    var words: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      if bytes[start] == separator {
        words.append([])
        continue
      }
      var byte = bytes[start]
      if byte == ASCII.backslash, index < bytes.count, bytes[index] == separator {
        byte = separator
        index += 1
      }
      words[words.count - 1].append(byte)
      if byte == UInt8(ascii: "="), index < bytes.count,
        [ASCII.openBrace, ASCII.openBracket].contains(bytes[index]),
        let end = JSONChildren.endOfValue(bytes.span, at: index)
      {
        words[words.count - 1] += bytes[index..<end]
        index = end
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text before the first `separator`, and the text behind it; `nil` without a separator.
  static func parts(
    of text: String, at separator: Unicode.Scalar
  ) -> (before: String, behind: String?) {
    guard let (before, behind) = text[...].cut(at: String(separator)) else { return (text, nil) }
    return (String(before), String(behind))
  }
}
