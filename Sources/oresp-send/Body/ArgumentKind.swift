import Core

/// What may be typed for a value of the request, and what it becomes.
struct ArgumentKind: Sendable {
  /// How often an option of a tool is given, and with what.
  enum Form {
    /// Once, with a value.
    case single
    /// Once, with `true` or `false`, or alone, which is `true`.
    case flag
    /// Once and alone: what else the option sets is all.
    case tag
    /// As words with `;` between; those of several go on.
    case list
    /// Once a member, as `NAME=VALUE` or the like.
    case member(Unicode.Scalar)
  }

  let form: Form
  /// What stands for a value of it in the manual.
  let placeholder: String
  /// The words that the API documents; another one is passed on, and told.
  let known: [String]
  /// What a shell offers for it.
  let valueHint: ValueHint
  /// Whether it says where a secret is.
  let isSecret: Bool
  private let read: @Sendable (String) throws(Failure) -> ValueSource

  private init(
    _ placeholder: String, _ form: Form = .single, known: [String] = [],
    hint valueHint: ValueHint = .any, isSecret: Bool = false,
    read: @escaping @Sendable (String) throws(Failure) -> ValueSource
  ) {
    (self.placeholder, self.form, self.known) = (placeholder, form, known)
    (self.valueHint, self.isSecret, self.read) = (valueHint, isSecret, read)
  }

  /// What `text` sets, and to what, where `path` leads to what the argument is about.
  func setting(_ text: String, at path: BodyPath) throws(Failure) -> (BodyPath, ValueSource) {
    guard case .member(let separator) = form else { return (path, try read(text)) }
    let (name, value) = Typed.parts(of: text, at: separator)
    guard let value, !name.isEmpty else { throw .usage("expected \(placeholder), got \(text)") }
    return (path.appending(.member(name)), try telling(of: name, read(value)))
  }

  /// What is told of a value that the API does not document, but may come to know.
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

  /// The same, of a file without its last line end.
  static let line = Self("TEXT") { text throws(Failure) in
    let source = try ValueSource.text(text)
    return source.file.map { .file($0, endsLine: true) } ?? source
  }

  /// The id of a thing, or `@FILE` that tells of it.
  static func id(of kind: IDKind) -> Self {
    Self("ID|@FILE", hint: .id) { text throws(Failure) in try ValueSource.id(text, of: kind) }
  }

  /// Ids of things with `;` between, or `@FILE` that tells of all of them.
  static func ids(of kind: IDKind) -> Self {
    Self("A;B|@FILE", .list) { text throws(Failure) in
      let ids = try words(text)
      let source = try ValueSource.id(ids.first ?? "", of: kind)
      guard case .told(let path, _, _) = source else {
        return .given(.array(ids.map(JSONValue.text)))
      }
      guard ids.count == 1 else { throw .usage("expected ids or one @FILE, got \(text)") }
      return .told(path, kind, isList: true)
    }
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

  /// A text that is no file's.
  static let word = Self("WORD") { text throws(Failure) in .given(.text(try checked(text))) }

  /// One of the words that the API documents; another one is passed on, and told.
  static func open(_ words: [String]) -> Self {
    let placeholder = words.count <= 4 ? words.joined(separator: "|") : "WORD"
    return Self(placeholder, known: words, hint: .oneOf(words)) { text throws(Failure) in
      .given(.text(try checked(text)))
    }
  }

  /// A whole number as JSON has it, by which `010` is none.
  static let integer = Self("N") { text throws(Failure) in .given(try integer(text)) }

  /// A number as JSON has it, by which `.5` is none.
  static let number = Self("N") { text throws(Failure) in
    let bytes = Array(text.utf8)
    guard JSONScan.accepts(bytes.span), JSONDecimal(bytes.span) != nil else {
      throw .usage("expected a number such as 0.5, got \(text)")
    }
    return .given(.raw(bytes))
  }

  /// `true` or `false`; the name alone is `true`.
  static let flag = Self("true|false", .flag) { text throws(Failure) in
    guard ["true", "false"].contains(text) else {
      throw .usage("expected true or false, got \(text)")
    }
    return .given(.bool(text == "true"))
  }

  /// No value of its own: what else the option sets is all.
  static let tag = Self("", .tag) { _ in .given(.null) }

  /// Words with `;` between.
  static let list = Self("A;B", .list) { text throws(Failure) in
    .given(.array(try words(text).map(JSONValue.text)))
  }

  /// `ID` or `ID@VERSION`, with `;` between: skills.
  static let skills = Self("ID[@VERSION];...") { text throws(Failure) in
    .given(
      .array(
        try words(text).map { word in
          let (id, version) = Typed.parts(of: word, at: "@")
          return versioned(["type": "skill_reference", "skill_id": "\(id)"], version)
        }))
  }

  /// A file that has a text or JSON, which may be secret.
  static func file(isJSON: Bool = false, isSecret: Bool = false) -> Self {
    Self("FILE", hint: .file, isSecret: isSecret) { text throws(Failure) in
      .file(try checked(text), isJSON: isJSON, isSecret: isSecret)
    }
  }

  /// A URL of a server.
  static let url = Self("URL") { text throws(Failure) in
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw .usage("expected a URL that begins with https:// or http://, got \(text)")
    }
    return .given(.text(text))
  }

  /// A secret: an environment variable that has it.
  static let secretVariable = Self("VARIABLE", isSecret: true) { text throws(Failure) in
    .secretVariable(try checked(text))
  }

  /// A member, and the environment variable that has its value, a secret.
  static let secretMember = Self("NAME:VARIABLE", .member(":"), isSecret: true) {
    text throws(Failure) in
    .secretVariable(try checked(text))
  }

  /// A note on the response.
  static let note = Self("KEY=VALUE", .member("=")) { .given(.text($0)) }

  /// A member whose value is a text or `@FILE`.
  static let variable = Self("NAME=VALUE", .member("="), read: ValueSource.text)

  /// How many tokens a context may have before it is compacted.
  static let compaction = Self("N") { text throws(Failure) in
    .given([["type": "compaction", "compact_threshold": try integer(text)]])
  }

  /// `ID` or `ID@VERSION`: a prompt template.
  static let template = Self("ID[@VERSION]") { text throws(Failure) in
    let (id, version) = Typed.parts(of: text, at: "@")
    guard !id.isEmpty, version != "" else {
      throw .usage("expected ID or ID@VERSION, got \(text)")
    }
    return .given(versioned(["id": "\(id)"], version))
  }

  /// Which tool is to be called.
  static let toolChoice = Self(
    "CHOICE", known: ToolChoice.names, hint: .oneOf(ToolChoice.names)
  ) { text throws(Failure) in .given(try ToolChoice.value(text)) }

  private static func checked(_ text: String) throws(Failure) -> String {
    guard !text.isEmpty else { throw .usage("expected a value") }
    return text
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

/// Cuts what people type for one option into its parts.
enum Typed {
  /// The words of `text` between `separator`s. A backslash before one makes it plain, and so does
  /// JSON: an object or array behind `=` is whole.
  static func words(of text: String, at separator: Unicode.Scalar) -> [String] {
    let (bytes, separator) = (Array(text.utf8), UInt8(ascii: separator))
    var words: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      if bytes[start] == separator {
        words.append([])
        continue
      }
      var taken = bytes[start]
      if taken == ASCII.backslash, index < bytes.count, bytes[index] == separator {
        taken = separator
        index += 1
      }
      words[words.count - 1].append(taken)
      if taken == UInt8(ascii: "="), let end = endOfContainer(bytes, at: index) {
        words[words.count - 1] += bytes[index..<end]
        index = end
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the JSON object or array at `start` ends; `nil` when none is there.
  private static func endOfContainer(_ bytes: [UInt8], at start: Int) -> Int? {
    guard start < bytes.count, [ASCII.openBrace, ASCII.openBracket].contains(bytes[start]) else {
      return nil
    }
    return JSONChildren.endOfValue(bytes.span, at: start)
  }

  /// What stands before and behind the first `separator` of `text`.
  static func parts(
    of text: String, at separator: Unicode.Scalar
  ) -> (before: String, behind: String?) {
    guard let (before, behind) = text[...].cut(at: String(separator)) else { return (text, nil) }
    return (String(before), String(behind))
  }
}
