import Core

/// Sends jobs by a carrier, one or many at once, and retries each when its time has come.
final class RunLoop {
  private let carrier: any Carrier
  private let world: World
  /// The jobs that have not ended, by number.
  private var jobs: [Int: Job] = [:]
  /// The times at which waiting jobs are sent again, by number (`World.steadyMilliseconds`).
  private var due: [Int: Int] = [:]

  init(_ carrier: any Carrier, _ world: World) { (self.carrier, self.world) = (carrier, world) }

  /// The count of jobs that have not ended, and of those among them that are on their way.
  var count: Int { jobs.count }
  var running: Int { jobs.count - due.count }

  /// The earliest time at which a waiting job is sent again; `.max` when none waits.
  var nextDue: Int { due.values.min() ?? .max }

  func send(_ job: Job, _ number: Int) throws(Failure) {
    jobs[number] = job
    due[number] = nil
    try carrier.begin(try job.next(), to: job, number: number)
  }

  /// Sends the job whose time came first. Returns false when no job's time has come.
  func sendDue() throws(Failure) -> Bool {
    guard let (number, time) = due.min(by: { $0.value < $1.value }), let job = jobs[number],
      time <= world.steadyMilliseconds()
    else { return false }
    try send(job, number)
    return true
  }

  /// Goes on until a reply has ended, `input` is readable, or it is `time`, for at most a quarter
  /// of a second. Returns the replies that have ended. A signal interrupts the wait.
  func goOn(until time: Int, orUntilReadable input: Int32?) throws(Failure) -> [Carrier.Ended] {
    let wait = min(max(time - world.steadyMilliseconds(), 0), 250)
    let ended = try carrier.goOn(wait, orUntilReadable: input)
    // Here no transfer is taken down first, which may wait for the name of a host.
    try EndSignals.check()
    return ended
  }

  /// Asks the job for the step after a reply that `ended`. `answered` is the count of jobs with an
  /// answer. `nil` when there is no such job.
  func step(
    _ ended: Carrier.Ended, answered: Int = 0
  ) throws(Failure) -> (job: Job, step: Job.Step)? {
    guard let job = jobs[ended.number] else { return nil }
    let step = try job.step(after: ended.fault, answered: answered)
    switch step {
    case .again(let wait): due[ended.number] = world.steadyMilliseconds() + wait
    case .ended: jobs[ended.number] = nil
    }
    return (job, step)
  }

  /// Runs `job` alone, to its end. Returns the worst status that was reported.
  func run(_ job: Job) throws(Failure) -> ExitStatus {
    try send(job, 0)
    while true {
      for ended in try goOn(until: nextDue, orUntilReadable: nil) {
        if case .ended(let status)? = try step(ended)?.step { return status }
      }
      if running == 0, job.isClosed { throw .closedOutput }
      _ = try sendDue()
    }
  }
}
