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
  private var reader: EventReader
  /// Whether it had any bytes but white space.
  private(set) var hasBytes = false
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
    reader = EventReader(reading)
  }

  /// Goes on to the next event; false when more must be read for that.
  func moveOn() -> Bool {
    head = nil
    guard !isDone else { return true }
    if !hasBytes {
      hasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
    }
    var passed: [UInt8] = []
    let event = reader.next(&input, isEnd: isAtEnd, .takingAll, passingTo: &passed)
    guard event != nil || isAtEnd else { return false }
    isDone = event == nil
    let notices = reader.notices
    reader.notices = []
    guard !isDone || !notices.isEmpty else { return true }
    let isFaulty = notices.contains { $0.status == .badInput }
    var head = Head(event: event, notices: notices, isCut: isAtEnd && isFaulty)
    if let event {
      let line = event.place.map { [UInt8](input.bytes[$0]) } ?? reader.made
      (head.line, head.clues) = (line, EventClues(event, line.span))
    }
    self.head = head
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
