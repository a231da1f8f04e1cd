import Core

/// One FILE of `--merge`, read up to the event that comes next.
final class MergePart {
  /// An event that was read, or what was found wrong behind the last.
  struct Head {
    var event: Event?
    var line: [UInt8] = []
    var clues = EventClues()
    /// What the reader told of it.
    var notices: [Notice]
    /// Whether it is what the end of the FILE cut off.
    var isCut: Bool
  }

  let name: String
  private(set) var head: Head?
  private let source: Descriptor
  private var input = InputBuffer()
  private var feed: EventFeed
  /// What was found wrong on the way to the next event.
  private var found = Output()
  private var isAtEnd = false
  /// Whether everything behind the last event was told.
  private var isDone = false

  // Where it stands in what comes out; `MergeOrder` has the say.
  /// The response of its last event that had a number, or that its next one comes after, and that
  /// number.
  var response = 0
  var number: Int?
  /// Which event that came out its last one was.
  var place = 0
  /// How many events without a number it had before the first that has one or begins a response.
  var leading = 0
  var hasBegun = false
  /// Whether it was told that it is out of order.
  var isToldOf = false

  init(_ source: consuming Descriptor, _ reading: EventReader.Settings) {
    name = source.name
    self.source = source
    var reading = reading
    // A line that was cut off may still look whole from outside.
    reading.validates = true
    feed = EventFeed(reading, sorting: .takingAll)
  }

  /// Whether it had any bytes but white space.
  var hasBytes: Bool { feed.hasBytes }

  /// Goes on to the next event; false when more must be read for that.
  func moveOn() -> Bool {
    head = nil
    guard !isDone else { return true }
    feed.each(in: &input, isEnd: isAtEnd, into: &found) { event, line, found in
      guard head == nil else { return .waits }
      head = Head(
        event: event, line: [UInt8](copying: line), clues: EventClues(event, line),
        notices: found.notices, isCut: isAtEnd && found.isFaulty)
      found.notices = []
      return .ignored
    }
    guard head == nil, isAtEnd else { return head != nil }
    isDone = true
    if !found.notices.isEmpty { head = Head(notices: found.notices, isCut: found.isFaulty) }
    return true
  }

  /// Whether nothing can be read until `time`.
  func isIdle(until time: Int) -> Bool { source.isIdle(until: time) }

  func read() throws(Failure) {
    do throws(Failure) {
      isAtEnd = try source.read(into: &input) == 0
    } catch {
      isAtEnd = true
      throw error
    }
  }
}

extension Output {
  fileprivate var isFaulty: Bool { notices.contains { $0.status == .badInput } }
}
