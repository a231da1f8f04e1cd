import Core

/// What the options say of the input of a request.
struct InputSettings {
  /// What `--[no-]stdin` says, if it is given.
  var ignoresStdin: Bool?
  private(set) var attachments: [AttachmentChoice] = []
  var items: [ItemSource] = []
  /// The response that the request continues: its id, or `@` and the file that has it.
  var previous: String?

  /// The last `--as` and `--detail`, and how many files stand before each.
  private var kind: (value: Attachment.Kind, place: Int)?
  private var detail: (value: String, place: Int)?

  /// The value of an `--as` behind all files, which files without one get.
  var lastKind: Attachment.Kind? { kind?.place == attachments.count ? kind?.value : nil }
  /// The same of `--detail`.
  var lastDetail: String? { detail?.place == attachments.count ? detail?.value : nil }

  mutating func attach(_ name: String, isList: Bool = false) {
    attachments.append(
      AttachmentChoice(name: name, isList: isList, kind: kind?.value, detail: detail?.value))
  }

  mutating func setKind(_ name: String) throws(Failure) {
    guard let kind = Attachment.Kind(name) else {
      throw .usage("expected auto, text, image, file or a media type, got \(name)")
    }
    self.kind = (kind, attachments.count)
  }

  mutating func setDetail(_ level: String) { detail = (level, attachments.count) }

  static let details = ["auto", "low", "high", "original"]
}
