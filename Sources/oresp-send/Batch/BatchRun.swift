import Core

/// Sends the requests of a batch, many at once: it starts them, hands each its turn, and writes what
/// comes of it.
final class BatchRun {
  /// One request that was started and not answered yet.
  private struct Job {
    var attempts: Attempts
    let delivery: Delivery
    let reply: BatchReply
    let log: RunLog?
    let redaction: Redaction
    /// When it is sent again; `nil` while it is on its way.
    var due: Int?
    /// How many others had been answered when the server last wanted it later.
    var answered: Int?
  }

  /// How a line becomes what is sent: the request, and the texts in it that must not be shown.
  typealias Make = (BatchLine) throws(Failure) -> (request: HTTPRequest, redaction: Redaction)

  private let settings: SendSettings
  private let carrier: any Carrier
  private let world: Attempts.World
  private let policy: RetryPolicy
  private let make: Make
  private let output: BatchOutput
  private let pace: Pace
  private var source: BatchSource
  private var jobs: [Int: Job] = [:]
  private var started = 0
  /// How many were answered.
  private var answered = 0
  private var tally = BatchTally()
  private var status = ExitStatus.completed
  /// Whether no further line is read.
  private var isOver = false
  private let start: Int
  private let deadline: Int?
  private var lastLook: Int

  init(
    _ source: consuming BatchSource, _ settings: SendSettings, by carrier: any Carrier,
    _ policy: RetryPolicy, _ world: Attempts.World, to output: BatchOutput, _ make: @escaping Make
  ) {
    (self.settings, self.carrier, self.world) = (settings, carrier, world)
    (self.policy, self.output, self.make) = (policy, output, make)
    self.source = source
    pace = Pace(spacing: settings.batch.spacing ?? 0, world)
    start = world.steadyMilliseconds()
    lastLook = start
    let total = settings.transport.totalMilliseconds
    deadline = total > 0 ? start + total : nil
  }

  /// Sends all. Returns the worst status that any came to.
  func run() throws(Failure) -> ExitStatus {
    while true {
      if let deadline, world.steadyMilliseconds() >= deadline {
        stop(Notice(.error, "--max-time is over", status: .temporary))
      }
      let input = try startWhatMay()
      guard !jobs.isEmpty || !isOver else { break }
      let wait = min(max(wake(isReading: input == nil) - world.steadyMilliseconds(), 0), 250)
      for (number, fault) in try carrier.goOn(wait, orUntilReadable: input) {
        try step(number, after: fault)
      }
      try look()
    }
    if output.showsProgress { output.show("") }
    output.tell(tally.summary(skipped: source.skipped, status))
    return max(status, try output.end())
  }

  private var running: Int { jobs.count { $0.value.due == nil } }

  /// The most requests that were started and are not written: so that their number is bounded what
  /// wait for another attempt, or for their turn, keep others from being started at some point.
  private var mostStarted: Int { 4 * mostRunning }
  private var mostRunning: Int { settings.batch.jobs ?? BatchSettings.usualJobs }

  /// Whether a further line may be started, by what was started and is not written.
  private var hasRoom: Bool {
    jobs.count < mostStarted
      && (!settings.batch.keepsOrder || started - output.turn < mostStarted)
  }

  /// When something is to be done, if nothing comes before; `isReading` tells that lines are there.
  private func wake(isReading: Bool) -> Int {
    guard running < mostRunning else { return .max }
    if isReading, !isOver, hasRoom { return pace.opening }
    return max(jobs.values.compactMap(\.due).min() ?? .max, pace.opening)
  }

  /// Starts what may start now. Returns the descriptor that a further line will come from, if it is
  /// waited for.
  private func startWhatMay() throws(Failure) -> Int32? {
    while running < mostRunning, pace.opening <= world.steadyMilliseconds() {
      let now = world.steadyMilliseconds()
      if let number = nextDue(now) {
        try send(number)
        continue
      }
      guard !isOver, hasRoom else { return nil }
      switch try source.next() {
      case .line(let line, let number): try begin(line, at: number)
      case .broken(let notice): tell(notice)
      case .wait(let descriptor): return descriptor
      case .end: isOver = true
      }
    }
    return nil
  }

  /// The request that has waited longest for another attempt whose time has come.
  private func nextDue(_ now: Int) -> Int? {
    let due = jobs.compactMap { number, job in job.due.map { (number, time: $0) } }
    return due.filter { $0.time <= now }.min { $0.time < $1.time }?.0
  }

  private func begin(_ line: BatchLine, at place: Int) throws(Failure) {
    let made: (request: HTTPRequest, redaction: Redaction)
    do throws(Failure) {
      made = try make(line)
    } catch {
      guard case .usage(let why) = error else { throw error }
      return tell(Notice(.error, "line \(place): \(why)", status: .badInput))
    }
    var request = made.request
    request.deadline = deadline
    let isResponse = settings.endpoint.path == nil
    let reply = BatchReply(
      line, at: place, started, givesEvents: settings.batch.givesEvents, isResponse: isResponse,
      to: output)
    let log =
      if let path = settings.reply.logPath {
        try RunLog(path, request, made.redaction, output.notifier)
      } else { RunLog?.none }
    let plan = ReplyPlan(
      form: isResponse ? .response : .document, isChat: isResponse && settings.request.api == .chat,
      isAskedAnew: true, isBackground: isResponse && request.says("background"))
    let relay = ReplyRelay(made.redaction, plan)
    let delivery = Delivery(to: reply, copies: [log].compactMap { $0 }, relay)
    let attempts = Attempts(request, policy, world) { [log] in log?.note($0) }
    jobs[started] = Job(
      attempts: attempts, delivery: delivery, reply: reply, log: log, redaction: made.redaction)
    started += 1
    try send(started - 1)
  }

  private func send(_ number: Int) throws(Failure) {
    guard var job = jobs[number] else { return }
    let request = job.attempts.next(for: job.delivery)
    job.due = nil
    jobs[number] = job
    pace.noteStart()
    try carrier.begin(request, to: job.delivery, number: number)
  }

  /// Does what is to be done when an attempt has ended.
  private func step(_ number: Int, after fault: TransportFault?) throws(Failure) {
    guard var job = jobs[number] else { return }
    let failure = job.delivery.failure(fault)
    var isForgiven = false
    if failure?.isOfPace == true {
      // The server has room for some, so that this one's turn will come.
      isForgiven = job.answered.map { answered > $0 } ?? false
      job.answered = answered
    }
    let step = job.attempts.step(after: fault, isForgiven: isForgiven, job.delivery)
    defer { adapt(to: failure, job.reply.head, step) }
    switch step {
    case .again(let wait):
      job.due = world.steadyMilliseconds() + wait
      jobs[number] = job
    case .end(let fault):
      let status = try job.delivery.end(fault)
      try job.log?.write(exit: Int(status.rawValue))
      jobs[number] = nil
      answered += failure == nil ? 1 : 0
      tally.add(status)
      self.status = max(self.status, status)
      if let failure, let why = RetryPolicy.isForAll(failure, now: world.epochSeconds()) {
        stop(job.redaction.of(Notice(.error, why, status: status)))
      }
    }
  }

  /// Holds all requests where the server wants a pause.
  private func adapt(to failure: FailedAttempt?, _ head: ReplyHead?, _ step: Attempts.Step) {
    var pause = 0
    if case .refused(let head, _)? = failure {
      pause = self.pace.pause(askedBy: head)
      if pause == 0, failure?.isOfPace == true, case .again(let wait) = step { pause = wait }
    } else if let head {
      pause = pace.pause(askedBy: head)
    }
    guard pause > 0, pace.hold(pause), !isOver || !jobs.isEmpty else { return }
    let time = Seconds.text(milliseconds: min(pause, ReplyHead.longestDelay))
    output.tell(Notice(.status, "the server wants a pause: nothing is started for \(time) s"))
  }

  /// Has no further request started, for what `notice` tells.
  private func stop(_ notice: Notice) {
    guard !isOver else { return }
    isOver = true
    status = max(status, notice.status ?? .completed)
    var notice = notice
    notice.message = "no more is asked: " + notice.message
    output.tell(notice)
  }

  /// Tells of a line that is no request.
  private func tell(_ notice: Notice) {
    tally.add(.badInput)
    status = max(status, .badInput)
    output.tell(notice)
  }

  /// Looks now and then whether anybody takes the answers, and shows how far it is.
  private func look() throws(Failure) {
    let now = world.steadyMilliseconds()
    guard now - lastLook >= 200 else { return }
    lastLook = now
    if output.isClosed { throw .closedOutput }
    guard output.showsProgress else { return }
    output.show(tally.progress(running: running, after: now - start, source.part))
    output.flush()
  }
}
