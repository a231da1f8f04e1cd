import CLibcurl
import Core

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
  /// Whether a compressed answer is asked for.
  package var isCompressed = false

  /// Whom to trust as curl takes it from the environment, where no option said it. `variable` gives
  /// the value of an environment variable, `nil` when it is unset or empty.
  mutating func takeAuthorities(from variable: (String) -> String?) {
    guard caFile == nil else { return }
    caFile = variable("CURL_CA_BUNDLE")
    guard caFile == nil else { return }
    (caFile, caFolder) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"))
  }
}

extension SendTool {
  static var connectionOptions: [Option<Settings>] {
    [
      .value(
        "proxy", nil, "URL", help: "Use the proxy at URL instead of the environment's.",
        detail: """
          Without a scheme it is an HTTP proxy; https, socks4, socks4a, socks5 and socks5h are taken
          too.
          A user name in it is not: a proxy that needs one comes from the environment.
          A server on this machine is asked by a proxy on this machine only.
          """
      ) { settings, url throws(Failure) in
        settings.transport.proxy = try Endpoint.proxy(url).url
      },
      .value(
        "unix-socket", nil, "PATH", .file, help: "Connect to the socket at PATH.",
        detail: """
          Whatever the URL's host; the server counts as one on this machine.
          """
      ) { settings, path throws(Failure) in
        // libcurl takes an empty one for none, and the request would leave the machine.
        guard !path.isEmpty else { throw .usage("expected a path") }
        settings.transport.unixSocket = path
      },
      .flag(
        "http1.1", nil, help: "Speak HTTP/1.1 only.",
        detail: "For proxies and servers that cannot do with HTTP/2.", at: \.transport.isHTTP1),
      .flag(
        "compressed", nil, help: "Ask for a compressed answer.",
        detail: """
          It is unpacked; a server that compresses may hold events back.
          An answer that comes compressed without being asked for is unpacked too.
          """, at: \.transport.isCompressed),
    ]
  }

  static var transportOptions: [Option<Settings>] {
    [
      .value(
        "cacert", nil, "FILE", .file,
        help: "Trust the certificate authorities in FILE (PEM) in place of the system's."
      ) { settings, path in settings.transport.caFile = path },
      .value(
        "connect-timeout", nil, "SECONDS", help: "Wait at most SECONDS for a connection (10)."
      ) { settings, text throws(Failure) in
        let time = try milliseconds(text)
        guard time > 0 else { throw .usage("expected more than 0") }
        settings.transport.connectMilliseconds = time
      },
      .value(
        "idle-timeout", nil, "SECONDS",
        help: "Wait at most SECONDS for the server's next byte (300; 0: no limit).",
        detail: "Comments and keepalive events count as life."
      ) { settings, text throws(Failure) in
        settings.transport.idleMilliseconds = try milliseconds(text)
      },
      .value(
        "max-time", nil, "SECONDS",
        help: "Limit the whole run to SECONDS (default 0: no limit)."
      ) { settings, text throws(Failure) in
        settings.transport.totalMilliseconds = try milliseconds(text)
      },
    ]
  }

  static func milliseconds(_ text: String) throws(Failure) -> Int {
    guard let time = Seconds.milliseconds(text) else {
      throw .usage("expected a number of seconds up to 2000000, got \(text)")
    }
    return time
  }
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

  init(_ number: Int, _ value: Value, _ words: String...) {
    (self.number, self.value, self.words) = (number, value, words)
  }
}

extension TransportSettings {
  /// The options that the settings come to for a request, which is to be over in `milliseconds`; 0
  /// is no limit. `isLocal` tells that the server is on this machine.
  func options(isLocal: Bool, within milliseconds: Int) -> [CurlOption] {
    let word = CurlCommand.quoted
    let seconds = { (milliseconds: Int) in Seconds.text(microseconds: milliseconds * 1000) }
    var options = [
      // As much as curl itself reads at once, a sixth of libcurl's own system calls.
      CurlOption(clibcurl_option_buffer_size, .number(100 << 10)),
      CurlOption(clibcurl_option_suppress_connect_headers, .number(1)),
      // `identity` asks for none, and has undone what comes compressed all the same.
      isCompressed
        ? CurlOption(clibcurl_option_accept_encoding, .text(""), "--compressed")
        : CurlOption(
          clibcurl_option_accept_encoding, .text("identity"), "--compressed",
          "-H 'Accept-Encoding: identity'"),
    ]
    if isHTTP1 {
      options.append(
        CurlOption(
          clibcurl_option_http_version, .number(clibcurl_http_version_1_1), "--http1.1"))
    }
    if let proxy {
      options.append(CurlOption(clibcurl_option_proxy, .text(proxy), "--proxy " + word(proxy)))
    } else if isLocal {
      // What needs no key over plain http must not leave the machine by a proxy of the environment.
      options.append(CurlOption(clibcurl_option_proxy, .text(""), "--noproxy '*'"))
    }
    let places = [
      (clibcurl_option_unix_socket_path, unixSocket, "--unix-socket "),
      (clibcurl_option_ca_info, caFile, "--cacert "),
      (clibcurl_option_ca_path, caFolder, "--capath "),
    ]
    for case (let option, let path?, let flag) in places {
      options.append(CurlOption(option, .text(path), flag + word(path)))
    }
    options.append(
      CurlOption(
        clibcurl_option_connect_timeout_ms, .number(connectMilliseconds),
        "--connect-timeout " + seconds(connectMilliseconds)))
    if milliseconds > 0 {
      options.append(
        CurlOption(
          clibcurl_option_timeout_ms, .number(milliseconds), "--max-time " + seconds(milliseconds)))
    }
    return options
  }
}
