import Core

/// Names for produced files that cannot lead out of their folder.
enum FileName {
  /// `text` as part of a name: letters, digits, `-`, `_` and inner dots of ASCII stay, anything
  /// else becomes `_`; 100 characters at most. Empty when nothing is left.
  static func safe(_ text: [UInt8]) -> String {
    var name: [UInt8] = []
    for byte in text.prefix(100) {
      switch byte {
      case ASCII.zero...ASCII.nine, UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), ASCII.minus, UInt8(ascii: "_"):
        name.append(byte)
      case UInt8(ascii: ".") where !name.isEmpty: name.append(byte)
      default: name.append(UInt8(ascii: "_"))
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The extension that the first bytes of a file tell; `nil` when they tell none.
  static func fileExtension(of head: Span<UInt8>) -> String? {
    for (magic, name) in magics where head.starts(with: magic) { return name }
    if head.starts(with: "RIFF") {
      if head.starts(with: "WEBP", at: 8) { return "webp" }
      if head.starts(with: "WAVE", at: 8) { return "wav" }
    }
    guard head.count >= 3 else { return nil }
    switch (head[0], head[1]) {
    case (0x89, 0x50) where head.starts(with: "NG\r\n", at: 2): return "png"
    case (0xFF, 0xD8) where head[2] == 0xFF: return "jpg"
    case (0xFF, 0xF1), (0xFF, 0xF9): return "aac"
    case (0xFF, 0xE2...0xFF) where head[1] & 0x06 == 0x02: return "mp3"
    default: return nil
    }
  }

  /// The extension for `format`, as a member `output_format` or a media type names it; `nil` for
  /// one that is not known.
  static func fileExtension(named format: String) -> String? {
    switch format.lowercased() {
    case "png", "image/png": "png"
    case "jpeg", "jpg", "image/jpeg": "jpg"
    case "webp", "image/webp": "webp"
    case "gif", "image/gif": "gif"
    case "svg", "image/svg+xml": "svg"
    case "wav", "audio/wav", "audio/x-wav": "wav"
    case "mp3", "audio/mpeg", "audio/mp3": "mp3"
    case "flac", "audio/flac": "flac"
    case "opus", "ogg", "audio/ogg", "audio/opus": "ogg"
    case "aac", "audio/aac": "aac"
    case "pdf", "application/pdf": "pdf"
    default: nil
    }
  }

  private static let magics: [(StaticString, String)] = [
    ("GIF8", "gif"), ("%PDF-", "pdf"), ("fLaC", "flac"), ("OggS", "ogg"), ("ID3", "mp3"),
    ("<svg", "svg"),
  ]
}
