import Core

extension SendTool {
  /// The options on the form of the answer.
  static var schemaOptions: [Option<Settings>] {
    [
      .value(
        "schema", "S", "FILE", .file, help: "Have the answer as JSON by the JSON Schema in FILE.",
        detail: """
          .Ar FILE
          has a schema, or an object with
          .Ql schema
          and perhaps
          .Ql name ,
          .Ql description
          and
          .Ql strict ,
          as
          .Ql text.format
          of a request or
          .Ql response_format
          of Chat Completions has it.
          """
      ) { settings, path throws(Failure) in
        guard !path.isEmpty else { throw .usage("--schema: expected the name of a file") }
        settings.request.schema.path = path
      },
      .value(
        "schema-name", nil, "NAME", help: "Call the schema so.",
        detail: """
          Without it the name is that in
          .Ar FILE ,
          or else its
          .Ql title ,
          or else that of the file without its suffix.
          """
      ) { settings, name throws(Failure) in
        guard SchemaName.isValid(name) else {
          throw .usage("--schema-name: \(SchemaName.rule), got \(name)")
        }
        settings.request.schema.name = name
      },
      .action(
        "strict", nil, help: "Have the answer keep to the schema (the default), or not."
      ) { settings, isOn in settings.request.schema.isStrict = isOn },
      .action(
        "json", nil, help: "Have the answer as JSON of any form.",
        detail: "The instructions or the prompt must speak of JSON."
      ) { settings, isOn in
        let format = JSONValue.object([("type", .text(isOn ? "json_object" : "text"))])
        settings.request.parameters.append(BodyEdit("--json", "text.format", format))
      },
    ]
  }
}
