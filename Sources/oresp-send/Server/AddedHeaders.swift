import Core

/// The source of headers that the command line adds to the request.
enum HeaderSource: Sendable {
  /// A line of the command line, checked.
  case line(String)
  /// The lines of a file; `-` is standard input.
  case file(String)

  /// Whether it may have a header of credentials.
  var mayHaveCredentials: Bool {
    guard case .line(let line) = self else { return true }
    return SecretName.isOfHeader(RequestHeader.name(of: line))
  }
}

/// The headers that the command line adds to the request.
struct AddedHeaders: Sendable {
  /// The most bytes of a file of headers.
  private static let limit = 1 << 20

  /// Whole lines, in their order.
  private(set) var lines: [String] = []
  /// Values among them that must not be shown.
  private(set) var secrets: [[UInt8]] = []
  private var names: Set<String> = []

  init() {}

  /// Reads the headers from `sources`. With `isShown`, `[key]` stands for each secret value.
  init(_ sources: [HeaderSource], isShown: Bool, _ notifier: Notifier) throws(Failure) {
    for source in sources {
      switch source {
      case .line(let line): add(line, isShown: isShown)
      case .file(let path):
        for line in try Self.lines(of: path, notifier) { add(line, isShown: isShown) }
      }
    }
  }

  /// Whether one of them replaces the header `line`.
  func replaces(_ line: String) -> Bool { names.contains(RequestHeader.name(of: line)) }

  /// Whether one of them is a header of credentials; without a value it removes the tool's own.
  var hasCredentials: Bool { names.contains { SecretName.isOfHeader($0) } }

  private mutating func add(_ line: String, isShown: Bool) {
    let name = RequestHeader.name(of: line)
    let value = line.dropFirst(name.count + 2)
    let isSecret = !value.isEmpty && SecretName.isOfHeader(name)
    lines.append(isShown && isSecret ? "\(line.dropLast(value.count))[key]" : line)
    names.insert(name)
    guard isSecret else { return }
    // A server may repeat the token behind `Bearer` alone.
    let words = value.split(separator: " ")
    secrets += ([value] + words.suffix(1)).map { Array($0.utf8) }
  }

  /// The headers in the file at `path`, one a line, as curl reads them.
  private static func lines(of path: String, _ notifier: Notifier) throws(Failure) -> [String] {
    let file = try notifier.open(operand: path)
    let text = try file.readAll(limit: limit)
    try Descriptor.refuseNothing(text, from: path)
    let shown = Descriptor.isStdin(path) ? "stdin" : path
    guard text.count <= limit else { throw .usage("\(shown): too long for headers") }
    var lines: [String] = []
    let pieces = text.split(separator: ASCII.lf, omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let line = piece.last == ASCII.cr ? piece.dropLast() : piece
      guard !line.isEmpty else { continue }
      do throws(Failure) {
        lines.append(try RequestHeader.line(String(decoding: line, as: UTF8.self), isPublic: false))
      } catch {
        throw .usage("\(shown):\(index + 1): \(error.message ?? "")")
      }
    }
    let secret = lines.map { RequestHeader.name(of: $0) }.first(where: SecretName.isOfHeader)
    if let secret, file.isReadableByOthers { notifier.warn(readable: path, secret) }
    return lines
  }
}
