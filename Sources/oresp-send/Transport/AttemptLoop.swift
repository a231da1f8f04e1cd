package import Core

/// Carries a request by another transport, and again where that may help and nothing of a reply
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
    _ request: HTTPRequest, to receiver: any ReplyReceiver
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

  /// Waits so many milliseconds, unless nobody wants the reply any more.
  private func wait(
    _ milliseconds: Int, _ receiver: any ReplyReceiver
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

/// Takes one attempt's reply: passes a successful one on from its first byte, and keeps a refusal
/// until it is known whether another attempt is made.
final class Attempt: ReplyReceiver {
  /// How much is kept of a refusal.
  private static let limit = 1 << 20

  private let receiver: any ReplyReceiver
  private var head: ReplyHead?
  private var held: [UInt8] = []
  private var hasBegun = false

  init(_ receiver: any ReplyReceiver) { self.receiver = receiver }

  var isClosed: Bool { receiver.isClosed }

  func begin(_ head: ReplyHead) { self.head = head }

  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    if head?.isSuccess == true {
      begin()
      return try receiver.take(bytes)
    }
    held.append(copying: bytes.extracting(first: Self.limit - held.count))
    return held.count < Self.limit
  }

  func flush() throws(Failure) {
    if hasBegun { try receiver.flush() }
  }

  /// Why the attempt failed before anything of it was passed on; `nil` when it did not, or too late.
  /// `fault` is how the transport ended it.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    guard !hasBegun else { return nil }
    if let head, !head.isSuccess { return .refused(head, body: held) }
    return fault.map { .broken($0) }
  }

  /// Passes on what was kept.
  func passOn() throws(Failure) {
    begin()
    let bytes = held
    if !bytes.isEmpty { _ = try receiver.take(bytes.span) }
  }

  private func begin() {
    guard !hasBegun, let head else { return }
    hasBegun = true
    receiver.begin(head)
  }
}

/// Carries a request by another transport, and on to where the server points, as long as that is the
/// same server and the request can stay the same (RFC 9110, sections 15.4.8 and 15.4.9). Any other
/// redirect is the reply: the key and the request go to nobody else.
package struct RedirectingTransport<Base: Transport>: Transport {
  /// How many redirects one request follows.
  private static var limit: Int { 10 }

  private let base: Base

  package init(_ base: Base) { self.base = base }

  package func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    var request = request
    for _ in 0..<Self.limit {
      let step = RedirectStep(receiver, from: request.url)
      let fault = try base.send(request, to: step)
      guard let target = step.target else { return fault }
      request.url = target
    }
    return TransportFault(
      "redirect_loop", "the server points to itself again and again",
      advice: "check OPENAI_BASE_URL")
  }
}

/// Takes the reply of one step: a redirect to the same server is noted, anything else passed on.
private final class RedirectStep: ReplyReceiver {
  private let receiver: any ReplyReceiver
  private let url: String
  /// Where to go on.
  private(set) var target: String?

  init(_ receiver: any ReplyReceiver, from url: String) {
    (self.receiver, self.url) = (receiver, url)
  }

  var isClosed: Bool { receiver.isClosed }

  func begin(_ head: ReplyHead) {
    if [307, 308].contains(head.status), let place = head["location"] {
      target = Endpoint.url(place, seenFrom: url)
    }
    if target == nil { receiver.begin(head) }
  }

  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    guard target == nil else { return false }
    return try receiver.take(bytes)
  }

  func flush() throws(Failure) { try receiver.flush() }
}
