import Core

/// Where a header comes from that the command line adds to the request.
enum HeaderSource: Sendable {
  /// The command line itself: a whole line, checked.
  case line(String)
  /// The lines of a file; `-` is standard input.
  case file(String)
  /// An environment variable, which has the value of the header `name`.
  case variable(String, name: String)

  /// Whether it may show who asks, or say that nobody is to be shown.
  var mayShowUs: Bool {
    if case .line(let line) = self {
      RequestHeader.isSecret(RequestHeader.name(of: line))
    } else {
      true
    }
  }
}

/// The headers that the command line adds to the request.
struct AddedHeaders: Sendable {
  /// How long a file of headers can be, in bytes.
  private static let limit = 1 << 20

  /// Whole lines, in their order.
  private(set) var lines: [String] = []
  /// Values among them that must not be shown.
  private(set) var secrets: [[UInt8]] = []
  private var names: Set<String> = []

  init() {}

  /// Reads what `sources` name. `open` opens a file for reading, `variable` gives the value of an
  /// environment variable, `nil` when it is unset or empty. With `isShown`, `[key]` stands for each
  /// value that must not be shown.
  init(
    _ sources: [HeaderSource], isShown: Bool, variable: (String) -> String?,
    open: (String) throws(Failure) -> Descriptor, report: (Notice) -> Void
  ) throws(Failure) {
    for source in sources {
      switch source {
      case .line(let line): add(line, isShown: isShown)
      case .variable(let variableName, let name):
        guard let value = variable(variableName), !value.utf8.allSatisfy(ASCII.isSpace) else {
          throw .usage("--header-env: \(variableName) is not set")
        }
        let line = try RequestHeader.line("\(name): \(value)", isPublic: false)
        add(line, isSecret: true, isShown: isShown)
      case .file(let path):
        for line in try Self.lines(of: path, open, report) { add(line, isShown: isShown) }
      }
    }
  }

  /// Whether one of them takes the place of the header `line`.
  func replaces(_ line: String) -> Bool { names.contains(RequestHeader.name(of: line)) }

  /// Whether one of them shows who asks, or says that nobody is to be shown.
  var hasSecret: Bool { names.contains { RequestHeader.isSecret($0) } }

  private mutating func add(_ line: String, isSecret: Bool = false, isShown: Bool) {
    let name = RequestHeader.name(of: line)
    let value = line.dropFirst(name.count + 2)
    let isSecret = !value.isEmpty && (isSecret || RequestHeader.isSecret(name))
    lines.append(isShown && isSecret ? "\(line.dropLast(value.count))[key]" : line)
    names.insert(name)
    guard isSecret else { return }
    // A server may repeat what stands behind `Bearer` alone.
    let words = value.split(separator: " ")
    secrets += ([value] + words.suffix(1)).map { Array($0.utf8) }
  }

  /// The headers that the file at `path` has, one a line, as curl takes them.
  private static func lines(
    of path: String, _ open: (String) throws(Failure) -> Descriptor, _ report: (Notice) -> Void
  ) throws(Failure) -> [String] {
    let file = try open(path)
    let text = try file.readAll(limit: limit)
    let shown = Descriptor.isStdin(path) ? "stdin" : path
    guard text.count <= limit else { throw .usage("\(shown): too long for headers") }
    var lines: [String] = []
    for (index, piece) in text.split(
      separator: ASCII.lf, omittingEmptySubsequences: false
    ).enumerated() {
      let line = piece.last == ASCII.cr ? piece.dropLast() : piece
      guard !line.isEmpty else { continue }
      do throws(Failure) {
        lines.append(
          try RequestHeader.line(String(decoding: line, as: UTF8.self), isPublic: false))
      } catch {
        throw .usage("\(shown):\(index + 1): \(error.message ?? "")")
      }
    }
    if file.isReadableByOthers,
      let secret = lines.map({ RequestHeader.name(of: $0) }).first(where: RequestHeader.isSecret)
    {
      report(
        Notice(.warning, "\(path): others can read the \(secret) in it; chmod 600 keeps it to you"))
    }
    return lines
  }
}
