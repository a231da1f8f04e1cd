import Core

extension Citation {
  /// The citations in `list`, a JSON array of annotations, in order.
  static func all(in list: Span<UInt8>) -> [Citation] {
    let places = JSONChildren.elements(at: list.indices, in: list)
    return places.compactMap { Citation(of: list.extracting($0)) }
  }

  /// Reads `annotation`, a JSON object, which may also be a source that a search consulted. `nil`
  /// when it names no source.
  init?(of annotation: Span<UInt8>) {
    self.init(annotation: annotation)
    if address.isEmpty { return nil }
  }

  var isURL: Bool { addressMember.description == "url" }

  /// The source's title, or the file's name; empty when there is none.
  var title: String {
    let title = text(of: "title")
    return title.isEmpty ? text(of: "filename") : title
  }

  /// The file's container; empty when there is none.
  var container: String { text(of: "container_id") }

  /// How many characters (Unicode code points) of its content part stand before the end of the
  /// cited span; `nil` when the server does not say. A file citation has one place only, and a span
  /// without length is none.
  var end: Int? {
    guard let end = integer(of: "end_index") ?? integer(of: "index"), end > 0,
      end > integer(of: "start_index") ?? -1
    else { return nil }
    return end
  }

  private func text(of name: String) -> String {
    String(decoding: source[name]?.string ?? [], as: UTF8.self)
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
