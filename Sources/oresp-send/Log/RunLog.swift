import Core

/// Writes one line about a run to a file that many runs share: in a single write, at its end, be that
/// a signal's.
final class RunLog: AnswerCopy, TransferWatcher, @unchecked Sendable {
  private let file: Descriptor
  // Both are changed with the lock held only.
  private var record: RunRecord
  private var isWritten = false
  private let lock = Lock()

  init(_ path: String, _ request: HTTPRequest, _ redaction: Redaction) throws(Failure) {
    file = try Descriptor(writing: path, appends: true)
    record = RunRecord(request, redaction)
    EndSignals.precede { [weak self] signal in try? self?.write(exit: 128 + signal) }
  }

  func begin(_ head: AnswerHead) { lock.hold { record.begin(head) } }

  func take(_ output: inout Output) { lock.hold { record.take(output) } }

  func note(_ notice: Notice) { lock.hold { record.note(notice) } }

  func ended(_ facts: TransferFacts) { lock.hold { record.end(facts) } }

  /// Writes the line of a run that ended with `exit`, if none was written yet.
  func write(exit: Int) throws(Failure) {
    try lock.hold { () throws(Failure) in
      guard !isWritten else { return }
      isWritten = true
      let line = record.line(exit: exit) + [ASCII.lf]
      try file.write(line.span)
    }
  }
}
