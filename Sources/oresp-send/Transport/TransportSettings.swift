/// How long a transport waits, and whom it trusts. A time of 0 is no limit.
package struct TransportSettings: Sendable {
  package var connectMilliseconds = 10_000
  /// The longest silence of the server.
  package var idleMilliseconds = 300_000
  package var totalMilliseconds = 0
  /// The file of certificate authorities, if not the system's.
  package var caFile: String?
  /// The folder of such, named by their hashes.
  package var caFolder: String?
  /// The proxy, if not the one that the environment names.
  package var proxy: String?
  /// The socket that is connected to, whatever the URL's host.
  package var unixSocket: String?
  /// Whether no later version than HTTP/1.1 is spoken.
  package var isHTTP1 = false
  /// Whether a compressed reply is asked for.
  package var isCompressed = false

  package init() {}

  /// Whom to trust as curl takes it from the environment, where no option said it. `variable` gives
  /// the value of an environment variable, `nil` when it is unset or empty.
  mutating func takeAuthorities(from variable: (String) -> String?) {
    guard caFile == nil else { return }
    caFile = variable("CURL_CA_BUNDLE")
    guard caFile == nil else { return }
    (caFile, caFolder) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"))
  }
}
