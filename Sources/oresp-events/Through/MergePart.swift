import Core

/// One FILE of `--merge`, read up to the event that comes next.
final class MergePart {
  let name: String
  let index: Int
  private let source: Descriptor
  private var input = InputBuffer()
  private var reader: EventReader
  /// Whether a read never waits for whoever writes.
  let isFile: Bool
  /// Whether it had any bytes but white space.
  private(set) var hasBytes = false
  private(set) var isAtEnd = false
  /// Whether everything behind the last event was handed on.
  private(set) var isDone = false

  // The head: the event that comes next, or what was found wrong behind the last.
  private(set) var hasHead = false
  private(set) var hasEvent = false
  /// The event, if there is one. The reader uses its tables again.
  var event = Event()
  private(set) var clues = MergeClues()
  private(set) var notices: [Notice] = []
  /// Whether the head is what the end of the FILE cut off.
  private(set) var isCut = false
  /// The line of the event, once more was read behind it.
  private var kept: [UInt8]?

  // Where it stands in what comes out; `MergeOrder` decides that.
  /// The track of its last event that had a number, or behind which its next one comes, and the
  /// number.
  var track = 0
  var number: Int?
  /// The stream that this is of, by its tag, and where it stands in others.
  private(set) var lane: UInt64 = 0
  private var others: [UInt64: (track: Int, number: Int?)] = [:]
  /// How many events came out up to its last one.
  var place = 0
  /// How many events without a number it had before the first that has one or begins a response.
  var leading = 0
  var hasBegun = false
  /// Whether it was reported to be out of order.
  var isKnownDisordered = false
  /// The tags of the runs that its events are of, the last of them, and the track of that run, if
  /// `oresp.n` numbers its lines.
  var tags: Set<UInt64> = []
  var tag: UInt64?
  var run: Int?

  init(_ source: consuming Descriptor, _ index: Int, _ reading: EventReader.Settings) {
    name = source.name
    self.index = index
    isFile = source.status?.isRegular ?? false
    self.source = source
    reader = EventReader(reading)
  }

  var descriptor: Int32 { source.number }

  /// Where it stands in each stream: the track, and the last number.
  var places: [(Int, Int?)] { [(track, number)] + others.values.map { ($0.track, $0.number) } }

  /// Goes on with the stream of the tag `next`, which has numbers of its own.
  func turn(to next: UInt64) {
    others[lane] = (track, number)
    (track, number) = others.removeValue(forKey: next) ?? (0, nil)
    lane = next
  }

  /// The bytes in which the line of its event stands, and where: until it moves on or reads.
  var line: (bytes: [UInt8], place: Range<Int>) {
    if hasEvent, let place = event.place, kept == nil { return (input.bytes, place) }
    let made = kept ?? reader.made
    return (made, 0..<made.count)
  }

  /// How many bytes it has read and not handed on.
  var ahead: Int { input.count }

  /// Goes on to the next event; false when more must be read for that.
  func moveOn() -> Bool {
    (hasHead, hasEvent, kept, isCut) = (false, false, nil, false)
    guard !isDone else { return true }
    if !hasBytes {
      hasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
    }
    var passed: [UInt8] = []
    hasEvent = reader.next(
      &input, isEnd: isAtEnd, .handlingAll, into: &event, passingTo: &passed)
    guard hasEvent || isAtEnd else { return false }
    isDone = !hasEvent
    notices = reader.notices
    if !notices.isEmpty { reader.notices = [] }
    hasHead = !isDone || !notices.isEmpty
    isCut = isAtEnd && notices.contains { $0.status == .badInput }
    if hasEvent {
      let (bytes, place) = line
      clues = MergeClues(event, bytes.span.extracting(place))
    } else {
      clues = MergeClues()
    }
    return true
  }

  /// Whether it can be read without a wait.
  var isReady: Bool { isFile || !source.isIdle(until: 0) }

  /// Reads what is there, waiting for it if need be.
  func read() throws(Failure) {
    if kept == nil, hasEvent, let place = event.place { kept = [UInt8](input.bytes[place]) }
    do throws(Failure) {
      isAtEnd = try source.read(into: &input) == 0
    } catch {
      isAtEnd = true
      throw error
    }
  }
}
