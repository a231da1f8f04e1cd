import Core

extension SendSettings {
  /// The options that set the form of the answer.
  static var schemaOptions: [Option<Self>] {
    [
      .value(
        "schema", "S", "FILE", .file, help: "Ask for JSON that meets the JSON Schema in FILE.",
        detail: """
          An argument that begins with `{` is the JSON itself. It is a schema, or an object with
          `schema` and perhaps `name`, `description` and `strict`, such as `text.format` of a request
          or `response_format` of Chat Completions.
          """
      ) { settings, path throws(Failure) in
        guard !path.isEmpty else { throw .usage("expected the name of a file") }
        settings.request.schema.path = path
      },
      .value(
        "schema-name", nil, "NAME", help: "Name the schema NAME.",
        detail: """
          Without it, the name is `name` in `FILE`, or else `title`, or else the name of the file
          without its suffix, or `answer`.
          """
      ) { settings, name throws(Failure) in
        guard !name.isEmpty else { throw .usage("expected a name") }
        settings.request.schema.name = name
      }.with("schema"),
      .action(
        "strict", nil, help: "Make the answer keep to the schema (default).",
        detail: "`--no-strict` leaves the model free to stray from it."
      ) { settings, isOn in settings.request.schema.isStrict = isOn }.with("schema"),
      .action(
        "json", nil, help: "Ask for JSON of any form.",
        detail: "The instructions or the prompt must mention JSON."
      ) { settings, isOn in
        let type: JSONValue = isOn ? "json_object" : "text"
        settings.request.parameters.append(BodyEdit("--json", "text.format", ["type": type]))
      }.without("schema"),
    ]
  }
}
