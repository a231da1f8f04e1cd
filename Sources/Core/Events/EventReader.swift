/// Reads events, one line of JSON each, out of whatever carries them: an event stream, NDJSON, or
/// whole JSON documents; which of them is found out from the first bytes.
///
/// Each event comes out as the bytes that the server sent, but for line breaks between tokens. What
/// has no `type` gains one: the name of its block, or, for a whole Response object or an error body,
/// that of the event it amounts to.
///
/// An event is framed first: a block of one `data` line, or a line of NDJSON. The frame is checked,
/// and then the event's type says what becomes of it. Most events begin as the one before; those
/// take a short way (`nextUsual`), which finds the end of the frame and checks it in one search. It
/// is the same by design: what that search takes has no line end in it, so that the LF behind it
/// ends the line on which it stands. Deltas that differ in little more than their text come out as
/// one event, a run of them (`nextRun`), to those who ask for that.
package struct EventReader: ~Copyable {
  /// How a reader reads.
  package struct Settings: Sendable {
    /// Whether every event is checked to be JSON and UTF-8. Otherwise one whose last brace closes
    /// its first is judged by that, and checked by whoever reads further into it.
    package var validates = false
    /// Whether comments come out as `oresp.comment` events.
    package var keepsComments = false
    /// Whether events come with the names of their blocks.
    package var keepsNames = false
    /// Whether the mark `[DONE]` comes out as an `oresp.done` event.
    package var keepsMarks = false
    /// Whether what is known to be something else is not told of.
    package var takesAnything = false
    /// The longest event, in bytes; 0 is no limit.
    package var limit = 256 << 20
    /// How many responses are read to their end; `nil` for all that come.
    package var responses: Int?

    package init() {}
  }

  enum Format {
    case eventStream, json
    /// What is not ours; it is passed over.
    case foreign
  }

  /// A payload that stood in another, and where that starts.
  struct Part {
    let payload: [UInt8]
    let place: Notice.Place
  }

  /// An event that takes the short way.
  private struct Usual {
    /// Where its line stands.
    var place: Range<Int>
    var name: Range<Int>
    var type: EventType?
  }

  /// What the reader found wrong or noteworthy; whoever drives it takes them away.
  package var notices: [Notice] = []
  /// The events that `next` did not hand on since they were taken away.
  var skimmed = SkimmedEvents()
  /// The line of the event, when the reader had to make it (`Event.place` is `nil`).
  package internal(set) var made: [UInt8] = []

  /// Where the last block ended, in bytes from the start of the input; `nil` when the input is no
  /// event stream, or not known to be one yet.
  package var blockEnd: Int? { isStream ? stream.blockEnd : nil }

  /// Whether the input is an event stream for certain: a block of it was read.
  package var isSurelyStream: Bool { isStream && hasSeenBlock }

  let settings: Settings
  var format: Format? {
    // In another form no event begins as the one before.
    didSet { head = EventHead() }
  }
  private var head = EventHead()
  /// The type of the last event that could have been a delta of a run.
  private var lastType: EventType?
  /// What the last delta looked like.
  var template: DeltaTemplate?
  var stream: EventStreamDecoder
  var texts: JSONTextDecoder
  /// The payloads that stood in the last, which come next; the first stands last.
  var parts: [Part] = []
  var isFlushed = false
  /// Whether the input began as an event stream.
  var isStream = false
  /// What was told, which is told once.
  var told: Set<String> = []
  /// Whether a block of the event stream gave an event or a comment.
  var hasSeenBlock = false
  /// Whether an event had a type, and whether one was of a family that is known.
  var (hasTypes, hasKnownTypes) = (false, false)
  /// What the input has in place of events, if its first object with a type tells that.
  var foreign: String?

  package init(_ settings: Settings) {
    self.settings = settings
    stream = EventStreamDecoder(limit: settings.limit, splitsObjects: true)
    texts = Self.texts(settings)
  }

  static func texts(_ settings: Settings, line: Int = 1) -> JSONTextDecoder {
    JSONTextDecoder(
      trustsLines: !settings.validates, opensArrays: true, limit: settings.limit, line: line)
  }

  /// The next event that `triage` does not send elsewhere; `nil` when more must be read first or, at
  /// the end of the input, after the last. The lines of events that pass are appended to `output`.
  /// An event without a type, or whose line had to be made, is handed on in any case. With `gathers`
  /// deltas may come in runs.
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, _ triage: borrowing EventTriage,
    gathers: Bool = false, passingTo output: inout [UInt8]
  ) -> Event? {
    while true {
      if gathers, let run = nextRun(&input) { return run }
      if let event = nextUsual(&input, triage, passingTo: &output) { return event }
      guard var event = nextOther(&input, isEnd: isEnd) else { return nil }
      event.inputEnd =
        format == .eventStream ? stream.eventEnd(input) : input.offset(of: input.start)
      guard let place = event.place, event.typeName != nil else { return event }
      switch triage.course(of: event.type) {
      case .take: return event
      case .pass:
        output.append(copying: input.bytes.span.extracting(place))
        output.append(ASCII.lf)
        skimmed.passed += 1
      case .drop: skimmed.dropped += 1
      }
      skimmed.last = place
    }
  }

  /// The next event that is to be taken, as long as events begin as the one before did, or at least
  /// as servers write them, ended by LF.
  @inline(__always)
  private mutating func nextUsual(
    _ input: inout InputBuffer, _ triage: borrowing EventTriage, passingTo output: inout [UInt8]
  ) -> Event? {
    guard let format, takesShortWay else { return nil }
    let checksUTF8 = format == .eventStream && !settings.validates
    // Lines that touch go out together.
    var run = 0..<0
    while let start = format == .json ? texts.nextLine(&input) : input.start,
      let found = usual(input.bytes.span.extracting(0..<input.end), at: start)
    {
      let place = found.place
      let course = triage.course(of: found.type)
      if checksUTF8, !UTF8Repair.isValid(input.bytes.span.extracting(place)) {
        break
      }
      if format == .json {
        texts.takeLine(place, of: &input)
      } else {
        stream.takeBlock(place, of: &input)
        hasSeenBlock = true
      }
      switch course {
      case .take:
        output.append(copying: input.bytes.span.extracting(run))
        if triage.gathersDeltas { learn(found, from: start, of: input) }
        return event(found, endingAt: input.offset(of: input.start))
      case .pass:
        if place.lowerBound != run.upperBound {
          output.append(copying: input.bytes.span.extracting(run))
          run = place.lowerBound..<place.lowerBound
        }
        run = run.lowerBound..<place.upperBound + 1
        skimmed.passed += 1
      case .drop: skimmed.dropped += 1
      }
      skimmed.last = place
    }
    output.append(copying: input.bytes.span.extracting(run))
    return nil
  }

  /// Whether the next event may take a short way: once a type was known.
  var takesShortWay: Bool {
    guard hasKnownTypes else { return false }
    return format == .json
      || format == .eventStream && stream.isBetweenBlocks && !settings.keepsNames
  }

  /// Makes the template of a delta if the one before it was of its type.
  private mutating func learn(
    _ found: Usual, from start: Int, of input: borrowing InputBuffer
  ) {
    defer { lastType = found.type }
    guard let type = found.type, type == lastType, type.comesInRuns else { return }
    let frame = start..<input.start + (format == .json ? 1 : 0)
    template = DeltaTemplate(
      input.bytes.span.extracting(frame),
      line: found.place.lowerBound - frame.lowerBound..<found.place.upperBound - frame.lowerBound,
      type, named: found.name)
  }

  /// The event whose block or line starts at `start`, if it is a usual one.
  @inline(__always)
  private mutating func usual(_ bytes: Span<UInt8>, at start: Int) -> Usual? {
    let isBlock = format == .eventStream
    var object = start + head.object
    if !head.begins(bytes, at: start) {
      guard let data = isBlock ? EventStreamDecoder.usualData(bytes, at: start) : start else {
        return nil
      }
      object = data
      head.learn(bytes, at: start, object: object)
    }
    guard let end = endOfObject(bytes, at: object, known: start + head.count),
      end < bytes.count, bytes[end] == ASCII.lf,
      !isBlock || end + 1 < bytes.count && bytes[end + 1] == ASCII.lf,
      settings.limit == 0 || end - object <= settings.limit
    else { return nil }
    if head.count > 0 { return Usual(place: object..<end, name: head.name, type: head.type) }
    let (name, type) = Event.type(of: bytes, at: object..<end)
    guard let name,
      type != nil || !Self.isSpecial(bytes.extracting(object..<end).extracting(name))
    else { return nil }
    return Usual(place: object..<end, name: name, type: type)
  }

  /// Where the object at `start` ends, no line end being in it. If it has a head, that ends at
  /// `known`.
  @inline(__always)
  private func endOfObject(_ bytes: Span<UInt8>, at start: Int, known: Int) -> Int? {
    guard start < bytes.count, bytes[start] == ASCII.openBrace else { return nil }
    if !settings.validates { return CompactJSON.endByBraces(bytes, from: max(start + 1, known)) }
    return head.count > 0
      ? CompactJSON.end(of: bytes, afterMember: known)
      : CompactJSON.end(of: bytes, at: start)
  }

  private func event(_ found: Usual, endingAt end: Int) -> Event {
    var event = Event(at: format == .eventStream ? stream.blockPlace : texts.place)
    (event.place, event.typeName, event.type) = (found.place, found.name, found.type)
    event.inputEnd = end
    return event
  }
}
