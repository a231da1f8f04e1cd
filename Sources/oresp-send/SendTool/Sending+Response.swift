import Core

/// Requests for a new response, or about one that there might be.
extension Sending {
  /// Prints the body that would be sent.
  func printBody() throws(Failure) -> ExitStatus {
    let body = try body(try builder.draft())
    try show("POST", settings.newPath)
    return try print(body, to: settings.newPath)
  }

  /// Sends the request. Whatever cannot be sent is refused before the prompt is read, since that
  /// may wait for standard input.
  func send() throws(Failure) -> ExitStatus {
    let path = settings.newPath
    try builder.check()
    let locked = try server("POST", path)
    let draft = try builder.draft()
    let server = try locked.unlocked(notifier)
    _ = try server.post(path, [])
    let body = try body(draft)
    let request = try server.post(path, body.bytes)
    let requests = ResponseRequests(server, like: request.body)
    if notifier.stdout.isTerminal, settings.reply.path == nil, request.says("stream") {
      warn(["the answer comes as events; | oresp-text prints its text"])
    }
    return try exchange(request, plan(for: request), requests, secrets: body.secretTexts)
  }

  /// What a request for a new response is to bring.
  private func plan(for request: HTTPRequest) -> ReplyPlan {
    guard settings.request.use == .answer else { return ReplyPlan(form: .document) }
    return ReplyPlan(
      isChat: settings.request.api == .chat, isBackground: request.says("background"),
      waits: settings.follow.waits)
  }

  /// The body that the command line makes.
  private func body(_ draft: RequestBody) throws(Failure) -> RequestBody {
    var body = try builder.build(draft)
    if let known = settings.request.use.members { body.keep(known) }
    return body
  }
}
