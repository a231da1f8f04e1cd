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

  /// The key of a file or a command; `nil` for that of the environment. A command may take `limit`
  /// milliseconds; 0 is no limit.
  func key(_ notifier: Notifier, within limit: Int = 0) throws(Failure) -> APIKey? {
    switch self {
    case .environment: nil
    case .file(let path): APIKey(text: try Self.read(path, notifier))
    case .command(let command): APIKey(text: try Self.ask(command, within: limit))
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
    if ["\"", "'"].contains(key.first) {
      throw .usage("\(source): expected the key alone, without quotes")
    }
    // OPENAI_API_KEY=sk-1, or the same behind export.
    let line = key.hasPrefix("export ") ? key.dropFirst(7) : key[...]
    if let parts = line.cut(at: "="), !parts.after.isEmpty, isVariable(parts.before) {
      throw .usage("\(source): expected the key alone, without \(parts.before)= in front")
    }
    return try RequestHeader.word(key, from: source)
  }

  /// Whether `name` is spelled as that of an environment variable.
  private static func isVariable(_ name: Substring) -> Bool {
    name.first?.isLetter == true
      && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }
}

/// The key of a server, or a token of Entra in its place.
struct APIKey: Sendable {
  let text: String
  let isToken: Bool

  init(text: String, isToken: Bool = false) {
    self.text = text
    self.isToken = isToken || text.hasPrefix("eyJ")
  }

  /// The key of `provider` in the environment, whose values `variable` gives; `nil` if it has none.
  init?(of provider: Provider, _ variable: (String) -> String?) throws(Failure) {
    let names = [(provider.keyVariable, false), (provider.tokenVariable, true)]
    for (name, isToken) in names {
      guard let name, let key = variable(name) else { continue }
      self.init(text: try RequestHeader.word(key, from: name), isToken: isToken)
      return
    }
    return nil
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
    status.map { $0.isRegular && $0.st_mode & 0o044 != 0 } ?? false
  }
}
