import Core

/// Carries requests to servers, many at once, or rehearses that. Each request has a number, by
/// which its end is reported.
protocol Carrier: AnyObject {
  typealias Ended = (number: Int, fault: TransportFault?)

  /// Begins to send `request`. During `goOn`, `receiver` gets the reply: the head once, then the
  /// body. A slow receiver slows the server down.
  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure)

  /// Goes on with all requests until one has ended, `input` is readable, or `milliseconds` have
  /// passed; it may return earlier. Returns the requests that have ended, each with its fault, if
  /// it has one. Rethrows the failure of a receiver.
  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) throws(Failure) -> [Ended]
}

/// Receives the reply to one request.
protocol ReplyReceiver: AnyObject {
  /// Whether the response has ended in the bytes received, though more may come.
  var hasEnd: Bool { get }

  /// Whether the first byte of an event stream has come: a long silence behind it is a fault.
  var isStreaming: Bool { get }

  func begin(_ head: ReplyHead)

  /// Takes the next bytes of the body; false when no more are wanted.
  func receive(_ bytes: Span<UInt8>) throws(Failure) -> Bool

  /// Hands on the bytes received, before the carrier waits for more.
  func flush() throws(Failure)
}

/// The clocks and the random numbers, which a rehearsal or a test replaces.
struct World {
  var steadyMilliseconds: () -> Int = Clock.steadyMilliseconds
  var epochSeconds: () -> Int = { Clock.microseconds() / 1_000_000 }
  var random: (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
}
