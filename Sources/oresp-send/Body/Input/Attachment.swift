import Core

/// A file, a URL or the id of a file, which is sent along with the prompt.
struct Attachment {
  /// The form in which it is sent.
  enum Kind: Equatable {
    /// The form that its content or its name shows.
    case automatic
    case text, image, file
    /// Data of this media type: an image, audio or a file.
    case media(String)

    /// The kind that `;type=` calls `name`; `nil` if it has no such name.
    init?(_ name: String) {
      switch name {
      case "text": self = .text
      case "image": self = .image
      case "file": self = .file
      default:
        guard MediaType.isValid(name) else { return nil }
        self = .media(name)
      }
    }

    /// Whether it is sent as an image; `nil` if its content or name decides.
    var isImage: Bool? {
      switch self {
      case .automatic: nil
      case .image: true
      case .text, .file: false
      case .media(let type): type.hasPrefix("image/")
      }
    }
  }

  /// What `name` is.
  enum Reference {
    /// A file on this machine; `-` is standard input.
    case file
    case url
    /// The id of a file that was uploaded to the server.
    case id
  }

  let name: String
  let kind: Kind
  /// The API's word for how closely the model looks; `nil` leaves it to the server.
  let detail: String?

  var reference: Reference {
    let lower = name.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .url }
    let isID =
      ["file-", "file_"].contains(name.prefix(5)) && name.utf8.count > 5
      && name.utf8.dropFirst(5).allSatisfy(ASCII.isLetterOrDigit)
    return isID ? .id : .file
  }

  /// Whether the name is one that people know a file by.
  var isNamed: Bool { Sources.isNamed(name) }
}

extension Attachment {
  /// Reads `NAME`, then `;type=TYPE` or `;detail=LEVEL`. Any other `;` belongs to the name, and a
  /// name that ends so is put in double quotes.
  init(_ given: String) throws(Failure) {
    let marked = MarkedText(given[...], ["type", "detail"])
    guard !marked.text.isEmpty else { throw .usage("expected the name of a file") }
    let type = marked.values["type"]
    guard let kind = type.map(Kind.init) ?? .automatic else {
      throw .usage("expected ;type=text, image, file or a media type, got \(type ?? "")")
    }
    self.init(name: marked.text, kind: kind, detail: marked.values["detail"])
    guard kind != .text || reference == .file else {
      throw .usage("only the server reads \(name): not ;type=text")
    }
  }
}
