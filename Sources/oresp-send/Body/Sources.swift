import Core

/// The files, folders and variables that a request is made of.
struct Sources {
  /// Whether standard input can be the prompt: it is no terminal, and no option names it.
  var hasFreeStdin: Bool
  /// The value of an environment variable; `nil` when it is unset or empty.
  var variable: (String) -> String?
  /// Opens a file for reading; `-` is standard input.
  var open: (String) throws(Failure) -> Descriptor
  /// The names of the files in a folder; none when it is not there.
  var list: (String) -> [String]
  /// Whether a regular file is at a path.
  var isFile: (String) -> Bool
  /// Reports a warning.
  var warn: (String) -> Void = { _ in }
  /// Refuses a standard input that nothing reads.
  var refuseUnreadInput: () throws(Failure) -> Void = {}

  /// Reads the file at `path`, which an option or a word names. A fault in it is wrong usage, and
  /// in standard input wrong input. Refuses standard input with nothing in it.
  func text(_ path: String) throws(Failure) -> FileText {
    let bytes = try open(path).readAll()
    try Descriptor.refuseNothing(bytes, from: path)
    return Self.file(bytes, path)
  }

  /// `argument` itself, if it begins as a JSON object or array does, or else the file at that path.
  /// Messages on the former name `option`.
  func json(_ argument: String, of option: String) throws(Failure) -> FileText {
    Self.isInPlace(argument) ? FileText(argument.systemBytes, name: option) : try text(argument)
  }

  /// Whether `argument` is JSON itself, not the path of a file.
  static func isInPlace(_ argument: String) -> Bool {
    let first = argument.utf8.first { !ASCII.isSpace($0) }
    return first == ASCII.openBrace || first == ASCII.openBracket
  }

  /// The file at `path`, whose contents are `bytes`.
  static func file(_ bytes: [UInt8], _ path: String) -> FileText {
    Descriptor.isStdin(path)
      ? FileText(bytes, name: "stdin", status: .badInput) : FileText(bytes, name: path)
  }

  /// Whether people know the file by the name `path`, which is neither `-` nor a shell's `<(…)`.
  static func isNamed(_ path: String) -> Bool {
    !Descriptor.isStdin(path) && !["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
  }
}

extension FileText {
  /// The JSON value that the file is.
  func json() throws(Failure) -> JSONValue {
    try checkJSON()
    return .raw(Array(bytes[bytes.span.trimmed()]))
  }

  func checkUTF8() throws(Failure) {
    if let place = UTF8Repair.firstFault(in: bytes.span) { throw fault("not UTF-8", at: place) }
  }
}
