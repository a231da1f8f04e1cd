import Core

/// What is done with a response that the server has already.
struct Verb: Sendable {
  enum Kind: Sendable {
    case get, resume, cancel, delete, inputItems
  }

  let kind: Kind
  let option: String
  /// The id, perhaps with `:` and a number behind it, or `@` and a file that tells of it.
  let name: String

  /// The file that tells of the response. What is gone on with is mostly kept in one.
  func file(_ sources: RequestBuilder.Sources) -> String? {
    ToldID.file(name) ?? (kind == .resume && sources.isFile(name) ? name : nil)
  }

  /// The response that is meant, and what is known of it: of a file that `isContinued`, by its whole
  /// events.
  func response(
    _ sources: RequestBuilder.Sources, isContinued: Bool
  ) throws(Failure) -> ToldID {
    if let path = file(sources) {
      return try ToldID.response(in: try sources.text(path), isContinued: isContinued)
    }
    guard kind == .resume, let colon = name.lastIndex(of: ":") else {
      return ToldID(id: name)
    }
    let number = Array(name[name.index(after: colon)...].utf8)
    guard let last = JSONNumber.integer(number.span), last >= 0 else {
      throw .usage("\(option): expected ID, ID:NUMBER or @FILE, got \(name)")
    }
    return ToldID(id: String(name[..<colon]), last: last)
  }
}

/// What is done about a response that goes on behind its reply.
struct FollowSettings: Sendable {
  /// Whether a document is waited for until it is that of the end.
  var waits = false
  /// How long is waited between two requests for it, where the server names no time.
  var pollMilliseconds = 2000
  /// Whether the response is cancelled when a signal ends the run.
  var cancels = false
}

/// What the body of a request is sent for.
enum BodyUse: Sendable {
  case answer, compact, count

  var path: String {
    switch self {
    case .answer: "/responses"
    case .compact: "/responses/compact"
    case .count: "/responses/input_tokens"
    }
  }

  /// Whether it is `use`.
  subscript(is use: BodyUse) -> Bool {
    get { self == use }
    set { self = newValue ? use : .answer }
  }

  /// The members that are known there; `nil` for all.
  var members: Set<String>? {
    switch self {
    case .answer: nil
    case .compact:
      [
        "model", "input", "previous_response_id", "instructions", "prompt_cache_key",
        "prompt_cache_retention", "prompt_cache_options", "service_tier",
      ]
    case .count:
      [
        "model", "input", "previous_response_id", "conversation", "tools", "tool_choice", "text",
        "reasoning", "truncation", "instructions", "parallel_tool_calls", "personality",
      ]
    }
  }
}

extension SendTool {
  /// The options that ask for an existing response.
  static let verbs = ["get", "resume", "cancel", "delete", "input-items"]

  static var responseOptions: [Option<Settings>] {
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
          with `--background`. See `Sx BACKGROUND`.
          """),
      .flag(
        "wait", nil, help: "Wait until the response has ended, and print it.",
        detail: "It goes with `--no-stream --background`, and with `--get`.", at: \.follow.waits
      ).without("batch", "api=chat"),
      SendTool.time(
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
  ) -> Option<Settings> {
    .flag(name, nil, help: help, detail: detail, at: \.bodyUse[is: use])
      .without(verbs + ["path", "batch", "api=chat"])
  }

  private static func verb(
    _ kind: Verb.Kind, _ name: String, _ placeholder: String, help: String, detail: String
  ) -> Option<Settings> {
    .value(name, nil, placeholder, .id, help: help, detail: detail) {
      settings, text throws(Failure) in
      guard !["", "@"].contains(text) else { throw .usage("expected ID or @FILE") }
      settings.verb = Verb(kind: kind, option: "--" + name, name: text)
    }.without(verbs.filter { $0 != name } + ["path", "batch", "api=chat"])
  }
}
