import Core

/// What `MergeOrder` orders: an event of a FILE, or what is wrong behind the last one.
struct MergeHead {
  var clues = MergeClues()
  var hasEvent = false
  /// What the reader found wrong before the event.
  var notices: [Notice] = []
  /// Whether the end of the FILE cut it off.
  var isCut = false
}

/// One FILE of `--merge`, read up to the event that comes next.
final class MergePart {
  let name: String
  let index: Int
  private let source: Descriptor
  private var input = InputBuffer()
  private var reader: EventReader
  /// Whether a read never waits for another process.
  let isFile: Bool
  /// Whether it had any bytes but white space.
  private(set) var hasBytes = false
  private(set) var isAtEnd = false
  /// Whether everything up to its end was handed on.
  private var isDone = false

  /// Whether anything comes next; false at the end, and where more must be read first.
  private(set) var hasHead = false
  /// What comes next. It keeps the clues of the last event until the next event is read.
  private(set) var head = MergeHead()
  /// How many events it had.
  private(set) var count = 0
  /// The event, if there is one. The reader uses its tables again.
  var event = Event()
  /// The line of the event, once more was read behind it.
  private var kept: [UInt8]?

  // Its position in the output, which `MergeOrder` sets.
  /// The track of its last event with a number, or behind which its next one comes, and the number.
  var track = 0
  var number: Int?
  /// The tag of that track's stream, and its positions in the streams of other tags.
  private(set) var tag: UInt64 = 0
  private var others: [UInt64: (track: Int, number: Int?)] = [:]
  /// How many events were printed up to its last one.
  var printed = 0
  /// How many events without a number it had before the first that has one or begins a response.
  var leading = 0
  var hasBegun = false
  /// Whether it was reported to be out of order.
  var isKnownDisordered = false
  /// The tags of the runs of its events, the last of them, and the track of that run, if `oresp.n`
  /// numbers its lines.
  var runs: Set<UInt64> = []
  var run: UInt64?
  var runTrack: Int?

  init(_ source: consuming Descriptor, _ index: Int, _ reading: EventReader.Settings) {
    name = source.name
    self.index = index
    isFile = source.status?.isRegular ?? false
    self.source = source
    reader = EventReader(reading)
  }

  var descriptor: Int32 { source.number }

  /// The clues of the event at which it stands; none where it stands at no event.
  var clues: MergeClues { hasEvent ? head.clues : MergeClues() }

  var hasEvent: Bool { head.hasEvent }

  var isCut: Bool { head.isCut }

  /// Its positions in all streams: the track, and the last number.
  var positions: [(track: Int, number: Int?)] { [(track, number)] + others.values }

  /// Goes on with the stream of the tag `next`, which has numbers of its own.
  func turn(to next: UInt64) {
    others[tag] = (track, number)
    (track, number) = others.removeValue(forKey: next) ?? (0, nil)
    tag = next
  }

  /// The bytes that hold the line of its event, and their range there: until it moves on or reads.
  var line: (bytes: [UInt8], range: Range<Int>) {
    if hasEvent, let range = event.place, kept == nil { return (input.bytes, range) }
    let made = kept ?? reader.made
    return (made, 0..<made.count)
  }

  /// How many bytes it has read and not handed on.
  var ahead: Int { input.count }

  /// Goes on to the next event; false when more must be read for that.
  func moveOn() -> Bool {
    (hasHead, kept) = (false, nil)
    (head.hasEvent, head.isCut) = (false, false)
    guard !isDone else { return true }
    if !hasBytes {
      hasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
    }
    var passed: [UInt8] = []
    let hasEvent = reader.next(
      &input, isEnd: isAtEnd, .handlingAll, into: &event, passingTo: &passed)
    guard hasEvent || isAtEnd else { return false }
    isDone = !hasEvent
    guard hasEvent || !reader.notices.isEmpty else { return true }
    hasHead = true
    head.hasEvent = hasEvent
    if !head.notices.isEmpty || !reader.notices.isEmpty {
      (head.notices, reader.notices) = (reader.notices, [])
      head.isCut = isAtEnd && head.notices.contains { $0.status == .badInput }
    }
    guard hasEvent else {
      head.clues = MergeClues()
      return true
    }
    count += 1
    let (bytes, range) = line
    let line = bytes.span.extracting(range)
    if event.isContinuation {
      head.clues.goOn(with: event, line)
    } else {
      head.clues = MergeClues(event, line)
    }
    return true
  }

  /// Whether it can be read without a wait.
  var isReady: Bool { isFile || !source.isIdle(until: 0) }

  /// Reads more, waiting for it if need be.
  func read() throws(Failure) {
    if kept == nil, hasEvent, let range = event.place { kept = [UInt8](input.bytes[range]) }
    do throws(Failure) {
      isAtEnd = try source.read(into: &input) == 0
    } catch {
      isAtEnd = true
      throw error
    }
  }
}
