import Core

/// Where a reply goes.
protocol ReplySink: AnyObject {
  /// Whether nobody takes it any more.
  var isClosed: Bool { get }

  /// Takes the bytes and the notices of `output`, and empties it. `head` is the reply's, once it is
  /// known that no other is asked for.
  func write(_ output: inout Output, of head: ReplyHead?) throws(Failure)

  /// Takes the end. Returns the worst status that was told.
  func end() throws(Failure) -> ExitStatus
}

/// Writes a reply to standard output or a file, and tells its notices.
final class OutletSink: ReplySink {
  private var outlet: Outlet
  private var file: NewFile?
  private let notifier: Notifier

  /// It goes to the file that is to stand at `path`, if there is one.
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

  func end() throws(Failure) -> ExitStatus {
    try outlet.close()
    return outlet.status
  }

  /// Puts the file in its place if the run ended well, with `status` 0.
  func commit(after status: ExitStatus) throws(Failure) {
    guard let file = file.take() else { return }
    try file.commit(after: status, notifier)
  }
}

extension Descriptor {
  /// Whether nobody reads what is written to it any more: the other end of the pipe or socket is
  /// closed.
  var hasNoReader: Bool {
    var state = pollfd(fd: number, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0 else { return false }
    return Int32(state.revents) & Int32(POLLERR | POLLHUP) != 0
  }
}
