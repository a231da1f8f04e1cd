import Core

/// Batches: many requests, one a line.
extension Sending {
  /// The files of the batch; none for standard input.
  private var batchFiles: [String] { (settings.batch.path.map { [$0] } ?? []) + operands }

  /// Sends the requests of a batch, or prints them as they would be sent.
  func sendBatch() throws(Failure) -> ExitStatus {
    guard settings.request.streamChoice == nil else {
      throw .usage("--[no-]stream and --batch exclude each other; see --events")
    }
    if batchFiles.isEmpty, let name = notifier.stdinName {
      throw .usage("standard input is read by the batch, and not by \(name)")
    }
    let ask = try self.ask()
    try notifier.refuse(batchFiles, ifWrittenTo: notifier.stdout)
    var source = try BatchSource(
      batchFiles, for: ask.path, takesPrompts: settings.endpoint.path == nil, open: notifier.open)
    if !batchFiles.isEmpty { try sources.refuseUnreadInput() }
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
      at: settings.batch.donePath, keepsOrder: settings.batch.keepsOrder)
    return try run(source, server, ask, to: output)
  }

  private func run(
    _ source: consuming BatchSource, _ server: Server, _ ask: Ask, to output: BatchOutput
  ) throws(Failure) -> ExitStatus {
    let make: BatchRun.Make = { line throws(Failure) in
      let own = Self.body(of: line)
      let secrets =
        server.secrets + ask.patch.secretTexts + SecretPlace.texts(in: own.root, at: BodyPath([]))
      return (ask.request(to: server, try ask.patch.body(over: own)), Redaction(secrets))
    }
    let isResponse = settings.endpoint.path == nil
    let plan = ReplyPlan(
      form: isResponse ? .response : .document, isChat: ask.patch.isChat, isOfBatch: true)
    let log = try settings.logPath.map { path throws(Failure) in
      try LogFile(path, output.notifier)
    }
    let transport = try transport()
    return try BatchRun(
      source, settings.batch, plan, by: transport.carrier, transport.policy, transport.world,
      within: timeLeft(server), to: output, log, make
    ).run()
  }

  private static func body(of line: BatchLine) -> RequestBody {
    RequestBody(JSONValue(object: line.body.span) ?? [:])
  }

  /// Prints the lines as they would be sent.
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
      case .wait(let descriptor):
        _ = Descriptor(borrowing: descriptor, name: "").isIdle(until: .max)
      case .end: break loop
      }
      try stdout.flush(&output, about: nil)
    }
    try stdout.close()
    return stdout.status
  }
}
