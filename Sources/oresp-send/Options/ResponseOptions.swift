import Core

extension SendSettings {
  /// The options that ask for an existing response.
  static let verbs = ["get", "resume", "cancel", "delete", "input-items"]

  static var responseOptions: [Option<Self>] {
    [
      verb(
        .get, "get", "ID", help: "Print the response ID, or that of @FILE.",
        detail: """
          Wherever an option takes the `ID` of a response, `@FILE` is the last one in `FILE`: an
          event stream, its events, a response, a line of a log or of a batch, or the payload of a
          webhook; `-` is standard input. A response that has not ended is status 5; `--wait` waits
          for its end. `--stream` prints its events.
          """),
      verb(
        .cancel, "cancel", "ID", help: "Cancel the background response ID.",
        detail: "The answer of the server is printed."),
      verb(
        .delete, "delete", "ID", help: "Delete the response ID from the server.",
        detail: "The answer of the server is printed."),
      verb(
        .inputItems, "input-items", "ID",
        help: "Print the input items of the response ID, one a line.",
        detail: "They come in their order, and are what `--items` takes."),
      use(
        .compact, "compact", help: "Compact the input, and print the result.",
        detail: """
          Members of the request that do not matter here are left out. The `output` of the result is
          the input of another request; `oresp-events --items` converts it to what `--items` takes.
          With `--previous` or `--conversation` no `PROMPT` is needed.
          """),
      use(
        .count, "count-tokens", help: "Print how many tokens the input has.",
        detail: """
          A JSON document with `input_tokens`; nothing is generated. No `PROMPT` is needed where
          `--compact` needs none.
          """),
      verb(
        .resume, "resume", "ID[:NUMBER]",
        help: "Continue the stream of response ID, or that in @FILE.",
        detail: """
          Only the events after event `NUMBER` are printed; without a number, all. `FILE` is a saved
          stream, whole or cut, or a log; `-` is standard input. The response must have been created
          with `--background`. See `oresp-endpoints(7)`.
          """),
      .flag(
        "wait", nil, help: "Wait until the response has ended, and print it.",
        detail: "It goes with `--no-stream --background`, and with `--get`.", at: \.follow.waits
      ).without("batch", "api=chat"),
      time(
        "poll", help: "Ask every SECONDS while waiting (default 2).",
        detail: "A time that the server names overrides it.", mayBeZero: false,
        at: \.follow.pollMilliseconds),
      .flag(
        "cancel-on-interrupt", nil,
        help: "Cancel the response when a signal ends the run.",
        detail: """
          Otherwise a background response continues. The signals are HUP, INT and TERM.
          """, at: \.follow.cancels
      ).without("batch", "api=chat"),
    ]
  }

  private static func use(
    _ use: BodyUse, _ name: String, help: String, detail: String
  ) -> Option<Self> {
    .flag(name, nil, help: help, detail: detail, at: \.request.use[is: use])
      .without(verbs + ["path", "batch", "api=chat"])
  }

  private static func verb(
    _ kind: Verb.Kind, _ name: String, _ placeholder: String, help: String, detail: String
  ) -> Option<Self> {
    .value(name, nil, placeholder, .id, help: help, detail: detail) {
      settings, text throws(Failure) in
      guard !["", "@"].contains(text) else { throw .usage("expected ID or @FILE") }
      settings.verb = Verb(kind: kind, option: "--" + name, name: text)
    }.without(verbs.filter { $0 != name } + ["path", "batch", "api=chat"])
  }
}
