import Core

/// Where the key comes from.
enum KeySource: Sendable {
  /// The variable `OPENAI_API_KEY`.
  case environment
  /// The file at a path, without its last line end.
  case file(String)
  /// The first line that a shell command prints.
  case command(String)
  /// Nowhere: the name of the variable in its place, for a command that is shown.
  case shown

  /// How long a key can be, in bytes.
  private static let limit = 64 << 10

  /// The key; `nil` when the environment has none. Asks a file or a command, and tells what should be
  /// known of it. `variable` gives the value of an environment variable, `nil` when it is unset or
  /// empty.
  func key(
    variable: (String) -> String?, tell: (Notice) -> Void = { _ in }
  ) throws(Failure) -> String? {
    switch self {
    case .environment:
      guard let key = variable("OPENAI_API_KEY") else { return nil }
      return try RequestHeader.word(key, from: "OPENAI_API_KEY")
    case .file(let path): return try Self.read(path, tell)
    case .command(let command): return try Self.ask(command)
    case .shown: return "$OPENAI_API_KEY"
    }
  }

  private static func read(_ path: String, _ tell: (Notice) -> Void) throws(Failure) -> String {
    let file = try Descriptor(reading: path)
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
    let line = run.output.prefix { !ASCII.isLineEnd($0) }
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
  fileprivate var isReadableByOthers: Bool {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o044 != 0
  }
}
