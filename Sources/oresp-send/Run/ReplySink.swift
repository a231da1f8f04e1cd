import Core

/// The destination of a reply.
protocol ReplySink: AnyObject {
  /// Whether nobody reads it any more.
  var isClosed: Bool { get }

  /// Takes the bytes and the notices out of `output`.
  func write(_ output: inout Output) throws(Failure)

  /// Ends the reply, by which `answer` ended. Returns the worst status of its notices.
  func end(_ answer: Answer) throws(Failure) -> ExitStatus
}

/// Writes a reply to standard output or a file, and its notices to standard error: those about the
/// answer once its reader has all of it.
final class OutletSink: ReplySink {
  private var outlet: Outlet
  private var file: NewFile?
  private let isStdout: Bool
  private let notifier: Notifier

  /// Writes to a new file at `path`; to standard output when it is `nil`.
  init(_ notifier: Notifier, to path: String?) throws(Failure) {
    self.notifier = notifier
    isStdout = path == nil
    if let path {
      let file = try NewFile(at: path)
      outlet = Outlet(notifier, to: file.descriptor)
      self.file = consume file
    } else {
      outlet = Outlet(notifier)
    }
    // No tool before this one reports anything; a recording was made by another run.
    outlet.repeatsReports = true
    outlet.holdsNotices = true
  }

  var isClosed: Bool { outlet.descriptor.hasNoReader }

  func write(_ output: inout Output) throws(Failure) {
    try outlet.flush(&output, about: "answer")
  }

  func end(_ answer: Answer) throws(Failure) -> ExitStatus {
    try outlet.close()
    if isStdout { notifier.endOutput(waits: outlet.hasHeld) }
    outlet.reportHeld()
    return outlet.status
  }

  /// Reports what was found before the run failed.
  func giveUp(after failure: Failure) {
    if case .closedOutput = failure { return }
    outlet.reportHeld()
  }

  /// Puts the new file in its place if `status` is 0.
  func commit(after status: ExitStatus) throws(Failure) {
    guard let file = file.take() else { return }
    try file.commit(after: status, notifier)
  }
}
