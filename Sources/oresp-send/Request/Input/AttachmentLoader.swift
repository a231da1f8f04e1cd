import Core

/// Looks into local files that are to be sent along: what they are, and how their bytes are had.
struct AttachmentLoader {
  /// What a file turned out to be.
  enum Loaded {
    case text([UInt8])
    case data(BodySource, mediaType: String)
  }

  /// The largest part of a body, in bytes: what servers take, and memory holds.
  static let limit = 50 << 20

  /// Whether a larger file can be uploaded to the server.
  var hasFiles = false
  /// Opens a file for reading; `-` is standard input.
  let open: (String) throws(Failure) -> Descriptor

  func load(_ attachment: Attachment) throws(Failure) -> Loaded {
    let file = try open(attachment.name)
    let size = file.fileSize
    try check(size ?? 0, file.name)
    var input = InputBuffer()
    // What is no regular file, or has no name, can be read once only.
    let isReadable = size != nil && attachment.name != "-"
    if isReadable { _ = try file.read(into: &input) } else { try readAll(file, &input) }
    let seen = MediaType.of(
      input.bytes.span.extracting(input.start..<input.end), named: attachment.name)
    if attachment.kind.isImage == nil || attachment.kind == .text,
      let text = try text(file, &input, attachment, isKnown: seen != nil)
    {
      return .text(text)
    }
    let type = try mediaType(attachment, seen, input)
    guard isReadable, let size else { return .data(.bytes(input.takeAll()), mediaType: type) }
    return .data(.file(path: attachment.name, size: size), mediaType: type)
  }

  /// How the bytes of the file `name` are had, whatever they are: they are read now with `holds`, and
  /// where they can be read once only.
  func source(of name: String, holds: Bool) throws(Failure) -> BodySource {
    let file = try open(name)
    if !holds, name != "-", let size = file.fileSize { return .file(path: name, size: size) }
    var input = InputBuffer()
    try readAll(file, &input)
    return .bytes(input.takeAll())
  }

  /// The whole file, if it is to be sent as text: when it is one and nothing else is known of it.
  private func text(
    _ file: borrowing Descriptor, _ input: inout InputBuffer, _ attachment: Attachment,
    isKnown: Bool
  ) throws(Failure) -> [UInt8]? {
    let kind = attachment.kind
    if kind == .automatic, isKnown || !Self.mayBeText(input) { return nil }
    try readAll(file, &input)
    if Self.isText(input, takesNUL: kind == .text) { return input.takeAll() }
    guard kind == .automatic else { throw fault(attachment, "not text: not UTF-8") }
    return nil
  }

  private func mediaType(
    _ attachment: Attachment, _ seen: String?, _ input: borrowing InputBuffer
  ) throws(Failure) -> String {
    if case .media(let type) = attachment.kind { return type }
    if attachment.kind == .image, seen?.hasPrefix("image/") != true {
      throw fault(
        attachment, "not an image in PNG, JPEG, GIF or WebP; --as image/TYPE sends another")
    }
    if let seen { return seen }
    return Self.mayBeText(input) ? MediaType.ofText(named: attachment.name) : MediaType.unknown
  }

  private func readAll(
    _ file: borrowing Descriptor, _ input: inout InputBuffer
  ) throws(Failure) {
    while try file.read(into: &input) > 0 { try check(input.count, file.name) }
  }

  private func check(_ size: Int, _ name: String) throws(Failure) {
    guard size <= Self.limit else {
      let advice = hasFiles ? "; --path /files -F purpose=user_data -F file=@FILE uploads it" : ""
      throw .other("\(name): larger than 50 MiB\(advice)", .usage)
    }
  }

  private func fault(_ attachment: Attachment, _ why: String) -> Failure {
    RequestBuilder.Sources.file([], attachment.name).fault(why)
  }

  private static func isText(_ input: borrowing InputBuffer, takesNUL: Bool) -> Bool {
    let bytes = input.bytes.span.extracting(input.start..<input.end)
    return (takesNUL || bytes.firstIndex(of: 0) == nil) && UTF8Repair.isValid(bytes)
  }

  /// Whether what was read so far has nothing in it that no text has; a character may be cut.
  private static func mayBeText(_ input: borrowing InputBuffer) -> Bool {
    let head = input.bytes.span.extracting(input.start..<input.end)
    if head.firstIndex(of: 0) != nil { return false }
    var end = head.count
    if end >= InputBuffer.readSize, let cut = (end - 3..<end).last(where: { head[$0] >= 0xC0 }) {
      end = cut
    }
    return UTF8Repair.isValid(head.extracting(0..<end))
  }
}

/// Media types (RFC 6838), told from content.
enum MediaType {
  /// The type of what is neither known nor text.
  static let unknown = "application/octet-stream"

  /// The type that the first bytes of a file show, or also its name where several kinds begin
  /// alike; `nil` when they show none that is sent as an image or a file by itself.
  static func of(_ head: Span<UInt8>, named name: String) -> String? {
    guard let kind = FileKind.of(head, named: name) else { return nil }
    return kind.content == .text ? nil : kind.mediaType
  }

  /// The type of a text of that name.
  static func ofText(named name: String) -> String {
    let kind = FileKind.called(FileKind.suffix(of: name))
    guard let kind, kind.content == .text, !kind.mediaType.hasPrefix("image/") else {
      return "text/plain"
    }
    return kind.mediaType
  }

  /// What the API calls the form of audio of the type `type`; `nil` when it takes none of that type.
  static func audioFormat(_ type: String) -> String? {
    let suffix = FileKind.called(type)?.suffix
    return ["mp3", "wav"].first { $0 == suffix }
  }

  /// Whether `type` has the form of a media type, without parameters.
  static func isValid(_ type: String) -> Bool {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
      }
  }
}

extension Descriptor {
  /// The size in bytes of the file behind it; `nil` when that is no regular file, or one that, like
  /// those of /proc, does not tell.
  fileprivate var fileSize: Int? {
    var facts = stat()
    guard unsafe fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size > 0
    else { return nil }
    return Int(facts.st_size)
  }
}
