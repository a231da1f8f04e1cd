import Core

/// Where the lines of a batch go, each of them whole, and what is told of it.
///
/// Of a file, a line that was cut by the end of an earlier run does not stay in front of them, and
/// a signal that ends the process waits for the line that is being written.
final class BatchOutput {
  let notifier: Notifier
  private let file: Descriptor
  private var outlet: Outlet
  private var output = Output()
  /// What keeps other runs from the file, up to the last line.
  private let done: DoneList?
  private let isRegular: Bool
  private let keepsOrder: Bool
  /// Held while a line is written.
  let writing = Lock()
  /// The request whose lines are written as they come, by its number in the order of starts, and
  /// what those behind it have to wait with; with `keepsOrder` only.
  private(set) var turn = 0
  private var waiting: [Int: [UInt8]] = [:]
  private var ended: Set<Int> = []

  /// It goes to the end of the file at `path`, or to standard output. `done` is what is known of
  /// the file at `donePath`, which may be the same. `redaction` takes secrets out of what is told.
  init(
    _ notifier: Notifier, _ redaction: Redaction, to path: String?, _ done: DoneList?,
    at donePath: String?,
    keepsOrder: Bool
  ) throws(Failure) {
    var notifier = notifier
    notifier.change = redaction.of
    (self.notifier, self.keepsOrder, self.done) = (notifier, keepsOrder, done)
    let isDone = { (status: stat) in status.isSame(as: donePath.flatMap { fileStatus($0) }) }
    if let path, let status = fileStatus(path), status.isRegular, status.st_size > 0,
      !isDone(status)
    {
      throw .usage(
        "-o: \(path) exists; with --done \(path) the run goes on where it stopped")
    }
    file = if let path { try Descriptor(writing: path, appends: true) } else { notifier.stdout }
    outlet = Outlet(notifier, to: file)
    isRegular = file.status?.isRegular == true
    guard isRegular, let status = file.status, status.st_size > 0 else { return }
    if isDone(status), let done, let donePath, done.wholeSize < done.size,
      file.cut(to: done.wholeSize)
    {
      let count = done.size - done.wholeSize
      report(
        Notice(
          .warning, "\(donePath): its last \(count) bytes are not a whole line, and are cut off"))
    }
    if !file.endsLine(isDone(status) ? donePath : path) { try outlet.write([ASCII.lf].span) }
  }

  var isClosed: Bool { file.hasNoReader }

  /// Whether it is shown on a terminal how far it is.
  var showsProgress: Bool { notifier.showsProgress }

  /// Writes `lines` of request number `number`, in its turn.
  func write(_ lines: [UInt8], of number: Int) throws(Failure) {
    guard !keepsOrder || number == turn else {
      waiting[number, default: []] += lines
      return
    }
    output.bytes = lines
    if output.hasOpenLine, file.isTerminal { show("") }
    // A pipe that nobody reads would keep the signal waiting.
    guard isRegular else { return try outlet.flush(&output, about: nil) }
    try writing.hold { () throws(Failure) in try outlet.flush(&output, about: nil) }
  }

  /// Takes the end of request number `number`.
  func end(_ number: Int) throws(Failure) {
    guard keepsOrder else { return }
    ended.insert(number)
    while ended.remove(turn) != nil {
      turn += 1
      if let lines = waiting.removeValue(forKey: turn) { try write(lines, of: turn) }
    }
  }

  /// Tells `notice`; of one sort no more than ten.
  func report(_ notice: Notice) {
    output.notices.append(notice)
    // Nothing but the terminal of standard error is written to, which changes nothing.
    try? outlet.flush(&output, about: nil)
  }

  /// Shows `text` in place of what was shown before, on a line of standard error, as much of it as
  /// the window has room for at this moment: a longer line could not be wiped.
  func show(_ text: String) {
    let room = (notifier.stderr.columns ?? 80) - 1
    output.show(line: text.cut(toColumns: room))
  }

  /// Writes what is shown.
  func flush() { try? outlet.flush(&output, about: nil) }

  /// Takes the end. Returns the worst status that was told.
  func end() throws(Failure) -> ExitStatus {
    try outlet.close()
    return outlet.status
  }
}

extension Descriptor {
  /// Whether nothing stands behind its last line end, by the file at `path`, which it writes to, or
  /// as the system has it. What cannot be told is taken for that.
  fileprivate func endsLine(_ path: String?) -> Bool {
    guard let file = try? Descriptor(reading: path ?? "/dev/fd/\(number)") else { return true }
    return file.lastByte == ASCII.lf
  }
}
