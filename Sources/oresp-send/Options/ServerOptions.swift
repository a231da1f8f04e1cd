import Core

extension SendSettings {
  /// The options that name the server, the key and headers.
  static var serverOptions: [Option<Self>] {
    [
      .value(
        "provider", nil, "NAME", .oneOf(Provider.table.map(\.name)),
        help: "Choose the server by NAME (default openai).",
        detail: """
          `--provider=help` lists the servers, one a line: the name, the base URL, the variable of
          the key, and notes, separated by tabs, or in columns on a terminal. `{NAME=URL}` is the
          variable NAME, or else URL. See `oresp-providers(7)`. This option overrides
          `ORESP_PROVIDER`; `OPENAI_BASE_URL` applies to `openai` only.
          """
      ) { settings, name in
        if name == "help" {
          settings.list = .providers
        } else {
          settings.access.provider = name
        }
      },
      .value(
        "api-key-file", nil, "FILE", .file, help: "Read the API key from FILE.",
        detail: """
          The last line end of the file does not count. There is a warning if others can read it.
          """
      ) { settings, path in settings.access.keySource = .file(path) },
      .value(
        "api-key-cmd", nil, "COMMAND", help: "Run COMMAND, and read the API key from its output.",
        detail: """
          It is run by `sh(1)` with nothing on its standard input; the first line that it prints is
          the key. If COMMAND fails, nothing is sent, and the exit status is 2.
          """
      ) { settings, command throws(Failure) in
        guard !command.isEmpty else { throw .usage("expected a command") }
        settings.access.keySource = .command(command)
      },
      .value(
        "header", "H", "LINE", help: "Add the header LINE, 'Name: value'; repeatable.",
        detail: """
          It replaces the tool's own header of that name. As with curl, `Name:` removes that header,
          and `Name;` sends it without a value. With `@FILE` headers are read from a file, one a
          line, and with `-` from standard input. A secret, such as the value of `Authorization`, must
          come from a file: everybody can read a command line. `-H @<(printf 'X-Key: %s' "$KEY")` takes
          one from a variable.
          """
      ) { settings, text throws(Failure) in
        guard text != "@" else { throw .usage("expected @FILE, got no name") }
        let source =
          if let file = Source.file(in: text) { HeaderSource.file(file) } else {
            HeaderSource.line(try RequestHeader.line(text))
          }
        settings.access.headers.append(source)
      }.reading { [Source.file(in: $0)].compactMap(\.self) },
      .flag(
        "insecure-http", nil,
        help: "Allow a key over plain http:// to other machines.",
        detail: """
          Everybody on the way can read it then; a warning says so. A key is not required then.
          """, at: \.access.allowsPlainHTTP),
    ]
  }
}
