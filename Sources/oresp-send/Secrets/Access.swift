import Core

/// What a server is shown of who asks.
struct AccessSettings: Sendable {
  var keySource = KeySource.environment
  /// The name of the provider that is asked.
  var provider: String?
  /// Whether the providers are to be listed, and nothing is to be sent.
  var listsProviders = false
  /// Where further headers come from.
  var headers: [HeaderSource] = []
  /// Whether a key may go over plain HTTP to another machine.
  var allowsPlainHTTP = false
}

extension SendTool {
  static var accessOptions: [Option<Settings>] {
    [
      .value(
        "api-key-file", nil, "FILE", .file, help: "Read the API key from FILE.",
        detail: """
          Its last line end does not count. There is a warning if others can read it.
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
          line, or with `@-` from standard input. A secret, such as the value of `Authorization`, is
          taken from a file only: everybody can read a command line.
          """
      ) { settings, text throws(Failure) in
        let file = text.hasPrefix("@") ? String(text.dropFirst()) : nil
        guard file != "" else { throw .usage("expected @FILE, got no name") }
        let source =
          if let file { HeaderSource.file(file) } else {
            HeaderSource.line(try RequestHeader.line(text))
          }
        settings.access.headers.append(source)
      },
      .value(
        "header-env", nil, "NAME=VARIABLE",
        help: "Add a header from an environment variable; repeatable.",
        detail: """
          It replaces the tool's own header of that name, and its value is never shown.
          """
      ) { settings, text throws(Failure) in
        let (name, variable) = Typed.parts(of: text, at: "=")
        guard let variable, !variable.isEmpty else {
          throw .usage("expected NAME=VARIABLE, got no variable")
        }
        let known = String(try RequestHeader.name(name[...], "NAME=VARIABLE"))
        settings.access.headers.append(.variable(variable, name: known))
      },
      .flag(
        "insecure-http", nil,
        help: "Allow a key over plain http:// to other machines.",
        detail: """
          Everybody on the way can read it then; a warning says so. Such a server needs no key.
          """, at: \.access.allowsPlainHTTP),
    ]
  }
}

/// Where the key comes from.
enum KeySource: Sendable {
  /// The variable of the provider.
  case environment
  /// The file at a path, without its last line end.
  case file(String)
  /// The first line that a shell command prints.
  case command(String)

  /// How long a key can be, in bytes.
  private static let limit = 64 << 10

  /// The variable of `provider` that has the key, or the token in its place.
  static func variable(of provider: Provider, _ variable: (String) -> String?) -> String {
    let token = provider.tokenVariable.flatMap { variable($0) == nil ? nil : $0 }
    return variable(provider.keyVariable) == nil
      ? token ?? provider.keyVariable : provider.keyVariable
  }

  /// The key; `nil` when the environment has none. Asks a file or a command, and tells what should be
  /// known of it. `variable` gives the value of an environment variable, `nil` when it is unset or
  /// empty.
  func key(
    of provider: Provider, variable: (String) -> String?,
    open: (String) throws(Failure) -> Descriptor = Descriptor.init(reading:),
    tell: (Notice) -> Void = { _ in }
  ) throws(Failure) -> String? {
    switch self {
    case .environment:
      let name = Self.variable(of: provider, variable)
      guard let key = variable(name) else { return nil }
      return try RequestHeader.word(key, from: name)
    case .file(let path): return try Self.read(path, try open(path), tell)
    case .command(let command): return try Self.ask(command)
    }
  }

  private static func read(
    _ path: String, _ file: borrowing Descriptor, _ tell: (Notice) -> Void
  ) throws(Failure) -> String {
    if file.isReadableByOthers {
      tell(Notice(.warning, "\(path): others can read the key in it; chmod 600 keeps it to you"))
    }
    var text = String(decoding: try file.readAll(limit: limit), as: UTF8.self)
    if text.utf8.last == ASCII.lf { text.unicodeScalars.removeLast() }
    if text.utf8.last == ASCII.cr { text.unicodeScalars.removeLast() }
    return try checked(text, path)
  }

  private static func ask(_ command: String) throws(Failure) -> String {
    let run = try Shell.run(command, limit: limit)
    guard run.status == 0 else {
      throw .usage("--api-key-cmd: the command ended with status \(run.status)")
    }
    let line = run.output.prefix { $0 != ASCII.lf && $0 != ASCII.cr }
    return try checked(String(decoding: line, as: UTF8.self), "--api-key-cmd")
  }

  private static func checked(_ key: String, _ source: String) throws(Failure) -> String {
    guard !key.isEmpty else { throw .usage("\(source): there is no key in it") }
    guard key.utf8.count <= limit else { throw .usage("\(source): too long for a key") }
    return try RequestHeader.word(key, from: source)
  }
}

extension Descriptor {
  /// Whether it is a file that others than its owner may read.
  var isReadableByOthers: Bool {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o044 != 0
  }
}
