import Core

/// A step of a transport. Sent headers have the key in them.
enum TransferSign {
  /// Any step, in the transport's own words.
  case log(String)
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

/// The facts on one transfer. Times are in microseconds since it began; 0 for a step not reached.
struct TransferFacts: Sendable {
  /// The version of HTTP: `1.0`, `1.1`, `2` or `3`; empty when nothing came.
  var httpVersion = ""
  /// The system's error number (errno) of a failed connection; 0 for none.
  var systemError: Int32 = 0
  /// The HTTP status of a proxy's answer to CONNECT; 0 when there was none.
  var proxyStatus = 0
  /// The size in bytes of the body that was sent.
  var sentBytes = 0
  /// The size in bytes of the received body, before it is unpacked.
  var receivedBytes = 0
  var nameTime = 0
  var connectTime = 0
  var tlsTime = 0
  var firstByteTime = 0
  var totalTime = 0
}
