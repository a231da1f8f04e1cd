import Core

extension TextTool {
  /// The options for scripts that want a part of the text, or JSON.
  static var scriptOptions: [Option<Settings>] {
    [
      .optionalValue(
        "extract", short: "x", "LANG",
        help: "Print only what stands in fenced code blocks, of one language or of any.",
        detail: """
          LANG is the first word behind the fence, in capitals or not.
          Blocks follow each other directly;
          .Fl 0
          ends each with a NUL.
          Without any such block the exit status is 1.
          """
      ) { settings, language in
        settings.answer.style.form.takesBlocks = true
        settings.answer.style.form.language = language
      },
      .flag(
        "json", "j", help: "Print each message as one line of JSON, which it must be.",
        detail: """
          With
          .Fl x
          each block.
          What is not JSON is not printed, and the exit status is 1.
          """, at: \.answer.style.form.parses),
      .value(
        "schema", "S", "FILE", .file,
        help: "Print the JSON only if it meets the JSON Schema in FILE; implies -j.",
        detail: """
          Else a notice names the place, as a JSON Pointer, and the exit status is 1.
          See
          .Sx SCHEMAS .
          """
      ) { settings, path in
        settings.schemaPath = path
        settings.answer.style.form.parses = true
      },
    ]
  }
}
