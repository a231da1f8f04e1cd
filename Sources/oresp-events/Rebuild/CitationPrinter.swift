package import Core

/// Prints the sources of searches as soon as an event lists them, and the citations of a text at
/// its end.
package struct CitationPrinter: RebuiltPrinter {
  package let keeping = ResponseBuilder.Keeping.citations
  package let sees = true

  /// The number of each cited source by its address, in the order of first citations.
  private var numbers: [[UInt8]: Int] = [:]
  /// The addresses of sources that were printed.
  private var sources: Set<[UInt8]> = []
  /// Whether the response searched the web.
  private var hasSearched = false
  /// What the printers of all responses share.
  private let shared = Shared()

  private final class Shared {
    /// Whether a search without sources was reported.
    var hasReported = false
  }

  package init() {}

  package mutating func see(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.type?.family == .webSearchCall,
      let list = event.value(of: "results", "sources", in: line)
    {
      printSources(line.extracting(list), into: &output)
    }
  }

  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {
    let json = item.json.span
    hasSearched = hasSearched || JSONChildren.text(of: "type", in: json) == "web_search_call"
    for list in SourceMembers.consulted(in: json) {
      printSources(json.extracting(list), into: &output)
    }
    printCitations(of: item, into: &output)
  }

  /// Ends the response: the next one counts its sources anew.
  package mutating func print(_ response: ResponseBuilder.Rebuilt, into output: inout Output) {
    if hasSearched, sources.isEmpty, !shared.hasReported {
      shared.hasReported = true
      output.notices.append(.withoutSources)
    }
    (numbers, sources, hasSearched) = ([:], [], false)
  }

  /// Prints the elements of `list`, an array of sources, that have not been printed.
  private mutating func printSources(_ list: Span<UInt8>, into output: inout Output) {
    for place in JSONChildren.elements(at: 0..<list.count, in: list) {
      let source = JSONValue(object: list.extracting(place)) ?? .null
      let address = Self.address(of: source)
      guard !address.isEmpty, sources.insert(address).inserted else { continue }
      var printed = JSONValue.object([
        ("n", .null), ("cited", .bool(false)), ("type", source["type"] ?? .text("source")),
      ])
      for name in ["url", "file_id", "filename", "title", "snippet", "score"] {
        if let value = source[name] { printed[name] = value }
      }
      output.append(line: printed.line.span)
    }
  }

  /// Prints the annotations of `item`, if it is a message.
  private mutating func printCitations(
    of item: ResponseBuilder.Item, into output: inout Output
  ) {
    let json = item.json.span
    for place in JSONChildren.elements(of: "content", in: json) {
      let part = json.extracting(place)
      let annotations = JSONChildren.elements(of: "annotations", in: part)
      guard !annotations.isEmpty else { continue }
      let text = Array(JSONChildren.text(of: "text", in: part).unicodeScalars)
      for place in annotations {
        let annotation = part.extracting(place)
        let place = SourceMembers.source(in: annotation)
        guard let source = JSONValue(object: annotation.extracting(place)) else { continue }
        let type = JSONChildren.raw(of: "type", in: annotation) ?? .null
        let line = citation(source, type, in: text, item.outputIndex).line
        output.append(line: line.span)
      }
    }
  }

  /// The line for an annotation of `type`; the members of `annotation` name its source.
  private mutating func citation(
    _ annotation: JSONValue, _ type: JSONValue, in text: [Unicode.Scalar], _ outputIndex: Int
  ) -> JSONValue {
    let address = Self.address(of: annotation)
    let number = numbers[address] ?? numbers.count + 1
    numbers[address] = number
    var printed = JSONValue.object([
      ("n", .integer(number)), ("cited", .bool(true)), ("type", type),
    ])
    for name in ["url", "file_id", "container_id", "filename", "title"] {
      if let value = annotation[name] { printed[name] = value }
    }
    let start = Self.index("start_index", of: annotation)
    let end = Self.index("end_index", of: annotation)
    printed["output_index"] = .integer(outputIndex)
    printed["start"] = start.map { .integer($0) } ?? .null
    printed["end"] = end.map { .integer($0) } ?? .null
    printed["text"] = Self.cited(text, start, end).map { .text($0) } ?? .null
    return printed
  }

  /// The identity of a source: its address or its file; empty when it has neither.
  private static func address(of source: JSONValue) -> [UInt8] {
    for name in SourceMembers.address {
      if let text = source[name.description]?.string { return text }
    }
    return []
  }

  private static func index(_ name: String, of annotation: JSONValue) -> Int? {
    guard case .raw(let value)? = annotation[name] else { return nil }
    return JSONNumber.integer(value.span)
  }

  /// The cited text, from offsets in code points; `nil` when they do not fit `text`.
  private static func cited(_ text: [Unicode.Scalar], _ start: Int?, _ end: Int?) -> String? {
    guard let start, let end, 0 <= start, start < end, end <= text.count else { return nil }
    var cited = String.UnicodeScalarView()
    cited.append(contentsOf: text[start..<end])
    return String(cited)
  }
}
