import Core

/// Joins the FILEs of `--merge` and hands on the events.
///
/// All are open at once. While one FILE is waited for, the bytes of faster ones are held in memory.
struct MergeRun<Events: EventFilter & ~Copyable>: ~Copyable {
  /// The longest wait before a response begins for FILEs that have nothing to read: they might
  /// begin with a response that comes before it.
  static var patienceMilliseconds: Int { 1000 }

  private var events: Events
  private var pacer: Pacer?
  private let parts: [MergePart]
  private var order: MergeOrder
  private var judge: Judge
  /// Reports of ends, held until the join shows whether they are true.
  private var ends = MergedEnds()
  private var output: Output
  private var outlet: Outlet
  private var repeats = 0
  /// The most bytes held ahead in all: the limit of one event.
  private let mostAhead: Int
  /// The number of responses to read to their end.
  private let responses: Int
  /// The response that each part named last; 0 for none.
  private var named: [UInt64]
  /// The part of the event handed on last, and the event's number in it.
  private var last = (part: -1, event: 0)
  /// The parts that have nothing to read now.
  private var starved: Set<Int> = []

  /// Opens the files of `job`. One that cannot be read is reported and skipped.
  init(
    _ events: consuming Events, _ job: Job, pacer: Pacer?, reportsHoles: Bool,
    to stdout: borrowing Descriptor
  ) throws(Failure) {
    var parts: [MergePart] = []
    var output = Output()
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
        parts.append(MergePart(source, parts.count, job.reading))
      } catch {
        if case .usage = error { throw error }
        if let notice = error.notice { output.notices.append(notice) }
      }
    }
    (self.parts, self.pacer) = (parts, pacer)
    order = MergeOrder(parts, reportsHoles: reportsHoles)
    named = Array(repeating: 0, count: parts.count)
    self.output = output
    (responses, mostAhead) = (job.reading.responses ?? .max, job.reading.limit)
    judge = Judge(events.ownEnds)
    judge.selects = events.judged
    self.events = events
    outlet = Outlet(job.notifier, to: stdout)
    outlet.repeatsReports = parts.allSatisfy(\.isFile)
  }

  mutating func run() throws(Failure) -> ExitStatus {
    try handOnInStep()
    return try finish()
  }

  private mutating func handOnInStep() throws(Failure) {
    for part in parts { try moveOn(part) }
    var patience: Int?
    while !isOver {
      let isPatient = patience.map { Clock.steadyMilliseconds() < $0 } ?? true
      switch order.next(isPatient: isPatient, &output.notices) {
      case .event(let part, let step):
        patience = nil
        try handOn(part, step)
        try moveOn(part)
      case .wait(let isBeginning):
        if isBeginning, patience == nil {
          patience = Clock.steadyMilliseconds() + Self.patienceMilliseconds
        }
        try wait(until: isBeginning ? patience : nil)
      case .end: return
      }
    }
  }

  private var isOver: Bool { judge.isAtEnd && judge.ends >= responses }

  private mutating func handOn(_ part: MergePart, _ step: MergeOrder.Step) throws(Failure) {
    guard part.hasHead else { return }
    let (bytes, range) = part.line
    let line = bytes.span.extracting(range)
    let head = part.head
    if head.clues.response != 0 { named[part.index] = head.clues.response }
    switch step {
    case .mayBeMended:
      return ends.hold(HeldEvent(part.event, line), of: part.index, behind: named[part.index])
    case .isRepeat: repeats += 1
    case .isMended: report([.mended(isCut: true)], of: part)
    case .print:
      report(head.notices, of: part)
      guard head.hasEvent else { break }
      let follows = last == (part.index, part.count - 1)
      try handOn(&part.event, line, head.clues, follows: follows)
      last = (part.index, part.count)
    }
    guard !output.notices.isEmpty || output.bytes.count >= Output.enough else { return }
    try outlet.flush(&output, about: parts.count > 1 ? nil : part.name)
  }

  private mutating func report(_ notices: [Notice], of part: MergePart) {
    for var notice in notices {
      if parts.count > 1 { notice.input = part.name }
      output.notices.append(notice)
    }
  }

  private mutating func handOn(
    _ event: inout Event, _ line: Span<UInt8>, _ clues: MergeClues, follows: Bool = false
  ) throws(Failure) {
    ends.note(clues)
    let stamp = pacer == nil ? nil : Stamp.microseconds(of: event, line)
    if let due = pacer?.due(stamp, now: Clock.steadyMilliseconds()) { try pause(until: due) }
    judge.handle(&event, line, follows: follows, into: &output) { event, line, output in
      events.handle(event, line, into: &output)
    }
    judge.noteSequence(clues.sequenceNumber, isFailure: event.isFailure)
  }

  /// Moves `part` on to its next event, unless it has nothing to read now.
  private mutating func moveOn(_ part: MergePart) throws(Failure) {
    guard try advance(part) else {
      starved.insert(part.index)
      order.starved = starved.count
      return
    }
    if part.hasHead {
      order.append(part, &output.notices)
    } else if part.number == nil, part.leading > 0 {
      order.reportGuess(part, &output.notices)
    }
  }

  /// The same; false when `part` has nothing to read now. Writes the output before it reads.
  private mutating func advance(_ part: MergePart) throws(Failure) -> Bool {
    while true {
      if part.moveOn() {
        guard ends.holdEnd(of: part) else { return true }
      } else {
        try outlet.flush(&output, about: part.name)
        guard part.isReady else { return false }
        try read(part)
      }
    }
  }

  private mutating func read(_ part: MergePart) throws(Failure) {
    do throws(Failure) {
      try part.read()
    } catch {
      if let notice = error.notice { output.notices.append(notice) }
    }
  }

  /// Waits until one of the parts can be read, or until `end`. Reads all that can be, so that a
  /// program that writes to all of them can go on.
  private mutating func wait(until end: Int?) throws(Failure) {
    try checkAhead()
    for part in try readReady(by: end) where starved.remove(part.index) != nil {
      order.starved = starved.count
      try moveOn(part)
    }
  }

  /// Waits until a part can be read, or until `end`. Reads and returns all that can be read.
  private mutating func readReady(by end: Int?) throws(Failure) -> [MergePart] {
    try outlet.flush(&output, about: nil)
    let open = parts.filter { !$0.isAtEnd && !$0.isFile }
    guard !open.isEmpty else { return [] }
    let time = [end, output.wakeAt].compactMap(\.self).min()
    let ready = Descriptor.ready(open.map(\.descriptor), by: time).map { open[$0] }
    if ready.isEmpty, let time = output.wakeAt, time <= Clock.steadyMilliseconds() { try wake() }
    for part in ready { try read(part) }
    return ready
  }

  private func checkAhead() throws(Failure) {
    guard parts.reduce(0, { $0 + $1.ahead }) > mostAhead,
      let most = parts.max(by: { $0.ahead < $1.ahead }), let first = starved.min()
    else { return }
    let why = "is \(most.ahead >> 20) MiB ahead of \(parts[first].name); merge from files"
    throw .other("\(most.name) \(why)", .usage)
  }

  private mutating func pause(until end: Int) throws(Failure) {
    while case let now = Clock.steadyMilliseconds(), now < end {
      if let time = output.wakeAt, time <= now {
        try wake()
      } else {
        try outlet.flush(&output, about: nil)
        Clock.pause(milliseconds: min(end, output.wakeAt ?? end) - now)
      }
    }
  }

  private mutating func wake() throws(Failure) {
    output.wakeAt = nil
    events.wake(into: &output)
    try outlet.flush(&output, about: nil)
  }

  private mutating func finish() throws(Failure) -> ExitStatus {
    for part in ends.mended { report([.mended(isCut: false)], of: parts[part]) }
    for held in ends.left {
      var event = held.event
      try handOn(&event, held.line.span, MergeClues())
    }
    events.finish(into: &output)
    output.notices += pacer?.complaint ?? []
    judge.finish(into: &output)
    events.close(into: &output)
    if !judge.meets(.none, hasBytes: parts.contains(where: \.hasBytes)) {
      output.notices.append(.withoutEvents(hasBytes: true))
    }
    if order.cameOneByOne {
      let why = "the files have no response in common: they come out one after the other"
      output.notices.append(Notice(.warning, why))
    }
    output.notices.append(Notice(.summary, "\(repeats) events came more than once"))
    try outlet.flush(&output, about: nil, isLast: true)
    try outlet.finish()
    return max(events.status, outlet.status)
  }
}

extension Notice {
  /// The report that another FILE completes one that ends badly.
  fileprivate static func mended(isCut: Bool) -> Notice {
    let what = isCut ? "inside an event" : "with an error"
    return Notice(.warning, "the input ends \(what), which another file completes")
  }
}

extension stat {
  /// Whether both are of the same pipe, with or without a name.
  fileprivate func isSamePipe(as other: stat) -> Bool {
    st_mode & S_IFMT == S_IFIFO && st_ino == other.st_ino && st_dev == other.st_dev
  }
}
