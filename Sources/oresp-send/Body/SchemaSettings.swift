import Core

/// What the command line says of structured output, which is `text.format` in the request.
struct SchemaSettings: Sendable {
  /// The file that has the schema.
  var path: String?
  var name: String?
  var isStrict: Bool?

  /// Puts the format that the file stands for into `body`. The file has one of the forms of
  /// `SchemaDocument`.
  func apply(to body: inout RequestBody, _ reader: inout ValueReader) throws(Failure) {
    guard let path else { return }
    let file = try reader.json(path, of: "-S")
    let document = SchemaDocument(try reader.json(in: file).line.span)
    guard let document else { throw file.fault("there is no schema in it") }
    let schema = JSONValue.raw(document.schema)
    guard schema.opened.members != nil else { throw file.fault("a JSON Schema is an object") }
    let isStrict = isStrict ?? document.isStrict ?? true
    var format: JSONValue = [
      "type": "json_schema", "name": .text(try name(document, path, file)),
    ]
    format["description"] = document.description.map(JSONValue.string)
    format["schema"] = schema
    format["strict"] = .bool(isStrict)
    try telling(of: "--schema", body.set(format, at: BodyPath(members: "text.format")))
  }

  /// The name that was asked for, or is in the file, or the title, or the file's own.
  private func name(_ document: SchemaDocument, _ path: String, _ file: FileText) throws(Failure)
    -> String
  {
    if let name = name ?? document.name { return name }
    let title = JSONChildren.string(of: "title", in: document.schema.span)
    let isNamed = Sources.isNamed(path) && !Sources.isInPlace(path)
    let file = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    return [title.map { String(decoding: $0, as: UTF8.self) }, isNamed ? file : nil]
      .compactMap { $0.flatMap(SchemaName.made) }.first ?? "answer"
  }
}

/// The names that a schema may have, and a function.
enum SchemaName {
  static func isValid(_ text: String) -> Bool {
    1...64 ~= text.utf8.count && text.utf8.allSatisfy(isAllowed)
  }

  /// `text` with `_` in the place of what a name may not have; `nil` when nothing else is left.
  static func made(of text: String) -> String? {
    let bytes = text.utf8.prefix(64).map { isAllowed($0) ? $0 : UInt8(ascii: "_") }
    guard bytes.contains(where: { $0 != UInt8(ascii: "_") }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == ASCII.minus
  }
}
