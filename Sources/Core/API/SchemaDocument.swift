/// The contents of a JSON Schema file: the schema alone, or in an object with its name, as in
/// `text.format` of a request or `response_format` of Chat Completions.
package struct SchemaDocument {
  /// The schema, as it was spelled.
  package let schema: [UInt8]
  package let name: String?
  package let description: [UInt8]?
  /// Whether answers must keep to the schema; `nil` when the file does not say.
  package let isStrict: Bool?

  /// Reads `text`, a JSON text; `nil` when its `type` is `json_schema` and it has no schema.
  package init?(_ text: Span<UInt8>) {
    var wrapper = text
    if let inner = JSONChildren.value(of: "json_schema", in: text) {
      wrapper = text.extracting(inner)
    }
    let type = JSONChildren.text(of: "type", in: text)
    // A schema alone may have a member of that name: {"type":"object","schema":…}
    guard ["", "json_schema"].contains(type),
      let range = JSONChildren.value(of: "schema", in: wrapper)
    else {
      guard type != "json_schema" else { return nil }
      schema = [UInt8](copying: text.extracting(text.trimmed()))
      (name, description, isStrict) = (nil, nil, nil)
      return
    }
    schema = [UInt8](copying: wrapper.extracting(range))
    name = JSONChildren.string(of: "name", in: wrapper).map { String(decoding: $0, as: UTF8.self) }
    description = JSONChildren.string(of: "description", in: wrapper)
    isStrict = JSONChildren.value(of: "strict", in: wrapper).flatMap { range in
      let spelled = wrapper.extracting(range)
      return spelled.equals("true") ? true : spelled.equals("false") ? false : nil
    }
  }
}
