import Core

/// What a server is shown of who asks.
struct AccessSettings: Sendable {
  var keySource = KeySource.environment
  /// The name of the provider that is asked.
  var provider: String?
  /// Where further headers come from.
  var headers: [HeaderSource] = []
  /// Whether a key may go over plain HTTP to another machine.
  var allowsPlainHTTP = false
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

  /// The key; `nil` when the environment has none. Asks a file or a command, and tells what should
  /// be known of it. `variable` gives the value of an environment variable, `nil` when it is unset
  /// or empty.
  func key(
    of provider: Provider, variable: (String) -> String?,
    open: (String) throws(Failure) -> Descriptor = Descriptor.init(reading:),
    report: (Notice) -> Void = { _ in }
  ) throws(Failure) -> String? {
    switch self {
    case .environment:
      let name = Self.variable(of: provider, variable)
      guard let key = variable(name) else { return nil }
      return try RequestHeader.word(key, from: name)
    case .file(let path): return try Self.read(path, try open(path), report)
    case .command(let command): return try Self.ask(command)
    }
  }

  private static func read(
    _ path: String, _ file: borrowing Descriptor, _ report: (Notice) -> Void
  ) throws(Failure) -> String {
    if file.isReadableByOthers {
      report(Notice(.warning, "\(path): others can read the key in it; chmod 600 keeps it to you"))
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
