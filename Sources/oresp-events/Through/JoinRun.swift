import Core

/// Joins the FILEs of `--merge` and hands on the events.
///
/// All are open at once. While one FILE is waited for, the bytes of faster ones are held in memory.
struct JoinRun<Events: EventFilter & ~Copyable>: ~Copyable {
  private var events: Events
  private var judge: Judge
  private var pacer: Pacer?
  private let files: [JoinFile]
  private var join: Join
  private var output: Output
  private var outlet: Outlet
  private var repeats = 0
  /// The FILEs that have nothing to read now.
  private var starved: Set<Int> = []
  /// The most bytes held ahead in all: the limit of one event.
  private let mostAhead: Int
  /// The number of responses to read to their end.
  private let responses: Int

  /// Opens the files of `job`. One that cannot be read is reported and skipped.
  init(
    _ events: consuming Events, _ job: Job, pacer: Pacer?, reportsHoles: Bool,
    to stdout: borrowing Descriptor
  ) throws(Failure) {
    try job.notifier.refuse(job.files, ifWrittenTo: stdout)
    var reading = job.reading
    let isAlone = job.files.count < 2
    // A document goes on with the stream that broke off.
    reading.documentsStandAlone = isAlone
    var files: [JoinFile] = []
    var output = Output(job.notifier)
    var pipes: [stat] = []
    for file in job.files.isEmpty ? ["-"] : job.files {
      do throws(Failure) {
        let source =
          Descriptor.isStdin(file) ? job.notifier.stdin : try Descriptor(polling: file)
        if let status = source.status {
          guard !pipes.contains(where: { $0.isSamePipe(as: status) }) else {
            throw .usage("\(file) is named twice; a pipe can be read only once")
          }
          pipes.append(status)
        }
        files.append(JoinFile(source, files.count, reading, isAlone: isAlone))
      } catch {
        if case .usage = error { throw error }
        if let notice = error.notice { output.notices.append(notice) }
      }
    }
    self.files = files
    self.pacer = pacer
    join = Join(files, reportsHoles: reportsHoles)
    self.output = output
    responses = job.reading.responses ?? .max
    mostAhead = job.reading.limit
    judge = Judge(events.ownEnds)
    judge.selects = events.judged
    judge.reportsOrder = false
    judge.needsItems = events.needsItems
    self.events = events
    outlet = Outlet(job.notifier, to: stdout)
    judge.namesInputs = false
  }

  mutating func run() throws(Failure) -> ExitStatus {
    for file in files { try moveOn(file) }
    while !files.allSatisfy(\.isSettled) { try wait() }
    try flush()
    try join.begin()
    while judge.ends < responses {
      switch join.next(&output.notices) {
      case .print(let file):
        try handOn(file)
        try moveOn(file)
      case .skip(let file):
        repeats += 1
        file.notices = []
        try moveOn(file)
      case .leaveOut(let file):
        let why = "the input ends with an error, which is dropped: another file goes on there"
        file.notices.append(Notice(.warning, why))
        reportNotices(of: file)
        try moveOn(file)
      case .wait: try wait()
      case .end: return try finish()
      }
    }
    return try finish()
  }

  // MARK: Handing on

  private mutating func handOn(_ file: JoinFile) throws(Failure) {
    reportNotices(of: file)
    guard let held = file.next else { return }
    var event = held.event
    let line = held.line.span
    let stamp = pacer == nil ? nil : Stamp.microseconds(of: event, line)
    if let due = pacer?.due(stamp, now: Clock.steadyMilliseconds()) { try pause(until: due) }
    // The judge joins a cut with the report that this FILE ends inside an event.
    output.inputName = files.count > 1 ? file.name : nil
    output.readsPipe = file.readsPipe
    judge.handle(&event, line, into: &output) { event, line, output in
      events.handle(event, line, into: &output)
    } close: { ended, output in
      events.close(ended, into: &output)
    }
    output.inputName = nil
    if !output.notices.isEmpty || output.bytes.count >= Output.flushThreshold { try flush() }
  }

  private mutating func flush(isLast: Bool = false) throws(Failure) {
    let name = files.count > 1 ? nil : files.first?.name
    try outlet.flush(&output, about: name, isLast: isLast)
  }

  private mutating func reportNotices(of file: JoinFile) {
    for var notice in file.notices {
      if files.count > 1 { notice.input = file.name }
      if notice.cutEvent == nil {
        output.notices.append(notice)
      } else {
        judge.hold(cutEvent: notice)
      }
    }
    file.notices = []
  }

  // MARK: Reading

  /// Moves `file` on to its next line, unless it has nothing to read now. Writes the output before
  /// it reads.
  private mutating func moveOn(_ file: JoinFile) throws(Failure) {
    while !file.moveOn() {
      try flush()
      guard file.isReady else {
        starved.insert(file.index)
        return
      }
      try read(file)
    }
    guard file.next == nil, !file.notices.isEmpty else { return }
    reportNotices(of: file)
    try flush()
  }

  private mutating func read(_ file: JoinFile) throws(Failure) {
    do throws(Failure) {
      try file.read()
    } catch {
      if let notice = error.notice { output.notices.append(notice) }
    }
  }

  /// Waits until one of the FILEs can be read, and reads all that can be, so that a program that
  /// writes to all of them can go on.
  private mutating func wait() throws(Failure) {
    try checkAhead()
    try flush()
    let open = files.filter { !$0.isAtEnd && !$0.isFile }
    let ready = Descriptor.ready(open.map(\.descriptor), by: output.wakeAt).map { open[$0] }
    if ready.isEmpty { try wake() }
    for file in ready {
      try read(file)
      if starved.remove(file.index) != nil { try moveOn(file) }
    }
  }

  private func checkAhead() throws(Failure) {
    guard files.reduce(0, { $0 + $1.ahead }) > mostAhead,
      let most = files.max(by: { $0.ahead < $1.ahead }), let first = starved.min()
    else { return }
    let why = "is \(most.ahead >> 20) MiB ahead of \(files[first].name); merge from files"
    throw .other("\(most.name) \(why)", .usage)
  }

  private mutating func pause(until end: Int) throws(Failure) {
    while case let now = Clock.steadyMilliseconds(), now < end {
      try flush()
      Clock.pause(milliseconds: max(0, min(end, output.wakeAt ?? end) - now))
      try wake()
    }
  }

  /// Wakes the filter, if it asked for that.
  private mutating func wake() throws(Failure) {
    guard let time = output.wakeAt, time <= Clock.steadyMilliseconds() else { return }
    output.wakeAt = nil
    events.wake(into: &output)
    try flush()
  }

  private mutating func finish() throws(Failure) -> ExitStatus {
    judge.closeAll(into: &output) { ended, output in events.close(ended, into: &output) }
    events.finish(into: &output)
    output.notices += pacer?.complaint ?? []
    judge.finish(into: &output)
    events.conclude(into: &output)
    if !judge.meets(.objectsUnlessEmpty, hasBytes: files.contains(where: \.hasBytes)) {
      var notice = files.first(where: \.hasBytes)?.absence ?? .withoutEvents(nil)
      if files.count == 1, files[0].name != "stdin" { notice.input = files[0].name }
      output.notices.append(notice)
    }
    output.notices.append(Notice(.summary, "\(repeats) events came more than once"))
    try flush(isLast: true)
    try outlet.finish()
    return max(events.status, outlet.status)
  }
}

extension stat {
  /// Whether both are of the same pipe, with or without a name.
  fileprivate func isSamePipe(as other: stat) -> Bool {
    st_mode & S_IFMT == S_IFIFO && st_ino == other.st_ino && st_dev == other.st_dev
  }
}
