import Core

/// What a transport does. What went out has the key in it.
enum TransferSign {
  /// Anything, told in the transport's own words.
  case did(String)
  /// Headers of a request went out.
  case sent([UInt8])
  /// A line of the headers of a reply came, with its line end.
  case received([UInt8])
  /// A transfer is over.
  case ended(TransferFacts)
}

/// Watches a transport at work.
protocol TransferWatcher: AnyObject {
  func see(_ sign: TransferSign)
}

/// What one transfer came to. Times are in microseconds since it began, 0 for what did not happen.
struct TransferFacts: Sendable {
  /// The version of HTTP as it is written: `1.1`, `2`, `3`; empty when nothing came.
  var httpVersion = ""
  /// The number of the system's error that kept a connection from being made; 0 when none did.
  var systemError: Int32 = 0
  /// What a proxy answered when it was asked for a tunnel; 0 when none was.
  var proxyStatus = 0
  /// The bytes of the body that was sent.
  var sentBytes = 0
  /// The bytes of the body that came, as they came.
  var receivedBytes = 0
  var nameTime = 0
  var connectTime = 0
  var tlsTime = 0
  var firstByteTime = 0
  var totalTime = 0
}
