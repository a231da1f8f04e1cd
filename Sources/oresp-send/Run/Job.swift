import Core

/// One request on its way: another attempt is made where that may help and nothing of a reply was
/// passed on yet; where its response goes on behind its reply, the rest is asked for.
///
/// It says what is sent when; `RunLoop` sends it.
final class Job {
  /// What is done when a reply has ended.
  enum Step {
    /// A request is sent after so many milliseconds.
    case again(after: Int)
    /// Nothing more is sent; the worst status that was reported.
    case ended(ExitStatus)
  }

  /// What is asked for behind a reply, and after how many milliseconds where the server names no
  /// time.
  typealias Following = (requests: ResponseRequests, poll: Int)

  let delivery: Delivery
  /// Why the last attempt failed, if it did.
  private(set) var failure: FailedAttempt?
  private let first: HTTPRequest
  private var request: HTTPRequest
  private let following: Following?
  private let policy: RetryPolicy
  private let world: World
  private let tell: (Notice) -> Void
  private let start: Int
  /// The number of the attempt at `request`.
  private var number = 1
  private var wasSent = false
  /// How many other jobs had been answered when the server last wanted this one later.
  private var answered: Int?
  /// What is asked for next, and how often that was in vain behind event `last`: what brings an
  /// event begins the count anew.
  private var rest: ResponseRest?
  private var (tries, last) = (0, Int?.none)

  /// `tell` gets a notice of each further attempt.
  init(
    _ request: HTTPRequest, to delivery: Delivery, following: Following? = nil,
    _ policy: RetryPolicy, _ world: World, tell: @escaping (Notice) -> Void
  ) {
    (self.request, first, self.delivery, self.following) = (request, request, delivery, following)
    (self.policy, self.world, self.tell) = (policy, world, tell)
    start = world.steadyMilliseconds()
  }

  /// The request that is to be sent now; `delivery` gets ready for the reply.
  func next() throws(Failure) -> HTTPRequest {
    if let rest {
      delivery.goOn(with: rest)
      (request, number) = (try request(for: rest), 1)
    } else if wasSent {
      delivery.restart()
    }
    (rest, wasSent) = (nil, true)
    delivery.expect(replyTo: request)
    return request
  }

  /// What to do now that the carrier has ended with `fault`, or without one. `answered` is how many
  /// other jobs have an answer.
  func step(after fault: TransportFault?, answered: Int = 0) throws(Failure) -> Step {
    failure = delivery.failure(fault)
    guard let failure else { return try end(fault) }
    if failure.isOfPace {
      // The server has room for some, so that this one's turn will come.
      if let former = self.answered, answered > former { number = max(number - 1, 1) }
      self.answered = answered
    }
    switch decision(on: failure, number) {
    case .stop(let why):
      if let why { delivery.giveUp(because: why) }
      return try end(failure.fault ?? fault)
    case .again(let delay):
      number += 1
      return again(after: delay, failure.reason, number - 1, failure.facts)
    }
  }

  private func decision(on failure: FailedAttempt, _ number: Int) -> RetryPolicy.Decision {
    policy.decision(
      on: failure, attempt: number, elapsed: world.steadyMilliseconds() - start,
      now: world.epochSeconds())
  }

  private func again(
    after delay: ClosedRange<Int>, _ reason: String, _ number: Int, _ facts: JSONValue.Members
  ) -> Step {
    let wait = world.random(delay)
    let time = Seconds.text(milliseconds: wait)
    var notice = Notice(.retry, "\(reason); trying again in \(time) s")
    notice.facts =
      [("attempt", .integer(number)), ("delay_seconds", .raw(Array(time.utf8)))] + facts
    tell(notice)
    return .again(after: wait)
  }
}

/// What follows a reply.
extension Job {
  /// Takes the end of the last attempt, by `fault` or by itself: of a stream that was cut the rest
  /// is asked for, and the response itself, again and again, where no events are offered or wanted.
  private func end(_ fault: TransportFault?) throws(Failure) -> Step {
    guard let following, let rest = try delivery.rest(fault) else {
      return .ended(try delivery.end(fault))
    }
    self.rest = rest
    switch rest.reason {
    case .unoffered, .page: return .again(after: 0)
    case .running(let asked), .unready(_, let asked):
      let left = first.deadline.map { max(0, $0 - world.steadyMilliseconds()) } ?? .max
      return .again(after: min(asked ?? following.poll, left))
    case .cut:
      tries = rest.last == last ? tries + 1 : 1
      last = rest.last
      guard case .again(let delay) = decision(on: .broken(fault ?? .cut), tries) else {
        return .ended(try delivery.end(fault))
      }
      return again(after: delay, rest.text, tries, rest.facts)
    }
  }

  private func request(for rest: ResponseRest) throws(Failure) -> HTTPRequest {
    guard let requests = following?.requests else { return first }
    var next = first
    switch rest.reason {
    case .page(let item):
      next.url = try Endpoint(base: first.url, path: "", query: [item]).url
    case .unready(let id, _):
      if first.method == "POST" { next = try requests.made(id, by: first) }
    default: next = try requests.rest(rest)
    }
    next.deadline = first.deadline
    return next
  }
}
