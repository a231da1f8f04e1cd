import Core

/// Requests for endpoints other than `/responses`.
extension Sending {
  /// Asks the endpoint that `--path` names, or shows what would be sent.
  func sendAnywhere() throws(Failure) -> ExitStatus {
    guard operands.isEmpty else {
      throw .usage("--path takes no prompt; -b FILE is its body")
    }
    let endpoint = settings.endpoint
    let (path, query) = endpoint.parts
    let locked = try settings.isDryRun ? nil : server("GET", path)
    let body = try builder.unfilled()
    let hasBody = !body.members.isEmpty || settings.request.bodyPath != nil
    let hasForm = !endpoint.form.isEmpty
    guard !hasForm || !hasBody else { throw .usage("-F and a body exclude each other") }
    let content = hasBody ? body.bytes : [UInt8]()
    let method = endpoint.method ?? (hasBody || hasForm ? "POST" : "GET")
    if AnyEndpoint.takesBody(method) { try watch?.refuse() }
    let form = try endpoint.form(open: sources.open)
    guard let locked else {
      guard hasBody || hasForm || settings.notices.reports(.summary) else {
        throw .usage("--path: no body to print; -n -v shows the request")
      }
      try show(method, path, query: query, content, form: form)
      if hasBody { return try print(body, to: path) }
      return try notifier.print(zip(endpoint.form, form).flatMap { $0.shown($1).line + [ASCII.lf] })
    }
    let server = try unlock(locked)
    let request = try server.request(method, path, query: query, content, form: form)
    var plan = ReplyPlan(form: endpoint.form(waits: settings.follow.waits))
    plan.takesText = hasForm
    return try exchange(
      request, plan, ResponseRequests(server, like: content),
      secrets: body.secretTexts + form.compactMap(\.secret))
  }
}
