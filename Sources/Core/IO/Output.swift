/// The output of a filter for one read: bytes for standard output, notices, and orders to the pump.
package struct Output: ~Copyable {
  package var bytes: [UInt8] = []
  package var notices: [Notice] {
    get { allNotices }
    // An observer (`didSet`) would copy all notices for each that is appended.
    _modify {
      yield &allNotices
      if notices.count < noticeOffsets.count {
        noticeOffsets.removeLast(noticeOffsets.count - notices.count)
      }
      while noticeOffsets.count < notices.count { noticeOffsets.append(stderrBytes.count) }
    }
  }
  private var allNotices: [Notice] = []
  /// Whether there is any; asking for the notices themselves copies the list, for each read.
  fileprivate var hasNotices: Bool { !allNotices.isEmpty }
  /// Bytes for standard error, which go out behind `bytes`, each notice where it came.
  package var stderrBytes: [UInt8] = []
  /// The bytes of `stderrBytes` before each notice.
  fileprivate var noticeOffsets: [Int] = []
  /// Unchanged bytes for the terminal of standard error, which go out before `bytes`: a line that
  /// is written over again.
  package var terminalBytes: [UInt8] = []
  /// Whether `terminalBytes` ended in an open line, which a notice wipes.
  package var hasOpenLine = false
  /// The time at which to wake the filter, should no input come (`Clock.steadyMilliseconds`).
  package var wakeAt: Int?
  /// The time up to which nothing more may be written: the filter stopped, and is then called again
  /// with the same input.
  package var pauseUntil: Int?
  /// Whether no more is to be read.
  package var isOver = false
  /// The name of the current input, where there are several.
  package var inputName: String?
  /// Whether the current input is a pipe or a socket, whose marks on events are believed.
  package var readsPipe = false
  /// Whether events go to another program, and with them the marks that are believed.
  package var leadsToProgram = false
  /// The notices of the tool, if events may say that it told them: they go to another program, and
  /// somebody sees the notices.
  package var marking: NoticeSettings?
  /// The worst status of responses that are over, which no notice has.
  package var status = ExitStatus.completed
  /// Whether the current input could not be read to its end.
  package var inputHasFailed = false

  /// The number of events whose lines a selection passed on.
  private(set) var passedCount = 0

  package init() {}

  /// The output of a tool whose streams `notifier` has.
  package init(_ notifier: Notifier) {
    leadsToProgram = notifier.stdout.leadsToProgram
    marking = notifier.marking
  }

  /// The bytes at which a filter stops until they are written: one read can make a thousand times
  /// its size.
  package static let flushThreshold = 4 << 20

  /// Stops the filter until its output so far is written.
  package mutating func pauseToFlush() { pauseUntil = .min }

  /// Shows `text` on the terminal of standard error in place of the open line; empty for none. It
  /// is written over the old text: a line that is wiped first can flicker.
  package mutating func show(line text: String) {
    terminalBytes.append("\r" + text + "\u{1B}[K")
    hasOpenLine = !text.isEmpty
  }

  /// Passes on `line`, an event that was selected.
  package mutating func pass(line: Span<UInt8>) {
    passedCount += 1
    append(line: line)
  }

  /// Appends `line` and an LF.
  @inline(__always)
  package mutating func append(line: Span<UInt8>) {
    bytes.append(copying: line)
    bytes.append(ASCII.lf)
  }
}

/// The way out: bytes to standard output or a file, the rest to standard error; text to a terminal
/// is made harmless.
package struct Outlet: ~Copyable {
  package private(set) var descriptor: Descriptor
  private let notifier: Notifier
  /// `nil` where bytes go out as they are.
  private var sanitizer: TerminalSanitizer?
  private var stderrSanitizer: TerminalSanitizer?
  /// Whether what is written and the notices go to a terminal.
  private let sharesTerminal: Bool
  /// Whether the last line written to a terminal, on which notices stand, too, is open.
  private var isInsideLine = false
  /// Whether notices wait for `reportHeld`: they are about the end of what is written. Those that
  /// name a place in it, or say what goes on, do not wait.
  package var holdsNotices = false
  private var held: [(notice: Notice, input: String?)] = []
  /// The worst status of all notices.
  package private(set) var status = ExitStatus.completed
  /// The notices that are alike, reported or not, by what they share.
  private var alike: [String: Alike] = [:]
  /// The most notices that are alike and reported.
  private static let mostAlike = 10
  /// The most kinds of notices that are counted: with one more, the counts begin anew.
  private static let mostKinds = 1024

  /// Notices that differ in numbers alone.
  private struct Alike {
    /// The words of them all.
    var words: String
    let kind: Notice.Kind
    /// Its place among the others by the first notice.
    let place: Int
    var count = 0
  }

  /// An outlet to the standard output of `notifier`.
  package init(_ notifier: Notifier) { self.init(notifier, to: notifier.stdout) }

  /// An outlet to `descriptor`, which must stay open as long.
  package init(_ notifier: Notifier, to descriptor: borrowing Descriptor) {
    self.init(notifier, descriptor.borrowed)
  }

  /// An outlet to the file at `path`, which may be a terminal; opened as by `Descriptor(writing:)`.
  package init(_ notifier: Notifier, writing path: String, appends: Bool = false) throws(Failure) {
    self.init(notifier, try Descriptor(writing: path, appends: appends))
  }

  private init(_ notifier: Notifier, _ descriptor: consuming Descriptor) {
    self.notifier = notifier
    sanitizer = notifier.sanitizer(for: descriptor)
    sharesTerminal = descriptor.isTerminal && notifier.stderr.isTerminal
    self.descriptor = descriptor
    stderrSanitizer = notifier.sanitizer(for: notifier.stderr)
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(Failure) {
    if sharesTerminal, !bytes.isEmpty { isInsideLine = bytes[bytes.count - 1] != ASCII.lf }
    guard sanitizer != nil else { return try descriptor.write(bytes, by: notifier.limit) }
    var shown: [UInt8] = []
    sanitizer?.append(bytes, into: &shown)
    try descriptor.write(shown.span, by: notifier.limit)
  }

  /// Writes the bytes of `output`, reports its notices, which are about `input`, and empties it.
  /// With `isLast`, counts of notices that were left out stand before the summary.
  package mutating func flush(
    _ output: inout Output, about input: String?, isLast: Bool = false
  ) throws(Failure) {
    if output.hasOpenLine, output.hasNotices { output.show(line: "") }
    if !output.terminalBytes.isEmpty {
      let terminal = notifier.stderr
      if output.hasOpenLine { SignalCleanup.setLine(on: terminal.number) }
      try? terminal.write(output.terminalBytes.span)
      if !output.hasOpenLine { SignalCleanup.setLine(on: nil) }
      output.terminalBytes.removeAll(keepingCapacity: true)
    }
    if !output.bytes.isEmpty {
      try write(output.bytes.span)
      // Room that grew with one huge event does not stay.
      let isLarge = output.bytes.capacity > InputBuffer.keptSize
      output.bytes.removeAll(keepingCapacity: !isLarge)
    }
    status = max(status, output.status)
    guard output.hasNotices || !output.stderrBytes.isEmpty else { return }
    var start = 0
    for (var notice, end) in zip(output.notices, output.noticeOffsets) {
      writeToStderr(output.stderrBytes.span.extracting(start..<end))
      start = end
      notice.input = notice.input ?? output.inputName
      if isLast, notice.kind == .summary { reportCounts() }
      report(notice, about: input)
    }
    writeToStderr(output.stderrBytes.span.extracting(start...))
    output.stderrBytes.removeAll(keepingCapacity: true)
    output.notices.removeAll(keepingCapacity: true)
  }

  /// Reports `notice`, which is about `input`; of those that are alike no more than ten.
  mutating func report(_ notice: Notice, about input: String? = nil) {
    if !notice.countsLater { status = max(status, notice.status ?? .completed) }
    if !notice.isOfEnd || !notifier.settings.reportsEachEnd, let words = notice.subject {
      guard count(notice.kind, words) <= Self.mostAlike else { return }
    }
    if !notice.isReported || notifier.settings.reports(.summary) {
      tell(notice, about: input)
    }
  }

  /// Counts a notice that is about `words`, and returns the number of those like it so far.
  private mutating func count(_ kind: Notice.Kind, _ words: String) -> Int {
    let key = words.withoutNumbers
    if alike[key] == nil, alike.count >= Self.mostKinds { reportCounts() }
    var all = alike[key] ?? Alike(words: words, kind: kind, place: alike.count)
    if all.words != words { all.words = key }
    all.count += 1
    alike[key] = all
    return all.count
  }

  private mutating func tell(_ notice: Notice, about input: String? = nil) {
    guard holdsNotices, notice.place == nil, ![.retry, .status].contains(notice.kind) else {
      if isInsideLine, notifier.settings.reports(notice) {
        try? notifier.stderr.write([ASCII.lf].span)
        isInsideLine = false
      }
      return notifier.report(notice, about: input)
    }
    if notifier.settings.reports(notice) { held.append((notice, input)) }
  }

  /// Whether a notice waits.
  package var hasHeld: Bool { !held.isEmpty }

  /// Reports the notices that wait.
  package mutating func reportHeld() {
    for (notice, input) in held { notifier.report(notice, about: input) }
    held = []
  }

  /// Reports the counts of notices left out.
  package mutating func reportCounts() {
    let leftOut = alike.values.filter { $0.count > Self.mostAlike }
    for all in leftOut.sorted(by: { $0.place < $1.place }) {
      let count = all.count - Self.mostAlike
      var notice = Notice(all.kind, "\(all.words): \(count) more times")
      notice.facts = [("count", .integer(count))]
      tell(notice)
    }
    alike = [:]
  }

  /// Writes the start of a character that is still held, and the counts of notices left out.
  package mutating func finish() throws(Failure) {
    var output = Output()
    sanitizer?.finish(into: &output.bytes)
    try descriptor.write(output.bytes.span, by: notifier.limit)
    var rest: [UInt8] = []
    stderrSanitizer?.finish(into: &rest)
    try? notifier.stderr.write(rest.span)
    reportCounts()
  }

  /// Finishes, and closes the descriptor.
  package mutating func close() throws(Failure) {
    try finish()
    try descriptor.close()
  }

  /// Writes to standard error. As with notices, one that cannot be written to changes nothing.
  private mutating func writeToStderr(_ bytes: Span<UInt8>) {
    guard stderrSanitizer != nil else {
      try? notifier.stderr.write(bytes)
      return
    }
    var shown: [UInt8] = []
    stderrSanitizer?.append(bytes, into: &shown)
    try? notifier.stderr.write(shown.span)
  }
}
