import Core

/// The reason why no whole reply came: its cause, a message and advice for people.
struct TransportFault: Sendable {
  /// The causes, each by the code that programs know it by.
  enum Cause: String, CaseIterable, Sendable {
    case nameNotResolved = "name_not_resolved"
    case connectionFailed = "connection_failed"
    case connectionLost = "connection_lost"
    case tlsFailed = "tls_failed"
    case certificateNotTrusted = "certificate_not_trusted"
    case clientCertificateRefused = "client_certificate_refused"
    case proxyRefused = "proxy_refused"
    case proxyFailed = "proxy_failed"
    /// The connection took too long.
    case timeout
    /// An event stream went silent.
    case silence
    /// The time limit of the whole run is over.
    case timeLimit
    case transportFailed = "transport_failed"
    /// The reply ended as if it were whole, and the response had not ended.
    case truncatedStream = "truncated_stream"
    /// The reply is a document that is not whole JSON.
    case brokenAnswer = "broken_answer"
    case emptyAnswer = "empty_answer"
    case eventTooLong = "event_too_long"

    var code: String {
      switch self {
      case .silence, .timeLimit: Self.timeout.rawValue
      default: rawValue
      }
    }
  }

  let cause: Cause
  let message: String
  let advice: String

  init(_ cause: Cause, _ message: String, advice: String) {
    self.cause = cause
    self.message = message
    self.advice = advice
  }
}
