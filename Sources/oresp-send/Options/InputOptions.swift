import Core

extension SendSettings {
  static var inputOptions: [Option<Self>] {
    (attachmentOptions + itemOptions).map { $0.without(verbs + ["path", "batch"]) }
  }

  private static var attachmentOptions: [Option<Self>] {
    [
      .value(
        "file", "f", "FILE", .file,
        help: "Send FILE, too: a path, a URL, a file id, or -.",
        detail: """
          A text, an image, a PDF or another file; `-` is standard input. `;type=TYPE` behind it says
          what it is sent as: `text`, `image`, `file`, or a media type, such as `image/avif`,
          `audio/wav` or `text/csv`; `;detail=LEVEL` how closely the model looks at it:
          auto, low, high, original. A name that ends so goes in double quotes.
          May be repeated; an operand beside it that is a file is refused. See `Sx INPUT`.
          """
      ) { settings, text throws(Failure) in
        settings.input.attachments.append(try Attachment(text))
      }.reading { [(try? Attachment($0))?.name].compactMap(\.self) }.ofOneFile()
    ]
  }

  private static var itemOptions: [Option<Self>] {
    [
      .value(
        "items", nil, "FILE", .file,
        help: "Send the input items in FILE before the prompt.",
        detail: """
          JSON objects, one a line, or in one array; `-` is standard input. An argument that begins
          with `{` or `[` is the JSON itself. May be repeated.
          """
      ) { settings, path in settings.input.items.append(.items(path: path)) },
      .value(
        "previous", nil, "ID", .id, help: "Continue the response ID, or the one in @FILE.",
        detail: """
          `FILE` is an event stream, its events, a log or a response, and `-` is standard input. If
          it has several responses, the last counts.
          """
      ) { settings, text throws(Failure) in
        guard !["", "@"].contains(text) else { throw .usage("expected ID or @FILE") }
        settings.input.previous = text
      },
      .value(
        "outputs", nil, "FILE", .file,
        help: "Send the outputs of calls in FILE, one a line.",
        detail: """
          An output has `call_id` and `output`; the call, of a function or a custom tool, is looked up
          in the files of `--previous` and `--items`. `-` is standard input, and an argument that
          begins with `{` or `[` is the JSON itself. May be repeated; see `oresp-tools(7)`.
          """
      ) { settings, path in settings.input.items.append(.outputs(path: path)) },
    ]
  }
}
