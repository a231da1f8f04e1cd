import Core

/// The work of one command line: it prints or sends a request, or a batch of them.
struct Sending {
  private(set) var settings: SendSettings
  let operands: [String]
  let sources: Sources
  let notifier: Notifier

  init(_ settings: SendSettings, _ prompt: [String], _ notifier: Notifier) {
    self.settings = settings
    self.notifier = notifier
    self.settings.transport.takeEnvironment(notifier.variable)
    let isFree = notifier.stdinName == nil && notifier.variable("ORESP_NO_STDIN") == nil
    sources = Sources(
      hasFreeStdin: isFree && !notifier.stdin.isTerminal, variable: notifier.variable,
      open: notifier.open, list: Folder.names, isFile: { fileStatus($0)?.isRegular == true },
      warn: { notifier.report(Notice(.warning, $0)) },
      refuseUnreadInput: { () throws(Failure) in
        if isFree { try notifier.stdin.refuseUnread() }
      })
    operands = prompt
  }

  /// Does the work.
  func run() throws(Failure) -> ExitStatus {
    if let list = settings.list { return try print(list) }
    if settings.batch.isOn { return try sendBatch() }
    if settings.endpoint.path != nil { return try sendAnywhere() }
    if let verb = settings.verb { return try send(verb) }
    return try sendNew()
  }

  /// What the command line asks for, with `prompt` as the words of its prompt.
  func ask(_ prompt: [String] = []) throws(Failure) -> Ask { try Ask(settings, prompt, sources) }

  /// `server` with the key and the headers; without their secrets for a dry run.
  func withKey(_ server: Server) throws(Failure) -> Server {
    try server.withKey(
      notifier, forPrinting: settings.isDryRun, within: settings.transport.totalMilliseconds)
  }

  /// Sends `request`, then the requests that follow its reply, which `requests` makes as `plan`
  /// says. `secrets` are texts in it that must not be shown, besides the server's own.
  func exchange(
    _ request: HTTPRequest, _ plan: ReplyPlan, _ requests: ResponseRequests,
    secrets: [[UInt8]] = []
  ) throws(Failure) -> ExitStatus {
    let server = requests.server
    warn(inTheClear: server)
    let redaction = Redaction(server.secrets + secrets)
    return try Exchange(request, plan, requests, redaction, by: self).run()
  }

  /// The time for the requests to `server`, in milliseconds: `--max-time`, without the time that a
  /// command took for the key. 0 is no limit.
  func timeLeft(_ server: Server) -> Int {
    let total = settings.transport.totalMilliseconds
    return total == 0 ? 0 : max(total - server.keyMilliseconds, 1)
  }

  /// The time by which a reader must have read the output; a rehearsal, whose time does not pass,
  /// has none.
  var writeLimit: WriteLimit? {
    settings.rehearsal == nil ? WriteLimit(ofRun: settings.transport.totalMilliseconds) : nil
  }

  /// The carrier of requests, the policy on retries, and the clock.
  typealias Transport = (carrier: any Carrier, policy: RetryPolicy, world: World)

  /// The transport to the server, where `watchers` see what is sent; or that of a rehearsal.
  func transport(shownTo watchers: [any TransferWatcher] = []) throws(Failure) -> Transport {
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

  /// Warns when everybody on the way to `server` can read what is sent.
  func warn(inTheClear server: Server) {
    guard server.isInTheClear else { return }
    let what = server.sendsCredentials ? "the key and the request go" : "the request goes"
    sources.warn(what + " over plain HTTP: everybody on the way can read it")
  }

  /// Reports where a request of a dry run would go, and with which headers.
  func show(_ request: HTTPRequest) {
    // A header without a value is not sent: `Content-Type:`
    let headers = request.headers.filter { $0.utf8.last != ASCII.colon }
    for line in ["\(request.method) \(request.openURL)"] + headers {
      notifier.report(Notice(.summary, "> " + line))
    }
  }

  /// Prints `body` by itself, or with `--custom-id` as the line of a batch for the endpoint at
  /// `path`.
  func print(_ body: RequestBody, to path: String) throws(Failure) -> ExitStatus {
    var line = body.bytes
    if let id = settings.customID {
      var shown = body
      // The Batch API refuses both.
      for name in ["stream", "stream_options"] { shown.replace(name, with: []) }
      line = BatchLine.text(customID: Array(id.utf8), path: path, body: .raw(shown.bytes))
    }
    line.append(ASCII.lf)
    return try notifier.print(line)
  }
}
