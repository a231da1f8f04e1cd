import Core

/// Many requests, one for each line of a source, as the jobs of a run.
final class Batch: JobSource {
  /// Makes the request for a line, and the redaction of the secrets in it.
  typealias Make = (BatchLine) throws(Failure) -> (request: HTTPRequest, redaction: Redaction)

  private let settings: BatchSettings
  private let plan: ReplyPlan
  private let logFile: LogFile?
  private let carrier: any Carrier
  private let policy: RetryPolicy
  private let world: World
  private let make: Make
  private let output: BatchOutput
  private var source: BatchSource
  /// The count of lines so far, in the order of which they are started.
  private var started = 0
  private var tally = Tally()
  /// Whether no more lines are sent.
  private var isStopped = false
  private let start: Int
  private let deadline: Int?

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
    self.carrier = carrier
    self.policy = policy
    self.world = world
    self.output = output
    self.make = make
    self.source = source
    self.source.report = { output.report($0) }
    start = world.steadyMilliseconds()
    deadline = limit > 0 ? start + limit : nil
  }

  /// Sends all requests. Returns the worst status among them.
  func run() throws(Failure) -> ExitStatus {
    let run = Run(
      self, by: carrier, world, atOnce: settings.jobs, spacing: settings.spacing ?? 0,
      deadline: deadline)
    try run.run()
    output.show("")
    // Before the count of requests that were done before, which grows with each line.
    let unsent = isStopped ? try countUnsent() : (count: 0, isAll: true)
    defer { output.report(tally.notice(unsent: unsent)) }
    try output.end()
    return tally.status
  }

  var isClosed: Bool { output.isClosed }

  func next() throws(Failure) -> Run.Next {
    if let deadline, world.steadyMilliseconds() >= deadline {
      stop(Notice(.error, "--max-time is over", status: .temporary))
    }
    while !isStopped {
      // Answers that wait for their turn stay in memory.
      if settings.keepsOrder, started - output.turn >= Run.mostStarted(settings.jobs) {
        return .full
      }
      switch try source.next() {
      case .line(let line, let number):
        do throws(Failure) {
          return .job(try job(for: line, at: number))
        } catch {
          guard case .usage(let why) = error else { throw error }
          try end(BrokenLine(number, line.customID, why, of: source.inputName))
        }
      case .broken(let line): try end(line)
      case .settled(let status): tally.skip(status)
      case .wait(let descriptor): return .wait(descriptor)
      case .end: return .end
      }
    }
    return .end
  }

  private func job(for line: BatchLine, at place: Int) throws(Failure) -> Job {
    var (request, redaction) = try make(line)
    request.deadline = deadline
    let sink = BatchSink(
      line, at: place, started, givesEvents: settings.givesEvents, to: output, redaction)
    started += 1
    var plan = plan
    plan.isBackground = plan.form == .response && request.says("background")
    let log = logFile.map { RunLog(in: $0, request, redaction) }
    return Job(
      request, Reply(redaction, plan), to: sink, notingIn: log, policy, world)
  }

  /// Counts a line that is no request, and writes its result, which has the error in it; or its
  /// event, and reports it.
  private func end(_ line: BrokenLine) throws(Failure) {
    var line = line
    line.notice = output.notifier.change(line.notice)
    tally.add(.badInput)
    var result = line.result
    if settings.givesEvents {
      output.report(line.notice)
      let isTold = output.notifier.marking?.reports(line.notice) == true
      result = line.event(told: isTold ? ToldMark.now : nil)
    }
    try output.write(result + [ASCII.lf], of: started)
    try output.end(started)
    started += 1
  }

  func note(_ sign: Run.Sign) {
    switch sign {
    case .ended(let status): tally.add(status)
    case .stop(let notice): stop(notice)
    case .turn(let running):
      output.show(tally.progress(running: running, after: world.steadyMilliseconds() - start))
    case .failure(.closedOutput): break
    case .failure: output.giveUp()
    }
  }

  /// Stops starting requests, for the reason in `notice`.
  private func stop(_ notice: Notice) {
    isStopped = true
    tally.note(notice.status ?? .completed)
    var notice = notice
    notice.message = "no more requests are sent: " + notice.message
    output.report(notice)
  }

  /// Counts the lines that were not sent, without a wait for more, and says whether these are all.
  private func countUnsent() throws(Failure) -> (count: Int, isAll: Bool) {
    var count = 0
    while true {
      switch try source.next() {
      case .line, .broken: count += 1
      case .settled(let status): tally.skip(status)
      case .wait: return (count, false)
      case .end: return (count, true)
      }
    }
  }
}
