import Core

/// The destination of a reply.
protocol ReplySink: AnyObject {
  /// Whether nobody reads it any more.
  var isClosed: Bool { get }

  /// The notices, if events may say that they told them.
  var marking: NoticeSettings? { get }

  /// Takes the bytes and the notices out of `output`.
  func write(_ output: inout Output) throws(Failure)

  /// Ends with `reply`, the last one. Returns the worst status of its notices.
  func end(_ reply: Reply) throws(Failure) -> ExitStatus

  /// Reports what was found of the reply before `failure` ended the run.
  func giveUp(after failure: Failure)
}

/// Writes a reply to standard output, and its notices to standard error: those about the answer
/// once its reader has all of it.
final class OutletSink: ReplySink {
  private var outlet: Outlet
  private let notifier: Notifier

  init(_ notifier: Notifier) {
    self.notifier = notifier
    outlet = Outlet(notifier)
    outlet.holdsNotices = true
  }

  var isClosed: Bool { outlet.descriptor.hasNoReader }

  var marking: NoticeSettings? { notifier.marking }

  func write(_ output: inout Output) throws(Failure) {
    try outlet.flush(&output, about: "answer")
  }

  func end(_ reply: Reply) throws(Failure) -> ExitStatus {
    try outlet.close()
    notifier.endOutput(waits: outlet.hasHeld)
    outlet.reportHeld()
    return outlet.status
  }

  func giveUp(after failure: Failure) {
    if case .closedOutput = failure { return }
    outlet.reportHeld()
  }
}
