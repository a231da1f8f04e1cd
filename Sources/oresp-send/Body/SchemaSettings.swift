import Core

/// What the command line says of structured output, which is `text.format` of the request.
struct SchemaSettings: Sendable {
  /// The file with the schema, or the JSON itself.
  var path: String?

  /// The format, or `nil` without one. The file has one of the forms of `SchemaDocument`.
  func format(_ sources: Sources) throws(Failure) -> JSONValue? {
    guard let path else { return nil }
    let file = try sources.json(path, of: "-S")
    let document = SchemaDocument(try file.json().line.span)
    guard let document else { throw file.fault("there is no schema in it") }
    let schema = JSONValue.raw(document.schema)
    guard schema.opened.members != nil else { throw file.fault("a JSON Schema is an object") }
    var format: JSONValue = ["type": "json_schema", "name": .text(name(document, path))]
    format["description"] = document.description.map(JSONValue.string)
    format["schema"] = schema
    format["strict"] = .bool(document.isStrict ?? true)
    return format
  }

  /// The name in the file, or else the title, or the name of the file.
  private func name(_ document: SchemaDocument, _ path: String) -> String {
    if let name = document.name { return name }
    let title = JSONChildren.text(of: "title", in: document.schema.span)
    let isNamed = Sources.isNamed(path) && !Sources.isInPlace(path)
    let file = isNamed ? path.split(separator: "/").last?.split(separator: ".").first : nil
    return [title, file.map(String.init)].lazy.compactMap { $0.flatMap(SchemaName.made) }.first
      ?? "answer"
  }
}

/// Names of schemas and functions.
enum SchemaName {
  static func isValid(_ text: String) -> Bool {
    1...64 ~= text.utf8.count && text.utf8.allSatisfy(isAllowed)
  }

  /// `text` with `_` for what a name may not have; `nil` if nothing else is left.
  static func made(of text: String) -> String? {
    let bytes = text.utf8.prefix(64).map { isAllowed($0) ? $0 : UInt8(ascii: "_") }
    guard bytes.contains(where: { $0 != UInt8(ascii: "_") }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == ASCII.minus
  }
}
