package import Core

/// Carries requests to a server, or acts as if it did.
package protocol Transport {
  /// Sends `request` and gives the answer to `receiver` while it comes: the head once, then the
  /// body. A receiver that takes its time holds the server up. Returns what went wrong on the way,
  /// if anything did; throws what the receiver threw, and what keeps a request from being sent.
  func send(
    _ request: HTTPRequest, to receiver: any AnswerReceiver
  ) throws(Failure) -> TransportFault?
}

/// Takes the answer to one request.
package protocol AnswerReceiver: AnyObject {
  /// Whether nobody takes the answer any more; a transport asks now and then, and stops.
  var isClosed: Bool { get }

  func begin(_ head: AnswerHead)

  /// Takes the next bytes of the body; false when no more are wanted.
  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool

  /// Hands on what was taken: more may have to be waited for.
  func flush() throws(Failure)
}

/// What is to be sent.
package struct HTTPRequest: Sendable {
  package var url: String
  /// Whole header lines, without their line ends.
  package var headers: [String]
  package var body: BodyContent
  /// Whether the server is on this machine, where no proxy is asked.
  package var isLocal: Bool
  /// Whether everybody on the way can read it.
  package var isInTheClear = false
  /// When all of it must be over, if ever (`Clock.steadyMilliseconds`).
  package var deadline: Int?

  package init(url: String, headers: [String], body: BodyContent, isLocal: Bool) {
    (self.url, self.headers, self.body, self.isLocal) = (url, headers, body, isLocal)
  }
}

/// Why no whole answer came: a name for programs, and what happened and what to do for people.
package struct TransportFault: Sendable {
  package var code: String
  package var message: String
  package var advice: String

  package init(_ code: String, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }
}
