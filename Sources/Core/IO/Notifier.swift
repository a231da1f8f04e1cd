#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Tells notices on stderr, in the form that was asked for.
package struct Notifier {
  private let tool: String
  private let settings: NoticeSettings

  package init(tool: String, settings: NoticeSettings) {
    self.tool = tool
    self.settings = settings
  }

  /// Tells `notice`, which is about `input`, if it is of a kind that is told. A stderr that cannot
  /// be written to changes nothing.
  package func tell(_ notice: Notice, about input: String? = nil) {
    guard settings.tells(notice.kind) else { return }
    var line =
      settings.form == .json
      ? notice.json(tool: tool, input: input)
      : Array(notice.text(tool: tool, input: input).utf8)
    line.append(ASCII.lf)
    try? Descriptor(borrowing: 2, name: "stderr").write(line.span)
  }

  /// Tells why the tool cannot go on; a closed standard output is told to nobody.
  package func tell(_ failure: Failure) {
    if let notice = failure.notice { tell(notice) }
  }
}

extension Failure {
  /// What is told of it; `nil` for a closed standard output, of which nobody is told.
  package var notice: Notice? {
    switch self {
    case .usage(let why), .other(let why, _): Notice(.error, why, status: status)
    case .file(let name, let number):
      Notice(.error, "\(name): \(Self.reason(number))", status: status)
    case .closedOutput: nil
    }
  }

  private static func reason(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
