package import Core

/// Carries a request by another transport, and on to where the server points, as long as that is the
/// same server and the request can stay the same (RFC 9110, sections 15.4.8 and 15.4.9). Any other
/// redirect is the answer: the key and the request go to nobody else.
package struct RedirectingTransport<Base: Transport>: Transport {
  /// How many redirects one request follows.
  private static var limit: Int { 10 }

  private let base: Base

  package init(_ base: Base) { self.base = base }

  package func send(
    _ request: HTTPRequest, to receiver: any AnswerReceiver
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

/// Takes the answer of one step: a redirect to the same server is noted, anything else passed on.
private final class RedirectStep: AnswerReceiver {
  private let receiver: any AnswerReceiver
  private let url: String
  /// Where to go on.
  private(set) var target: String?

  init(_ receiver: any AnswerReceiver, from url: String) {
    (self.receiver, self.url) = (receiver, url)
  }

  var isClosed: Bool { receiver.isClosed }

  func begin(_ head: AnswerHead) {
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
