import Core

/// Sends the requests of a batch, many at once, and writes their answers.
final class BatchRun {
  /// A request that was started and has not ended.
  private typealias Request = (reply: BatchReply, log: RunLog?, redaction: Redaction)

  /// Makes the request for a line, and the redaction of the secrets in it.
  typealias Make = (BatchLine) throws(Failure) -> (request: HTTPRequest, redaction: Redaction)

  private let settings: BatchSettings
  private let plan: ReplyPlan
  private let logFile: LogFile?
  private let loop: RunLoop
  private let world: World
  private let policy: RetryPolicy
  private let make: Make
  private let output: BatchOutput
  private let pace: Pace
  private var source: BatchSource
  private var requests: [Int: Request] = [:]
  private var started = 0
  /// The count of requests that got an answer.
  private var answered = 0
  private var tally = BatchTally()
  private var status = ExitStatus.completed
  /// Whether no more lines are read.
  private var isOver = false
  /// Whether a pause was reported: the first alone is.
  private var hasToldPause = false
  /// Whether that is so before the end of the input.
  private var isStopped = false
  private let start: Int
  private let deadline: Int?
  private var lastLook: Int

  /// `plan` is the plan of every reply. The run may take `limit` milliseconds; 0 is no limit.
  /// `logFile` gets a line about each request.
  init(
    _ source: consuming BatchSource, _ settings: BatchSettings, _ plan: ReplyPlan,
    by carrier: any Carrier, _ policy: RetryPolicy, _ world: World, within limit: Int,
    to output: BatchOutput, _ logFile: LogFile? = nil, _ make: @escaping Make
  ) {
    self.settings = settings
    self.plan = plan
    self.logFile = logFile
    (self.policy, self.output, self.make) = (policy, output, make)
    self.source = source
    self.source.report = { output.report($0) }
    (self.world, loop) = (world, RunLoop(carrier, world))
    pace = Pace(spacing: settings.spacing ?? 0, world)
    start = world.steadyMilliseconds()
    lastLook = start
    deadline = limit > 0 ? start + limit : nil
  }

  /// Sends all requests. Returns the worst status among them. In a file, a signal that ends the
  /// process waits for the line that is being written; in a log, for those of the requests on their
  /// way.
  func run() throws(Failure) -> ExitStatus {
    guard output.isRegular || logFile != nil else { return try sendAll() }
    return try EndSignals.interrupt { () throws(Failure) in try sendLogged() }
  }

  private func sendLogged() throws(Failure) -> ExitStatus {
    do throws(Failure) {
      return try sendAll()
    } catch {
      for (_, request) in requests.sorted(by: { $0.key < $1.key }) {
        if let notice = error.notice { request.log?.note(notice) }
        try? request.log?.write(exit: Int(error.exitCode))
      }
      throw error
    }
  }

  private func sendAll() throws(Failure) -> ExitStatus {
    while true {
      if isOverTime {
        stop(Notice(.error, "--max-time is over", status: .temporary))
      }
      let input = try startWhatMay()
      guard loop.count > 0 || !isOver else { break }
      let wake = wake(isReading: input == nil)
      let time = isOverTime ? wake : min(wake, deadline ?? .max)
      for ended in try loop.goOn(until: time, orUntilReadable: input) { try step(ended) }
      try look()
    }
    if output.showsProgress { output.show("") }
    // Before the count of requests that were done before, which grows with each line.
    let rest = isStopped ? try source.rest() : (count: 0, isAll: true)
    status = max(status, source.skippedStatus)
    let summary = tally.summary(
      skipped: source.skipped, source.skippedStatus, unsent: rest, status)
    defer { output.report(summary) }
    return max(status, try output.end())
  }

  /// The most requests that may be started and not written. Requests that wait for a retry or for
  /// their turn count, so that memory stays bounded.
  private var mostStarted: Int { 4 * mostRunning }
  private var mostRunning: Int { settings.jobs ?? BatchSettings.usualJobs }

  /// Whether another line may be started: fewer than `mostStarted` are unwritten.
  private var hasRoom: Bool {
    loop.count < mostStarted
      && (!settings.keepsOrder || started - output.turn < mostStarted)
  }

  private var isOverTime: Bool { deadline.map { world.steadyMilliseconds() >= $0 } ?? false }

  /// The time to go on if nothing comes before; `isReading` says that the input is not waited for.
  private func wake(isReading: Bool) -> Int {
    guard loop.running < mostRunning else { return .max }
    if isReading, !isOver, hasRoom { return pace.opening }
    return max(loop.nextDue, pace.opening)
  }

  /// Starts all requests that may start now. Returns the descriptor to wait on for the next line;
  /// `nil` when the input need not be waited for.
  private func startWhatMay() throws(Failure) -> Int32? {
    // A request whose time is over is not sent, and so waits for nothing.
    while loop.running < mostRunning, isOverTime || pace.opening <= world.steadyMilliseconds() {
      if try loop.sendDue() {
        pace.noteStart()
        continue
      }
      guard !isOver, hasRoom else { return nil }
      switch try source.next() {
      case .line(let line, let number): try begin(line, at: number)
      case .broken(let line): try end(line)
      case .wait(let descriptor): return descriptor
      case .end: isOver = true
      }
    }
    return nil
  }

  private func begin(_ line: BatchLine, at place: Int) throws(Failure) {
    let made: (request: HTTPRequest, redaction: Redaction)
    do throws(Failure) {
      made = try make(line)
    } catch {
      guard case .usage(let why) = error else { throw error }
      return try end(BrokenLine(place, line.customID, why, of: source.inputName))
    }
    var request = made.request
    request.deadline = deadline
    let reply = BatchReply(
      line, at: place, started, givesEvents: settings.givesEvents, to: output, made.redaction)
    let log = logFile.map { RunLog(in: $0, request, made.redaction) }
    var plan = plan
    plan.isBackground = plan.form == .response && request.says("background")
    plan.product = settings.givesEvents ? .lines(tag: line.customID) : .result
    let notices = settings.givesEvents ? output.notifier.settings : nil
    requests[started] = (reply, log, made.redaction)
    started += 1
    pace.noteStart()
    let job = Job(
      request, Reply(made.redaction, telling: notices, plan), to: reply,
      copiedTo: log, policy, world)
    try loop.send(job, started - 1)
  }

  /// Takes the next step after a reply has ended.
  private func step(_ ended: Carrier.Ended) throws(Failure) {
    guard let (job, step) = try loop.step(ended, answered: answered),
      let request = requests[ended.number]
    else { return }
    if case .ended(let status) = step {
      requests[ended.number] = nil
      try request.log?.write(exit: Int(status.rawValue))
      answered += job.failure == nil ? 1 : 0
      tally.add(status)
      self.status = max(self.status, status)
      if job.stopsBatch, let failure = job.failure {
        stop(request.redaction.of(Notice(.error, failure.reason, status: status)))
      }
    }
    holdStarts(job.pause)
  }

  /// Holds all starts for `pause` milliseconds, which the server wants, and tells it unless no
  /// request is left.
  private func holdStarts(_ pause: Int) {
    let isRequestLeft = !isOver || loop.count > loop.running
    guard pause > 0, pace.hold(pause), !hasToldPause, isRequestLeft else { return }
    hasToldPause = true
    let time = Seconds.text(milliseconds: pause)
    output.report(Notice(.status, "the server wants a pause: no request starts for \(time) s"))
  }

  /// Stops starting requests, for the reason in `notice`.
  private func stop(_ notice: Notice) {
    guard !isOver else { return }
    isOver = true
    isStopped = true
    status = max(status, notice.status ?? .completed)
    var notice = notice
    notice.message = "no more requests are sent: " + notice.message
    output.report(notice)
  }

  /// Counts a line that is no request, and writes its result, which has the error in it; or its
  /// event, and reports it.
  private func end(_ line: BrokenLine) throws(Failure) {
    var line = line
    line.notice = output.notifier.change(line.notice)
    tally.add(.badInput)
    status = max(status, .badInput)
    var result = line.result
    if settings.givesEvents {
      output.report(line.notice)
      result = line.event(isTold: output.notifier.settings.reports(.error))
    }
    try output.write(result + [ASCII.lf], of: started)
    try output.end(started)
    started += 1
  }

  /// Checks, every 200 ms, that the output has a reader, and shows the progress.
  private func look() throws(Failure) {
    let now = world.steadyMilliseconds()
    guard now - lastLook >= 200 else { return }
    lastLook = now
    if output.isClosed { throw .closedOutput }
    guard output.showsProgress else { return }
    output.show(tally.progress(running: loop.running, after: now - start))
    output.flush()
  }
}
