import Core

/// What can be done with a response that the server has already.
struct VerbKind: Sendable {
  /// The option that asks for it, without its dashes.
  let option: String
  var placeholder = "ID"
  let help: String
  let detail: String
  /// Makes the request about the response that is known, and says what it is to bring; the command
  /// line may ask for events, and to wait.
  let ask:
    @Sendable (ResponseRequests, KnownResponse, _ streams: Bool, _ waits: Bool) throws(Failure) -> (
      request: HTTPRequest, plan: ReplyPlan
    )

  /// Whether it goes on with a stream that was cut.
  var resumes: Bool { option == "resume" }

  static let table: [VerbKind] = [
    VerbKind(
      option: "get", help: "Print the response ID, or the one in @FILE.",
      detail: """
        Wherever an option takes the `ID` of a response, `@FILE` is the last one in `FILE`: an
        event stream, its events, a response, a line of a log or of a batch, or the payload of a
        webhook; `-` is standard input. A response that has not ended is status 5; `--wait` waits
        for its end. `--stream` prints its events.
        """
    ) { requests, known, streams, waits throws(Failure) in
      let id = known.id
      let plan = ReplyPlan(
        isBackground: streams || waits, waits: waits && !streams, id: id, resumes: streams)
      return (try streams ? requests.events(id, after: nil) : requests.response(id), plan)
    },
    VerbKind(
      option: "cancel", help: "Cancel the background response ID.",
      detail: "The answer of the server is printed."
    ) { requests, known, _, _ throws(Failure) in
      (try requests.cancel(known.id), ReplyPlan(form: .document))
    },
    VerbKind(
      option: "delete", help: "Delete the response ID from the server.",
      detail: "The answer of the server is printed."
    ) { requests, known, _, _ throws(Failure) in
      (try requests.delete(known.id), ReplyPlan(form: .document))
    },
    VerbKind(
      option: "input-items", help: "Print the input items of response ID, one a line.",
      detail: "They come in their order. `--items` sends them again."
    ) { requests, known, _, _ throws(Failure) in
      (try requests.inputItems(known.id), ReplyPlan(form: .page))
    },
    VerbKind(
      option: "resume", placeholder: "ID[:NUMBER]",
      help: "Resume the stream of response ID, or of @FILE.",
      detail: """
        Only the events after event `NUMBER` are printed; without a number, all. `FILE` is a saved
        stream, whole or cut, or a log; `-` is standard input. The response must have been created
        with `--background`. See `oresp-endpoints(7)`.
        """
    ) { requests, known, _, _ throws(Failure) in
      let plan = ReplyPlan(isBackground: true, id: known.id, resumes: true, last: known.last)
      return (try requests.events(known.id, after: known.last), plan)
    },
  ]
}

/// What the command line asks for of a response that is there.
struct Verb: Sendable {
  let kind: VerbKind
  /// The id, perhaps with `:` and a number behind it, or `@` and a file that tells of it.
  let name: String

  var option: String { "--" + kind.option }

  /// The file that tells of the response. What is gone on with is mostly kept in one.
  func file(_ sources: Sources) -> String? {
    IDKind.path(in: name) ?? (kind.resumes && sources.isFile(name) ? name : nil)
  }

  /// The response that is meant, and what is known of it: of a file that `isContinued`, by its
  /// whole events.
  func response(
    _ sources: Sources, isContinued: Bool
  ) throws(Failure) -> KnownResponse {
    if let path = file(sources) {
      return try KnownResponse.last(in: try sources.text(path), isContinued: isContinued)
    }
    guard kind.resumes, let colon = name.lastIndex(of: ":") else {
      return KnownResponse(id: name)
    }
    let number = Array(name[name.index(after: colon)...].utf8)
    guard let last = JSONNumber.integer(number.span), last >= 0 else {
      throw .usage("\(option): expected ID, ID:NUMBER or @FILE, got \(name)")
    }
    return KnownResponse(id: String(name[..<colon]), last: last)
  }
}

/// What is done about a response that goes on behind its reply.
struct FollowSettings: Sendable {
  /// Whether the document is asked for again until the response has ended.
  var waits = false
  /// How long is waited between two requests for it, where the server names no time.
  var pollMilliseconds = 2000
  /// Whether the response is cancelled when a signal ends the run.
  var cancels = false
}
