import Core

extension SendTool {
  static var retryOptions: [Option<Settings>] {
    [
      .value(
        "retry", nil, "N", help: "Retry up to N times where that may help (2).",
        detail: "The section `Sx RETRIES` has the rules."
      ) { settings, text throws(Failure) in
        guard let count = Int(text), 0...1000 ~= count else {
          throw .usage("expected a number from 0 to 1000, got \(text)")
        }
        settings.retry.count = count
      },
      time(
        "retry-delay", help: "Wait SECONDS before each retry, unless the server names a delay.",
        detail: "0, the default, is half a second that doubles with each retry.",
        at: \.retry.delayMilliseconds),
      time(
        "retry-max-time", help: "Begin no retry after SECONDS (default 0: no limit).",
        at: \.retry.longestMilliseconds),
    ]
  }

  static var transportOptions: [Option<Settings>] {
    [
      .value(
        "cacert", nil, "FILE", .file,
        help: "Trust the certificate authorities in FILE (PEM) in place of the system's."
      ) { settings, path in settings.transport.caFile = path },
      .value(
        "cert", nil, "FILE", .file,
        help: "Show the server the client certificate in FILE (PEM).",
        detail: "The file has its key, too, unless `--key` names another."
      ) { settings, path in settings.transport.certificateFile = path },
      .value(
        "key", nil, "FILE", .file, help: "Take the key of the client certificate from FILE (PEM).",
        detail: "One that needs a pass phrase is not taken."
      ) { settings, path in settings.transport.keyFile = path },
      time(
        "connect-timeout", help: "Wait at most SECONDS for a connection (10).", mayBeZero: false,
        at: \.transport.connectMilliseconds),
      time(
        "idle-timeout", help: "Wait at most SECONDS for the server's next byte (300; 0: no limit).",
        detail: "Comments and keepalive events count as life.", at: \.transport.idleMilliseconds),
      time(
        "linger",
        help: "Hang up SECONDS after the end of the response, if the server does not (2).",
        detail: "What comes until then is passed on. 0 is at once.",
        at: \.transport.lingerMilliseconds),
      time(
        "max-time", help: "Limit the whole run to SECONDS (default 0: no limit).",
        at: \.transport.totalMilliseconds),
      .value(
        "proxy", nil, "URL", help: "Use the proxy at URL instead of the environment's.",
        detail: """
          Without a scheme it is an HTTP proxy; https, socks4, socks4a, socks5 and socks5h are taken
          too. A user name in it is not: a proxy that needs one comes from the environment. A server
          on this machine is asked by a proxy on this machine only.
          """
      ) { settings, url throws(Failure) in
        settings.transport.proxy = try Endpoint.proxy(url).url
      },
      .value(
        "unix-socket", nil, "PATH", .file, help: "Connect to the socket at PATH.",
        detail: "Whatever the URL's host; the server counts as one on this machine."
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
          It is unpacked; a server that compresses may hold events back. An answer that comes
          compressed without being asked for is unpacked too.
          """, at: \.transport.isCompressed),
    ]
  }

  /// An option that says how long something may take or waits.
  static func time(
    _ name: String, help: String, detail: String = "", mayBeZero: Bool = true,
    at place: WritableKeyPath<Settings, Int>
  ) -> Option<Settings> {
    .value(name, nil, "SECONDS", help: help, detail: detail) { settings, text throws(Failure) in
      guard let time = Seconds.milliseconds(text) else {
        throw .usage("expected a number of seconds up to 2000000, got \(text)")
      }
      guard mayBeZero || time > 0 else { throw .usage("expected more than 0") }
      settings[keyPath: place] = time
    }
  }
}

/// Times as people type them.
enum Seconds {
  /// The most milliseconds that are taken: they fit 32 bits, which is what libraries count in.
  private static let longest = 2_000_000_000

  /// The milliseconds that `text` means, a number of seconds such as `30` or `0.5`, rounded up;
  /// `nil` when it is none, negative, or above 2,000,000.
  static func milliseconds(_ text: String) -> Int? {
    let time = JSONDecimal(typed: text)?.scaledUp(by: 3, most: longest + 1)
    return time.flatMap { $0 <= longest ? $0 : nil }
  }

  /// `milliseconds` as a number of seconds, with no more digits than it needs.
  static func text(milliseconds: Int) -> String { JSONDecimal.text(milliseconds, places: 3) }

  /// The same of `microseconds`, for programs.
  static func value(microseconds: Int) -> JSONValue {
    .raw(Array(JSONDecimal.text(microseconds, places: 6).utf8))
  }
}

extension JSONDecimal {
  /// The number that a person typed as `text`: digits, and perhaps a point among them.
  init?(typed text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    self.init(bytes.span)
  }

  /// Its value times ten to the power of `places`, rounded up for a number that is not negative; no
  /// more than `most`.
  func scaledUp(by places: Int, most: Int) -> Int {
    guard let (value, isExact) = scaled(by: places) else { return isNegative ? 0 : most }
    return min(isExact ? value : value + 1, most)
  }
}
