/// An annotation of a text, or a source that a search consulted:
///
///     {"type":"url_citation","start_index":3,"end_index":8,"url":"https://example.org","title":"A"}
package struct Citation: Sendable {
  /// The type as it is spelled, such as `"url_citation"`; `nil` when there is none.
  package let type: JSONValue?
  /// The object that names the source: the annotation or, as Chat Completions has it, a member of
  /// it, `{"type":"url_citation","url_citation":{"url":…}}`.
  package let source: JSONValue
  /// The URL of the source, or the id or name of its file; no two sources have the same. It is empty
  /// when there is none.
  package let address: [UInt8]
  /// The member that has the address, such as `url`.
  package let addressMember: StaticString

  /// Reads `annotation`; `nil` when it is no JSON object.
  package init?(annotation: Span<UInt8>) {
    let inner = (["url_citation", "file_citation"] as [StaticString]).compactMap { name in
      JSONChildren.value(of: name, in: annotation).flatMap {
        JSONValue(object: annotation.extracting($0))
      }
    }
    guard let source = inner.first ?? JSONValue(object: annotation) else { return nil }
    self.source = source
    type = JSONChildren.raw(of: "type", in: annotation)
    let members = ["url", "file_id", "filename", "name"] as [StaticString]
    let texts = members.map { (name: $0, text: source[$0.description]?.string ?? []) }
    let first = texts.first { !$0.text.isEmpty }
    addressMember = first?.name ?? ""
    address = first?.text ?? []
  }

  /// Its member `name`, a whole number, such as the character of the text where the cited span
  /// begins; `nil` when there is none.
  package func integer(of name: String) -> Int? {
    source[name].flatMap { JSONNumber.integer($0.line.span) }
  }
}
