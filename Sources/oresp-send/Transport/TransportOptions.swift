import Core

extension SendTool {
  static var retryOptions: [Option<Settings>] {
    [
      .value(
        "retry", nil, "N", help: "Try N times more when that may help (2).",
        detail: "The section\n.Sx RETRIES\nhas the rules."
      ) { settings, text throws(Failure) in
        guard let count = Int(text), 0...1000 ~= count else {
          throw .usage("--retry: expected a number from 0 to 1000, got \(text)")
        }
        settings.retry.count = count
      },
      .value(
        "retry-delay", nil, "SECONDS",
        help: "Wait so long before each, where the server asks for nothing else.",
        detail: "0, the default, is a wait that doubles."
      ) { settings, text throws(Failure) in
        let time = try milliseconds(text, "--retry-delay")
        settings.retry.delayMilliseconds = time > 0 ? time : nil
      },
      .value(
        "retry-max-time", nil, "SECONDS",
        help: "Begin no further try after so long (0, the default, is no limit)."
      ) { settings, text throws(Failure) in
        settings.retry.longestMilliseconds = try milliseconds(text, "--retry-max-time")
      },
    ]
  }

  static var connectionOptions: [Option<Settings>] {
    [
      .value(
        "proxy", nil, "URL", help: "Go by the proxy at URL instead of the environment's.",
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
        guard !path.isEmpty else { throw .usage("--unix-socket: expected a path") }
        settings.transport.unixSocket = path
      },
      .flag(
        "http1.1", nil, help: "Speak HTTP/1.1 only.",
        detail: "For what is on the way and cannot do with HTTP/2.", at: \.transport.isHTTP1),
      .flag(
        "compressed", nil, help: "Ask for a compressed answer.",
        detail: """
          It is unpacked; a server that compresses may hold events back.
          An answer that comes compressed without being asked for is unpacked too.
          """, at: \.transport.isCompressed),
    ]
  }
}
