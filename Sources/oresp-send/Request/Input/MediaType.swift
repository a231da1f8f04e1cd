import Core

/// Media types (RFC 6838), told from content.
enum MediaType {
  /// The type of what is neither known nor text.
  static let unknown = "application/octet-stream"

  /// The type that the first bytes of a file show; `nil` when they show none. Formats that are ZIP
  /// archives begin alike, so for those `name` decides.
  static func of(_ head: ArraySlice<UInt8>, named name: String) -> String? {
    for (mark, type) in marks where head.starts(with: mark) { return type }
    if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    guard head.starts(with: "PK\u{3}\u{4}".utf8) else { return nil }
    return archives[suffix(of: name)] ?? "application/zip"
  }

  /// The type of a text of that name.
  static func ofText(named name: String) -> String { texts[suffix(of: name)] ?? "text/plain" }

  /// Whether `type` has the form of a media type, without parameters.
  static func isValid(_ type: String) -> Bool {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }
  }

  /// What stands behind the last dot of the last part of the path `name`, in lower case.
  static func suffix(of name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: ".") else { return "" }
    return last[last.index(after: dot)...].lowercased()
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: ASCII.isDigit(byte) || "!#$&-^_.+".utf8.contains(byte)
    }
  }

  private static let marks: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF87a".utf8), "image/gif"),
    (Array("GIF89a".utf8), "image/gif"), (Array("%PDF-".utf8), "application/pdf"),
  ]

  private static let office = "application/vnd.openxmlformats-officedocument."

  private static let archives = [
    "docx": office + "wordprocessingml.document", "xlsx": office + "spreadsheetml.sheet",
    "pptx": office + "presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation", "epub": "application/epub+zip",
  ]

  private static let texts = [
    "csv": "text/csv", "tsv": "text/tab-separated-values", "md": "text/markdown",
    "html": "text/html", "htm": "text/html", "xml": "application/xml",
    "json": "application/json",
  ]
}
