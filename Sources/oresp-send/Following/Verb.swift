import Core

/// A kind of request about an existing response.
struct VerbKind: Sendable {
  /// The option for it, without its dashes.
  let option: String
  var placeholder = "ID"
  let help: String
  let detail: String
  /// The members of a body that say how the response is asked for.
  var members: Set<String> = []
  /// Makes the request about a known response, and the plan of its reply. `streams` says to ask for
  /// events, `waits` to poll until the response has ended.
  let ask:
    @Sendable (ResponseRequests, KnownResponse, _ streams: Bool, _ waits: Bool) -> (
      request: HTTPRequest, plan: ReplyPlan
    )

  /// Whether the answer is the response, or its events.
  var asksForResponse: Bool { !members.isEmpty }

  /// Whether it resumes a stream that was cut.
  var resumes: Bool { option == "resume" }

  static let table: [VerbKind] = [
    VerbKind(
      option: "get", help: "Print the response ID, or the one in @FILE.",
      detail: """
        Wherever an option takes the `ID` of a response, `@FILE` is the last one in `FILE`: an
        event stream, its events, a response, a line of a log or of a batch, or the payload of a
        webhook; `-` is standard input. A response that has not ended is status 5; `--wait` waits
        for its end. `--stream` prints its events.
        """, members: ["include", "stream", "stream_options"]
    ) { requests, known, streams, waits in
      let id = known.id
      let plan = ReplyPlan(
        isBackground: streams || waits, waits: waits && !streams, id: id, resumes: streams)
      return (streams ? requests.events(id, after: nil) : requests.response(id), plan)
    },
    VerbKind(
      option: "cancel", help: "Cancel the background response ID.",
      detail: "The answer of the server is printed."
    ) { requests, known, _, _ in
      (requests.cancel(known.id), ReplyPlan(form: .document))
    },
    VerbKind(
      option: "delete", help: "Delete the response ID from the server.",
      detail: "The answer of the server is printed."
    ) { requests, known, _, _ in
      (requests.delete(known.id), ReplyPlan(form: .document))
    },
    VerbKind(
      option: "resume", placeholder: "ID[:NUMBER]",
      help: "Resume the stream of response ID, or of @FILE.",
      detail: """
        Only the events after event `NUMBER` are printed; without a number, all. `FILE` is a saved
        stream, whole or cut, or a log; `-` is standard input. The response must have been created
        with `--background`. See `oresp-endpoints(7)`.
        """, members: ["include", "stream", "stream_options"]
    ) { requests, known, _, _ in
      let plan = ReplyPlan(isBackground: true, id: known.id, resumes: true, last: known.last)
      return (requests.events(known.id, after: known.last), plan)
    },
  ]
}

/// A request of the command line about an existing response.
struct Verb: Sendable {
  let kind: VerbKind
  /// The operand as typed: `ID`, `ID:NUMBER`, `@FILE`, or with `--resume` `FILE`.
  let name: String

  var option: String { "--" + kind.option }

  /// Refuses `members` of a body that say nothing of a response that is there.
  func refuse(_ members: [String]) throws(Failure) {
    guard let strange = members.first(where: { !kind.members.contains($0) }) else { return }
    throw .usage("\(option) takes no \(strange)")
  }

  /// The file that has the response; `nil` when the operand is an id.
  func file(_ sources: Sources) -> String? {
    Source.file(in: name) ?? (kind.resumes && sources.isFile(name) ? name : nil)
  }

  /// The response that the operand names. In a file that `isContinued`, only whole events count.
  func response(_ sources: Sources, isContinued: Bool) throws(Failure) -> KnownResponse {
    let known = try named(sources, isContinued: isContinued)
    // In a URL it would name another object: /responses/.. is the root of the API.
    guard !["", ".", ".."].contains(known.id) else {
      throw .usage("\(option): expected the id of a response, got '\(known.id)'")
    }
    return known
  }

  private func named(_ sources: Sources, isContinued: Bool) throws(Failure) -> KnownResponse {
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

/// The settings for a response that goes on after its reply.
struct FollowSettings: Sendable {
  /// Whether the document is polled until the response has ended.
  var waits = false
  /// The wait between two polls when the server asks for none.
  var pollMilliseconds = 2000
}
