import Core

/// One annotation of a text: what it cites, and where.
struct Citation {
  /// The annotation's type, such as `url_citation`.
  let type: String
  /// What tells one source from another: its URL, or the id or name of its file.
  let address: [UInt8]
  /// The source's title, or the file's name; empty when it is not told.
  let title: String
  /// The file's container; empty when there is none.
  let container: String
  /// Behind which character of its content part the cited span ends, in Unicode code points; `nil`
  /// when the server does not tell.
  let end: Int?

  var isURL: Bool { type == "url_citation" || type == "url" }
}

/// Reads citations out of annotations.
struct CitationReader {
  /// Whether parameters that only follow readers are taken out of URLs.
  let stripsTracking: Bool

  /// The citations in `list`, a JSON array of annotations, in order.
  func citations(in list: Span<UInt8>) -> [Citation] {
    var found: [Citation] = []
    var children = JSONChildren()
    while let child = children.next(in: list) {
      if let citation = citation(of: list.extracting(child.value)) { found.append(citation) }
    }
    return found
  }

  /// What `annotation`, a JSON object, cites; also a source that a search consulted. `nil` when it
  /// names no source.
  func citation(of annotation: Span<UInt8>) -> Citation? {
    let url = JSONChildren.string(of: "url", in: annotation)
    let name = JSONChildren.string(of: "filename", in: annotation)
    let known =
      url ?? JSONChildren.string(of: "file_id", in: annotation) ?? name
      ?? JSONChildren.string(of: "name", in: annotation)
    guard var address = known, !address.isEmpty else { return nil }
    if stripsTracking, url != nil { address = TrackingStripper.stripped(address) }
    let title = JSONChildren.string(of: "title", in: annotation) ?? name ?? []
    return Citation(
      type: JSONChildren.text(of: "type", in: annotation), address: address,
      title: String(decoding: title, as: UTF8.self),
      container: JSONChildren.text(of: "container_id", in: annotation), end: end(of: annotation))
  }

  /// Where the cited span ends. A file citation has one place only, and a span without length is
  /// none.
  private func end(of annotation: Span<UInt8>) -> Int? {
    let end = integer("end_index", of: annotation) ?? integer("index", of: annotation)
    guard let end, end > 0, end > integer("start_index", of: annotation) ?? -1 else { return nil }
    return end
  }

  private func integer(_ name: StaticString, of annotation: Span<UInt8>) -> Int? {
    guard let value = JSONChildren.value(of: name, in: annotation) else { return nil }
    return JSONNumber.integer(annotation.extracting(value))
  }
}
