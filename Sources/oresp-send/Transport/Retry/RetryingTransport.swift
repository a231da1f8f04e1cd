package import Core

/// Carries a request by another transport, and again where that may help and nothing of an answer
/// was passed on yet.
package struct RetryingTransport<Base: Transport>: Transport {
  /// The clocks and the dice.
  package struct World {
    package var steadyMilliseconds: () -> Int
    package var epochSeconds: () -> Int
    package var pause: (Int) -> Void
    package var random: (ClosedRange<Int>) -> Int

    package init(
      steadyMilliseconds: @escaping () -> Int = Clock.steadyMilliseconds,
      epochSeconds: @escaping () -> Int = { Clock.microseconds() / 1_000_000 },
      pause: @escaping (Int) -> Void = Clock.pause,
      random: @escaping (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
    ) {
      self.steadyMilliseconds = steadyMilliseconds
      self.epochSeconds = epochSeconds
      self.pause = pause
      self.random = random
    }
  }

  private let base: Base
  private let policy: RetryPolicy
  private let world: World
  private let tell: (Notice) -> Void

  /// `tell` is told of each further attempt, and of what keeps one from being made.
  package init(
    _ base: Base, _ policy: RetryPolicy, _ world: World = World(),
    tell: @escaping (Notice) -> Void
  ) {
    (self.base, self.policy, self.world, self.tell) = (base, policy, world, tell)
  }

  package func send(
    _ request: HTTPRequest, to receiver: any AnswerReceiver
  ) throws(Failure) -> TransportFault? {
    let start = world.steadyMilliseconds()
    var number = 1
    while true {
      let attempt = Attempt(receiver)
      let fault = try base.send(request, to: attempt)
      if let failure = attempt.failure(fault) {
        let elapsed = world.steadyMilliseconds() - start
        let decision = policy.decision(
          on: failure, attempt: number, elapsed: elapsed, now: world.epochSeconds())
        if case .again(let delay) = decision {
          let wait = world.random(delay)
          tell(Self.notice(failure, number, wait))
          try self.wait(wait, receiver)
          number += 1
          continue
        }
        if case .stop(let why?) = decision { tell(Notice(.warning, "not tried again: " + why)) }
      }
      try attempt.passOn()
      return fault
    }
  }

  /// Waits so many milliseconds, unless nobody wants the answer any more.
  private func wait(
    _ milliseconds: Int, _ receiver: any AnswerReceiver
  ) throws(Failure) {
    let end = world.steadyMilliseconds() + milliseconds
    while true {
      if receiver.isClosed { throw .closedOutput }
      let rest = end - world.steadyMilliseconds()
      guard rest > 0 else { return }
      world.pause(min(rest, 250))
    }
  }

  private static func notice(_ failure: FailedAttempt, _ number: Int, _ wait: Int) -> Notice {
    let time = Seconds.text(microseconds: wait * 1000)
    var notice = Notice(.retry, "\(failure.reason); trying again in \(time) s")
    notice.facts =
      [("attempt", .integer(number)), ("delay_seconds", .raw(Array(time.utf8)))] + failure.facts
    return notice
  }
}
