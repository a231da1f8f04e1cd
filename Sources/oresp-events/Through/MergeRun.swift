import Core

/// Puts the FILEs of `--merge` together and hands on what comes out.
///
/// All are open at once and are read in step, so that it holds one event of each.
struct MergeRun<Events: EventFilter & ~Copyable>: ~Copyable {
  private var events: Events
  private var pacer: Pacer?
  private let parts: [MergePart]
  private var order = MergeOrder()
  private var judge = Judge()
  private var output: Output
  private var outlet: Outlet
  private var repeats = 0
  /// How many responses are read to their end.
  private let responses: Int

  /// Opens the files of `job`. One that cannot be read is reported and skipped.
  init(
    _ events: consuming Events, _ job: Job, pacer: Pacer?, to stdout: borrowing Descriptor
  ) throws(Failure) {
    var parts: [MergePart] = []
    var output = Output()
    for file in job.files.isEmpty ? ["-"] : job.files {
      do throws(Failure) {
        parts.append(MergePart(try job.notifier.open(operand: file), job.reading))
      } catch {
        if let notice = error.notice { output.notices.append(notice) }
      }
    }
    (self.parts, self.pacer) = (parts, pacer)
    self.output = output
    responses = job.reading.responses ?? .max
    self.events = events
    outlet = Outlet(job.notifier, to: stdout)
  }

  mutating func run(sorts: Bool) throws(Failure) -> ExitStatus {
    if sorts { try handOnSorted() } else { try handOnInStep() }
    return try finish()
  }

  private mutating func handOnInStep() throws(Failure) {
    for part in parts { try moveOn(part) }
    while !isOver, let (part, step) = order.next(of: parts, telling: &output.notices),
      let head = part.head
    {
      try handOn(head, of: part, step)
      try moveOn(part)
    }
  }

  private mutating func handOnSorted() throws(Failure) {
    var order = SortedMerge()
    for part in parts {
      try moveOn(part)
      while let head = part.head {
        try order.take(head, of: part)
        try moveOn(part)
      }
    }
    order.sort(telling: &output.notices)
    while !isOver, let (head, part, step) = order.next() {
      try handOn(head, of: part, step)
    }
  }

  private var isOver: Bool { judge.isAtEnd && judge.ends >= responses }

  private mutating func handOn(
    _ head: MergePart.Head, of part: MergePart, _ step: MergeOrder.Step
  ) throws(Failure) {
    switch step {
    case .isRepeat: repeats += 1
    case .isMended: output.notices.append(head.isMended)
    case .print: output.notices += head.notices
    }
    if parts.count > 1 {
      for index in output.notices.indices where output.notices[index].input == nil {
        output.notices[index].input = part.name
      }
    }
    if case .print = step, let event = head.event { try handOn(event, head.line) }
    if !output.notices.isEmpty || output.bytes.count >= Output.enough {
      try outlet.flush(&output, about: part.name)
    }
  }

  private mutating func handOn(_ event: Event, _ line: [UInt8]) throws(Failure) {
    if let due = pacer?.due(line.span, now: Clock.steadyMilliseconds()) { try wait(until: due) }
    judge.handle(event, line.span, into: &output) { event, line, output in
      events.handle(event, line, into: &output)
    }
    judge.noteSequence(line.span, isFailure: event.isFailure)
  }

  /// Has `part` stand at its next event. What was made is written before more is read.
  private mutating func moveOn(_ part: MergePart) throws(Failure) {
    while !part.moveOn() {
      try outlet.flush(&output, about: part.name)
      while let time = output.wakeAt, part.isIdle(until: time) { try wake() }
      do throws(Failure) {
        try part.read()
      } catch {
        if let notice = error.notice { output.notices.append(notice) }
      }
    }
    if part.head == nil, part.number == nil, part.leading > 0 {
      output.notices.append(part.hasLeading)
    }
  }

  private mutating func wait(until end: Int) throws(Failure) {
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
    events.finish(into: &output)
    output.notices += pacer?.complaint ?? []
    judge.finish(into: &output)
    if !judge.meets(.none, hasBytes: parts.contains(where: \.hasBytes)) {
      output.notices.append(.withoutEvents(hasBytes: true))
    }
    output.notices.append(Notice(.summary, "\(repeats) events came more than once"))
    try outlet.flush(&output, about: nil)
    try outlet.finish()
    return max(events.status, outlet.status)
  }
}
