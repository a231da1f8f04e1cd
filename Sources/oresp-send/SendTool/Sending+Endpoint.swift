import Core

/// Requests for endpoints other than `/responses`.
extension Sending {
  /// Asks the endpoint that `--path` names, or shows what would be sent.
  func sendAnywhere() throws(Failure) -> ExitStatus {
    guard operands.isEmpty else { throw .usage("--path takes no prompt; -b FILE is its body") }
    let ask = try self.ask()
    let endpoint = settings.endpoint
    let (path, query) = endpoint.parts
    let body = try ask.patch.body()
    let hasBody = !body.members.isEmpty || settings.request.uses("-b")
    let hasForm = !endpoint.form.isEmpty
    guard !hasForm || !hasBody else { throw .usage("-F and a body exclude each other") }
    let content = hasBody ? body.bytes : []
    let method = endpoint.method ?? (hasBody || hasForm ? "POST" : "GET")
    if AnyEndpoint.takesBody(method) { try sources.refuseUnreadInput() }
    let form = try endpoint.form(open: sources.open)
    let server = try ask.server.map(withKey)
    let request = server?.request(method, path, query: query, content, form: form)
    guard let server, let request, !settings.isDryRun else {
      guard hasBody || hasForm || request != nil else {
        throw .usage("--path: no body to print; -n -v shows the request")
      }
      request.map(show)
      if hasBody { return try print(body, to: path) }
      return try notifier.print(zip(endpoint.form, form).flatMap { $0.shown($1).line + [ASCII.lf] })
    }
    var plan = ReplyPlan(form: endpoint.replyForm)
    plan.takesText = hasForm
    return try exchange(
      request, plan, ResponseRequests(server, like: body),
      secrets: ask.patch.secretTexts + form.compactMap(\.secret))
  }
}
