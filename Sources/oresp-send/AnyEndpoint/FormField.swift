import Core

/// A field of a form (multipart/form-data, RFC 7578), spelled on the command line as in curl.
struct FormField: Sendable {
  enum Kind: Sendable {
    /// The value itself.
    case value
    /// A file whose text is the value; `-` is standard input.
    case contents
    /// A file that is sent as one; `-` is standard input.
    case file
  }

  let name: String
  let kind: Kind
  /// The value, or the path of the file.
  let text: String
  /// The media type that was given, perhaps with parameters; `nil` for none.
  private(set) var type: String?
  /// The name that was given for the file; `nil` for none.
  private(set) var fileName: String?

  /// The file that is read for the field; `nil` for a value.
  var path: String? { kind == .value ? nil : text }

  /// Reads `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`, then `;type=TYPE` or `;filename=NAME`. Text
  /// in double quotes may contain these, and a backslash there makes the next character plain. `@@`
  /// begins a value that begins with `@`.
  init(_ given: String) throws(Failure) {
    let (name, value) = Typed.parts(of: given, at: "=")
    guard var rest = value?[...], !name.isEmpty else {
      throw .usage("expected NAME=VALUE or NAME=@FILE, got \(given)")
    }
    self.name = name
    kind =
      rest.hasPrefix("@") && !rest.hasPrefix("@@")
      ? .file : rest.hasPrefix("<") ? .contents : .value
    if kind != .value || rest.hasPrefix("@") { rest.removeFirst() }
    text = Self.word(&rest)
    guard kind != .value || !RequestHeader.isSecret(name) else {
      throw .usage("\(name): everybody can read a command line; \(name)=<FILE takes it from a file")
    }
    guard kind == .value || !text.isEmpty else { throw .usage("\(name): expected a file") }
    while !rest.isEmpty {
      if Self.drop(";type=", from: &rest) {
        let type = Self.word(&rest)
        guard type.contains("/"), type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
          throw .usage("\(name): expected a media type such as text/csv, got \(type)")
        }
        self.type = type
      } else if Self.drop(";filename=", from: &rest) {
        fileName = Self.word(&rest)
      }
    }
    // Older versions of libcurl write them into the part's header as they are.
    let isPlain = (name + (toldFileName ?? "")).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    guard isPlain else { throw .usage("expected names without control characters") }
  }

  private static let marks = [";type=", ";filename="]

  private static func drop(_ mark: String, from rest: inout Substring) -> Bool {
    guard let cut = rest.cut(at: mark), cut.before.isEmpty else { return false }
    rest = cut.after
    return true
  }

  /// Takes the text before the next mark, or in quotes, from the front of `rest`, which then begins
  /// with a mark or is empty.
  private static func word(_ rest: inout Substring) -> String {
    if let (word, behind) = quoted(rest),
      behind.isEmpty || marks.contains(where: { behind.utf8.starts(with: $0.utf8) })
    {
      rest = behind
      return word
    }
    let words = marks.compactMap { rest.cut(at: $0)?.before } + [rest]
    let word = words.min { $0.utf8.count < $1.utf8.count } ?? rest
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// The text in the quotes at the start of `text`, and the rest after them; `nil` without quotes.
  private static func quoted(_ text: Substring) -> (word: String, behind: Substring)? {
    var rest = text.unicodeScalars
    guard rest.popFirst() == "\"" else { return nil }
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return (String(word), Substring(rest)) }
      word.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    return nil
  }
}

extension FormField {
  /// The media type to send: the given one, or one by the suffix of the file's name; else `nil`.
  var mediaType: String? {
    guard let toldFileName, type == nil else { return type }
    let suffix = FileKind.suffix(of: toldFileName)
    return suffix == "txt" ? "text/plain" : FileKind.called(suffix)?.mediaType ?? MediaType.unknown
  }

  /// The file's name to send: the given one, or the last part of its path, as in curl.
  var toldFileName: String? {
    kind == .file ? fileName ?? String(text.split(separator: "/").last ?? "") : fileName
  }
}

extension FormField {
  /// The part that the field sends; `loader` reads files that can be read only once.
  func part(_ loader: AttachmentLoader) throws(Failure) -> FormPart {
    let part = { bytes in
      FormPart(
        name: name, path: path, bytes: bytes, mediaType: mediaType, fileName: toldFileName)
    }
    guard let path else { return part(text.systemBytes) }
    // A file of /proc reports the size 0.
    let isStreamed =
      kind == .file && path != "-"
      && fileStatus(path).map { $0.isRegular && $0.st_size > 0 } == true
    if isStreamed { _ = try loader.open(path) }
    return part(isStreamed ? nil : try loader.read(path))
  }

  /// The field as a dry run prints it: `part` with a file's path in place of its bytes.
  func shown(_ part: FormPart) -> JSONValue {
    var value: JSONValue?
    if kind != .file, let bytes = part.bytes {
      value = part.secret == nil ? .text(String(decoding: bytes, as: UTF8.self)) : "[key]"
    }
    let members: [(name: String, value: JSONValue?)] = [
      ("name", .text(name)), ("value", value), ("file", kind == .file ? .text(text) : nil),
      ("filename", toldFileName.map(JSONValue.text)), ("type", mediaType.map(JSONValue.text)),
    ]
    return .object(JSONValue.present(members))
  }
}
