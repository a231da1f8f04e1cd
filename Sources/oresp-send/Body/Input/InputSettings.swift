import Core

/// What the options say of the input of a request.
struct InputSettings {
  /// What `--[no-]stdin` said, if it was given.
  var ignoresStdin: Bool?
  var attachments: [AttachmentChoice] = []
  var items: [ItemSource] = []
  /// The response that this one continues: its id, or `@` and the file that it is in.
  var previous: String?
  /// Whether anything is to be sent.
  var hasAny: Bool { !attachments.isEmpty || !items.isEmpty || previous != nil }

  /// As what files are sent, and how closely the model looks at them.
  private(set) var kind = Following<Attachment.Kind>()
  var detail = Following<String>()

  mutating func attach(_ name: String) throws(Failure) {
    guard !name.isEmpty else { throw .usage("expected the name of a file") }
    attach(name, isList: false)
  }

  mutating func attach(list path: String) { attach(path, isList: true) }

  private mutating func attach(_ name: String, isList: Bool) {
    attachments.append(
      AttachmentChoice(name: name, isList: isList, kind: kind.take(), detail: detail.take()))
  }

  mutating func send(as name: String) throws(Failure) {
    guard let kind = Attachment.Kind(name) else {
      throw .usage("expected auto, text, image, file or a media type, got \(name)")
    }
    self.kind.set(kind)
  }

  static let details = ["auto", "low", "high", "original"]
}
