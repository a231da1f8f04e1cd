import Core

/// `oresp-send`: sends a request, or a batch of them, and prints the answer as it came. Its rooms,
/// from the highest floor down; a room names lower ones only:
///
///     SendTool     a command line: `Ask` reads what it names, `Sending` prints or sends it
///     Options      a row for each option, which stores its value in `SendSettings`
///     Batch        lines of requests, their results, and those that are done already
///     Rehearsal    made-up answers in place of a server's
///     Run          requests and their repeats: `Run`, `Job`, `RetryPolicy`; the log, signals
///     AnyEndpoint  paths and forms of `--path`
///     Following    requests about a response that is there
///     Reply        what a reply is, what of it is passed on, and how it ended
///     Body         the JSON of a request: `Patch`, the input, tools, Chat Completions
///     Server       providers, the URL, the key and headers
///     Curl         the transport
///     Wire         requests, heads, faults, and what of them is not shown
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
        "api-key-file", "batch", "retry",
      ], elsewhere: elsewhere, settings: Settings(),
      perform: { settings, prompt, notifier throws(Failure) in
        var settings = settings
        try settings.rehearse(notifier)
        return try Sending(settings, prompt, notifier).run()
      })
  }
}
