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
  let type: String?
  /// The name that was given for the file; `nil` for none.
  let fileName: String?

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
    switch rest.first {
    case "@" where !rest.hasPrefix("@@"): kind = .file
    case "<": kind = .contents
    default: kind = .value
    }
    if kind != .value || rest.hasPrefix("@") { rest.removeFirst() }
    let marked = MarkedText(rest, ["type", "filename"])
    text = marked.text
    guard kind != .value || !SecretName.isOfMember(name) else {
      throw .usage("\(name): everybody can read a command line; \(name)=<FILE takes it from a file")
    }
    guard kind == .value || !text.isEmpty else { throw .usage("\(name): expected a file") }
    type = marked.values["type"]
    if let type, !type.contains("/") || !type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
      throw .usage("\(name): expected a media type such as text/csv, got \(type)")
    }
    fileName = marked.values["filename"]
    // Older versions of libcurl write them into the part's header as they are.
    let isPlain = (name + (toldFileName ?? "")).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    guard isPlain else { throw .usage("expected names without control characters") }
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
