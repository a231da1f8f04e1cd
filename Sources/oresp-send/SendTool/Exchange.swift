import Core

/// One request and its reply: what carries them, what gets copies, and what is told of them.
struct Exchange {
  private let settings: SendSettings
  private let plan: ReplyPlan
  private let requests: ResponseRequests
  private let request: HTTPRequest
  private let redaction: Redaction
  private let notifier: Notifier
  private let tee: Tee?
  private let headers: HeaderDump?
  private let log: RunLog?
  private let cancellation: Cancellation?

  /// Opens the files that are to be written, before anything is sent. `redaction` takes out what
  /// must not be shown; `requests` makes what is asked behind the reply, by `plan`.
  init(
    _ request: HTTPRequest, _ plan: ReplyPlan, _ requests: ResponseRequests,
    _ redaction: Redaction, _ settings: SendSettings, _ notifier: Notifier
  ) throws(Failure) {
    var notifier = notifier.limited(by: settings.writeLimit)
    notifier.change = redaction.of
    (self.settings, self.redaction, self.notifier) = (settings, redaction, notifier)
    (self.request, self.plan, self.requests) = (request, plan, requests)
    let reply = settings.reply
    tee = if let path = reply.teePath { try Tee(path, notifier) } else { nil }
    headers =
      if let path = reply.headersPath { try HeaderDump(path, redaction, notifier) } else { nil }
    log =
      if let path = reply.logPath { try RunLog(path, request, redaction, notifier) } else { nil }
    cancellation =
      settings.follow.cancels && plan.isBackground && settings.rehearsal == nil
      ? Cancellation(plan.id, requests, settings.transport) { [notifier] in notifier.tell($0) }
      : nil
    guard log != nil || cancellation != nil else { return }
    EndSignals.precede { [log, cancellation] signal in
      cancellation?.cancel()
      try? log?.write(exit: 128 + signal)
    }
  }

  /// Sends the request by the system's libcurl, and again where that may help; or has it rehearsed.
  func run() throws(Failure) -> ExitStatus {
    if let rehearsal = settings.rehearsal {
      let carrier = try RehearsalCarrier(rehearsal, open: notifier.open)
      return try deliver(by: carrier, rehearsal.policy(settings.retry), carrier.world)
    }
    let isTold = settings.notices.tells(.summary)
    let trace = isTold ? WireTrace { [notifier] in notifier.tell($0) } : nil
    let watchers: [(any TransferWatcher)?] = [headers, log, trace]
    let pool = try CurlPool(
      settings.transport, watchers: watchers.compactMap { $0 }, showsWork: isTold)
    let total = settings.transport.totalMilliseconds
    return try deliver(
      by: pool, RetryPolicy(settings.retry, totalMilliseconds: total), World(),
      until: total > 0 ? Clock.steadyMilliseconds() + total : nil)
  }

  /// Sends the request by `carrier`, and again where `policy` says so, until the `deadline`.
  private func deliver(
    by carrier: any Carrier, _ policy: RetryPolicy, _ world: World, until deadline: Int? = nil
  ) throws(Failure) -> ExitStatus {
    let copies: [(any ReplyCopy)?] = [tee, log, cancellation]
    let relay = ReplyRelay(redaction, isTold: settings.notices.tells(.error), plan)
    var request = request
    request.deadline = deadline
    var status: ExitStatus
    do throws(Failure) {
      let sink = try OutletSink(notifier, to: settings.reply.path)
      let delivery = Delivery(to: sink, copies: copies.compactMap { $0 }, relay)
      let job = Job(
        request, to: delivery, following: (requests, settings.follow.pollMilliseconds), policy,
        world
      ) { [notifier, log] notice in
        notifier.tell(notice)
        log?.note(notice)
      }
      status = try RunLoop(carrier, world).run(job)
      if headers?.isBroken == true { status = max(status, .usage) }
      try sink.commit(after: status)
    } catch {
      if let notice = error.notice { log?.note(notice) }
      try? log?.write(exit: Int(error.exitCode))
      throw error
    }
    try log?.write(exit: Int(status.rawValue))
    return status
  }
}
