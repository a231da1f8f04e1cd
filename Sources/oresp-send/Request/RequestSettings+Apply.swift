import Core

/// The way from what the command line says into the body.
extension RequestSettings {
  /// Has the options replace what the body says.
  func apply(to body: inout RequestBody, _ reader: inout ValueReader) throws(Failure) {
    for parameter in parameters { try Self.carry(out: parameter, in: &body, &reader) }
    if !includes.isEmpty { body.set("include", .array(includes.map(JSONValue.text))) }
    if !tools.arguments.isEmpty { body.set("tools", .array(try made(&reader))) }
    if let path = schema.path {
      let file = try reader.json(in: path)
      let (format, warning) = try StructuredOutput(schema, path: path).format(of: file)
      if let warning { body.warnings.append(warning) }
      try telling(of: "--schema") { () throws(Failure) in
        try body.set(format, at: BodyPath(members: "text.format"))
      }
    }
  }

  /// Carries out `--set`, `--set-str` and `--unset`.
  func edit(_ body: inout RequestBody, _ reader: inout ValueReader) throws(Failure) {
    for edit in edits { try Self.carry(out: edit, in: &body, &reader) }
  }

  private func made(_ reader: inout ValueReader) throws(Failure) -> [JSONValue] {
    var made: [JSONValue] = []
    for argument in tools.arguments {
      made += try telling(of: "--tool") { () throws(Failure) in try argument.tools(&reader) }
    }
    return made
  }

  private static func carry(
    out edit: BodyEdit, in body: inout RequestBody, _ reader: inout ValueReader
  ) throws(Failure) {
    guard let source = edit.source else { return body.remove(at: edit.path) }
    try telling(of: edit.option) { () throws(Failure) in
      try body.set(try reader.value(of: source), at: edit.path)
    }
  }
}
