import Core

/// Sends one request at a time, with all the attempts that it takes, and waits for each.
struct AttemptLoop {
  typealias World = Attempts.World

  private let transport: any Transport
  let policy: RetryPolicy
  let world: World
  let tell: (Notice) -> Void

  /// `tell` is told of each further attempt.
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
    var attempts = Attempts(request, policy, world, tell: tell)
    while true {
      let fault = try transport.send(attempts.next(for: receiver), to: receiver)
      switch attempts.step(after: fault, receiver) {
      case .end(let fault): return fault
      case .again(let wait): try self.wait(wait, receiver)
      }
    }
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
}
