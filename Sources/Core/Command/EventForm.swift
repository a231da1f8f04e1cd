/// The form of the events that a run prints: lines of JSON, or the blocks of an event stream.
package enum EventForm { case line, block }

extension Notifier {
  /// Writes the line that says why a run ended with `code` before it wrote anything: the tools
  /// behind it end with the status 2, and report nothing more. It goes into a pipe that somebody
  /// reads, in `form`, that of the run's events. `failure` is what ended the run, if it did not end
  /// by itself.
  func writeUnsent(
    _ failure: Failure?, exit code: Int32, as form: @autoclosure () -> EventForm?
  ) {
    let status = failure?.status ?? .usage
    guard !start.hasOutput, start.givesEvents != false, code == status.rawValue,
      let message = failure?.message ?? start.fault, stdout.isReadPipe, let form = form()
    else { return }
    let line = OwnEnd.unsent(status, message, isReported: settings.reports(Notice.Kind.error))
    var bytes: [UInt8] = []
    switch form {
    case .line: bytes = line + [ASCII.lf]
    case .block:
      EventStreamEncoder.append(data: line.span, name: Array("oresp.end".utf8).span, to: &bytes)
    }
    // A reader that leaves now does not end this process: its status is known.
    try? EndSignals.interrupt { () throws(Failure) in try stdout.write(bytes.span) }
  }
}
