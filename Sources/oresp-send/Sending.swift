import Core

/// What one command line asks for: a request that is printed, saved, shown as a command, rehearsed,
/// or sent to the server that the environment names.
struct Sending {
  private var settings: SendTool.Settings
  private let hasPrompt: Bool
  private let builder: RequestBuilder
  private let sources: RequestBuilder.Sources
  private let notifier: Notifier

  init(_ settings: SendTool.Settings, _ prompt: [String], _ notifier: Notifier) {
    (self.settings, self.notifier) = (settings, notifier)
    if settings.verb?.kind == .resume { self.settings.streamChoice = true }
    self.settings.transport.takeAuthorities(from: notifier.variable)
    sources = RequestBuilder.Sources(
      stdinIsTerminal: notifier.stdin.isTerminal,
      read: { path throws(Failure) in try notifier.open(operand: path).readAll() },
      variable: notifier.variable, open: notifier.open, list: Folder.names)
    builder = RequestBuilder(self.settings, prompt: prompt, sources)
    hasPrompt = !prompt.isEmpty
  }

  func run() throws(Failure) -> ExitStatus {
    if settings.request.listsTools {
      return try notifier.print(Array(ToolKind.list.utf8))
    }
    for (option, isGiven) in [
      ("-n", settings.isDryRun), ("--rehearse", settings.rehearsal != nil),
    ] where settings.showsCurl && isGiven {
      throw .usage("--curl and \(option) exclude each other")
    }
    warn(settings.request.hints)
    if settings.access.listsProviders { return try notifier.print(Array(Provider.list.utf8)) }
    if let lone = settings.endpoint.lone { throw .usage("\(lone) goes with --path only") }
    if settings.endpoint.path != nil { return try sendAnywhere() }
    if let verb = settings.verb { return try send(verb) }
    if let name = settings.request.presets.savedName { return try save(name) }
    if settings.isDryRun {
      let (body, hidden) = try body().shown
      tell(hidden)
      return try print(body.content, end: [ASCII.lf])
    }
    guard let rehearsal = settings.rehearsal else { return try send() }
    let request = HTTPRequest(url: "", headers: [], body: try body().content, isLocal: true)
    // Nobody is asked, so no key is needed.
    let server = try Server(key: nil, hasSocket: true) { _ in nil }
    let exchange = try Exchange(
      request, plan(for: request), ResponseRequests(server, like: request.body), Redaction([]),
      settings, notifier)
    return try exchange.deliver(request, by: RehearsalTransport(rehearsal))
  }

  /// Sends the request, or shows it as a command. Whatever cannot be sent is refused before the body
  /// is made, since that may wait for standard input.
  private func send() throws(Failure) -> ExitStatus {
    let path = settings.bodyUse.path
    let likely = settings.showsCurl ? "key" : try likelyKey()
    try check(try server(key: likely).post(path, BodyContent()))
    let key = try key()
    let server = try server(key: key)
    _ = try server.post(path, BodyContent())
    var body = try body()
    if settings.showsCurl {
      // Such a command is made to be shown around, so no secret is in it, wherever it is from.
      tell(body.removeSecrets())
      let request = try server.post(path, body.content)
      let command = try CurlCommand(request, settings.transport).text()
      return try notifier.print(Array(command.utf8))
    }
    let request = try server.post(path, body.content)
    if request.isInTheClear {
      let what = key == nil ? "the request goes" : "the key and the request go"
      warn([what + " over plain HTTP: everybody on the way can read it"])
    }
    let redaction = Redaction([server.secret] + body.secretTexts)
    let requests = ResponseRequests(server, like: request.body)
    var gate: InputGate?
    if let most = settings.mostInputTokens, settings.bodyUse == .answer {
      body.keep(BodyUse.count.members ?? [])
      gate = InputGate(most: most, request: try server.post(BodyUse.count.path, body.content))
    }
    return try Exchange(
      request, plan(for: request), requests, redaction, settings, notifier, gate
    ).run()
  }

  /// What a request for a new response is to bring.
  private func plan(for request: HTTPRequest) -> ReplyPlan {
    guard settings.bodyUse == .answer else { return ReplyPlan(form: .document) }
    return ReplyPlan(isBackground: request.says("background"), waits: settings.follow.waits)
  }

  /// Asks another endpoint.
  private func sendAnywhere() throws(Failure) -> ExitStatus {
    guard !hasPrompt, !settings.input.hasAny, settings.verb == nil, settings.rehearsal == nil,
      settings.bodyUse == .answer
    else { throw .usage("--path takes its body from -b, and no PROMPT, file, item or other verb") }
    let endpoint = settings.endpoint
    let (path, query) = endpoint.parts
    if !settings.isDryRun {
      let likely = settings.showsCurl ? "key" : try likelyKey()
      try check(try server(key: likely).request("GET", path))
    }
    let body = try builder.unfilled()
    let hasBody = !body.members.isEmpty || settings.bodyPath != nil
    if settings.isDryRun {
      guard hasBody else { throw .usage("--path: no body to print; --curl shows the request") }
      let (shown, hidden) = body.shown
      tell(hidden)
      return try print(shown.content, end: [ASCII.lf])
    }
    let server = try server(key: try key())
    let content = hasBody ? body.content : BodyContent()
    let method = endpoint.method ?? (hasBody ? "POST" : "GET")
    let request = try server.request(method, path, query: query, content)
    if settings.showsCurl {
      return try notifier.print(
        Array(try CurlCommand(request, settings.transport).text().utf8))
    }
    let plan = ReplyPlan(form: endpoint.form(waits: settings.follow.waits))
    return try Exchange(
      request, plan, ResponseRequests(server, like: content),
      Redaction([server.secret] + body.secretTexts), settings, notifier
    ).run()
  }

  /// Asks for a response that there is already.
  private func send(_ verb: Verb) throws(Failure) -> ExitStatus {
    let wanted = try builder.unfilled()
    let strange = wanted.members.first {
      !["include", "stream", "stream_options"].contains($0.name)
    }
    guard strange == nil, !hasPrompt, !settings.input.hasAny else {
      let what = strange.map { "no \($0.name)" } ?? "no PROMPT, file or item"
      throw .usage("\(verb.option) asks for a response that there is, and takes \(what)")
    }
    guard !settings.isDryRun, settings.rehearsal == nil else {
      throw .usage("\(verb.option) has no body; --curl shows what would be sent")
    }
    let likely = settings.showsCurl ? "key" : try likelyKey()
    try check(try server(key: likely).request("GET", ResponseRequests.path("id")))
    let known = try verb.response(sources)
    if verb.kind == .resume, known.hasEnded {
      notifier.tell(Notice(.status, "\(known.id) has ended: nothing is left to come"))
      return .completed
    }
    let (id, last) = (known.id, known.last)
    let server = try server(key: try key())
    let requests = ResponseRequests(server, like: wanted.content)
    let path = ResponseRequests.path(id)
    var plan = ReplyPlan(form: .document)
    let request: HTTPRequest
    switch verb.kind {
    case .resume:
      request = try requests.events(id, after: last)
      plan = ReplyPlan(isBackground: true, id: id, resumes: true, last: last)
    case .get:
      request = try requests.response(id)
      let waits = settings.follow.waits
      plan = ReplyPlan(isBackground: waits, waits: waits, id: id)
    case .cancel: request = try requests.cancel(id)
    case .delete: request = try server.request("DELETE", path)
    case .inputItems:
      request = try requests.inputItems(id)
      plan.form = .page
    }
    if settings.showsCurl {
      return try notifier.print(
        Array(try CurlCommand(request, settings.transport).text().utf8))
    }
    return try Exchange(
      request, plan, requests, Redaction([server.secret]), settings, notifier
    ).run()
  }

  private var provider: Provider {
    get throws(Failure) { try Provider.named(settings.access.provider, notifier.variable) }
  }

  private func key() throws(Failure) -> String? {
    guard settings.showsCurl else {
      return try settings.access.keySource.key(of: provider, variable: notifier.variable) {
        notifier.tell($0)
      }
    }
    // A command that is shown needs none; but where none would be sent it has none.
    if try likelyKey() == nil, try server(key: "key").post("", BodyContent()).isLocal { return nil }
    return "$" + (try provider.keyVariable)
  }

  /// The key of the environment; any for one that a file or a command has, so that neither is asked
  /// in vain.
  private func likelyKey() throws(Failure) -> String? {
    guard case .environment = settings.access.keySource else { return "key" }
    return try settings.access.keySource.key(of: provider, variable: notifier.variable)
  }

  private func server(key: String?) throws(Failure) -> Server {
    try Server(
      key: key, access: settings.access, hasSocket: settings.transport.unixSocket != nil,
      variable: notifier.variable)
  }

  private func check(_ request: HTTPRequest) throws(Failure) {
    if let file = settings.transport.caFile { _ = try Descriptor(reading: file) }
    guard let proxy = settings.transport.proxy, request.isLocal else { return }
    guard try Endpoint.proxy(proxy).isLoopback else {
      throw .usage("--proxy: a server on this machine is asked by a proxy on this machine only")
    }
  }

  /// The body that the command line makes, with its warnings told.
  private func body() throws(Failure) -> RequestBody {
    var body = try builder.build()
    warn(body.warnings)
    if let known = settings.bodyUse.members { body.keep(known) }
    return body
  }

  /// Saves what the command line says as the preset `name`.
  private func save(_ name: String) throws(Failure) -> ExitStatus {
    let preset = try builder.unfilled().preset
    tell(preset.secrets)
    if settings.isDryRun { return try notifier.print(preset.text) }
    let folder = PresetFolder(sources)
    let path = try folder.path(of: name)
    try Folder.make(try folder.folder, isPrivate: true)
    do throws(Failure) {
      let replaces = settings.request.presets.replaces
      let file = try NewFile(at: path, existing: replaces ? .replace : .keep, isPrivate: true)
      try file.write(preset.text.span)
      try file.commit()
    } catch {
      guard case .file(_, EEXIST) = error else { throw error }
      throw .usage("--save-preset: \(path) is there already; --force replaces it")
    }
    notifier.tell(Notice(.status, "saved \(path); nothing was sent"))
    return .completed
  }

  private func warn(_ warnings: [String]) {
    for warning in warnings { notifier.tell(Notice(.warning, warning)) }
  }

  /// Tells the places of secrets that are not written.
  private func tell(_ hidden: [String]) {
    warn(hidden.map { "\($0) is a secret, and left out of what is written" })
  }

  private func print(_ content: BodyContent, end: [UInt8]) throws(Failure) -> ExitStatus {
    var stdout = Outlet(notifier)
    var reader = BodyReader(content)
    var piece: [UInt8] = []
    repeat {
      piece.removeAll(keepingCapacity: true)
      try reader.read(InputBuffer.readSize, into: &piece)
      try stdout.write(piece.span)
    } while !piece.isEmpty
    try stdout.write(end.span)
    try stdout.close()
    return .completed
  }
}
