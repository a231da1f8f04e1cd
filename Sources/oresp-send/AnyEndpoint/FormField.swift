import Core

/// A field of a form (multipart/form-data, RFC 7578) as the command line names it, in the spelling
/// that curl has for it.
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
  /// The media type, perhaps with parameters, where it is told.
  private(set) var type: String?
  /// The name that a file is sent under, where it is told.
  private(set) var fileName: String?

  /// The file that is read for it.
  var path: String? { kind == .value ? nil : text }

  /// Reads `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`, and behind it `;type=TYPE` or
  /// `;filename=NAME`. What stands in double quotes may have these in it, and a backslash there
  /// makes the next character plain. `@@` begins a value that begins with `@`.
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
  }

  private static let marks = [";type=", ";filename="]

  private static func drop(_ mark: String, from rest: inout Substring) -> Bool {
    guard let cut = rest.cut(at: mark), cut.before.isEmpty else { return false }
    rest = cut.after
    return true
  }

  /// Takes what stands before the next mark, or in quotes, from the front of `rest`, which then
  /// begins with a mark or is empty.
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

  /// The text in the quotes that `text` begins with, and what stands behind them.
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
  /// The type that is told of it: what has a file's name has that of the name's suffix.
  var mediaType: String? {
    guard let toldFileName, type == nil else { return type }
    let suffix = FileKind.suffix(of: toldFileName)
    return suffix == "txt" ? "text/plain" : FileKind.called(suffix)?.mediaType ?? MediaType.unknown
  }

  /// The name that is told of the file: the last part of its path, as curl has it.
  var toldFileName: String? {
    kind == .file ? fileName ?? String(text.split(separator: "/").last ?? "") : fileName
  }
}

extension FormField {
  /// What it sends; `loader` reads what can be read once only.
  func part(_ loader: AttachmentLoader) throws(Failure) -> FormPart {
    let part = { bytes in
      FormPart(
        name: name, path: path, bytes: bytes, mediaType: mediaType, fileName: toldFileName)
    }
    guard let path else { return part(text.systemBytes) }
    // A file of /proc has no size that it tells.
    let isStreamed =
      kind == .file && path != "-"
      && fileStatus(path).map { $0.isRegular && $0.st_size > 0 } == true
    if isStreamed { _ = try loader.open(path) }
    return part(isStreamed ? nil : try loader.read(path))
  }

  /// The field as a dry run prints it, `part` being what it sends: a file has its path.
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
