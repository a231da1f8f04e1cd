import Core

/// `oresp-send`: sends a request, or a batch of them, and prints the answer as it came.
enum SendTool {
  typealias Settings = SendSettings

  static var command: Command<Settings> {
    Command(
      "oresp-send", summary: "send a request to the Responses API and print its raw answer",
      operands: "[PROMPT]...", takesFiles: false,
      example: "oresp-send -m MODEL 'Why is the sky blue?' | oresp-text", options: Settings.options,
      usual: [
        "model", "dry-run", "body", "file", "previous", "instructions", "effort",
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
