/// The reason why a tool cannot go on.
package enum Failure: Error {
  /// A wrong command line, and the reason.
  case usage(String)
  /// A file that cannot be opened, read or written: its name, and `errno`.
  case file(name: String, errno: Int32)
  /// Standard output has no reader any more; nothing is said.
  case closedOutput
  /// A signal that ends the process came; nothing is said.
  case interrupted(by: Int32)
  /// Anything else that ends the work, with its status.
  case other(String, ExitStatus)

  package var status: ExitStatus {
    switch self {
    case .usage, .file, .closedOutput, .interrupted: .usage
    case .other(_, let status): status
    }
  }

  /// The exit status of the process. Where a parent made it ignore SIGPIPE, a closed output gives
  /// the status that the signal would have given.
  package var exitCode: Int32 {
    switch self {
    case .closedOutput: 141
    case .interrupted(let number): 128 + number
    case .usage, .file, .other: status.rawValue
    }
  }

  /// The message, without the tool's name; `nil` for a closed output and for a signal.
  package var message: String? {
    switch self {
    case .usage(let why), .other(let why, _): why
    case .file("", let number): "'': \(Self.reason(number))"
    case .file(let name, ENOENT) where name.contains("://"):
      "\(name): a URL is no file here; curl gets it"
    case .file(let name, let number): "\(name): \(Self.reason(number))"
    case .closedOutput, .interrupted: nil
    }
  }

  /// The same; that of a file which one of `options` names begins with that option.
  func naming(_ options: [String: String]) -> Failure {
    guard case .file(let name, let number) = self, let option = options[name] else { return self }
    return .file(name: "\(option): \(name)", errno: number)
  }

  /// The notice of it; `nil` where there is no message.
  package var notice: Notice? { message.map { Notice(.error, $0, status: status) } }

  /// The reason in words. A file that exists is one that stays: `NewFile.Existing.keep`.
  private static func reason(_ number: Int32) -> String {
    let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return number == EEXIST ? words + "; --force replaces it" : words
  }
}
