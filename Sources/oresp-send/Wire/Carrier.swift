import Core

/// Carries requests to a server, or acts as if it did.
protocol Transport {
  /// Sends `request` and gives the reply to `receiver` while it comes: the head once, then the
  /// body. A receiver that takes its time holds the server up. Returns what went wrong on the way,
  /// if anything did; throws what the receiver threw, and what keeps a request from being sent.
  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault?
}

/// Carries many requests at once, or acts as if it did. Each has a number by which its end is told.
protocol Carrier: AnyObject {
  typealias Ended = (number: Int, fault: TransportFault?)

  /// Begins to send `request`; the reply goes to `receiver` while the carrier goes on.
  func begin(
    _ request: HTTPRequest, to receiver: any ReplyReceiver, number: Int
  ) throws(Failure)

  /// Goes on with all requests until one has ended, `input` has something to read, or `milliseconds`
  /// are over. Returns those that have ended, and what went wrong on the way, if anything did.
  func goOn(_ milliseconds: Int, orUntilReadable input: Int32?) throws(Failure) -> [Ended]
}

/// Takes the reply to one request.
protocol ReplyReceiver: AnyObject {
  /// Whether nobody takes the reply any more; a transport asks now and then, and stops.
  var isClosed: Bool { get }

  /// Whether the response has ended, by what was taken, whatever else may come.
  var hasEnd: Bool { get }

  func begin(_ head: ReplyHead)

  /// Takes the next bytes of the body; false when no more are wanted.
  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool

  /// Hands on what was taken: more may have to be waited for.
  func flush() throws(Failure)
}
