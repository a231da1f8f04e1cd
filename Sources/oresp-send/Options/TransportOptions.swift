import Core

extension SendSettings {
  static var transportOptions: [Option<Self>] {
    [
      .value(
        "retry", nil, "N", help: "Retry up to N times (default 2).",
        detail: """
          Only temporary failures before the first byte of the answer are retried. See `Sx RETRIES`.
          """
      ) { settings, text throws(Failure) in
        guard let count = Int(text), 0...1000 ~= count else {
          throw .usage("expected a number from 0 to 1000, got \(text)")
        }
        settings.retry.count = count
      },
      .value(
        "cacert", nil, "FILE", .file,
        help: "Trust the certificate authorities in FILE (PEM).",
        detail: "They replace the authorities of the system."
      ) { settings, path in settings.transport.caFile = path },
      .value(
        "cert", nil, "FILE", .file,
        help: "Use the client certificate in FILE (PEM).",
        detail: "The file also has the key, unless `--key` names another file."
      ) { settings, path in settings.transport.certificateFile = path },
      .value(
        "key", nil, "FILE", .file, help: "Read the key of --cert from FILE (PEM).",
        detail: "A key with a pass phrase does not work. For the API key, see `--api-key-file`."
      ) { settings, path throws(Failure) in
        guard !path.hasPrefix("sk-") else {
          throw .usage(
            "expected the file of a client key; an API key comes from OPENAI_API_KEY,"
              + " --api-key-file FILE or --api-key-cmd COMMAND")
        }
        settings.transport.keyFile = path
      }.with("cert"),
      time(
        "connect-timeout", help: "Wait at most SECONDS to connect (default 10).",
        mayBeZero: false, at: \.transport.connectMilliseconds),
      time(
        "idle-timeout", help: "Give up a stream silent for SECONDS (default 300).",
        detail: """
          The time counts behind the first byte of an event stream; comments and keepalive events
          are bytes, too. 0 means no limit. Any other answer is waited for: see `--max-time`.
          """,
        at: \.transport.idleMilliseconds),
      time(
        "max-time", help: "Limit the whole run to SECONDS (default no limit).",
        detail: "If the reader of the output is stuck, the run may last a second longer.",
        at: \.transport.totalMilliseconds),
      .value(
        "proxy", nil, "URL", help: "Use the proxy at URL.",
        detail: """
          It overrides the proxy of the environment. Without a scheme it is an HTTP proxy; https,
          socks4, socks4a, socks5 and socks5h work, too. URL may not have a user name: set a proxy
          that needs one in the environment. For a server on this machine, only a proxy on this
          machine is allowed.
          """
      ) { settings, url throws(Failure) in
        settings.transport.proxy = try Endpoint.proxy(url)
      },
      .value(
        "unix-socket", nil, "PATH", .file, help: "Connect to the Unix socket at PATH.",
        detail: "The host of the URL is not contacted; the server counts as one on this machine."
      ) { settings, path throws(Failure) in
        // libcurl ignores an empty path, and the request would leave the machine.
        guard !path.isEmpty else { throw .usage("expected a path") }
        settings.transport.unixSocket = path
      },
      .flag(
        "http1.1", nil, help: "Use HTTP/1.1 only.",
        detail: "For proxies and servers that cannot use HTTP/2.", at: \.transport.isHTTP1),
    ]
  }

  /// An option whose value is a time.
  static func time(
    _ name: String, help: String, detail: String = "", mayBeZero: Bool = true,
    at place: WritableKeyPath<Self, Int>
  ) -> Option<Self> {
    .value(name, nil, "SECONDS", help: help, detail: detail) { settings, text throws(Failure) in
      settings[keyPath: place] = try seconds(text, mayBeZero: mayBeZero)
    }
  }

  /// The milliseconds by `text`, a number of seconds, such as `30` or `30s`, or of minutes: `5m`.
  static func seconds(_ text: String, mayBeZero: Bool) throws(Failure) -> Int {
    let isInMinutes = text.hasSuffix("m")
    let number = isInMinutes || text.hasSuffix("s") ? String(text.dropLast()) : text
    guard let count = Seconds.milliseconds(number), count <= Seconds.longest / 60 || !isInMinutes
    else {
      throw .usage("expected a time up to 2000000 seconds, such as 30 or 5m, got \(text)")
    }
    let time = isInMinutes ? count * 60 : count
    guard mayBeZero || time > 0 else { throw .usage("expected more than 0") }
    return time
  }
}
