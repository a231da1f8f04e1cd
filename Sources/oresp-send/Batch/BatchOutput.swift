import Core

/// Writes the result lines of a batch, each of them whole, and reports on it.
///
/// In a file, a line that the end of an earlier run cut is removed or ended first.
final class BatchOutput {
  let notifier: Notifier
  private let file: Descriptor
  private var outlet: Outlet
  private var output = Output()
  /// The progress line on the terminal; empty for none.
  private var progress = ""
  /// The list that holds the lock on its file; kept until the last line is written.
  private let done: DoneList?
  private let keepsOrder: Bool
  /// The number, in the order of starts, of the request whose lines are written as they come, and
  /// the lines of later requests, which wait; for `keepsOrder` only.
  private(set) var turn = 0
  private var waiting: [Int: [UInt8]] = [:]
  private var ended: Set<Int> = []

  /// Writes to standard output, which may be the file of `done`, too. `redaction` removes secrets
  /// from notices.
  init(
    _ notifier: Notifier, _ redaction: Redaction, _ done: DoneList?, keepsOrder: Bool
  ) throws(Failure) {
    var notifier = notifier
    notifier.change = redaction.of
    notifier.settings.reportsEachEnd = true
    (self.notifier, self.keepsOrder, self.done) = (notifier, keepsOrder, done)
    let isDone = { (status: stat) in status.isSame(as: done.flatMap { fileStatus($0.path) }) }
    file = notifier.stdout
    if !file.appends, let status = file.status, status.isRegular, isDone(status) {
      throw .usage("--done: standard output writes over this file; append to it with >>")
    }
    outlet = Outlet(notifier, to: file)
    // On a terminal they stand below the answers.
    outlet.holdsNotices = file.status?.isPipe == true && notifier.stderr.isTerminal
    guard let status = file.status, status.isRegular, status.st_size > 0 else { return }
    if isDone(status), let done, done.mayChange, done.wholeSize < done.size,
      file.cut(to: done.wholeSize)
    {
      let count = done.size - done.wholeSize
      report(
        Notice(
          .warning, "\(done.path): its last \(count) bytes are not a whole line, and are cut off"))
    }
    if !file.endsLine(isDone(status) ? done?.path : nil) { try outlet.write([ASCII.lf].span) }
  }

  var isClosed: Bool { file.hasNoReader }

  /// Writes `lines` of request number `number`, or keeps them until its turn.
  func write(_ lines: [UInt8], of number: Int) throws(Failure) {
    guard !keepsOrder || number == turn else {
      waiting[number, default: []] += lines
      return
    }
    output.bytes = lines
    if output.hasOpenLine, file.isTerminal { output.show(line: "") }
    try outlet.flush(&output, about: nil)
    redraw()
  }

  /// Ends request number `number`, and writes the lines that waited for it.
  func end(_ number: Int) throws(Failure) {
    guard keepsOrder else { return }
    ended.insert(number)
    while ended.remove(turn) != nil {
      turn += 1
      if let lines = waiting.removeValue(forKey: turn) { try write(lines, of: turn) }
    }
  }

  /// Reports `notice`, up to ten of one sort.
  func report(_ notice: Notice) {
    output.notices.append(notice)
    // A notice that standard error does not take changes nothing.
    try? outlet.flush(&output, about: nil)
    redraw()
  }

  /// Shows the progress again at once, below the lines that took its place.
  private func redraw() {
    guard !progress.isEmpty, !output.hasOpenLine else { return }
    output.show(line: progress)
    try? outlet.flush(&output, about: nil)
  }

  /// Shows `text` on a line of standard error, if somebody sees it, in place of the text before: cut
  /// to the width of the window, as a longer line could not be wiped.
  func show(_ text: String) {
    guard notifier.showsProgress else { return }
    progress = text.cut(toColumns: (notifier.stderr.columns ?? 80) - 1)
    output.show(line: progress)
    try? outlet.flush(&output, about: nil)
  }

  /// Ends the output, and reports what waited for that.
  func end() throws(Failure) {
    defer { giveUp() }
    try outlet.close()
    notifier.endOutput(waits: true)
  }

  /// Reports what waited for the end of the output, which does not come.
  func giveUp() {
    outlet.reportHeld()
    outlet.holdsNotices = false
  }
}

extension Descriptor {
  /// Whether the file ends with a line end; true when it cannot be read. `path` names the file that
  /// this descriptor writes to; without it the system's name serves.
  fileprivate func endsLine(_ path: String?) -> Bool {
    guard let file = try? Descriptor(reading: path ?? "/dev/fd/\(number)") else { return true }
    return file.lastByte == ASCII.lf
  }
}
