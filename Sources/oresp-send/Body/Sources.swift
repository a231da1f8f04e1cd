import Core

/// Files, folders and variables that a request is made of beside the command line.
struct Sources {
  /// Whether standard input can be the prompt: it is no terminal, and nothing names it.
  var hasFreeStdin: Bool
  /// The value of an environment variable; `nil` when it is unset or empty.
  var variable: (String) -> String?
  /// Opens a file for reading; `-` is standard input.
  var open: (String) throws(Failure) -> Descriptor
  /// The names of the files in a folder; none when it is not there.
  var list: (String) -> [String]
  /// Whether a regular file is at a path.
  var isFile: (String) -> Bool
  /// Refuses bytes on standard input that nothing reads.
  var refuseUnreadInput: () throws(Failure) -> Void = {}

  /// Reads the file at `path`. A fault in it is wrong usage, but wrong input when it is standard
  /// input.
  func text(_ path: String) throws(Failure) -> FileText {
    Self.file(try open(path).readAll(), path)
  }

  /// The JSON that `argument` is, if it begins as an object or array does, or else the JSON in the
  /// file at that path. A fault in the former is reported of `option`.
  func json(_ argument: String, of option: String) throws(Failure) -> FileText {
    Self.isInPlace(argument) ? FileText(argument.systemBytes, name: option) : try text(argument)
  }

  /// Whether `argument` is JSON itself, not the name of a file with some.
  static func isInPlace(_ argument: String) -> Bool {
    let first = argument.utf8.first { !ASCII.isSpace($0) }
    return first == ASCII.openBrace || first == ASCII.openBracket
  }

  static func file(_ bytes: [UInt8], _ path: String) -> FileText {
    Descriptor.isStdin(path)
      ? FileText(bytes, name: "stdin", status: .badInput) : FileText(bytes, name: path)
  }

  /// Whether the name of the file `path` says anything: `-` and a shell's pipe do not.
  static func isNamed(_ path: String) -> Bool {
    !Descriptor.isStdin(path) && !["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
  }
}
