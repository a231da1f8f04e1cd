import Core

/// One request and its reply, with the log that goes with them.
struct Exchange {
  private let sending: Sending
  private let plan: ReplyPlan
  private let requests: ResponseRequests
  private let request: HTTPRequest
  private let redaction: Redaction
  private let notifier: Notifier
  private let log: RunLog?

  /// Opens the log before anything is sent. `redaction` removes secrets from what is written;
  /// `requests` makes the requests that follow the reply, as `plan` says.
  init(
    _ request: HTTPRequest, _ plan: ReplyPlan, _ requests: ResponseRequests,
    _ redaction: Redaction, by sending: Sending
  ) throws(Failure) {
    let settings = sending.settings
    var notifier = sending.notifier.limited(by: sending.writeLimit)
    notifier.change = redaction.of
    (self.sending, self.redaction, self.notifier) = (sending, redaction, notifier)
    (self.request, self.plan, self.requests) = (request, plan, requests)
    log =
      if let path = settings.logPath {
        RunLog(in: try LogFile(path, notifier), request, redaction)
      } else { nil }
  }

  /// Sends the request, and retries it where that may help. Returns the worst reported status.
  func run() throws(Failure) -> ExitStatus {
    let trace =
      sending.settings.notices.reports(.summary)
      ? WireTrace { [notifier] in notifier.report($0) } : nil
    let watchers: [(any TransferWatcher)?] = [log, trace]
    let transport = try sending.transport(shownTo: watchers.compactMap { $0 })
    guard let log else { return try send(by: transport) }
    return try EndSignals.interrupt { () throws(Failure) in try send(by: transport, noting: log) }
  }

  /// Sends the request, and writes the line of `log` however it ends.
  private func send(
    by transport: Sending.Transport, noting log: RunLog
  ) throws(Failure) -> ExitStatus {
    let status: ExitStatus
    do throws(Failure) {
      status = try send(by: transport)
    } catch {
      if let notice = error.notice { log.note(notice) }
      try? log.write(exit: Int(error.exitCode))
      throw error
    }
    try log.write(exit: Int(status.rawValue))
    return status
  }

  private func send(by transport: Sending.Transport) throws(Failure) -> ExitStatus {
    let settings = sending.settings
    let reply = Reply(redaction, telling: settings.notices, plan)
    var request = request
    let total = sending.timeLeft(requests.server)
    if total > 0 { request.deadline = transport.world.steadyMilliseconds() + total }
    let sink = OutletSink(notifier)
    let job = Job(
      request, reply, to: sink, copiedTo: log,
      following: (requests, settings.follow.pollMilliseconds), transport.policy, transport.world)
    do throws(Failure) {
      return try RunLoop(transport.carrier, transport.world).run(job)
    } catch {
      sink.giveUp(after: error)
      throw error
    }
  }
}
