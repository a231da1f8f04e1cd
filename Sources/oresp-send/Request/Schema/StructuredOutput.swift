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

  /// The format that `file`, the JSON of the file, stands for, in one of the forms of
  /// `SchemaDocument`, and a warning when OpenAI's API would refuse it.
  func format(of file: JSONValue) throws(Failure) -> (format: JSONValue, warning: String?) {
    let text = file.line
    let document = SchemaDocument(text.span)
    guard let document else { throw fault("there is no schema in it") }
    let schema = JSONValue.raw(document.schema)
    guard schema.opened.members != nil else { throw fault("a JSON Schema is an object") }
    let isStrict = settings.isStrict ?? document.isStrict ?? true
    var format = JSONValue.object([
      ("type", .text("json_schema")), ("name", .text(try name(document))),
    ])
    if let description = document.description { format["description"] = .string(description) }
    format["schema"] = schema
    format["strict"] = .bool(isStrict)
    let broken = isStrict ? StrictRules.fault(in: schema) : nil
    return (format, broken.map { "\(fileName): \($0); OpenAI refuses it without --no-strict" })
  }

  /// The name that was asked for, or is in the file, or the title, or the file's own.
  private func name(_ document: SchemaDocument) throws(Failure) -> String {
    if let name = settings.name { return name }
    if let name = document.name {
      guard SchemaName.isValid(name) else { throw fault("name: \(SchemaName.rule), got \(name)") }
      return name
    }
    let title = JSONChildren.string(of: "title", in: document.schema.span)
    let file = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    let isNamed = RequestBuilder.Sources.isNamed(path)
    return [title.map { String(decoding: $0, as: UTF8.self) }, isNamed ? file : nil]
      .compactMap { $0.flatMap(SchemaName.made) }.first ?? "answer"
  }

  /// The file as people know it.
  private var fileName: String { RequestBuilder.Sources.name(of: path) }

  private func fault(_ why: String) -> Failure { .broken(path, why) }
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
