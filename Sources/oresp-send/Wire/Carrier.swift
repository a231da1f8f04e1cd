import Core

/// Carries requests to servers, many at once, or acts as if it did. Each has a number by which its
/// end is reported.
protocol Carrier: AnyObject {
  typealias Ended = (number: Int, fault: TransportFault?)

  /// Begins to send `request`; the reply goes to `receiver` while the carrier goes on: the head
  /// once, then the body. A receiver that is slow holds the server up.
  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure)

  /// Goes on with all requests until one has ended, `input` has something to read, or
  /// `milliseconds` are over. Returns the requests that have ended, each with its fault, if
  /// it has one; throws what a receiver threw.
  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) throws(Failure) -> [Ended]
}

extension Carrier {
  /// Sends `request` alone, to the end of its reply. Returns what went wrong, if anything did.
  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    try begin(request, to: receiver, number: 0)
    while true {
      if let ended = try goOn(.max, orUntilReadable: nil).first { return ended.fault }
    }
  }
}

/// Takes the reply to one request.
protocol ReplyReceiver: AnyObject {
  /// Whether nobody takes the reply any more; a carrier asks now and then, and stops.
  var isClosed: Bool { get }

  /// Whether the response has ended, by what was taken, whatever else may come.
  var hasEnd: Bool { get }

  func begin(_ head: ReplyHead)

  /// Takes the next bytes of the body; false when no more are wanted.
  func receive(_ bytes: Span<UInt8>) throws(Failure) -> Bool

  /// Hands on what was taken: more may have to be waited for.
  func flush() throws(Failure)
}

/// The clocks and the dice.
struct World {
  var steadyMilliseconds: () -> Int = Clock.steadyMilliseconds
  var epochSeconds: () -> Int = { Clock.microseconds() / 1_000_000 }
  var random: (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
}
