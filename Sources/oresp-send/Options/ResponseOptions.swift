import Core

extension SendSettings {
  /// The options that ask for an existing response.
  static let verbs = VerbKind.table.map(\.option)

  static var responseOptions: [Option<Self>] {
    let rows = { (resumes: Bool) in
      VerbKind.table.filter { $0.resumes == resumes }.map(verb)
    }
    return rows(false) + useOptions + rows(true) + followOptions
  }

  private static var useOptions: [Option<Self>] {
    [
      use(
        .compact, "compact", help: "Compact the input, and print the result.",
        detail: """
          Members of the request that do not matter here are left out. The `output` of the result is
          the input of another request: `oresp-events --items` makes of it what `--items` sends.
          With `--previous` or `--conversation` no `PROMPT` is needed.
          """),
      use(
        .count, "count-tokens", help: "Print how many tokens the input has.",
        detail: """
          It is a JSON document with `input_tokens`; no answer is made. With `--previous` or
          `--conversation` no `PROMPT` is needed.
          """),
    ]
  }

  /// The options that ask for something that does not go on: a verb that asks for no response, and
  /// other uses of a body.
  private static let replies =
    VerbKind.table.filter { !$0.asksForResponse }.map(\.option) + ["compact", "count-tokens"]

  private static var followOptions: [Option<Self>] {
    [
      .optionalValue(
        "wait", "SECONDS", help: "Wait until the response has ended, and print it.",
        detail: """
          It goes with `--background` or `--get`. `SECONDS` lie between two requests (default 2), or
          the time that the server names.
          """
      ) { settings, text throws(Failure) in
        settings.follow.waits = true
        guard let text else { return }
        settings.follow.pollMilliseconds = try seconds(text, mayBeZero: false)
      }.without(replies + ["path", "batch", "api=chat"])
    ]
  }

  private static func use(
    _ use: BodyUse, _ name: String, help: String, detail: String
  ) -> Option<Self> {
    .action(name, nil, help: help, detail: detail) { $0.request.use = $1 ? use : .answer }
      .without(verbs + ["path", "batch", "api=chat"])
  }

  private static func verb(_ kind: VerbKind) -> Option<Self> {
    .value(kind.option, nil, kind.placeholder, .id, help: kind.help, detail: kind.detail) {
      settings, text throws(Failure) in
      guard !["", "@"].contains(text) else { throw .usage("expected ID or @FILE") }
      settings.verb = Verb(kind: kind, name: text)
    }.without(verbs.filter { $0 != kind.option } + ["path", "batch", "api=chat"])
  }
}
