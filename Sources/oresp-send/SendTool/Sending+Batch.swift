import Core

/// Batches: many requests, one a line.
extension Sending {
  /// Sends the requests of a batch, or prints them as they would be sent.
  func sendBatch() throws(Failure) -> ExitStatus {
    try checkBatch()
    let files = (settings.batch.path.map { [$0] } ?? []) + operands
    if files.isEmpty, let name = notifier.stdinName {
      throw .usage("standard input is read by the batch, and not by \(name)")
    }
    let path = settings.endpoint.path ?? settings.newPath
    if settings.endpoint.path == nil {
      try settings.checkAPI(provider)
    }
    // An option that is wrong for one line is wrong for all.
    _ = try body(over: RequestBody(sample))
    let locked = try settings.isDryRun ? nil : server("POST", path)
    let watch = files.isEmpty ? nil : watch
    try watch?.refuse()
    var source = try BatchSource(
      files, for: path, takesPrompts: settings.endpoint.path == nil, open: notifier.open)
    let done = try settings.batch.donePath.map { donePath throws(Failure) in
      let mayChange = !settings.isDryRun && settings.rehearsal == nil
      return try DoneList(donePath, mayChange: mayChange) { notifier.report($0) }
    }
    source.done = done?.settled ?? [:]
    guard let locked else {
      try show("POST", path)
      return try print(&source, path)
    }
    let server = try unlock(locked)
    let sample = try server.post(path, [])
    warn(inTheClear: sample, server)
    let output = try BatchOutput(
      notifier.limited(by: settings.writeLimit), Redaction(server.secrets), to: settings.reply.path,
      done,
      at: settings.batch.donePath,
      keepsOrder: settings.batch.keepsOrder)
    let status = try run(source, server, path, to: output)
    watch?.warn()
    return status
  }

  private func run(
    _ source: consuming BatchSource, _ server: Server, _ path: String, to output: BatchOutput
  ) throws(Failure) -> ExitStatus {
    let make: BatchRun.Make = { line throws(Failure) in
      let body = try self.body(of: line)
      var request = try server.post(path, body.bytes)
      request.origin.options = try self.origins
      return (request, Redaction(server.secrets + body.secretTexts))
    }
    let isResponse = settings.endpoint.path == nil
    let plan = ReplyPlan(
      form: isResponse ? .response : .document,
      isChat: isResponse && settings.request.api == .chat, isAskedAnew: true)
    if settings.rehearsal == nil {
      EndSignals.precede { [writing = output.writing] _ in writing.seize() }
    }
    let log = try settings.reply.logPath.map { path throws(Failure) in
      try LogFile(path, output.notifier)
    }
    let way = try way()
    return try BatchRun(
      source, settings.batch, plan, by: way.carrier, way.policy, way.world,
      within: timeLeft(server), to: output, log, make
    ).run()
  }

  /// A body to which any options can be added, for a check of the options alone.
  private var sample: JSONValue {
    settings.request.api == .chat ? ["model": "m"] : ["model": "m", "prompt": ["id": "p"]]
  }

  /// The body of `line` as it is sent.
  private func body(of line: BatchLine) throws(Failure) -> RequestBody {
    guard let given = JSONValue(object: line.body.span) else { return RequestBody() }
    return try body(over: RequestBody(given))
  }

  private func body(over line: RequestBody) throws(Failure) -> RequestBody {
    try builder.build(
      over: line, streams: settings.batch.givesEvents, isForAny: settings.endpoint.path != nil)
  }

  /// Prints the lines as they would be sent, without the secrets in them.
  private func print(_ source: inout BatchSource, _ path: String) throws(Failure) -> ExitStatus {
    var stdout = Outlet(notifier)
    var output = Output()
    loop: while true {
      switch try source.next() {
      case .line(let line, let number):
        do throws(Failure) {
          let (body, hidden) = try body(of: line).shown
          output.notices += Self.notices(of: hidden)
          let text = BatchLine.text(
            customID: line.customID, path: path, body: .object(body.members))
          output.append(line: text.span)
        } catch {
          guard case .usage(let why) = error else { throw error }
          output.notices.append(Notice(.error, "line \(number): \(why)", status: .badInput))
        }
      case .broken(let notice): output.notices.append(notice)
      case .wait(let descriptor):
        _ = Descriptor(borrowing: descriptor, name: "").isIdle(until: .max)
      case .end: break loop
      }
      try stdout.flush(&output, about: nil)
    }
    try stdout.close()
    return stdout.status
  }

  /// Refuses options that have no meaning for a batch.
  private func checkBatch() throws(Failure) {
    guard settings.request.streamChoice == nil else {
      throw .usage("--[no-]stream and --batch exclude each other; see --events")
    }
  }
}
