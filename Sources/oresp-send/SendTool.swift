import Core

/// `oresp-send`: sends one request and gives its answer as it came.
enum SendTool {
  /// What the command line asks for.
  struct Settings: CommonSettings {
    var notices = NoticeSettings()
    var model: String?
    var bodyPath: String?
    /// What `--[no-]stream` said, if it was given.
    var streamChoice: Bool?
    var isDryRun = false
    /// The name in a batch of the request that is printed, if it is to be a line of one.
    var customID: String?
    var rehearsal: Rehearsal?
    var transport = TransportSettings()
    var input = InputSettings()
    var request = RequestSettings()
    var access = AccessSettings()
    var retry = RetrySettings()
    var reply = ReplySettings()
    /// What is asked of a response that is there, if no new one is asked for.
    var verb: Verb?
    var follow = FollowSettings()
    var bodyUse = BodyUse.answer
    var api = API.responses
    var endpoint = AnyEndpoint()
    var batch = BatchSettings()
  }

  static var command: Command<Settings> {
    Command(
      "oresp-send", summary: "send a request to the Responses API and print its raw answer",
      operands: "[PROMPT]...", takesFiles: false,
      example: "oresp-send -m MODEL 'Why is the sky blue?' | oresp-text", options: options,
      usual: [
        "model", "body", "dry-run", "file", "previous", "instructions", "effort",
        "max-output-tokens", "tool", "schema", "preset", "set", "rehearse", "provider",
        "api-key-file", "batch", "output", "retry",
      ], elsewhere: elsewhere, settings: Settings(),
      perform: { settings, prompt, notifier throws(Failure) in
        var settings = settings
        try settings.rehearse(notifier)
        return try Sending(settings, prompt, notifier).run()
      })
  }
}

extension SendTool {
  static var options: [Option<Settings>] {
    requestOptions.grouped("Request") + inputOptions.grouped("Prompt, files and items")
      + (Parameter.table + [Include.option]).grouped("Parameters")
      + (toolOptions + schemaOptions).grouped("Tools and the form of the answer")
      + (presetOptions + setOptions).grouped("Presets and members")
      + responseOptions.grouped("Responses that go on")
      + endpointOptions.grouped("Other endpoints") + batchOptions.grouped("Many requests")
      + [rehearsalOption].grouped("Without sending")
      + (providerOptions + accessOptions).grouped("Server and key")
      + replyOptions.grouped("Where the answer goes")
      + (retryOptions + transportOptions).grouped("Retries, timeouts and connection")
  }

  private static var requestOptions: [Option<Settings>] {
    [
      .value(
        "model", "m", "MODEL", .variable("ORESP_MODEL"),
        help: "Choose the model (default: ORESP_MODEL).",
        detail: "`ORESP_MODEL` is used if neither the option nor the body names a model."
      ) { settings, model throws(Failure) in
        guard !model.isEmpty else { throw .usage("expected a name") }
        settings.model = model
      },
      .value(
        "body", "b", "FILE", .file, help: "Start from the request body in FILE (-: stdin).",
        detail: """
          A JSON object; an argument that begins with `{` is the object itself. Its members keep
          their order and spelling; the other options and the prompt replace theirs.
          """
      ) { settings, path in settings.bodyPath = path },
      .action(
        "stream", nil, help: "Ask for a stream of events (default).",
        detail: """
          `--no-stream` asks for one JSON document. Without either the body decides, if it has
          `stream`.
          """
      ) { settings, isOn in settings.streamChoice = isOn },
      .flag(
        "dry-run", "n", help: "Print the request body; send nothing.",
        detail: """
          The body is one line. Given to `-b`, it is sent byte for byte. Secrets that tools have
          from files or the environment are left out, and reported. The fields of a form are printed
          as JSON, one a line. With `-v` the method, the URL and the headers are reported, too, with
          `[key]` for secrets.
          """, at: \.isDryRun
      ).without("output"),
      .value(
        "custom-id", nil, "ID", help: "With -n, print the line ID of a batch.",
        detail: """
          The line is in the form that the Batch API and `--batch` take: `ID` is its `custom_id`, and
          the body has no `stream`.
          """
      ) { settings, id throws(Failure) in
        guard !id.isEmpty else { throw .usage("expected a name") }
        settings.customID = id
      }.with("dry-run").without("batch"),
      apiOption,
    ]
  }
}
