import CLibcurl
import Core

/// The time limits, the trusted certificates and the proxy of a transport. A time of 0 is no limit.
struct TransportSettings: Sendable {
  var connectMilliseconds = 10_000
  /// The longest silence inside an event stream.
  var idleMilliseconds = 300_000
  /// The time between two checks for silence and for the end of the response.
  var watchMilliseconds: Int { idleMilliseconds == 0 ? 250 : min(250, idleMilliseconds / 4 + 1) }
  var totalMilliseconds = 0
  /// The file of certificate authorities; `nil` for the system's.
  var caFile: String?
  /// The folder of certificate authorities, one a file, named by their hashes.
  var caFolder: String?
  /// The file of the client's certificate, and the file of its key, if it is another.
  var certificateFile: String?
  var keyFile: String?
  /// The proxy; `nil` for the one in the environment.
  var proxy: Endpoint?
  /// The socket to connect to in place of the URL's host.
  var unixSocket: String?
  /// Whether HTTP/1.1 is the latest version that is used.
  var isHTTP1 = false

  /// Takes the certificate authorities from the environment, as curl does, unless an option set
  /// them. `variable` returns the value of an environment variable, `nil` when it is unset or empty.
  mutating func takeEnvironment(_ variable: (String) -> String?) {
    guard caFile == nil else { return }
    caFile = variable("CURL_CA_BUNDLE")
    guard caFile == nil else { return }
    (caFile, caFolder) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"))
  }
}

extension CurlHandle {
  /// Applies `settings` to a request, which must end within `milliseconds`; 0 is no limit.
  /// `isLocal` says that the server is on this machine.
  mutating func set(_ settings: TransportSettings, isLocal: Bool, within milliseconds: Int) {
    // The size that the tool curl sets: a sixth of the system calls that libcurl's default makes.
    set(clibcurl_option_buffer_size, number: 100 << 10)
    set(clibcurl_option_suppress_connect_headers, number: 1)
    // Signals are the tool's: libcurl would set SIGALRM for a name, and let go of SIGPIPE again.
    set(clibcurl_option_no_signal, number: 1)
    // A server that compresses may hold events back. An answer compressed unasked is unpacked.
    set(clibcurl_option_accept_encoding, text: "identity")
    if settings.isHTTP1 { set(clibcurl_option_http_version, number: clibcurl_http_version_1_1) }
    // A request to this machine must not leave it by a proxy of the environment.
    let proxy = settings.proxy?.url ?? (isLocal ? "" : nil)
    for (option, text) in [
      (clibcurl_option_proxy, proxy), (clibcurl_option_unix_socket_path, settings.unixSocket),
      (clibcurl_option_ca_info, settings.caFile), (clibcurl_option_ca_path, settings.caFolder),
      (clibcurl_option_ssl_certificate, settings.certificateFile),
      (clibcurl_option_ssl_key, settings.keyFile),
      // Without a pass phrase OpenSSL would ask for one at the terminal.
      (clibcurl_option_key_password, settings.certificateFile.map { _ in "" }),
    ] {
      if let text { set(option, text: text) }
    }
    set(clibcurl_option_connect_timeout_ms, number: settings.connectMilliseconds)
    if milliseconds > 0 { set(clibcurl_option_timeout_ms, number: milliseconds) }
  }
}
