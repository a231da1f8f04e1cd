import Core

/// The work of one command line: it prints or sends a request, or a batch of them.
struct Sending {
  private(set) var settings: SendSettings
  let operands: [String]
  let sources: Sources
  let notifier: Notifier
  /// The watch on standard input; `nil` when an argument reads it or
  /// `ORESP_NO_STDIN` is set.
  let watch: StdinWatch?

  /// The server of the requests, without its key. Refuses settings by which nothing can be sent to
  /// `path`, before anything is waited for.
  func server(_ method: String, _ path: String) throws(Failure) -> Server {
    guard settings.rehearsal == nil else { return try Server.rehearsed(at: RehearsalCarrier.base) }
    let transport = settings.transport
    let server = try Server(
      provider, settings.access, hasSocket: transport.unixSocket != nil,
      variable: notifier.variable)
    if settings.isDryRun { return server }
    let isLocal = try server.request(method, path).isLocal
    for file in [transport.caFile, transport.certificateFile, transport.keyFile] {
      if let file { _ = try Descriptor(reading: file) }
    }
    guard let proxy = transport.proxy, isLocal, try !Endpoint.proxy(proxy).isLoopback else {
      return server
    }
    throw .usage("--proxy: a server on this machine is asked by a proxy on this machine only")
  }

  /// The server with the key and the headers; without their secrets for a dry run.
  func unlock(_ server: Server) throws(Failure) -> Server {
    try server.unlocked(
      notifier, isShown: settings.isDryRun, within: settings.transport.totalMilliseconds)
  }

  init(_ settings: SendSettings, _ prompt: [String], _ notifier: Notifier) {
    (self.settings, self.notifier) = (settings, notifier)
    if settings.verb?.kind.resumes == true { self.settings.request.streamChoice = true }
    self.settings.transport.takeEnvironment(notifier.variable)
    let isLeftAlone = notifier.variable(StdinWatch.variable) != nil
    let watch = isLeftAlone || notifier.stdinName != nil ? nil : StdinWatch(notifier)
    self.watch = watch
    sources = Sources(
      hasFreeStdin: watch != nil && !notifier.stdin.isTerminal, variable: notifier.variable,
      open: { name throws(Failure) in
        if Descriptor.isStdin(name) { StdinWatch(notifier).tellWait() }
        return try notifier.open(operand: name)
      }, list: Folder.names, isFile: { fileStatus($0)?.isRegular == true },
      warn: { notifier.report(Notice(.warning, $0)) },
      refuseUnreadInput: { () throws(Failure) in try watch?.refuse() },
      memory: settings.batch.isOn ? FileMemory() : nil)
    operands = prompt
  }

  /// The words of the prompt; empty for a batch, whose operands are files.
  private var prompt: [String] { settings.batch.isOn ? [] : operands }

  var builder: RequestBuilder {
    get throws(Failure) { try settings.builder(prompt, sources) }
  }

  var provider: Provider {
    get throws(Failure) { try settings.provider(notifier.variable) }
  }

  func run() throws(Failure) -> ExitStatus {
    if let list = settings.list { return try print(list) }
    let meant = LikelyMeant(settings: settings, prompt: prompt, isFile: sources.isFile)
    warn(settings.request.hints + meant.notes + (try unreadVariables))
    if settings.batch.isOn { return try sendBatch() }
    if settings.endpoint.path != nil { return try sendAnywhere() }
    try settings.checkAPI(provider)
    if let verb = settings.verb { return try send(verb) }
    if settings.isDryRun { return try printBody() }
    return try send()
  }

  /// Warnings of variables that name a server for other programs.
  private var unreadVariables: [String] {
    get throws(Failure) {
      guard settings.rehearsal == nil, try provider.name == Provider.openAI.name,
        notifier.variable("OPENAI_API_BASE") != nil, notifier.variable("OPENAI_BASE_URL") == nil
      else { return [] }
      return ["OPENAI_API_BASE is not read; OPENAI_BASE_URL names the server"]
    }
  }

  func warn(_ warnings: [String]) {
    for warning in warnings { notifier.report(Notice(.warning, warning)) }
  }

  /// Warns of secrets that are not written; `hidden` are the places where they stood.
  func report(_ hidden: [String]) {
    for notice in Self.notices(of: hidden) { notifier.report(notice) }
  }

  static func notices(of hidden: [String]) -> [Notice] {
    hidden.map { Notice(.warning, "\($0) is a secret, and is not written") }
  }

  /// Sends `request`, then the requests that follow its reply, which `requests` makes as `plan`
  /// says. `secrets` are texts in it that must not be shown, besides the server's own.
  func exchange(
    _ request: HTTPRequest, _ plan: ReplyPlan, _ requests: ResponseRequests,
    secrets: [[UInt8]] = []
  ) throws(Failure) -> ExitStatus {
    let server = requests.server
    var request = request
    request.origin.options = try origins
    warn(inTheClear: request, server)
    let redaction = Redaction(server.secrets + secrets)
    let status = try Exchange(request, plan, requests, redaction, by: self).run()
    if settings.verb == nil, AnyEndpoint.takesBody(request.method) { watch?.warn() }
    return status
  }

  /// The time for the requests to `server`, in milliseconds: `--max-time`, without the time that a
  /// command took for the key. 0 is no limit.
  func timeLeft(_ server: Server) -> Int {
    let total = settings.transport.totalMilliseconds
    return total == 0 ? 0 : max(total - server.keyMilliseconds, 1)
  }

  /// The carrier of requests, the policy on retries, and the clock.
  typealias Way = (carrier: any Carrier, policy: RetryPolicy, world: World)

  /// The way to the server, where `watchers` see what is sent; or the way of a rehearsal.
  func way(shownTo watchers: [any TransferWatcher] = []) throws(Failure) -> Way {
    let transport = settings.transport
    let policy = RetryPolicy(settings.retry)
    if let rehearsal = settings.rehearsal {
      let carrier = try RehearsalCarrier(
        rehearsal, totalMilliseconds: transport.totalMilliseconds, open: notifier.open)
      return (carrier, policy, carrier.world)
    }
    let pool = try CurlPool(
      transport, watchers: watchers,
      showsWork: !watchers.isEmpty && settings.notices.reports(.summary))
    return (pool, policy, World())
  }

  /// The options that set a member of the body, each with the member's path.
  var origins: [(name: String, path: String)] {
    get throws(Failure) {
      settings.request.api == .chat ? try builder.chat.chatOrigins : settings.request.origins
    }
  }

  /// Warns when everybody on the way to `server` can read `request`.
  func warn(inTheClear request: HTTPRequest, _ server: Server) {
    guard request.isInTheClear else { return }
    let what = server.sendsCredentials ? "the key and the request go" : "the request goes"
    warn([what + " over plain HTTP: everybody on the way can read it"])
  }

  /// Reports, with `-v`, where a request of a dry run would go, and with which headers.
  func show(
    _ method: String, _ path: String, query: [String] = [],
    _ body: [UInt8] = [], form: [FormPart] = []
  ) throws(Failure) {
    guard settings.notices.reports(.summary) else { return }
    let server = try server(method, path).unlocked(notifier, isShown: true)
    show(try server.request(method, path, query: query, body, form: form))
  }

  func show(_ request: HTTPRequest) {
    // A header without a value is not sent: `Content-Type:`
    let headers = request.headers.filter { $0.utf8.last != ASCII.colon }
    for line in ["\(request.method) \(request.openURL)"] + headers {
      notifier.report(Notice(.summary, "> " + line))
    }
  }

  /// Prints `body` without the secrets in it: by itself, or with `--custom-id` as the line of a
  /// batch for the endpoint at `path`.
  func print(_ body: RequestBody, to path: String) throws(Failure) -> ExitStatus {
    var (shown, hidden) = body.shown
    report(hidden)
    var line = shown.bytes
    if let id = settings.customID {
      // The Batch API refuses both.
      for name in ["stream", "stream_options"] { shown.replace(name, with: []) }
      line = BatchLine.text(customID: Array(id.utf8), path: path, body: .raw(shown.bytes))
    }
    line.append(ASCII.lf)
    return try notifier.print(line)
  }
}
