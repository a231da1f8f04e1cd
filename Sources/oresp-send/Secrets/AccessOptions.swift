import Core

/// What a server is shown of who asks.
struct AccessSettings: Sendable {
  var keySource = KeySource.environment
  /// Further header lines, checked.
  var headers: [String] = []
  /// Whether a key may go over plain HTTP to another machine.
  var allowsPlainHTTP = false
}

extension SendTool {
  static var accessOptions: [Option<Settings>] {
    [
      .value(
        "api-key-file", nil, "FILE", .file, help: "Take the key from FILE.",
        detail: """
          Its last line end does not count. A warning tells when others than you can read it.
          """
      ) { settings, path in settings.access.keySource = .file(path) },
      .value(
        "api-key-cmd", nil, "COMMAND", help: "Take the key from what COMMAND prints first.",
        detail: """
          It is run by `sh(1)` with nothing on its standard input; the first line that it prints
          is the key. A status other than 0 is wrong usage, status 2, and nothing is sent.
          """
      ) { settings, command in settings.access.keySource = .command(command) },
      .value(
        "header", "H", "LINE", help: "Send the header LINE, 'Name: value', too. May be repeated.",
        detail: """
          It takes the place of an own header of that name. A header that carries a secret, such as
          `Authorization`, is not taken: everybody can read a command line.
          """
      ) { settings, line throws(Failure) in
        settings.access.headers.append(try RequestHeader.line(line))
      },
      .flag(
        "insecure-http", nil,
        help: "Let the key and all else go in the clear to a server of http://.",
        detail: """
          Everybody on the way can read it then; a warning says so. Such a server needs no key.
          """, at: \.access.allowsPlainHTTP),
    ]
  }
}
