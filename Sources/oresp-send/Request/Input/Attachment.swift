/// Something that is sent along with the prompt, as the command line names it.
package struct Attachment: Sendable, Equatable {
  /// As what it is sent.
  package enum Kind: Sendable, Equatable {
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

  package let name: String
  package let kind: Kind
  /// How closely the model looks, in the API's words; `nil` leaves it to the server.
  package let detail: String?

  package init(_ name: String, _ kind: Kind, detail: String?) {
    (self.name, self.kind, self.detail) = (name, kind, detail)
  }

  var reference: Reference {
    let lower = name.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .url }
    return Self.isID(name) ? .id : .file
  }

  /// Whether the name says anything.
  var isNamed: Bool { RequestBuilder.Sources.isNamed(name) }

  /// Whether `name` is `file-` or `file_` and letters and digits behind it.
  private static func isID(_ name: String) -> Bool {
    guard name.hasPrefix("file-") || name.hasPrefix("file_"), name.utf8.count > 5 else {
      return false
    }
    return name.utf8.dropFirst(5).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: false
      }
    }
  }
}
