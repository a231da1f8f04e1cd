package import Core

/// What the options say of the input of a request.
package struct InputSettings {
  /// Who says the prompt.
  package enum Role: String, CaseIterable, Sendable {
    case user, developer, system, assistant
  }

  /// Where items come from that stand before the prompt.
  package enum ItemSource {
    /// A file of input items.
    case items(path: String)
    /// A file of lines with the outputs of tools.
    case outputs(path: String)
    /// The output of one call, which is a text.
    case output(callID: String, ValueSource, type: ToolOutput)
  }

  package var attachments: [AttachmentChoice] = []
  package var items: [ItemSource] = []
  package var role = Role.user
  /// The response that this one continues: its id, or `@` and the file that it is in.
  package var previous: String?
  /// The largest attachment, in bytes; 0 is no limit.
  package var maxFileSize = 50 << 20

  /// As what files are sent, and how closely the model looks at them.
  private(set) var kind = Following<Attachment.Kind>()
  private(set) var detail = Following<String>()

  package init() {}

  package mutating func attach(_ name: String) throws(Failure) {
    guard !name.isEmpty else { throw .usage("-f: expected the name of a file") }
    attach(.named(name))
  }

  package mutating func attach(list path: String) { attach(.list(path: path)) }

  private mutating func attach(_ source: AttachmentChoice.Source) {
    attachments.append(
      AttachmentChoice(source: source, kind: kind.take(), detail: detail.take()))
  }

  package mutating func send(as name: String) throws(Failure) {
    guard let kind = Attachment.Kind(name) else {
      throw .usage("--as: expected auto, text, image, file or a media type, got \(name)")
    }
    self.kind.set(kind)
  }

  package mutating func setDetail(_ level: String) throws(Failure) {
    guard Self.details.contains(level) else {
      let known = Self.details.joined(separator: ", ")
      throw .usage("--detail: expected one of \(known), got \(level)")
    }
    detail.set(level)
  }

  static let details = ["auto", "low", "high", "original"]

  /// How standard input is named, once for each time that it is.
  package var readings: [String] {
    let files = attachments.compactMap { choice -> String? in
      switch choice.source {
      case .named(let name): name == "-" ? "-f -" : nil
      case .list(let path): path == "-" ? "--files0-from -" : nil
      }
    }
    let others = items.compactMap { source -> String? in
      switch source {
      case .items(let path): path == "-" ? "--items -" : nil
      case .outputs(let path): path == "-" ? "--outputs -" : nil
      case .output(_, let value, let type): value.file == "-" ? "\(type.option) @-" : nil
      }
    }
    return files + others + (previous == "@-" ? ["--previous @-"] : [])
  }
}
