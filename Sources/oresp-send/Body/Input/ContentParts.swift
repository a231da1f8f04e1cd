import Core

/// The parts of a message's content.
struct ContentParts {
  private(set) var parts: [JSONValue] = []
  /// Whether an attachment is more than an empty file.
  private(set) var hasContent = false

  /// Adds `text` as a part.
  mutating func append(text: [UInt8]) {
    parts.append(["type": "input_text", "text": .string(text)])
  }

  /// Adds `attachment`. `loader` reads it if it is a file on this machine.
  mutating func append(_ attachment: Attachment, _ loader: AttachmentLoader) throws(Failure) {
    switch attachment.reference {
    case .file: append(try loader.load(attachment), attachment)
    case .url:
      hasContent = true
      let url = JSONValue.text(attachment.name)
      let path = String(attachment.name.prefix { $0 != "?" && $0 != "#" })
      let kind = FileKind.called(FileKind.suffix(of: path))
      append(attachment, isImage: kind?.content == .image, ("image_url", url), [("file_url", url)])
    case .id:
      hasContent = true
      let id = JSONValue.text(attachment.name)
      append(attachment, isImage: false, ("file_id", id), [("file_id", id)])
    }
  }

  private mutating func append(_ loaded: AttachmentLoader.Loaded, _ attachment: Attachment) {
    switch loaded {
    case .text(let text):
      hasContent = hasContent || !text.allSatisfy(ASCII.isSpace)
      // head(1) marks several files so.
      let head = attachment.isNamed ? "==> \(attachment.name.repaired) <==\n" : ""
      append(text: Array(head.utf8) + text)
    case .data(let bytes, let type):
      hasContent = hasContent || !bytes.isEmpty
      let suffix = attachment.kind == .file ? nil : FileKind.called(type)?.suffix
      let format = suffix.flatMap { ["mp3", "wav"].contains($0) ? $0 : nil }
      // Base64 has nothing to escape, so the string is written as JSON at once.
      var data = Array((format == nil ? "\"data:\(type);base64," : "\"").utf8)
      Base64Encoder.append(bytes, to: &data)
      data.append(ASCII.quote)
      let url = JSONValue.raw(data)
      if let format {
        let audio: JSONValue = ["data": url, "format": "\(format)"]
        return parts.append(["type": "input_audio", "input_audio": audio])
      }
      let name = JSONValue.text(Self.fileName(of: attachment, type))
      append(
        attachment, isImage: type.hasPrefix("image/"), ("image_url", url),
        [("filename", name), ("file_data", url)])
    }
  }

  /// Adds an input_image with the member `image`, or an input_file with the members `file`.
  private mutating func append(
    _ attachment: Attachment, isImage: Bool, _ image: (name: String, value: JSONValue),
    _ file: JSONValue.Members
  ) {
    var part: JSONValue.Members
    if attachment.kind.isImage ?? isImage {
      // The API's schema requires `detail`.
      let detail = JSONValue.text(attachment.detail ?? "auto")
      part = [("type", .text("input_image")), image, ("detail", detail)]
    } else {
      part = [("type", .text("input_file"))] + file
      if let detail = attachment.detail { part.append(("detail", .text(detail))) }
    }
    parts.append(.object(part))
  }

  /// The name of the file for the server.
  private static func fileName(of attachment: Attachment, _ type: String) -> String {
    guard attachment.isNamed else { return type == "application/pdf" ? "stdin.pdf" : "stdin" }
    let name = attachment.name.repaired
    return name.split(separator: "/").last.map(String.init) ?? name
  }
}
