import Core

/// One request from its first attempt to its last reply. The reply is noted in the log, then goes to
/// the sink. A failed attempt is retried where that may help, as long as nothing of a reply was
/// passed on; where the response goes on after its reply, the job asks for the rest.
///
/// A job knows what to send; `RetryPolicy` decides whether a failure is tried again, and `Run` sends.
final class Job {
  /// The next step after a reply has ended.
  enum Step {
    /// Another request is sent, after this many milliseconds; with `pausesAll` no job starts
    /// meanwhile.
    case again(after: Int, pausesAll: Bool = false)
    /// Nothing more is sent, since an answer came; the value is the worst status that was reported.
    case answered(ExitStatus)
    /// Nothing more is sent, and no answer came. `stop` is the error that every other job would end
    /// by, if so; no job starts for `pause` milliseconds.
    case failed(ExitStatus, stop: Notice?, pause: Int)
  }

  /// The requests that may follow a reply, and the milliseconds before each, unless the server asks
  /// for other ones.
  typealias Following = (requests: ResponseRequests, poll: Int)

  private let reply: Reply
  private var output = Output()
  private let sink: any ReplySink
  private let log: RunLog?
  private let first: HTTPRequest
  private let following: Following?
  private let policy: RetryPolicy
  private let world: World
  /// The number of the current attempt at the current request, or since event `last`, from 1.
  private var number = 1
  private var last: Int?
  /// The count of other jobs with an answer when the server last put this one off.
  private var answersAtLastPause: Int?
  /// Whether the current request asks how far a response is.
  private var isPolling = false

  init(
    _ request: HTTPRequest, _ reply: Reply, to sink: any ReplySink,
    notingIn log: RunLog?, following: Following? = nil, _ policy: RetryPolicy,
    _ world: World
  ) {
    first = request
    self.sink = sink
    self.log = log
    self.following = following
    (self.policy, self.world) = (policy, world)
    self.reply = reply
    reply.request = request
    output.marking = sink.marking
  }

  /// The request to send now.
  var request: HTTPRequest { reply.request }

  /// Whether nobody reads the reply any more.
  var isClosed: Bool { sink.isClosed }

  /// The next step after an attempt has ended, with `fault` or without one. `answered` is the count
  /// of other jobs that have an answer.
  func step(after fault: TransportFault?, answered: Int = 0) throws(Failure) -> Step {
    switch reply.end(fault, into: &output) {
    case .ended: return .answered(try finish())
    case .failed(let failure): return try retry(after: failure, answered)
    case .goesOn(let rest): return try follow(rest, fault)
    }
  }

  /// The next step after an attempt that brought no answer.
  private func retry(after failure: FailedAttempt, _ answered: Int) throws(Failure) -> Step {
    let othersAnswered = answersAtLastPause.map { answered > $0 } ?? false
    switch decision(on: failure, othersAnswered: othersAnswered) {
    case .stop(let why, let stopsBatch, let pause):
      reply.giveUp(why, into: &output)
      let status = try finish()
      let stop = Notice(.error, failure.reason, status: status)
      return .failed(
        status, stop: stopsBatch ? reply.redaction.of(stop) : nil, pause: pause)
    case .again(let delay, let counts, let pausesAll):
      if pausesAll { answersAtLastPause = answered }
      if !counts { number -= 1 }
      let wait = try announce(delay, failure.reason, failure.facts)
      reply.restart()
      return .again(after: wait, pausesAll: pausesAll)
    }
  }

  private func decision(
    on failure: FailedAttempt, othersAnswered: Bool = false, asksForRest: Bool = false
  ) -> RetryPolicy.Decision {
    policy.decision(
      on: failure,
      at: RetryPolicy.Moment(
        attempt: number, now: world.epochSeconds(), steady: world.steadyMilliseconds(),
        deadline: first.deadline, othersAnswered: othersAnswered, asksForRest: asksForRest))
  }

  /// The time that is left of the run, in milliseconds.
  private var left: Int { first.deadline.map { max(0, $0 - world.steadyMilliseconds()) } ?? .max }

  /// The least pause between two polls, in milliseconds: a second whatever the server says, or less
  /// if the user says so.
  private var leastPause: Int { min(1000, following?.poll ?? 0) }

  /// Counts the attempt, and reports that another one follows. Returns the wait before it.
  private func announce(
    _ delay: ClosedRange<Int>, _ reason: String, _ facts: JSONValue.Members
  ) throws(Failure) -> Int {
    let least = isPolling ? min(leastPause, left) : 0
    let wait = max(world.random(delay), least)
    let time = Seconds.text(milliseconds: wait)
    let model = reply.plan.model.map { " (model \($0))" } ?? ""
    var notice = Notice(.retry, "\(reason)\(model); trying again in \(time) s")
    notice.facts =
      [("attempt", .integer(number)), ("delay_seconds", .raw(Array(time.utf8)))] + facts
    number += 1
    output.notices.append(notice)
    try flush()
    return wait
  }
}

extension Job: ReplyReceiver {
  var hasEnd: Bool { reply.hasEnd }

  var isStreaming: Bool { reply.isStreaming }

  func begin(_ head: ReplyHead) { reply.begin(head) }

  func receive(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    let goesOn = reply.receive(bytes, into: &output)
    // Of a read's worth, the start of an event may be held.
    if output.bytes.count >= InputBuffer.readSize / 2 { try flush() }
    return goesOn
  }

  func flush() throws(Failure) {
    reply.flush(into: &output)
    let facts = reply.facts
    log?.note(output, of: facts.head, facts.response)
    let count = output.bytes.count
    try sink.write(&output)
    log?.note(written: count)
  }
}

/// The requests that follow a reply.
extension Job {
  /// The next step where the answer goes on behind a reply that ended, by `fault` or by itself: the
  /// rest of a stream that was cut, or the response itself where no events are offered or wanted.
  private func follow(_ rest: ResponseRest, _ fault: TransportFault?) throws(Failure) -> Step {
    try flush()
    let wait: Int
    switch rest.reason {
    case .noStream, .page:
      wait = 0
      number = 1
    case .running(let asked):
      wait = min(max(asked ?? following?.poll ?? 0, leastPause), left)
      number = 1
    case .cut:
      if rest.last != last { number = 1 }
      last = rest.last
      let decision = decision(on: .broken(fault ?? .cut), asksForRest: true)
      guard case .again(let delay, _, _) = decision else {
        reply.giveUp(into: &output)
        return .answered(try finish())
      }
      wait = try announce(delay, rest.text, rest.facts)
    }
    reply.restart(asksForEvents: rest.asksForEvents)
    reply.request = request(for: rest)
    isPolling = rest.reason.isWait
    return .again(after: wait)
  }

  private func finish() throws(Failure) -> ExitStatus {
    try flush()
    let status = try sink.end(reply)
    try log?.end(exit: Int(status.rawValue))
    return status
  }

  /// Ends the job where `failure` ends the run.
  func giveUp(after failure: Failure) {
    if let notice = failure.notice { log?.note(notice) }
    try? log?.end(exit: Int(failure.exitCode))
    sink.giveUp(after: failure)
  }

  private func request(for rest: ResponseRest) -> HTTPRequest {
    var next = first
    if case .page(let item) = rest.reason {
      next.add(query: item)
    } else if let requests = following?.requests {
      next =
        rest.asksForEvents
        ? requests.events(rest.id, after: rest.last) : requests.response(rest.id)
    }
    next.deadline = first.deadline
    return next
  }
}
