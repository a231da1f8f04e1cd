import Core

/// One FILE of `--merge`, read up to its next line.
///
/// Lines in front of its first number are kept until that has come, or its end: nothing says the
/// order of a FILE without numbers, which must be known before they are printed.
final class JoinFile {
  /// A line that says that a bad end was reported (`oresp.end` with `told`).
  struct Report {
    let line: HeldEvent
    /// Whether it stands behind an end in its FILE: it is no selection's, and is of the stream.
    let isOfStream: Bool
  }

  let name: String
  let index: Int
  /// Whether a read never waits for another process.
  let isFile: Bool
  /// Whether it had any bytes but white space.
  private(set) var hasBytes = false
  private(set) var isAtEnd = false
  /// Whether all its lines were handed on.
  private(set) var isDone = false
  /// Whether the last line but reports of ends was an end.
  private var isBehindEnd = false
  /// The line that comes next; `nil` at the end, and where more must be read first.
  private(set) var line: JoinLine?
  /// What the reader found wrong up to that line. The owner removes them.
  var notices: [Notice] = []
  /// Lines up to there that say that a bad end was reported. The owner removes them.
  var reports: [Report] = []
  /// The event of the line, unless `kept` has it. The reader uses its tables again.
  var event = Event()

  /// Its first line that has a number; `nil` as long as none came.
  private(set) var firstNumbered: JoinLine?
  private(set) var hasHadLines = false
  /// Whether it is known if its lines have numbers, and whether it has lines and none has one.
  private(set) var isSettled: Bool
  private(set) var isUnnumbered = false
  /// The lines in front of the first number, and how many of them were handed on.
  private var leading: [(line: JoinLine, event: HeldEvent)] = []
  private var leadingHandedOn = 0
  private var leadingBytes = 0
  /// The line behind them, which was read with them.
  private var behindLeading: JoinLine?

  private let source: Descriptor
  private var input = InputBuffer()
  private var reader: EventReader
  /// The bytes of its last line, once more was read behind it.
  private var keptBytes: [UInt8]?
  private let limit: Int

  /// With `isAlone` nothing must be known before its first line is printed.
  init(
    _ source: consuming Descriptor, _ index: Int, _ reading: EventReader.Settings, isAlone: Bool
  ) {
    name = source.name
    self.index = index
    isFile = source.status?.isRegular ?? false
    self.source = source
    reader = EventReader(reading)
    isSettled = isAlone
    limit = reading.limit
  }

  var descriptor: Int32 { source.number }

  /// Whether the next line waits for the first number.
  var hasUnsettledLines: Bool { !isSettled && !leading.isEmpty }

  /// The error that it has no event.
  var absence: Notice {
    .withoutEvents(hasBytes ? reader.contents : nil, words: reader.firstWords)
  }

  /// The number of bytes that were read and not handed on.
  var ahead: Int { input.count + leadingBytes }

  /// The event of its line, where that was kept.
  var kept: HeldEvent? { leadingHandedOn < leading.count ? leading[leadingHandedOn].event : nil }

  /// The bytes that hold the line of `event`, and their range there: until it moves on or reads.
  var lineOfEvent: (bytes: [UInt8], range: Range<Int>) {
    if keptBytes == nil, let range = event.lineRange { return (input.bytes, range) }
    let made = keptBytes ?? reader.made
    return (made, 0..<made.count)
  }

  /// Its line, to be handed on later; `nil` when only notices stand there.
  var heldLine: HeldEvent? { kept ?? (hasEvent ? heldEvent : nil) }

  /// Whether its line is an event, unless `kept` has it; else only notices stand there.
  var hasEvent: Bool { !isDone }

  private var heldEvent: HeldEvent {
    let (bytes, range) = lineOfEvent
    return HeldEvent(event, bytes.span.extracting(range))
  }

  /// The id of the response in its line; empty when there is none.
  var responseID: String {
    if let kept { return kept.event.text(of: "response", "id", in: kept.line.span) }
    let (bytes, range) = lineOfEvent
    return event.text(of: "response", "id", in: bytes.span.extracting(range))
  }

  /// Goes on to the next line; false when more must be read for that.
  func moveOn() -> Bool {
    while !isSettled {
      guard readLine() else { return false }
      settle()
      if isSettled, let first = leading.first {
        behindLeading = line
        line = first.line
      }
      if isSettled { return true }
    }
    guard let handedOn = kept else { return readLine() }
    leadingBytes -= handedOn.line.count
    leadingHandedOn += 1
    if leadingHandedOn < leading.count {
      line = leading[leadingHandedOn].line
      return true
    }
    leading = []
    leadingHandedOn = 0
    line = behindLeading
    return line != nil || readLine()
  }

  /// Keeps the line just read, if it has no number, and notes if it is known now whether some have.
  private func settle() {
    if let line, !isDone, !line.hasNumber, leadingBytes <= limit {
      let held = heldEvent
      leading.append((line, held))
      leadingBytes += held.line.count
      return
    }
    isSettled = true
    isUnnumbered = firstNumbered == nil && leading.contains { !$0.line.isBrokenEnd }
  }

  /// Reads the next line, passing over reports of ends; false when more must be read first.
  private func readLine() -> Bool {
    line = nil
    keptBytes = nil
    if !hasBytes {
      hasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
    }
    while !isDone {
      var passed: [UInt8] = []
      let hasEvent = reader.next(
        &input, isEnd: isAtEnd, .handlingAll, into: &event, passingTo: &passed)
      guard hasEvent || isAtEnd else { return false }
      if !hasEvent { _ = reader.settleText(isOpen: false, into: &event) }
      let isBroken = reader.notices.contains { $0.status == .badInput || $0.cutEvent != nil }
      notices += reader.notices
      reader.notices = []
      isDone = !hasEvent
      guard hasEvent else {
        // data: {"type":"response.comp
        if isBroken { line = .cutOff }
        break
      }
      let (bytes, range) = lineOfEvent
      let bytesOfLine = bytes.span.extracting(range)
      if event.isOwnEnd(bytesOfLine) {
        let line = HeldEvent(event, bytesOfLine)
        reports.append(Report(line: line, isOfStream: isBehindEnd))
        continue
      }
      isBehindEnd = event.isError || event.isTerminal
      let line = JoinLine(event, bytesOfLine, isCut: isAtEnd && isBroken)
      if firstNumbered == nil, line.hasNumber { firstNumbered = line }
      hasHadLines = true
      self.line = line
      break
    }
    return true
  }

  /// Whether it can be read without a wait.
  var isReady: Bool { isFile || !source.isIdle(until: 0) }

  /// Reads more, waiting for it if need be.
  func read() throws(Failure) {
    if keptBytes == nil, line != nil, let range = event.lineRange {
      keptBytes = [UInt8](input.bytes[range])
    }
    do throws(Failure) {
      isAtEnd = try source.read(into: &input) == 0
    } catch {
      isAtEnd = true
      throw error
    }
  }
}
