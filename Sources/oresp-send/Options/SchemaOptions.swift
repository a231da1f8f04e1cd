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
          or `response_format` of Chat Completions. Without a `name` its `title` names it, or the
          file. `--set text.format.strict=false` leaves the model free to stray from it.
          """
      ) { settings, path throws(Failure) in
        try settings.request.add(
          Edit("--schema", "text.format", SchemaFormat.source(path)))
      },
      .action(
        "json", nil, help: "Ask for JSON of any form.",
        detail: "The instructions or the prompt must mention JSON."
      ) { settings, isOn throws(Failure) in
        let type: JSONValue = isOn ? "json_object" : "text"
        try settings.request.add(Edit("--json", "text.format", .given(["type": type])))
      }.without("schema"),
    ]
  }
}
