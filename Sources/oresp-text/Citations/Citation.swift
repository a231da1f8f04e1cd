import Core

/// One annotation of a text: its source, and the end of the span that cites it.
struct Citation {
  /// The annotation's type, such as `url_citation`.
  let type: String
  /// The URL of the source, or the id or name of its file; no two sources have the same.
  let address: [UInt8]
  /// The member that has the address, such as `url`.
  let addressMember: StaticString
  /// The source's title, or the file's name; empty when there is none.
  let title: String
  /// The file's container; empty when there is none.
  let container: String
  /// How many characters (Unicode code points) of its content part stand before the end of the
  /// cited span; `nil` when the server does not say.
  let end: Int?

  var isURL: Bool { addressMember.description == "url" }
}

extension Citation {
  /// The citations in `list`, a JSON array of annotations, in order.
  static func all(in list: Span<UInt8>) -> [Citation] {
    let places = JSONChildren.elements(at: list.indices, in: list)
    return places.compactMap { Citation(of: list.extracting($0)) }
  }

  /// Reads `annotation`, a JSON object, which may also be a source that a search consulted. `nil`
  /// when it names no source.
  init?(of annotation: Span<UInt8>) {
    let type = JSONChildren.text(of: "type", in: annotation)
    let annotation = annotation.extracting(SourceMembers.source(in: annotation))
    for member in SourceMembers.address {
      guard let text = JSONChildren.string(of: member, in: annotation), !text.isEmpty else {
        continue
      }
      let title = JSONChildren.text(of: "title", in: annotation)
      self.init(
        type: type, address: text, addressMember: member,
        title: title.isEmpty ? JSONChildren.text(of: "filename", in: annotation) : title,
        container: JSONChildren.text(of: "container_id", in: annotation),
        end: Self.end(of: annotation))
      return
    }
    return nil
  }

  /// The end of the cited span. A file citation has one place only, and a span without length is
  /// none.
  private static func end(of annotation: Span<UInt8>) -> Int? {
    let end =
      JSONChildren.integer(of: "end_index", in: annotation)
      ?? JSONChildren.integer(of: "index", in: annotation)
    guard let end, end > 0, end > JSONChildren.integer(of: "start_index", in: annotation) ?? -1
    else { return nil }
    return end
  }
}

/// A citation, and how many characters of the text that it stands in come before its mark.
struct PlacedCitation {
  let citation: Citation
  let place: Int?
}

/// The sources that a response cites, numbered from 1 in the order of their first mark.
struct CitedSources {
  private var numbers: [[UInt8]: Int] = [:]
  private(set) var sources: [Citation] = []

  /// Returns the number of the source of `citation`, which gets one if it has none.
  mutating func number(of citation: Citation) -> Int {
    if let number = numbers[citation.address] { return number }
    sources.append(citation)
    numbers[citation.address] = sources.count
    return sources.count
  }

  func contains(_ citation: Citation) -> Bool { numbers[citation.address] != nil }
}
