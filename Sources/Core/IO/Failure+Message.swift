#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Failure {
  /// What is told of it, without the tool's name; `nil` for what nobody is told.
  package var message: String? {
    switch self {
    case .usage(let why), .other(let why, _): why
    case .file(let name, let number): "\(name): \(Self.reason(number))"
    case .closedOutput: nil
    }
  }

  /// The same as a notice.
  package var notice: Notice? { message.map { Notice(.error, $0, status: status) } }

  /// Whether a file was to be made that is there already.
  package var isExistingFile: Bool {
    if case .file(_, EEXIST) = self { true } else { false }
  }

  private static func reason(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
