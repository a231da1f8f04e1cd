/// Why a tool cannot go on.
package enum Failure: Error {
  /// The command line is wrong; why.
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

  /// What the process ends with. Where a parent had SIGPIPE ignored, a closed output ends it with
  /// the status that the signal would have given.
  package var exitCode: Int32 {
    if case .closedOutput = self { 141 } else { status.rawValue }
  }

  /// What is told of it, without the tool's name; `nil` for what nobody is told.
  package var message: String? {
    switch self {
    case .usage(let why), .other(let why, _): why
    case .file(let name, let number): "\(name): \(Self.reason(number))"
    case .closedOutput: nil
    }
  }

  /// The notice that tells it; `nil` for a closed standard output, of which nobody is told.
  package var notice: Notice? { message.map { Notice(.error, $0, status: status) } }

  private static func reason(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
