import Core

/// The destination of a reply.
protocol ReplySink: AnyObject {
  /// Whether nobody reads it any more.
  var isClosed: Bool { get }

  /// Takes the bytes and the notices out of `output`. `head` is the reply's, once no retry can
  /// replace it.
  func write(_ output: inout Output, of head: ReplyHead?) throws(Failure)

  /// Ends the reply, by which `answer` ended. Returns the worst status of its notices.
  func end(_ answer: Answer) throws(Failure) -> ExitStatus
}

/// Writes a reply to standard output or a file, and its notices to standard error.
final class OutletSink: ReplySink {
  private var outlet: Outlet
  private var file: NewFile?
  private let notifier: Notifier

  /// Writes to a new file at `path`; to standard output when it is `nil`.
  init(_ notifier: Notifier, to path: String?) throws(Failure) {
    self.notifier = notifier
    guard let path else {
      outlet = Outlet(notifier)
      return
    }
    let file = try NewFile(at: path)
    outlet = Outlet(notifier, to: file.descriptor)
    self.file = consume file
  }

  var isClosed: Bool { outlet.descriptor.hasNoReader }

  func write(_ output: inout Output, of head: ReplyHead?) throws(Failure) {
    try outlet.flush(&output, about: "answer")
  }

  func end(_ answer: Answer) throws(Failure) -> ExitStatus {
    try outlet.close()
    return outlet.status
  }

  /// Puts the new file in its place if `status` is 0.
  func commit(after status: ExitStatus) throws(Failure) {
    guard let file = file.take() else { return }
    try file.commit(after: status, notifier)
  }
}

extension Descriptor {
  /// Whether the other end of the pipe or socket is closed, so that nobody reads it any more.
  var hasNoReader: Bool {
    var state = pollfd(fd: number, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0 else { return false }
    return Int32(state.revents) & Int32(POLLERR | POLLHUP) != 0
  }
}
