import Core

/// Something that is sent along with the prompt, as the command line names it.
struct Attachment: Sendable, Equatable {
  /// As what it is sent.
  enum Kind: Sendable, Equatable {
    /// As its content, or the form of its name, shows.
    case automatic
    case text, image, file
    /// As an image or a file of that media type.
    case media(String)

    /// The kind that `--as` calls `name`; `nil` when it is none.
    init?(_ name: String) {
      switch name {
      case "auto": self = .automatic
      case "text": self = .text
      case "image": self = .image
      case "file": self = .file
      default:
        guard MediaType.isValid(name) else { return nil }
        self = .media(name)
      }
    }

    /// Whether it is to be an image; `nil` when its content or name decides.
    var isImage: Bool? {
      switch self {
      case .automatic: nil
      case .image: true
      case .text, .file: false
      case .media(let type): type.hasPrefix("image/")
      }
    }
  }

  /// What a name refers to.
  enum Reference: Equatable {
    /// A file on this machine; `-` is standard input.
    case file
    case url
    /// A file that was uploaded to the server before.
    case id
  }

  let name: String
  let kind: Kind
  /// How closely the model looks, in the API's words; `nil` leaves it to the server.
  let detail: String?

  var reference: Reference {
    let lower = name.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .url }
    return Self.isID(name) ? .id : .file
  }

  /// Whether the name says anything.
  var isNamed: Bool { Sources.isNamed(name) }

  /// Whether `name` is `file-` or `file_` and letters and digits behind it.
  private static func isID(_ name: String) -> Bool {
    (name.hasPrefix("file-") || name.hasPrefix("file_")) && name.utf8.count > 5
      && name.utf8.dropFirst(5).allSatisfy(ASCII.isLetterOrDigit)
  }
}

/// What the command line says of one file, or of a list of files, that is to be sent along.
struct AttachmentChoice {
  /// The file, or the file of names with a NUL behind each.
  let name: String
  let isList: Bool
  /// As what it is to be sent, if anything before it says so.
  let kind: Attachment.Kind?
  /// How closely the model is to look, if anything before it says so.
  let detail: String?
}

/// The value of an option that is for the files named behind it. Behind all of them it is for those
/// that had none.
struct Following<Value: Sendable>: Sendable {
  private var value: Value?
  private var isTaken = true

  mutating func set(_ value: Value) { (self.value, isTaken) = (value, false) }

  /// The value for a file that is named now.
  mutating func take() -> Value? {
    isTaken = true
    return value
  }

  /// The value that no file was named behind.
  var rest: Value? { isTaken ? nil : value }
}
