import Core

/// Gives what a relay passes on to standard output while the answer comes, and tells its notices.
final class Delivery: AnswerReceiver {
  private var relay: AnswerRelay
  private var output = Output()
  private var stdout = Descriptor(borrowing: 1, name: "stdout")
  private var status = ExitStatus.completed
  private let notifier: Notifier

  init(_ relay: consuming AnswerRelay, _ notifier: Notifier) {
    self.relay = relay
    self.notifier = notifier
  }

  func begin(_ head: AnswerHead) { relay.begin(head) }

  /// libcurl gives what one read brought in pieces of 16 kB. To write them together takes a sixth of
  /// the system calls, and as much less of the CPU time.
  func take(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    let goesOn = relay.take(bytes, into: &output)
    if output.bytes.count >= InputBuffer.readSize { try flush() }
    return goesOn
  }

  func flush() throws(Failure) {
    try Core.flush(&output, to: stdout, about: "answer", notifier, &status)
  }

  /// Takes the end of the answer and why it ended, if not by itself. Returns the worst status that
  /// was told.
  func end(_ fault: TransportFault?) throws(Failure) -> ExitStatus {
    relay.finish(fault, into: &output)
    try flush()
    try stdout.close()
    return status
  }
}
