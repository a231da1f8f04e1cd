import Core

/// One annotation of a text: what it cites, and where.
struct Citation {
  /// The annotation's type, such as `url_citation`.
  let type: String
  /// What tells one source from another: its URL, or the id or name of its file.
  let address: [UInt8]
  /// The member that has the address, such as `url`.
  let addressMember: StaticString
  /// The source's title, or the file's name; empty when it is not told.
  let title: String
  /// The file's container; empty when there is none.
  let container: String
  /// Behind which character of its content part the cited span ends, in Unicode code points; `nil`
  /// when the server does not tell.
  let end: Int?

  var isURL: Bool { addressMember.description == "url" }
}

extension Citation {
  /// The citations in `list`, a JSON array of annotations, in order.
  static func all(in list: Span<UInt8>) -> [Citation] {
    JSONChildren.elements(at: 0..<list.count, in: list).compactMap { place in
      Citation(of: list.extracting(place))
    }
  }

  /// What `annotation`, a JSON object, cites; also a source that a search consulted. `nil` when it
  /// names no source.
  init?(of annotation: Span<UInt8>) {
    for member in SourceMembers.address {
      guard let text = JSONChildren.string(of: member, in: annotation), !text.isEmpty else {
        continue
      }
      let title = JSONChildren.text(of: "title", in: annotation)
      self.init(
        type: JSONChildren.text(of: "type", in: annotation), address: text, addressMember: member,
        title: title.isEmpty ? JSONChildren.text(of: "filename", in: annotation) : title,
        container: JSONChildren.text(of: "container_id", in: annotation),
        end: Self.end(of: annotation))
      return
    }
    return nil
  }

  /// Where the cited span ends. A file citation has one place only, and a span without length is
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

/// A citation, and behind which character of the text that it stands in its span ends.
struct PlacedCitation {
  let citation: Citation
  let place: Int?
}

/// The sources that a response cites, numbered from 1 in the order of their first mark.
struct CitedSources {
  private var numbers: [[UInt8]: Int] = [:]
  private(set) var sources: [Citation] = []

  /// The number of what `citation` cites; given now if it had none.
  mutating func number(of citation: Citation) -> Int {
    if let number = numbers[citation.address] { return number }
    sources.append(citation)
    numbers[citation.address] = sources.count
    return sources.count
  }

  func contains(_ citation: Citation) -> Bool { numbers[citation.address] != nil }
}
