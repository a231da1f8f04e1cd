import Core

extension SendTool {
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
