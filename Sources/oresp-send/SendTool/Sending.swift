import Core

/// The work of one command line: it prints a list, or prints or sends a request, or many of them.
struct Sending {
  private let settings: SendSettings
  private let operands: [String]
  private let sources: Sources
  private let notifier: Notifier

  init(_ settings: SendSettings, _ prompt: [String], _ notifier: Notifier) {
    var settings = settings
    settings.transport.takeEnvironment(notifier.variable)
    self.settings = settings
    self.notifier = notifier
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
    switch (settings.list, settings.batch.isOn, settings.endpoint.path, settings.verb) {
    case (let list?, _, _, _): try print(list)
    case (nil, true, _, _): try sendBatch()
    case (nil, false, _?, _): try sendAnywhere()
    case (nil, false, nil, let verb?): try send(verb)
    case (nil, false, nil, nil): try sendNew()
    }
  }

  /// Prints a list of what the tool knows.
  private func print(_ list: SendSettings.List) throws(Failure) -> ExitStatus {
    switch list {
    case .tools: return try notifier.print(Array(ToolKind.list(notifier.layout).utf8))
    case .providers: return try print(Provider.table.map(\.fields))
    case .presets:
      let folder = PresetFolder(sources)
      let rows = try folder.rows
      if rows.isEmpty { sources.warn("no presets in \(try folder.folder)") }
      return try print(rows)
    }
  }

  /// Prints `rows`, each a name and facts about it, the plainest last: separated by tabs, or in
  /// columns on a terminal.
  private func print(_ rows: [[String]]) throws(Failure) -> ExitStatus {
    let isTerminal = notifier.stdout.isTerminal
    let lines = rows.map { row in
      guard isTerminal else { return row.joined(separator: "\t") + "\n" }
      return notifier.layout.entry(
        row[0], row.dropFirst().reversed().joined(separator: "; "), column: 14)
    }
    return try notifier.print(Array(lines.joined().utf8))
  }

  /// Asks for a new response, or for what the use of its body is; or prints the body. The key comes
  /// after the prompt: it may ask a person.
  private func sendNew() throws(Failure) -> ExitStatus {
    let ask = try Ask(settings, operands, sources)
    let body = try ask.body()
    let isBackground = body.isTrue("background")
    guard isBackground || !settings.follow.waits else {
      throw .usage("--wait goes with --background, which makes a response that goes on")
    }
    let server = try ask.server.map(withKey)
    let request = server.map { $0.post(ask.path, body.bytes) }
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

  /// Asks the endpoint that `--path` names, or shows what would be sent.
  private func sendAnywhere() throws(Failure) -> ExitStatus {
    guard operands.isEmpty else { throw .usage("--path takes no prompt; -b FILE is its body") }
    let ask = try Ask(settings, [], sources)
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

  /// Asks for an existing response.
  private func send(_ verb: Verb) throws(Failure) -> ExitStatus {
    try verb.refuse(
      settings.request.edits.compactMap { $0.source == nil ? nil : $0.path.names.first })
    guard operands.isEmpty else {
      throw .usage("\(verb.option) takes no prompt; got '\(operands.joined(separator: " "))'")
    }
    let streams = verb.kind.resumes || settings.request.streamChoice == true
    let ask = try Ask(settings, [], sources)
    let wanted = try ask.patch.body()
    try verb.refuse(wanted.members.map(\.name))
    guard let locked = ask.server else {
      throw .usage("\(verb.option) has no body; -n -v shows what would be sent")
    }
    let path = verb.kind.resumes ? verb.file(sources) : nil
    let isContinued = path.flatMap { fileStatus($0) }?.isSame(as: notifier.stdout.status) == true
    let known = try verb.response(sources, isContinued: isContinued)
    if verb.kind.resumes, known.hasEnded {
      notifier.report(Notice(.status, "\(known.id) has ended: nothing is left to come"))
      return .completed
    }
    let server = try withKey(locked)
    let requests = ResponseRequests(server, like: wanted)
    let (request, plan) = verb.kind.ask(requests, known, streams, settings.follow.waits)
    if settings.isDryRun {
      show(request)
      return .completed
    }
    if let path, isContinued {
      cut(path, behind: known)
    } else if path == nil, verb.kind.resumes, let told = written, told.id == known.id,
      told.last == known.last
    {
      cut("stdout", behind: told)
    }
    return try exchange(request, plan, requests)
  }

  /// The last response in the file that standard output appends to; `nil` when it is no such file.
  private var written: KnownResponse? {
    guard notifier.stdout.status?.isRegular == true else { return nil }
    let path = "/dev/fd/\(notifier.stdout.number)"
    return try? KnownResponse.last(in: try sources.text(path), isContinued: true)
  }

  /// Cuts the file of standard output, called `path` in the report, after its last whole event: off
  /// go the start of another event and the error that the toolkit added.
  private func cut(_ path: String, behind known: KnownResponse) {
    let count = (notifier.stdout.status.map { Int($0.st_size) } ?? 0) - known.end
    guard count > 0, notifier.stdout.cut(to: known.end) else { return }
    let place = known.last.map { "event \($0)" } ?? "the last event"
    notifier.report(Notice(.status, "\(path): \(count) bytes after \(place) are cut off"))
  }

  /// Sends `request`, then the requests that follow its reply, which `requests` makes as `plan`
  /// says. `secrets` are texts in it that must not be shown, besides the server's own.
  private func exchange(
    _ request: HTTPRequest, _ plan: ReplyPlan, _ requests: ResponseRequests,
    secrets: [[UInt8]] = []
  ) throws(Failure) -> ExitStatus {
    let server = requests.server
    warn(inTheClear: server)
    let redaction = Redaction(server.secrets + secrets)
    var notifier = notifier.limited(by: writeLimit)
    notifier.change = redaction.of
    let log = try settings.logPath.map { path throws(Failure) in
      RunLog(in: try LogFile(path, notifier), request, redaction)
    }
    let trace =
      settings.notices.reports(.summary) ? WireTrace { [notifier] in notifier.report($0) } : nil
    let watchers: [(any TransferWatcher)?] = [log, trace]
    let (carrier, policy, world) = try transport(shownTo: watchers.compactMap(\.self))
    var request = request
    let limit = timeLeft(server)
    request.deadline = limit > 0 ? world.steadyMilliseconds() + limit : nil
    let sink = OutletSink(notifier)
    let job = OneJob(
      Job(
        request, Reply(redaction, plan), to: sink, notingIn: log,
        following: (requests, settings.follow.pollMilliseconds), policy, world))
    try Run(job, by: carrier, world, deadline: request.deadline).run()
    return job.status
  }

  /// Sends the requests of a batch, or prints them as they would be sent.
  private func sendBatch() throws(Failure) -> ExitStatus {
    guard settings.request.streamChoice == nil else {
      throw .usage("--[no-]stream and --batch exclude each other; see --events")
    }
    // None for standard input.
    let files = (settings.batch.path.map { [$0] } ?? []) + operands
    if files.isEmpty, let name = notifier.stdinName {
      throw .usage("standard input is read by the batch, and not by \(name)")
    }
    let ask = try Ask(settings, [], sources)
    let isResponse = settings.endpoint.path == nil
    try notifier.refuse(files, ifWrittenTo: notifier.stdout)
    var source = try BatchSource(
      files, for: ask.path, takesPrompts: isResponse, open: notifier.open)
    if !files.isEmpty { try sources.refuseUnreadInput() }
    let done = try settings.batch.donePath.map { donePath throws(Failure) in
      let mayChange = !settings.isDryRun && settings.rehearsal == nil
      return try DoneList(donePath, mayChange: mayChange) { notifier.report($0) }
    }
    source.done = done?.settled ?? [:]
    source.report = { [notifier] in notifier.report($0) }
    let server = try ask.server.map(withKey)
    guard let server, !settings.isDryRun else {
      if let server { show(server.post(ask.path, [])) }
      return try print(&source, ask)
    }
    warn(inTheClear: server)
    let output = try BatchOutput(
      notifier.limited(by: writeLimit), Redaction(server.secrets), done,
      keepsOrder: settings.batch.keepsOrder)
    let plan = ReplyPlan(
      form: isResponse ? .response : .document, isChat: ask.patch.isChat, isOfBatch: true)
    let log = try settings.logPath.map { path throws(Failure) in
      try LogFile(path, output.notifier)
    }
    let (carrier, policy, world) = try transport()
    let batch = Batch(
      source, settings.batch, plan, by: carrier, policy, world, within: timeLeft(server),
      to: output, log
    ) { line throws(Failure) in
      let own = Self.body(of: line)
      let secrets =
        server.secrets + ask.patch.secretTexts + SecretPlace.texts(in: own.root, at: BodyPath([]))
      return (server.post(ask.path, try ask.patch.body(over: own).bytes), Redaction(secrets))
    }
    return try batch.run()
  }

  private static func body(of line: BatchLine) -> RequestBody {
    RequestBody(JSONValue(object: line.body.span) ?? [:])
  }

  /// Prints the lines of a batch as they would be sent.
  private func print(_ source: inout BatchSource, _ ask: Ask) throws(Failure) -> ExitStatus {
    var stdout = Outlet(notifier)
    var output = Output()
    loop: while true {
      switch try source.next() {
      case .line(let line, let number):
        do throws(Failure) {
          let body = try ask.patch.body(over: Self.body(of: line))
          let text = BatchLine.text(
            customID: line.customID, path: ask.path, body: .object(body.members))
          output.append(line: text.span)
        } catch {
          guard case .usage(let why) = error else { throw error }
          let broken = BrokenLine(number, line.customID, why, of: source.inputName)
          output.notices.append(broken.notice)
        }
      case .broken(let line): output.notices.append(line.notice)
      case .settled: break
      case .wait(let descriptor):
        _ = Descriptor(borrowing: descriptor, name: "").isIdle(until: .max)
      case .end: break loop
      }
      try stdout.flush(&output, about: nil)
    }
    try stdout.close()
    return stdout.status
  }

  /// Prints `body` by itself, or with `--custom-id` as the line of a batch for the endpoint at
  /// `path`.
  private func print(_ body: RequestBody, to path: String) throws(Failure) -> ExitStatus {
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

  /// Reports where a request of a dry run would go, and with which headers.
  private func show(_ request: HTTPRequest) {
    // A header without a value is not sent: `Content-Type:`
    let headers = request.headers.filter { $0.utf8.last != ASCII.colon }
    for line in ["\(request.method) \(request.openURL)"] + headers {
      notifier.report(Notice(.summary, "> " + line))
    }
  }

  /// `server` with the key and the headers; without their secrets for a dry run.
  private func withKey(_ server: Server) throws(Failure) -> Server {
    try server.withKey(
      notifier, forPrinting: settings.isDryRun, within: settings.transport.totalMilliseconds)
  }

  /// Warns when everybody on the way to `server` can read what is sent.
  private func warn(inTheClear server: Server) {
    guard server.isInTheClear else { return }
    let what = server.sendsCredentials ? "the key and the request go" : "the request goes"
    sources.warn(what + " over plain HTTP: everybody on the way can read it")
  }

  /// The time for the requests to `server`, in milliseconds: `--max-time`, without the time that a
  /// command took for the key. 0 is no limit.
  private func timeLeft(_ server: Server) -> Int {
    let total = settings.transport.totalMilliseconds
    return total == 0 ? 0 : max(total - server.keyMilliseconds, 1)
  }

  /// The time by which a reader must have read the output: a second after the end of the run, for
  /// its messages. A rehearsal, whose time does not pass, has none.
  private var writeLimit: WriteLimit? {
    let total = settings.transport.totalMilliseconds
    guard settings.rehearsal == nil, total > 0 else { return nil }
    return WriteLimit(
      Clock.steadyMilliseconds() + total + 1000,
      "nobody reads it, and \(TransportFault.overTime(total).message)", .temporary)
  }

  /// The carrier of requests, the policy on retries, and the clock.
  private typealias Transport = (carrier: any Carrier, policy: RetryPolicy, world: World)

  /// The transport to the server, where `watchers` see what is sent; or that of a rehearsal.
  private func transport(
    shownTo watchers: [any TransferWatcher] = []
  ) throws(Failure) -> Transport {
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
}
