import Core

/// Requests for a new response, or for what `BodyUse` makes of its body.
extension Sending {
  /// Prints the body that would be sent.
  func printBody() throws(Failure) -> ExitStatus {
    let body = try body(try builder.draft())
    try checkFollowing(body)
    try show("POST", settings.newPath)
    return try print(body, to: settings.newPath)
  }

  /// Sends the request. Refuses a request that cannot be sent before it reads the prompt, which may
  /// wait for standard input.
  func send() throws(Failure) -> ExitStatus {
    let path = settings.newPath
    let locked = try server("POST", path)
    let draft = try builder.draft()
    let server = try unlock(locked)
    _ = try server.post(path, [])
    let body = try body(draft)
    try checkFollowing(body)
    let request = try server.post(path, body.bytes)
    let requests = ResponseRequests(server, like: request.body)
    if notifier.stdout.isTerminal, settings.reply.path == nil, request.says("stream") {
      warn(["the answer comes as events; | oresp-text prints its text"])
    }
    return try exchange(request, plan(for: request), requests, secrets: body.secretTexts)
  }

  /// Refuses options that follow the response to `body`, unless it is made in the background.
  private func checkFollowing(_ body: RequestBody) throws(Failure) {
    let follow = settings.follow
    guard follow.waits || follow.cancels, !body.isTrue("background") else { return }
    let option = follow.waits ? "--wait" : "--cancel-on-interrupt"
    throw .usage("\(option) goes with --background, which makes a response that goes on")
  }

  /// The reply that is expected to a request for a new response.
  private func plan(for request: HTTPRequest) -> ReplyPlan {
    guard settings.request.use == .answer else { return ReplyPlan(form: .document) }
    return ReplyPlan(
      isChat: settings.request.api == .chat, isBackground: request.says("background"),
      waits: settings.follow.waits)
  }

  /// The body made of `draft` and the options.
  private func body(_ draft: RequestBody) throws(Failure) -> RequestBody {
    var body = try builder.build(draft)
    if let known = settings.request.use.members { body.keep(known) }
    return body
  }
}
