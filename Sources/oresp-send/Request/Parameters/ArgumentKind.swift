import Core

/// What may be typed for a value of the request, and what it becomes.
enum ArgumentKind: Sendable {
  /// A text, or `@FILE`.
  case text
  /// A text of at most so many characters that is no file's.
  case word(longest: Int?)
  /// One of the words that the API documents; another one is passed on, and told.
  case open([String])
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// `true` or `false`; the name alone is `true`.
  case flag
  /// Words with `;` between, at most so many.
  case list(most: Int?)
  /// JSON, or `@FILE`.
  case json
  /// A file that has JSON.
  case jsonFile
  /// A URL of a server.
  case url
  /// A secret: an environment variable that has it.
  case secretVariable
  /// A secret: a file that has it.
  case secretFile
  /// Secrets: a file that has them as JSON.
  case secretJSONFile
  /// `NAME:VARIABLE`, a member and the environment variable that has its value, a secret.
  case secretMember
  /// `ID` or `ID@VERSION`, with `;` between: skills.
  case skills
  /// No value of its own: what else the option sets is all.
  case tag
}

extension ArgumentKind {
  /// What `text` becomes. What the API does not document, but may come to know, goes to `hints`.
  func source(
    _ text: String, _ hints: inout [String]
  ) throws(Failure) -> ValueSource {
    switch self {
    case .text: return try ValueSource.text(text)
    case .json: return try ValueSource.json(text)
    case .word(let longest): return .given(.text(try Self.word(text, longest)))
    case .open(let known):
      let word = try Self.word(text, nil)
      if !known.contains(word) { hints.append(Self.hint(word, known)) }
      return .given(.text(word))
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
    case .jsonFile: return .jsonFile(try Self.word(text, nil))
    case .secretVariable: return .secretVariable(try Self.word(text, nil))
    case .secretFile: return .secretFile(try Self.word(text, nil))
    case .secretJSONFile: return .secretJSONFile(try Self.word(text, nil))
    case .secretMember, .tag: throw .usage("takes no such value: \(text)")
    }
  }

  static func word(_ text: String, _ longest: Int?) throws(Failure) -> String {
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
    let skill: [(name: String, value: JSONValue)] = [
      ("type", .text("skill_reference")), ("skill_id", .text(id)),
    ]
    return .object(skill + (version.map { [("version", .text($0))] } ?? []))
  }

  static func integer(
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

  private static func hint(_ word: String, _ known: [String]) -> String {
    let near = nearest(word, among: known).map { "; did you mean \($0)?" } ?? ""
    return "\(word) is not documented, and passed on as it is\(near)"
  }

  /// What a shell offers for it.
  var valueHint: ValueHint {
    switch self {
    case .open(let words): .oneOf(words)
    case .jsonFile, .secretFile, .secretJSONFile: .file
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
    case .jsonFile, .secretFile, .secretJSONFile: "FILE"
    case .url: "URL"
    case .secretVariable: "VARIABLE"
    case .secretMember: "NAME:VARIABLE"
    case .skills: "ID[@VERSION];..."
    case .tag: ""
    }
  }
}
