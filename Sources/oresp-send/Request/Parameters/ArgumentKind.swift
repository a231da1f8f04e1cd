import Core

/// What may be typed for a value of the request, and what it becomes.
enum ArgumentKind: Sendable {
  /// A text, or `@FILE`.
  case text
  /// A text of at most so many characters that is no file's.
  case word(longest: Int? = nil)
  /// One of the words that the API documents; another one is passed on, and told.
  case open([String])
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// `true` or `false`; the name alone is `true`.
  case flag
  /// Words with `;` between, at most so many.
  case list(most: Int? = nil)
  /// JSON, or `@FILE`.
  case json
  /// A file that has a text or JSON, which may be secret.
  case file(isJSON: Bool = false, isSecret: Bool = false)
  /// A URL of a server.
  case url
  /// A secret: an environment variable that has it.
  case secretVariable
  /// `NAME:VARIABLE`, a member and the environment variable that has its value, a secret.
  case secretMember
  /// `ID` or `ID@VERSION`, with `;` between: skills.
  case skills
  /// No value of its own: what else the option sets is all.
  case tag
  /// How many tokens a context may have before it is compacted.
  case compaction
  /// `KEY=VALUE`, a note on the response.
  case note
  /// `ID` or `ID@VERSION`: a prompt template.
  case template
  /// `NAME=VALUE`, a member whose value is a text or `@FILE`.
  case variable
  /// Which tool is to be called.
  case toolChoice
}

extension ArgumentKind {
  /// The limits of the API for notes on a response.
  static let mostNotes = 16
  private static let (longestKey, longestNote) = (64, 512)

  /// What `text` sets, and to what, where `path` leads to what the argument is about.
  func setting(_ text: String, at path: BodyPath) throws(Failure) -> (BodyPath, ValueSource) {
    switch self {
    case .secretMember:
      let (name, variable) = try Self.pair(text, ":", "NAME:VARIABLE")
      guard !variable.isEmpty else { throw .usage("expected NAME:VARIABLE, got \(text)") }
      return (path.appending(.member(name)), .secretVariable(variable))
    case .note:
      let (key, value) = try Self.pair(text, "=", "KEY=VALUE")
      let place = path.appending(.member(try Self.word(key, Self.longestKey)))
      guard value.unicodeScalars.count <= Self.longestNote else {
        throw .usage("\(key): expected a value of \(Self.longestNote) characters at most")
      }
      return (place, .given(.text(value)))
    case .variable:
      let (name, value) = try Self.pair(text, "=", "NAME=VALUE")
      return (path.appending(.member(name)), try telling(of: name, ValueSource.text(value)))
    default: return (path, try source(text))
    }
  }

  /// What `text` becomes.
  private func source(_ text: String) throws(Failure) -> ValueSource {
    switch self {
    case .text: return try ValueSource.text(text)
    case .json: return try ValueSource.json(text)
    case .word(let longest): return .given(.text(try Self.word(text, longest)))
    case .open: return .given(.text(try Self.word(text)))
    case .integer(let range): return .given(try Self.integer(text, range))
    case .number(let range): return .given(try Self.number(text, range))
    case .flag:
      guard ["true", "false"].contains(text) else {
        throw .usage("expected true or false, got \(text)")
      }
      return .given(.bool(text == "true"))
    case .list(let most): return .given(.array(try Self.list(text, most).map(JSONValue.text)))
    case .skills: return .given(.array(try Self.list(text, 200).map(Self.skill)))
    case .url:
      guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
        throw .usage("expected a URL that begins with https:// or http://, got \(text)")
      }
      return .given(.text(text))
    case .file(let isJSON, let isSecret):
      return .file(try Self.word(text), isJSON: isJSON, isSecret: isSecret)
    case .secretVariable: return .secretVariable(try Self.word(text))
    case .compaction:
      let number = try Self.integer(text, 1000...JSONNumber.largest)
      let compaction = JSONValue.object([
        ("type", .text("compaction")), ("compact_threshold", number),
      ])
      return .given(.array([compaction]))
    case .template:
      let (id, version) = Typed.parts(of: text, at: "@")
      guard !id.isEmpty, version != "" else {
        throw .usage("expected ID or ID@VERSION, got \(text)")
      }
      return .given(Self.versioned([("id", .text(id))], version))
    case .toolChoice: return .given(try ToolChoice.value(text))
    case .secretMember, .note, .variable, .tag: throw .usage("takes no such value: \(text)")
    }
  }

  /// What is told of a value that the API does not document, but may come to know.
  func hint(_ text: String) -> String? {
    guard case .open(let known) = self, !known.contains(text) else { return nil }
    return Self.hint(text, known)
  }

  static func hint(_ word: String, _ known: [String]) -> String {
    "\(word) is not documented, and passed on as it is\(Typed.nearest(word, among: known))"
  }

  private static func pair(
    _ text: String, _ separator: Character, _ form: String
  ) throws(Failure) -> (name: String, value: String) {
    let (name, value) = Typed.parts(of: text, at: separator)
    guard let value, !name.isEmpty else { throw .usage("expected \(form), got \(text)") }
    return (name, value)
  }

  private static func word(_ text: String, _ longest: Int? = nil) throws(Failure) -> String {
    guard !text.isEmpty else { throw .usage("expected a value") }
    if let longest, text.unicodeScalars.count > longest {
      throw .usage("expected \(longest) characters at most, got \(text.unicodeScalars.count)")
    }
    return text
  }

  private static func list(_ text: String, _ most: Int?) throws(Failure) -> [String] {
    let words = Typed.words(of: text, at: ";")
    guard !words.contains("") else { throw .usage("expected words with ; between, got \(text)") }
    if let most, words.count > most {
      throw .usage("expected \(most) at most, got \(words.count)")
    }
    return words
  }

  private static func skill(_ text: String) -> JSONValue {
    let (id, version) = Typed.parts(of: text, at: "@")
    return versioned([("type", .text("skill_reference")), ("skill_id", .text(id))], version)
  }

  private static func versioned(
    _ members: [(name: String, value: JSONValue)], _ version: String?
  ) -> JSONValue {
    .object(members + (version.map { [("version", .text($0))] } ?? []))
  }

  private static func integer(
    _ text: String, _ range: ClosedRange<Int>
  ) throws(Failure) -> JSONValue {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy(ASCII.isDigit), JSONScanner.accepts(bytes.span),
      let number = JSONNumber.integer(bytes.span), range.contains(number)
    else {
      throw .usage("expected a whole number \(Self.told(range)), got \(text)")
    }
    return .raw(bytes)
  }

  private static func told(_ range: ClosedRange<Int>) -> String {
    let isOpen = range.upperBound == JSONNumber.largest
    return "from \(range.lowerBound)" + (isOpen ? "" : " to \(range.upperBound)")
  }

  /// A number as JSON has it, by which `.5` is none.
  private static func number(
    _ text: String, _ range: ClosedRange<Double>
  ) throws(Failure) -> JSONValue {
    let bytes = Array(text.utf8)
    let isNumber = bytes.first.map { ASCII.isDigit($0) || $0 == ASCII.minus } ?? false
    guard isNumber, JSONScanner.accepts(bytes.span), let number = Double(text),
      range.contains(number)
    else {
      let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
      throw .usage("expected a number such as 0.5 from \(low) to \(high), got \(text)")
    }
    return .raw(bytes)
  }

  /// What a shell offers for it.
  var valueHint: ValueHint {
    switch self {
    case .open(let words): .oneOf(words)
    case .file: .file
    case .toolChoice: .oneOf(ToolChoice.names)
    default: .any
    }
  }

  /// What stands for a value of it in the manual.
  var placeholder: String {
    switch self {
    case .text: "TEXT"
    case .word: "WORD"
    case .open(let words): words.count <= 4 ? words.joined(separator: "|") : "WORD"
    case .integer(let range) where range.upperBound == JSONNumber.largest: "N"
    case .integer(let range): "\(range.lowerBound)..\(range.upperBound)"
    case .number(let range): "\(Int(range.lowerBound))..\(Int(range.upperBound))"
    case .flag: "true|false"
    case .list: "A;B"
    case .json: "JSON|@FILE"
    case .file: "FILE"
    case .url: "URL"
    case .secretVariable: "VARIABLE"
    case .secretMember: "NAME:VARIABLE"
    case .skills: "ID[@VERSION];..."
    case .tag, .compaction, .note, .template, .variable, .toolChoice: ""
    }
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

  /// A question for the name of `names` that may be meant by `word`; empty when none is near.
  static func nearest(_ word: String, among names: [String]) -> String {
    Core.nearest(word, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// What stands before and behind the first `separator` of `text`.
  static func parts(
    of text: String, at separator: Character
  ) -> (before: String, behind: String?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
