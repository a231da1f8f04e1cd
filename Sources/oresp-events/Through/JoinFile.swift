import Core

/// One FILE of `--merge`, read up to its next line.
///
///     keepalive, created #0, …    Lines are held until the first number, or the end, has come: what
///                                 says the order must be known before the first line leaves.
///     …, delta #7, error          An error of ours is held until a line comes behind it: at the end
///                                 of the FILE it counts only if no other FILE goes on there.
final class JoinFile {
  let name: String
  let index: Int
  /// Whether a read never waits for another process.
  let isFile: Bool
  /// Whether marks in it are believed.
  let readsPipe: Bool
  /// Whether it had any bytes but white space.
  private(set) var hasBytes = false
  /// Whether all its bytes were read.
  private(set) var isAtEnd = false
  /// What the reader found wrong up to its next line. The owner removes them.
  var notices: [Notice] = []
  /// The key of its first line with a number.
  private(set) var firstNumbered: JoinKey?
  /// Whether it is known if its lines have numbers.
  private(set) var isSettled: Bool
  private(set) var hasLines = false
  /// Whether each of its lines ends a response and has no number.
  private(set) var hasOnlyEnds = true

  private let source: Descriptor
  private var input = InputBuffer()
  private var reader: EventReader
  /// The event that the reader found last; it uses the tables again.
  private var event = Event()
  private let isAlone: Bool
  private let limit: Int
  /// Whether the reader has no further line.
  private var isRead = false
  private var hasOwnEnds = false
  private var lines: ArraySlice<HeldEvent> = []
  private var heldBytes = 0
  /// An error of ours behind which nothing came yet.
  private var error: HeldEvent?

  /// One that `isAlone` needs no numbers: its lines leave as they come.
  init(
    _ source: consuming Descriptor, _ index: Int, _ reading: EventReader.Settings, isAlone: Bool
  ) {
    name = source.name
    self.index = index
    isFile = source.status?.isRegular ?? false
    readsPipe = source.leadsToProgram
    self.source = source
    reader = EventReader(reading)
    reader.trustsMarks = readsPipe
    self.isAlone = isAlone
    isSettled = isAlone
    limit = reading.limit
  }

  var descriptor: Int32 { source.number }

  /// Whether it can be read without a wait.
  var isReady: Bool { isFile || !source.isIdle(until: 0) }

  /// The error that it has no event.
  var absence: Notice {
    let contents = hasOwnEnds ? "oresp.end lines alone" : reader.contents
    return .withoutEvents(hasBytes ? contents : nil, words: reader.firstWords)
  }

  /// The number of bytes that were read and not handed on.
  var ahead: Int { input.count + heldBytes }

  // MARK: Its next line

  /// Its next line; `nil` at the end, and where more must be read first.
  var next: HeldEvent? { lines.first ?? (isRead ? error : nil) }

  /// Whether its last line comes next, an error of ours.
  var isAtError: Bool { isRead && lines.isEmpty && error != nil }

  /// Whether all its lines were handed on.
  var isDone: Bool { isRead && next == nil }

  /// Goes on to the next line; false when more must be read for that.
  func moveOn() -> Bool {
    if isAtError {
      error = nil
    } else if isSettled, let line = lines.popFirst() {
      heldBytes -= line.line.count
    }
    while !isRead, lines.isEmpty || !isSettled {
      guard readLine() else { return false }
    }
    return true
  }

  /// Adds a line behind the others, an error of ours once another comes behind it.
  private func add(_ line: HeldEvent) {
    if let error { append(error) }
    let isError = line.key.kind == .ownError
    error = isError ? line : nil
    if !isError { append(line) }
  }

  private func append(_ line: HeldEvent) {
    lines.append(line)
    heldBytes += line.line.count
    hasLines = true
    hasOnlyEnds = hasOnlyEnds && line.key.kind == .terminal && !line.key.hasNumber
    if firstNumbered == nil, line.key.hasNumber { firstNumbered = line.key }
    isSettled = isSettled || firstNumbered != nil || heldBytes > limit
  }

  // MARK: Reading

  /// Reads the next line but reports of ends; false when more must be read first.
  private func readLine() -> Bool {
    if !hasBytes {
      hasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
    }
    while true {
      let hasEvent = reader.next(&input, isEnd: isAtEnd, into: &event)
      guard hasEvent || isAtEnd else { return false }
      if !hasEvent { _ = reader.settleText(isOpen: false, into: &event) }
      let isHalf = takeNotices()
      guard hasEvent else {
        isRead = true
        isSettled = true
        return true
      }
      let bytes = event.lineRange == nil ? reader.made : input.bytes
      let line = bytes.span.extracting(event.lineRange ?? 0..<bytes.count)
      let isOwnEnd = event.isOwnEnd(line)
      hasOwnEnds = hasOwnEnds || isOwnEnd
      if isHalf || isOwnEnd { continue }
      add(HeldEvent(event, line))
      return true
    }
  }

  /// Takes what the reader found wrong. Returns whether the input ends inside the event, which is
  /// left out: no fault where another FILE may have it, since a hole shows where none has.
  private func takeNotices() -> Bool {
    guard !reader.notices.isEmpty else { return false }
    defer { reader.notices = [] }
    guard var half = reader.notices.first(where: { $0.cutEvent != nil }) else {
      notices += reader.notices
      return false
    }
    // {"type":"response.comp
    let what = "inside an event, which is dropped"
    half.message = "the input ends \(what)"
    half.cutEvent = ", \(what)"
    if !isAlone {
      half.kind = .warning
      half.status = nil
    }
    notices.append(half)
    return true
  }

  /// Reads more, waiting for it if need be.
  func read() throws(Failure) {
    do throws(Failure) {
      isAtEnd = try source.read(into: &input) == 0
    } catch {
      isAtEnd = true
      throw error
    }
  }
}
