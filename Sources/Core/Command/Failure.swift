/// Why a tool cannot go on.
package enum Failure: Error {
  /// The command line is wrong; what and why.
  case usage(String)
  /// A file cannot be opened, read or written: its name, and `errno`.
  case file(name: String, errno: Int32)
  /// Standard output has no reader any more; nobody is told.
  case closedOutput
  /// Anything else that ends the work, with its status.
  case other(String, ExitStatus)

  package var status: ExitStatus {
    switch self {
    case .usage, .file, .closedOutput: .usage
    case .other(_, let status): status
    }
  }
}
