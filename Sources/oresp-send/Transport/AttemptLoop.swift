import Core

/// Takes the reply to a request that may need several attempts.
protocol AttemptReceiver: ReplyReceiver {
  /// Why the attempt failed before anything of it was passed on; `nil` when it did not, or too late.
  /// `fault` is how the transport ended it.
  func failure(_ fault: TransportFault?) -> FailedAttempt?

  /// Gets ready for the reply to `request`.
  func expect(replyTo request: HTTPRequest)

  /// Forgets the attempt, for another is made.
  func restart()
}

extension AttemptReceiver {
  func expect(replyTo request: HTTPRequest) {}
}

/// Sends a request, and again where that may help and nothing of a reply was passed on yet.
///
/// An attempt goes on to where the server points, as long as that is the same server and the request
/// can stay the same (RFC 9110, sections 15.4.8 and 15.4.9). Any other redirect is the reply: the key
/// and the request go to nobody else.
struct AttemptLoop {
  /// The clocks and the dice.
  struct World {
    var steadyMilliseconds: () -> Int = Clock.steadyMilliseconds
    var epochSeconds: () -> Int = { Clock.microseconds() / 1_000_000 }
    var pause: (Int) -> Void = Clock.pause
    var random: (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
  }

  /// How many redirects one attempt follows.
  private static let redirectLimit = 10

  private let transport: any Transport
  let policy: RetryPolicy
  let world: World
  let tell: (Notice) -> Void

  /// `tell` is told of each further attempt, and of what keeps one from being made.
  init(
    _ transport: any Transport, _ policy: RetryPolicy, _ world: World = World(),
    tell: @escaping (Notice) -> Void
  ) {
    (self.transport, self.policy, self.world, self.tell) = (transport, policy, world, tell)
  }

  /// Gives the reply of the last attempt to `receiver`. Returns what went wrong on the way, if
  /// anything did.
  func send(
    _ request: HTTPRequest, to receiver: any AttemptReceiver
  ) throws(Failure) -> TransportFault? {
    let start = world.steadyMilliseconds()
    var number = 1
    while true {
      let fault = try attempt(request, receiver)
      guard let failure = receiver.failure(fault) else { return fault }
      let decision = policy.decision(
        on: failure, attempt: number, elapsed: world.steadyMilliseconds() - start,
        now: world.epochSeconds())
      switch decision {
      case .stop(let why):
        if let why { tell(Notice(.warning, "not tried again: " + why)) }
        return fault
      case .again(let delay):
        let wait = world.random(delay)
        tell(Self.notice(failure.reason, number, wait, failure.facts))
        try self.wait(wait, receiver)
        receiver.restart()
        number += 1
      }
    }
  }

  /// Makes one attempt, with the redirects that it follows.
  private func attempt(
    _ request: HTTPRequest, _ receiver: any AttemptReceiver
  ) throws(Failure) -> TransportFault? {
    var request = request
    for _ in 0..<Self.redirectLimit {
      receiver.expect(replyTo: request)
      let fault = try transport.send(request, to: receiver)
      guard case .refused(let head, _) = receiver.failure(fault), [307, 308].contains(head.status),
        let place = head["location"], let target = Endpoint.url(place, seenFrom: request.url)
      else { return fault }
      request.url = target
      receiver.restart()
    }
    return TransportFault(
      "redirect_loop", "the server points to itself again and again",
      advice: "check \(request.origin.place)")
  }

  /// Waits so many milliseconds, unless nobody wants the reply any more.
  func wait(
    _ milliseconds: Int, _ receiver: any AttemptReceiver
  ) throws(Failure) {
    let end = world.steadyMilliseconds() + milliseconds
    while true {
      if receiver.isClosed { throw .closedOutput }
      let rest = end - world.steadyMilliseconds()
      guard rest > 0 else { return }
      world.pause(min(rest, 250))
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
