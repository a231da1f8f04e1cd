import Core

/// The server, the key and the headers, as the command line gives them.
struct AccessSettings: Sendable {
  var keySource = KeySource.environment
  /// The name of the provider.
  var provider: String?
  var headers: [HeaderSource] = []
  /// Whether a key may go over plain HTTP to another machine.
  var allowsPlainHTTP = false
}

/// The source of the key.
enum KeySource: Sendable {
  /// The variable of the provider.
  case environment
  /// The file at a path, without its last line end.
  case file(String)
  /// The first line that a shell command prints.
  case command(String)

  /// The most bytes of a key.
  private static let limit = 64 << 10

  /// The variable of `provider` with the key, or with the token in its place.
  static func variable(of provider: Provider, _ variable: (String) -> String?) -> String {
    let token = provider.tokenVariable.flatMap { variable($0) == nil ? nil : $0 }
    return variable(provider.keyVariable) == nil
      ? token ?? provider.keyVariable : provider.keyVariable
  }

  /// The key of `provider` in the environment, whose values `variable` gives; `nil` if it has none.
  static func key(
    of provider: Provider, _ variable: (String) -> String?
  ) throws(Failure) -> String? {
    let name = Self.variable(of: provider, variable)
    guard let key = variable(name) else { return nil }
    return try RequestHeader.word(key, from: name)
  }

  /// The key; `nil` if the environment has none. Reads the file, or runs the command for at most
  /// `limit` milliseconds; 0 is no limit.
  func key(
    of provider: Provider, _ notifier: Notifier, within limit: Int = 0
  ) throws(Failure) -> String? {
    switch self {
    case .environment: try Self.key(of: provider, notifier.variable)
    case .file(let path): try Self.read(path, notifier)
    case .command(let command): try Self.ask(command, within: limit)
    }
  }

  private static func read(_ path: String, _ notifier: Notifier) throws(Failure) -> String {
    let file = try notifier.open(operand: path)
    if file.isReadableByOthers { notifier.warn(readable: path, "key") }
    var text = String(decoding: try file.readAll(limit: limit), as: UTF8.self)
    if text.utf8.last == ASCII.lf { text.unicodeScalars.removeLast() }
    if text.utf8.last == ASCII.cr { text.unicodeScalars.removeLast() }
    return try checked(text, path)
  }

  private static func ask(_ command: String, within time: Int) throws(Failure) -> String {
    let end = time > 0 ? Clock.steadyMilliseconds() + time : nil
    guard let run = try Shell.run(command, limit: limit, until: end) else {
      throw .other("--api-key-cmd: \(TransportFault.overTime(time).message)", .temporary)
    }
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

extension Notifier {
  /// Warns that others than its owner may read the file at `path`, which has a `secret`.
  func warn(readable path: String, _ secret: String) {
    let what = "\(path): others can read the \(secret) in it; chmod 600 keeps it to you"
    report(Notice(.warning, what))
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
