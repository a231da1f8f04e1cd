import Core

/// Structured output, which is `text.format` of the request.
enum SchemaFormat {
  /// The format of `argument`, a file or JSON itself, which has one of the forms of
  /// `SchemaDocument`.
  static func source(_ argument: String) throws(Failure) -> Source {
    let isNamed = Sources.isNamed(argument) && !Sources.isInPlace(argument)
    let file = isNamed ? argument.split(separator: "/").last?.split(separator: ".").first : nil
    return try Source.fileOrJSON(argument) { text throws(Failure) in
      try format(text, named: file.map(String.init))
    }
  }

  /// The format in `file`. The name in it, or else the title, or else `fileName` names it.
  private static func format(
    _ file: FileText, named fileName: String?
  ) throws(Failure) -> JSONValue {
    let document = SchemaDocument(try file.json().line.span)
    guard let document else { throw file.fault("there is no schema in it") }
    let schema = JSONValue.raw(document.schema)
    guard schema.opened.members != nil else { throw file.fault("a JSON Schema is an object") }
    let title = JSONChildren.text(of: "title", in: document.schema.span)
    let made = [title, fileName].lazy.compactMap { $0.flatMap(schemaName) }.first
    var format: JSONValue = [
      "type": "json_schema", "name": .text(document.name ?? made ?? "answer"),
    ]
    format["description"] = document.description.map(JSONValue.string)
    format["schema"] = schema
    format["strict"] = .bool(document.isStrict ?? true)
    return format
  }

  /// `text` with `_` for what a name may not have; `nil` if nothing else is left.
  private static func schemaName(_ text: String) -> String? {
    let other = UInt8(ascii: "_")
    let bytes = text.utf8.prefix(64).map {
      ASCII.isLetterOrDigit($0) || $0 == ASCII.minus ? $0 : other
    }
    return bytes.allSatisfy { $0 == other } ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
