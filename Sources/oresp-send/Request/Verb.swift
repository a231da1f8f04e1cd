import Core

/// What is done with a response that the server has already.
struct Verb: Sendable {
  enum Kind: Sendable {
    case get, resume
  }

  let kind: Kind
  let option: String
  /// The id, perhaps with `:` and a number behind it, or `@` and a file that tells of it.
  let name: String

  /// The response that is meant, and what is known of it.
  func response(_ sources: RequestBuilder.Sources) throws(Failure) -> ResponseID.Told {
    if name.hasPrefix("@") {
      return try ResponseID.told(in: try sources.text(String(name.dropFirst())))
    }
    guard kind == .resume, let colon = name.lastIndex(of: ":") else {
      return ResponseID.Told(id: name)
    }
    let number = Array(name[name.index(after: colon)...].utf8)
    guard let last = JSONNumber.integer(number.span), last >= 0 else {
      throw .usage("\(option): expected ID, ID:NUMBER or @FILE, got \(name)")
    }
    return ResponseID.Told(id: String(name[..<colon]), last: last)
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

extension SendTool {
  static var responseOptions: [Option<Settings>] {
    [
      verb(
        .resume, "resume", "ID[:NUMBER]",
        help: "Go on with the stream of response ID behind event NUMBER, or with @FILE.",
        detail: """
          Only what comes behind it is printed; without NUMBER, all events. FILE is a stream that
          was kept, whole or cut; `-` is the standard input. It goes for responses that were asked
          for with `--background`. See `Sx BACKGROUND`.
          """),
      .flag(
        "wait", nil, help: "Ask for the response until it has ended, and print that.",
        detail: "It goes with `--no-stream --background`.", at: \.follow.waits),
      SendTool.time(
        "poll", help: "Ask every SECONDS (2), unless the server names a time.", mayBeZero: false,
        at: \.follow.pollMilliseconds),
      .flag(
        "cancel-on-interrupt", nil,
        help: "Have the server cancel the response when a signal ends the run.",
        detail: """
          It is for a response in the background, which else goes on. The signals are HUP, INT and
          TERM.
          """, at: \.follow.cancels),
    ]
  }

  private static func verb(
    _ kind: Verb.Kind, _ name: String, _ placeholder: String, help: String, detail: String
  ) -> Option<Settings> {
    .value(name, nil, placeholder, help: help, detail: detail) { settings, text throws(Failure) in
      guard !["", "@"].contains(text) else { throw .usage("expected ID or @FILE") }
      if let other = settings.verb, other.kind != kind {
        throw .usage("\(other.option) and --\(name) exclude each other")
      }
      settings.verb = Verb(kind: kind, option: "--" + name, name: text)
    }
  }
}
