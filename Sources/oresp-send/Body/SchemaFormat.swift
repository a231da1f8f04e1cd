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
    let made = [title, fileName].lazy.compactMap { $0.flatMap(SchemaName.made) }.first
    var format: JSONValue = [
      "type": "json_schema", "name": .text(document.name ?? made ?? "answer"),
    ]
    format["description"] = document.description.map(JSONValue.string)
    format["schema"] = schema
    format["strict"] = .bool(document.isStrict ?? true)
    return format
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
