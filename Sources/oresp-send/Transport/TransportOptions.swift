import Core

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
