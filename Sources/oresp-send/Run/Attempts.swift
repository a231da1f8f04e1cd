import Core

/// Takes the reply to a request that may need several attempts.
protocol AttemptReceiver: ReplyReceiver {
  /// Why the attempt failed before anything of it was passed on; `nil` when it did not, or too late.
  /// `fault` is how the transport ended it.
  func failure(_ fault: TransportFault?) -> FailedAttempt?

  /// Gets ready for the reply to `request`.
  func expect(replyTo request: HTTPRequest)

  /// Learns why no further attempt is made, where that is not plain.
  func giveUp(because why: String)

  /// Forgets the attempt, for another is made.
  func restart()
}

extension AttemptReceiver {
  func expect(replyTo request: HTTPRequest) {}
  func giveUp(because why: String) {}
}

/// The attempts at one request, as steps that whoever sends it carries out: another is made where
/// that may help and nothing of a reply was passed on yet.
struct Attempts {
  /// The clocks and the dice.
  struct World {
    var steadyMilliseconds: () -> Int = Clock.steadyMilliseconds
    var epochSeconds: () -> Int = { Clock.microseconds() / 1_000_000 }
    var pause: (Int) -> Void = Clock.pause
    var random: (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
  }

  /// What is done when an attempt has ended.
  enum Step {
    /// The request is sent again after so many milliseconds.
    case again(after: Int)
    /// The reply is the last; what went wrong on the way, if anything did.
    case end(TransportFault?)
  }

  private let request: HTTPRequest
  private let policy: RetryPolicy
  private let world: World
  private let tell: (Notice) -> Void
  private let start: Int
  private var number = 1
  private var wasSent = false

  /// `tell` is told of each further attempt.
  init(
    _ request: HTTPRequest, _ policy: RetryPolicy, _ world: World, tell: @escaping (Notice) -> Void
  ) {
    (self.request, self.policy, self.world, self.tell) = (request, policy, world, tell)
    start = world.steadyMilliseconds()
  }

  /// What is to be sent now; `receiver` gets ready for the reply.
  mutating func next(for receiver: any AttemptReceiver) -> HTTPRequest {
    if wasSent { receiver.restart() }
    wasSent = true
    receiver.expect(replyTo: request)
    return request
  }

  /// What to do now that the transport has ended with `fault`, or without one. An attempt that
  /// `isForgiven` is not counted.
  mutating func step(
    after fault: TransportFault?, isForgiven: Bool = false, _ receiver: any AttemptReceiver
  ) -> Step {
    guard let failure = receiver.failure(fault) else { return .end(fault) }
    if isForgiven { number = max(number - 1, 1) }
    let decision = policy.decision(
      on: failure, attempt: number, elapsed: world.steadyMilliseconds() - start,
      now: world.epochSeconds())
    switch decision {
    case .stop(let why):
      if let why { receiver.giveUp(because: why) }
      return .end(failure.fault ?? fault)
    case .again(let delay):
      let wait = world.random(delay)
      tell(Self.notice(failure.reason, number, wait, failure.facts))
      number += 1
      return .again(after: wait)
    }
  }

  static func notice(
    _ reason: String, _ number: Int, _ wait: Int, _ facts: JSONValue.Members
  ) -> Notice {
    let time = Seconds.text(milliseconds: wait)
    var notice = Notice(.retry, "\(reason); trying again in \(time) s")
    notice.facts =
      [("attempt", .integer(number)), ("delay_seconds", .raw(Array(time.utf8)))] + facts
    return notice
  }
}
