import Core

/// Where the jobs of a run come from, and who learns how they go.
protocol JobSource: AnyObject {
  /// Whether nobody reads the replies any more.
  var isClosed: Bool { get }

  /// Returns what to do next. Called when another job may start.
  func next() throws(Failure) -> Run.Next

  /// Learns of `sign`.
  func note(_ sign: Run.Sign)
}

/// Requests, one or many, each as a job: starts them, goes on with those on their way, and sends
/// each again when its time has come.
///
/// A signal or a failure ends all of it: each job that has not ended gets its line in the log.
final class Run {
  /// What a source wants.
  enum Next {
    /// Start this job; behind the last one nothing comes.
    case job(Job, isLast: Bool = false)
    /// Wait until the descriptor can be read.
    case wait(Int32)
    /// Wait until a job has ended.
    case full
    /// Nothing: no more jobs come.
    case end
  }

  /// What a source learns.
  enum Sign {
    /// A job ended, with the worst status that was reported of it.
    case ended(ExitStatus)
    /// The failure in the notice would be the one of every other job: no more are started.
    case stop(Notice)
    /// A fifth of a second is over; so many jobs are on their way.
    case turn(running: Int)
    /// The run ends, since this failed.
    case failure(Failure)
  }

  private let carrier: any Carrier
  private let world: World
  private let source: any JobSource
  private let atOnce: Int
  private let deadline: Int?
  private let pace: Pace
  /// The jobs that have not ended, by number.
  private var jobs: [Int: Job] = [:]
  /// The times at which waiting jobs are sent again, by number (`World.steadyMilliseconds`).
  private var due: [Int: Int] = [:]
  private var started = 0
  /// The count of jobs that got an answer.
  private var answered = 0
  /// Whether no more jobs are started.
  private var isOver = false
  private var lastLook: Int

  /// Takes jobs from `source`, of which `atOnce` are on their way at once, and starts them at least
  /// `spacing` microseconds apart. At `deadline` their requests end; `nil` is no limit.
  init(
    _ source: any JobSource, by carrier: any Carrier, _ world: World, atOnce: Int = 1,
    spacing: Int = 0, deadline: Int? = nil
  ) {
    self.source = source
    self.carrier = carrier
    self.world = world
    self.atOnce = atOnce
    self.deadline = deadline
    pace = Pace(spacing: spacing, world)
    lastLook = world.steadyMilliseconds()
  }

  /// Runs all jobs to their ends. A signal that ends the process waits for the line that is being
  /// written, and for those of the log.
  func run() throws(Failure) {
    try EndSignals.interrupt { () throws(Failure) in
      do throws(Failure) {
        while let turn = try startWhatMay() { try goOn(turn) }
      } catch {
        for (_, job) in jobs.sorted(by: { $0.key < $1.key }) { job.giveUp(after: error) }
        source.note(.failure(error))
        throw error
      }
    }
  }

  /// What to wait for: the time, and the descriptor of the input.
  private typealias Turn = (time: Int, input: Int32?)

  /// The most jobs that may be started and not ended, where so many are on their way at once. Jobs
  /// that wait for a retry count, so that memory stays bounded.
  static func mostStarted(_ atOnce: Int) -> Int { 4 * atOnce }

  private var running: Int { jobs.count - due.count }

  /// Whether the time of the run is over. A job is then sent at once, and ends by its deadline.
  private var isOverTime: Bool { deadline.map { world.steadyMilliseconds() >= $0 } ?? false }

  /// Starts all jobs that may start now. Returns what to wait for; `nil` when all have ended.
  private func startWhatMay() throws(Failure) -> Turn? {
    while running < atOnce {
      if isOver, jobs.isEmpty { return nil }
      let now = world.steadyMilliseconds()
      guard isOverTime || pace.opening <= now else { return (pace.opening, nil) }
      let first = due.min { $0.value < $1.value }
      if let first, first.value <= now, let job = jobs[first.key] {
        try send(job, first.key)
        continue
      }
      let dueTime = first?.value ?? .max
      guard !isOver, jobs.count < Self.mostStarted(atOnce) else { return (dueTime, nil) }
      switch try source.next() {
      case .job(let job, let isLast):
        isOver = isLast
        started += 1
        try send(job, started)
      case .wait(let input): return (dueTime, input)
      case .full: return (dueTime, nil)
      case .end: isOver = true
      }
    }
    return (.max, nil)
  }

  private func send(_ job: Job, _ number: Int) throws(Failure) {
    pace.noteStart()
    jobs[number] = job
    due[number] = nil
    try carrier.begin(job.request, to: job, number: number)
  }

  /// Goes on until a reply has ended or what `turn` says has come, for at most a quarter of a
  /// second. A signal interrupts the wait.
  private func goOn(_ turn: Turn) throws(Failure) {
    let time = isOverTime ? turn.time : min(turn.time, deadline ?? .max)
    let wait = time == .max ? 250 : min(max(time - world.steadyMilliseconds(), 0), 250)
    let ended = try carrier.goOn(wait, orUntilReadable: turn.input)
    // Here no transfer is taken down first, which may wait for the name of a host.
    try EndSignals.check()
    for ended in ended { try step(ended) }
    let now = world.steadyMilliseconds()
    guard now - lastLook >= 200 else { return }
    lastLook = now
    if source.isClosed { throw .closedOutput }
    source.note(.turn(running: running))
  }

  /// Takes the step that follows a reply.
  private func step(_ ended: Carrier.Ended) throws(Failure) {
    guard let job = jobs[ended.number] else { return }
    switch try job.step(after: ended.fault, answered: answered) {
    case .again(let wait, let pausesAll):
      due[ended.number] = world.steadyMilliseconds() + wait
      if pausesAll { pace.hold(wait) }
    case .answered(let status):
      answered += 1
      end(ended.number, status)
    case .failed(let status, let stop, let pause):
      end(ended.number, status)
      if let stop, !isOver {
        isOver = true
        source.note(.stop(stop))
      }
      pace.hold(pause)
    }
  }

  private func end(_ number: Int, _ status: ExitStatus) {
    jobs[number] = nil
    source.note(.ended(status))
  }
}

/// A source of one job.
final class OneJob: JobSource {
  private let job: Job
  private var isStarted = false
  /// The worst status that was reported of it.
  private(set) var status = ExitStatus.completed

  init(_ job: Job) { self.job = job }

  var isClosed: Bool { job.isClosed }

  func next() -> Run.Next {
    guard !isStarted else { return .end }
    isStarted = true
    return .job(job, isLast: true)
  }

  func note(_ sign: Run.Sign) { if case .ended(let status) = sign { self.status = status } }
}
