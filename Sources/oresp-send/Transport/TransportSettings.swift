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
  /// How long the server may leave the line open once the response has ended; 0 is not at all.
  var lingerMilliseconds = 2000
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
  /// Whether a compressed answer is asked for.
  var isCompressed = false
  /// Whether the environment names a proxy.
  var hasProxies = false

  /// Whom to trust as curl takes it from the environment, where no option said it, and whether there
  /// are proxies. `variable` gives the value of an environment variable, `nil` when it is unset or
  /// empty.
  mutating func takeEnvironment(_ variable: (String) -> String?) {
    let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    hasProxies = proxies.contains { variable($0) != nil }
    guard caFile == nil else { return }
    caFile = variable("CURL_CA_BUNDLE")
    guard caFile == nil else { return }
    (caFile, caFolder) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"))
  }
}

/// How often and how long a request is made again.
struct RetrySettings: Sendable {
  /// How often at most.
  var count = 2
  /// The wait before each, where the server asks for none; 0 is one that doubles.
  var delayMilliseconds = 0
  /// After how long no further one is made; 0 is no limit.
  var longestMilliseconds = 0
}

/// One option of libcurl, and what means the same to the `curl` command.
struct CurlOption {
  enum Value {
    case text(String)
    case number(Int)
  }

  let number: Int
  let value: Value
  /// Words for a shell, each on a line of its own; none where the command does so by itself.
  let words: [String]
}

extension TransportSettings {
  /// The options that the settings come to for a request, which is to be over in `milliseconds`; 0
  /// is no limit. `isLocal` tells that the server is on this machine.
  func options(isLocal: Bool, within milliseconds: Int) -> [CurlOption] {
    var options: [CurlOption] = []
    func set(_ number: Int, _ value: CurlOption.Value, _ words: String...) {
      options.append(CurlOption(number: number, value: value, words: words))
    }
    func set(_ number: Int, path: String?, _ flag: String) {
      if let path { set(number, .text(path), "\(flag) \(CurlCommand.quoted(path))") }
    }
    func set(_ number: Int, time: Int, _ flag: String) {
      set(number, .number(time), "\(flag) \(Seconds.text(milliseconds: time))")
    }
    // As much as curl itself reads at once, a sixth of libcurl's own system calls.
    set(clibcurl_option_buffer_size, .number(100 << 10))
    set(clibcurl_option_suppress_connect_headers, .number(1))
    if isCompressed {
      set(clibcurl_option_accept_encoding, .text(""), "--compressed")
    } else {
      // It asks for none, and has undone what comes compressed all the same.
      set(
        clibcurl_option_accept_encoding, .text("identity"), "--compressed",
        "-H 'Accept-Encoding: identity'")
    }
    if isHTTP1 {
      set(clibcurl_option_http_version, .number(clibcurl_http_version_1_1), "--http1.1")
    }
    set(clibcurl_option_proxy, path: proxy, "--proxy")
    if proxy == nil, isLocal {
      // What needs no key over plain http must not leave the machine by a proxy of the environment.
      set(clibcurl_option_proxy, .text(""), "--noproxy '*'")
    }
    set(clibcurl_option_unix_socket_path, path: unixSocket, "--unix-socket")
    set(clibcurl_option_ca_info, path: caFile, "--cacert")
    set(clibcurl_option_ca_path, path: caFolder, "--capath")
    set(clibcurl_option_ssl_certificate, path: certificateFile, "--cert")
    set(clibcurl_option_ssl_key, path: keyFile, "--key")
    // Without a pass phrase OpenSSL would ask for one at the terminal.
    if certificateFile != nil { set(clibcurl_option_key_password, .text("")) }
    set(clibcurl_option_connect_timeout_ms, time: connectMilliseconds, "--connect-timeout")
    if milliseconds > 0 { set(clibcurl_option_timeout_ms, time: milliseconds, "--max-time") }
    return options
  }
}
