import CLibcurl
import Core

/// How long a transport waits, and whom it trusts. A time of 0 is no limit.
struct TransportSettings: Sendable {
  var connectMilliseconds = 10_000
  /// The longest silence of the server.
  var idleMilliseconds = 300_000
  /// How long nobody need look whether the server is silent, or has ended.
  var watchMilliseconds: Int { idleMilliseconds == 0 ? 250 : min(250, idleMilliseconds / 4 + 1) }
  var totalMilliseconds = 0
  /// The file of certificate authorities, if not the system's.
  var caFile: String?
  /// The folder of such, named by their hashes.
  var caFolder: String?
  /// The file of the client's certificate, and that of its key, if it is another.
  var certificateFile: String?
  var keyFile: String?
  /// The proxy, if not the one that the environment names.
  var proxy: String?
  /// The socket that is connected to, whatever the URL's host.
  var unixSocket: String?
  /// Whether no later version than HTTP/1.1 is spoken.
  var isHTTP1 = false
  /// Whether the environment names a proxy.
  var hasProxies = false

  /// Whom to trust as curl takes it from the environment, where no option said it, and whether
  /// there are proxies. `variable` gives the value of an environment variable, `nil` when it is
  /// unset or empty.
  mutating func takeEnvironment(_ variable: (String) -> String?) {
    let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    hasProxies = proxies.contains { variable($0) != nil }
    guard caFile == nil else { return }
    caFile = variable("CURL_CA_BUNDLE")
    guard caFile == nil else { return }
    (caFile, caFolder) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"))
  }
}

extension CurlHandle {
  /// Sets what `settings` mean for a request, which is to be over in `milliseconds`; 0 is no limit.
  /// `isLocal` tells that the server is on this machine.
  mutating func set(_ settings: TransportSettings, isLocal: Bool, within milliseconds: Int) {
    // As much as curl itself reads at once, a sixth of libcurl's own system calls.
    set(clibcurl_option_buffer_size, number: 100 << 10)
    set(clibcurl_option_suppress_connect_headers, number: 1)
    // A server that compresses may hold events back. What comes compressed unasked is unpacked.
    set(clibcurl_option_accept_encoding, text: "identity")
    if settings.isHTTP1 { set(clibcurl_option_http_version, number: clibcurl_http_version_1_1) }
    // What needs no key over plain http must not leave the machine by a proxy of the environment.
    let proxy = settings.proxy ?? (isLocal ? "" : nil)
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
