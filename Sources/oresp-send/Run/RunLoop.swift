import Core

/// Sends jobs by a carrier, one or many at once, and each again when its time has come.
final class RunLoop {
  private let carrier: any Carrier
  private let world: World
  /// The jobs that have not ended, by number.
  private var jobs: [Int: Job] = [:]
  /// When a job that is not on its way is sent again.
  private var due: [Int: Int] = [:]

  init(_ carrier: any Carrier, _ world: World) { (self.carrier, self.world) = (carrier, world) }

  /// How many jobs have not ended, and how many of those are on their way.
  var count: Int { jobs.count }
  var running: Int { jobs.count - due.count }

  /// When a job is sent again, at the earliest.
  var nextDue: Int { due.values.min() ?? .max }

  func send(_ job: Job, _ number: Int) throws(Failure) {
    jobs[number] = job
    due[number] = nil
    try carrier.begin(try job.next(), to: job, number: number)
  }

  /// Sends the job again that has waited longest of those whose time has come; false without any.
  func sendDue() throws(Failure) -> Bool {
    guard let (number, time) = due.min(by: { $0.value < $1.value }), let job = jobs[number],
      time <= world.steadyMilliseconds()
    else { return false }
    try send(job, number)
    return true
  }

  /// Goes on until a reply has ended, `input` has something to read, or it is `time`, but for a
  /// quarter of a second at most. Returns the replies that have ended.
  func goOn(until time: Int, orUntilReadable input: Int32?) throws(Failure) -> [Carrier.Ended] {
    let wait = min(max(time - world.steadyMilliseconds(), 0), 250)
    return try carrier.goOn(wait, orUntilReadable: input)
  }

  /// Has the job decide what follows a reply that `ended`; `answered` is how many others have an
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

  /// Sends `job` alone, to its end. Returns the worst status that was reported.
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
