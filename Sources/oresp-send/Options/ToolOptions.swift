import Core

extension SendSettings {
  /// The tools, and the options that set the form of the answer.
  static var toolOptions: [Option<Self>] {
    [
      .value(
        "tool", "t", "TOOL", .lists(ToolKind.words + [("help", [])]),
        help: "Let the model use a tool, such as web_search.",
        detail: """
          `TOOL` is a short form, JSON of a tool or of an array of them, `@FILE` for such JSON in a
          file, or `-` for standard input: see `oresp-tools(7)`. `-t help` lists the tools and their options. May be
          repeated: together they replace the tools of a preset or a body.
          """
      ) { settings, text throws(Failure) in
        if text == "help" {
          settings.list = .tools
          return
        }
        if !settings.request.uses("--tool") {
          try settings.request.add(Edit("--tool", "tools", .given([])))
        }
        for edit in try ToolKind.edits(text) { try settings.request.add(edit) }
      }.reading { (try? ToolKind.edits($0))?.compactMap(\.source?.file) ?? [] },
      Parameter.row(
        "tool-choice", .toolChoice, help: "Set which tool the model must call, if any.",
        detail: """
          `CHOICE` is `none`, `auto`, `required`, `function=NAME`, `custom=NAME`,
          `mcp=LABEL[/NAME]`, the type of a tool of the server such as `file_search`, or JSON.
          `allowed=TOOL;TOOL...` limits the model to these tools, and with `,required` after them it
          must call one; a bare name there is a function.
          """),
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
