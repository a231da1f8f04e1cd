/// A kind of file: its first bytes, the suffixes of its names, and its media types.
///
/// A new kind is a row. Several kinds may begin alike, as ZIP archives do; then the name decides.
package struct FileKind: Sendable {
  /// The contents of a file of the kind.
  package enum Content: Sendable {
    case image, audio, document, archive, text
  }

  package let content: Content
  /// The suffixes of its names, without a dot; new files get the first.
  package let suffixes: [String]
  /// Its media types (RFC 6838), the registered one first.
  package let mediaTypes: [String]
  /// The bytes that a file of the kind begins with, in each of its forms; `nil` is any byte.
  private let heads: [[UInt8?]]

  package var suffix: String { suffixes.first ?? "" }
  package var mediaType: String { mediaTypes.first ?? "" }

  /// The kind of a file that begins with `head`; `name` decides between kinds that begin alike.
  /// `nil` when no kind begins so.
  package static func of(_ head: Span<UInt8>, named name: String = "") -> FileKind? {
    let found = all.filter { kind in kind.heads.contains { begins(head, with: $0) } }
    let suffix = suffix(of: name)
    return found.first { $0.suffixes.contains(suffix) } ?? found.first
  }

  /// The kind that `name`, a suffix or a media type, stands for, whatever its case.
  package static func called(_ name: String) -> FileKind? {
    let name = name.lowercased()
    return all.first { $0.suffixes.contains(name) || $0.mediaTypes.contains(name) }
  }

  /// The text behind the last dot of the last part of the path `name`, in lower case.
  package static func suffix(of name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: ".") else { return "" }
    return last[last.index(after: dot)...].lowercased()
  }

  private static func begins(_ bytes: Span<UInt8>, with head: [UInt8?]) -> Bool {
    guard bytes.count >= head.count else { return false }
    return head.indices.allSatisfy { head[$0] == nil || head[$0] == bytes[$0] }
  }

  private init(
    _ content: Content, _ suffixes: [String], _ mediaTypes: [String], _ heads: [UInt8?]...
  ) {
    self.content = content
    self.suffixes = suffixes
    self.mediaTypes = mediaTypes
    self.heads = heads
  }

  private static func ascii(_ text: String) -> [UInt8?] { Array(text.utf8) }

  /// The head of a file in the Resource Interchange File Format: its length stands before its form.
  private static func riff(_ form: String) -> [UInt8?] {
    ascii("RIFF") + [nil, nil, nil, nil] + ascii(form)
  }

  private static let zip = ascii("PK\u{3}\u{4}")
  private static let office = "application/vnd.openxmlformats-officedocument."
  private static let openDocument = "application/vnd.oasis.opendocument."

  package static let all = [
    FileKind(
      .image, ["png"], ["image/png"], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    FileKind(.image, ["jpg", "jpeg"], ["image/jpeg"], [0xFF, 0xD8, 0xFF]),
    FileKind(.image, ["gif"], ["image/gif"], ascii("GIF87a"), ascii("GIF89a")),
    FileKind(.image, ["webp"], ["image/webp"], riff("WEBP")),
    FileKind(.text, ["svg"], ["image/svg+xml"], ascii("<svg")),
    FileKind(.document, ["pdf"], ["application/pdf"], ascii("%PDF-")),
    FileKind(.audio, ["wav"], ["audio/wav", "audio/x-wav"], riff("WAVE")),
    FileKind(
      .audio, ["mp3"], ["audio/mpeg", "audio/mp3"], ascii("ID3"), [0xFF, 0xE2], [0xFF, 0xE3],
      [0xFF, 0xEA], [0xFF, 0xEB], [0xFF, 0xF2], [0xFF, 0xF3], [0xFF, 0xFA], [0xFF, 0xFB]),
    FileKind(.audio, ["aac"], ["audio/aac"], [0xFF, 0xF1], [0xFF, 0xF9]),
    FileKind(.audio, ["flac"], ["audio/flac"], ascii("fLaC")),
    FileKind(.audio, ["ogg", "opus"], ["audio/ogg", "audio/opus"], ascii("OggS")),
    FileKind(.archive, ["zip"], ["application/zip"], zip),
    FileKind(.archive, ["docx"], [office + "wordprocessingml.document"], zip),
    FileKind(.archive, ["xlsx"], [office + "spreadsheetml.sheet"], zip),
    FileKind(.archive, ["pptx"], [office + "presentationml.presentation"], zip),
    FileKind(.archive, ["odt"], [openDocument + "text"], zip),
    FileKind(.archive, ["ods"], [openDocument + "spreadsheet"], zip),
    FileKind(.archive, ["odp"], [openDocument + "presentation"], zip),
    FileKind(.archive, ["epub"], ["application/epub+zip"], zip),
    FileKind(.text, ["csv"], ["text/csv"]),
    FileKind(.text, ["tsv"], ["text/tab-separated-values"]),
    FileKind(.text, ["md"], ["text/markdown"]),
    FileKind(.text, ["html", "htm"], ["text/html"]),
    FileKind(.text, ["xml"], ["application/xml"]),
    FileKind(.text, ["json"], ["application/json"]),
  ]
}
