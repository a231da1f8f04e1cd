import Core

/// Requests for a new response, or for what `BodyUse` makes of its body.
extension Sending {
  /// Sends the request, or prints its body. The key comes after the prompt: it may ask a person.
  func sendNew() throws(Failure) -> ExitStatus {
    let ask = try self.ask(operands)
    let body = try ask.body()
    let isBackground = body.isTrue("background")
    guard isBackground || !settings.follow.waits else {
      throw .usage("--wait goes with --background, which makes a response that goes on")
    }
    let server = try ask.server.map(withKey)
    let request = server.map { ask.request(to: $0, body) }
    guard let server, let request, !settings.isDryRun else {
      request.map(show)
      return try print(body, to: ask.path)
    }
    if notifier.stdout.isTerminal, body.isTrue("stream") {
      sources.warn("the answer comes as events; | oresp-text prints its text")
    }
    let plan =
      settings.request.use == .answer
      ? ReplyPlan(
        model: settings.request.model, isChat: ask.patch.isChat, isBackground: isBackground,
        waits: settings.follow.waits)
      : ReplyPlan(form: .document)
    let requests = ResponseRequests(server, like: body)
    return try exchange(request, plan, requests, secrets: ask.patch.secretTexts)
  }
}
