import Core

/// What the command line says of structured output.
struct SchemaSettings: Sendable {
  /// The file that has the schema.
  var path: String?
  var name: String?
  var isStrict: Bool?
}

/// Makes `text.format` of a JSON Schema, or of a schema with its name around it.
struct StructuredOutput {
  private let settings: SchemaSettings
  /// What the schema's file is called; the name of the format comes from it where nothing better is.
  private let path: String

  init(_ settings: SchemaSettings, path: String) {
    (self.settings, self.path) = (settings, path)
  }

  /// The format that `file`, the JSON of the file, stands for: a schema, `{"name", "schema",
  /// "strict"}`, the API's own format, or that of Chat Completions (`{"json_schema": {...}}`).
  func format(of file: JSONValue) throws(Failure) -> JSONValue {
    let outer = file.opened
    guard outer.members != nil else { throw fault("a JSON Schema is an object") }
    let around = Self.around(outer)
    let schema = around?["schema"] ?? file
    let isStrict = settings.isStrict.map(JSONValue.bool) ?? around?["strict"] ?? .bool(true)
    try checkSchema(schema, isStrict: !["false", "null"].contains(Self.spelled(isStrict)))
    var format = JSONValue.object([
      ("type", .text("json_schema")), ("name", .text(try name(around, schema))),
    ])
    if let description = around?["description"] { format["description"] = description }
    format["schema"] = schema
    format["strict"] = isStrict
    return format
  }

  /// The one place where a schema is checked before it is sent.
  private func checkSchema(_ schema: JSONValue, isStrict: Bool) throws(Failure) {
    guard schema.opened.members != nil else { throw fault("a JSON Schema is an object") }
  }

  /// What is around the schema, where something is: a schema itself has no member `schema`.
  private static func around(_ outer: JSONValue) -> JSONValue? {
    if let inner = outer["json_schema"]?.opened, inner["schema"] != nil { return inner }
    let type = outer["type"]?.string.map { String(decoding: $0, as: UTF8.self) }
    guard type == nil || type == "json_schema", outer["schema"]?.opened.members != nil else {
      return nil
    }
    return outer
  }

  /// The name that was asked for, or is in the file, or the title, or the file's own.
  private func name(_ around: JSONValue?, _ schema: JSONValue) throws(Failure) -> String {
    if let name = settings.name { return name }
    if let name = around?["name"]?.string {
      let text = String(decoding: name, as: UTF8.self)
      guard SchemaName.isValid(text) else { throw fault("name: \(SchemaName.rule), got \(text)") }
      return text
    }
    let title = schema.opened["title"]?.string.map { String(decoding: $0, as: UTF8.self) }
    let file = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    return [title, path == "-" ? nil : file].compactMap { $0.flatMap(SchemaName.made) }.first
      ?? "answer"
  }

  private func fault(_ why: String) -> Failure {
    .other("\(path == "-" ? "stdin" : path): \(why)", .badInput)
  }

  private static func spelled(_ value: JSONValue) -> String {
    String(decoding: value.line, as: UTF8.self)
  }
}

/// The names that a schema may have.
enum SchemaName {
  static let rule = "expected up to 64 letters, digits, _ and -"

  static func isValid(_ name: String) -> Bool {
    1...64 ~= name.utf8.count && name.utf8.allSatisfy(isAllowed)
  }

  /// `text` with `_` in the place of what a name may not have; `nil` when nothing else is left.
  static func made(of text: String) -> String? {
    let bytes = text.utf8.prefix(64).map { isAllowed($0) ? $0 : UInt8(ascii: "_") }
    guard bytes.contains(where: { $0 != UInt8(ascii: "_") }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      ASCII.zero...ASCII.nine, UInt8(ascii: "_"), ASCII.minus:
      true
    default: false
    }
  }
}
