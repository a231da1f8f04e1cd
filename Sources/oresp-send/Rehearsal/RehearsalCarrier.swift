import Core

/// Has requests rehearsed, each at once when it begins.
final class RehearsalCarrier: Carrier {
  private let transport: RehearsalTransport
  private let pause: (Int) -> Void
  private var ended: [Ended] = []

  /// `pause` waits so many milliseconds, or acts as if it did.
  init(_ transport: RehearsalTransport, pause: @escaping (Int) -> Void) {
    (self.transport, self.pause) = (transport, pause)
  }

  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure) {
    ended.append((number, try transport.send(request, to: receiver)))
  }

  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) -> [Ended] {
    if ended.isEmpty, let input {
      let time = Clock.steadyMilliseconds() + milliseconds
      _ = Descriptor(borrowing: input, name: "").isIdle(until: time)
    } else if ended.isEmpty {
      pause(milliseconds)
    }
    defer { ended = [] }
    return ended
  }
}
