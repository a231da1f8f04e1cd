/// Watches a transport at work. What it is shown has the key in it.
package protocol TransferWatcher: AnyObject {
  /// The transport did something, told in its own words.
  func did(_ words: String)

  /// Headers of a request went out.
  func sent(_ headers: Span<UInt8>)

  /// A line of the headers of an answer came, with its line end.
  func received(header line: Span<UInt8>)

  /// A transfer is over.
  func ended(_ facts: TransferFacts)
}

extension TransferWatcher {
  package func did(_ words: String) {}
  package func sent(_ headers: Span<UInt8>) {}
  package func received(header line: Span<UInt8>) {}
  package func ended(_ facts: TransferFacts) {}
}

/// What one transfer came to. Times are in microseconds since it began, 0 for what did not happen.
package struct TransferFacts: Sendable {
  /// The version of HTTP as it is written: `1.1`, `2`, `3`; empty when nothing came.
  package var httpVersion = ""
  /// What a proxy answered when it was asked for a tunnel; 0 when none was.
  package var proxyStatus = 0
  /// The address that was talked to; empty when there was no connection.
  package var address = ""
  /// The bytes of the body that was sent.
  package var sentBytes = 0
  /// The bytes of the body that came, as they came.
  package var receivedBytes = 0
  package var nameTime = 0
  package var connectTime = 0
  package var tlsTime = 0
  package var firstByteTime = 0
  package var totalTime = 0

  package init() {}
}
