import Core

/// Reads the attached files, and finds out what they are.
struct AttachmentLoader {
  enum Loaded {
    case text([UInt8])
    case data([UInt8], mediaType: String)
  }

  /// The most bytes of a file, as servers take and memory holds.
  static let limit = 50 << 20

  /// Opens a file for reading; `-` is standard input.
  let open: (String) throws(Failure) -> Descriptor

  func load(_ attachment: Attachment) throws(Failure) -> Loaded {
    let bytes = try read(attachment.name)
    // The type that its first bytes show; one of text is none.
    let shown = FileKind.of(bytes.span, named: attachment.name)
    let seen = shown?.content == .text ? nil : shown?.mediaType
    let isText = UTF8Repair.isValid(bytes.span)
    let hasNUL = bytes.span.firstIndex(of: 0) != nil
    switch attachment.kind {
    case .text:
      guard isText else { throw fault(attachment, "not text: not UTF-8") }
      return .text(bytes)
    case .automatic where isText && !hasNUL && seen == nil: return .text(bytes)
    case .media(let type): return .data(bytes, mediaType: type)
    case .image where seen?.hasPrefix("image/") != true:
      throw fault(
        attachment, "not an image in PNG, JPEG, GIF or WebP; ;type=image/TYPE sends another")
    case .automatic, .image, .file:
      let other = isText && !hasNUL ? MediaType.ofText(named: attachment.name) : MediaType.unknown
      return .data(bytes, mediaType: seen ?? other)
    }
  }

  /// The bytes of the file `name`.
  func read(_ name: String) throws(Failure) -> [UInt8] {
    let file = try open(name)
    let bytes = try file.readAll(limit: Self.limit)
    guard bytes.count <= Self.limit else {
      throw .other("\(file.name): larger than 50 MiB", .usage)
    }
    try Descriptor.refuseNothing(bytes, from: name)
    return bytes
  }

  private func fault(_ attachment: Attachment, _ why: String) -> Failure {
    Sources.file([], attachment.name).fault(why)
  }
}

/// Media types (RFC 6838) of files.
enum MediaType {
  /// The type of data of no known kind.
  static let unknown = "application/octet-stream"

  /// The type of a text file.
  static func ofText(named name: String) -> String {
    let kind = FileKind.called(FileKind.suffix(of: name))
    guard let kind, kind.content == .text, !kind.mediaType.hasPrefix("image/") else {
      return "text/plain"
    }
    return kind.mediaType
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
