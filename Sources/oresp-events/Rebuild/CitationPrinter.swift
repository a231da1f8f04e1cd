package import Core

/// Prints the sources of searches of one response as soon as an event lists them, and the citations
/// of a text at its end.
package struct CitationPrinter: RebuiltPrinter {
  package let keeping = ResponseBuilder.Keeping.citations

  /// The number of each cited source by its address, in the order of first citations.
  private var numbers: [[UInt8]: Int] = [:]
  /// The addresses of sources that were printed.
  private var sources: Set<[UInt8]> = []

  package init() {}

  package mutating func see(
    search event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard let list = event.value(of: "results", "sources", in: line) else { return }
    printSources(line.extracting(list), into: &output)
  }

  package mutating func print(
    _ item: ResponseBuilder.Item, of response: Response, into output: inout Output
  ) {
    let json = item.json.span
    for list in SourceMembers.consulted(in: json) {
      printSources(json.extracting(list), into: &output)
    }
    for place in JSONChildren.elements(at: ["content"], in: json) {
      printCitations(of: json.extracting(place), item.outputIndex, into: &output)
    }
  }

  /// Prints the elements of `list`, an array of sources, that have not been printed.
  private mutating func printSources(_ list: Span<UInt8>, into output: inout Output) {
    for place in JSONChildren.elements(at: list.indices, in: list) {
      guard let citation = Citation(annotation: list.extracting(place)),
        !citation.address.isEmpty, sources.insert(citation.address).inserted
      else { continue }
      var printed = JSONValue.object([
        ("n", .null), ("cited", .bool(false)), ("type", citation.type ?? .text("source")),
      ])
      for name in ["url", "file_id", "filename", "title", "snippet", "score"] {
        if let value = citation.source[name] { printed[name] = value }
      }
      output.append(line: printed.line.span)
    }
  }

  /// Prints the annotations of `part`, a part of the message at `outputIndex`.
  private mutating func printCitations(
    of part: Span<UInt8>, _ outputIndex: Int, into output: inout Output
  ) {
    let annotations = JSONChildren.elements(at: ["annotations"], in: part)
    guard !annotations.isEmpty else { return }
    let text = Array(JSONChildren.text(of: "text", in: part).unicodeScalars)
    for place in annotations {
      guard let citation = Citation(annotation: part.extracting(place)) else { continue }
      let number = numbers[citation.address] ?? numbers.count + 1
      numbers[citation.address] = number
      var printed = JSONValue.object([
        ("n", .integer(number)), ("cited", .bool(true)), ("type", citation.type ?? .null),
      ])
      for name in ["url", "file_id", "container_id", "filename", "title"] {
        if let value = citation.source[name] { printed[name] = value }
      }
      let start = citation.integer(of: "start_index")
      let end = citation.integer(of: "end_index")
      printed["output_index"] = .integer(outputIndex)
      printed["start"] = start.map { .integer($0) } ?? .null
      printed["end"] = end.map { .integer($0) } ?? .null
      printed["text"] = Self.cited(text, start, end).map { .text($0) } ?? .null
      output.append(line: printed.line.span)
    }
  }

  /// The cited text, from offsets in code points; `nil` when they do not fit `text`.
  private static func cited(_ text: [Unicode.Scalar], _ start: Int?, _ end: Int?) -> String? {
    guard let start, let end, 0 <= start, start < end, end <= text.count else { return nil }
    var cited = String.UnicodeScalarView()
    cited.append(contentsOf: text[start..<end])
    return String(cited)
  }
}
