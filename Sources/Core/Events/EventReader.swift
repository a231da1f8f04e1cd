/// Reads events, one line of JSON each, out of an event stream, NDJSON or whole JSON documents; the
/// first bytes show which.
///
/// Each event comes out as the bytes that the server sent, without line breaks between tokens. An
/// event without a `type` gains the name of its block as one. A whole Response object becomes the
/// event of its status, and an error body an `error` event.
///
/// `data: {"type":"a","delta":"b"}` LF LF is a usual block: one walk checks its JSON where it
/// stands and notes where `type` and `delta` are. A block of another form (several lines of data,
/// CR, comments) goes through `EventStreamDecoder` first, and then its data is walked.
package struct EventReader: ~Copyable {
  /// What becomes of answers of Chat Completions.
  package enum Chat: Sendable {
    /// They become events of the Responses API.
    case translated
    /// They come out as they are.
    case kept
    /// They become events, and an object that is neither an answer nor an event is an error.
    case only
  }

  /// The choices of a reader's owner.
  package struct Settings: Sendable {
    /// Whether events come with the names of their blocks.
    package var keepsNames = false
    /// Whether the mark `[DONE]` comes out as an `oresp.done` event.
    package var keepsMarks = false
    /// Whether input that is known not to be events gives no error.
    package var acceptsAnything = false
    /// Whether objects without a type are left as they are, unless they came behind the beginning
    /// of an answer.
    package var isGeneric = false
    /// Whether heartbeats are reported.
    package var reportsHeartbeats = true
    package var chat = Chat.translated
    /// Whether a whole Response is a response of its own. Otherwise one of the id of an open response
    /// goes on with that: it was asked for when a stream broke off.
    package var documentsStandAlone = true
    /// The longest event, in bytes; 0 is no limit.
    package var limit = 256 << 20
    /// The number of responses to read to their end; `nil` for all that come.
    package var responses: Int?

    package init() {}
  }

  enum Format {
    case eventStream, json
    /// Input that holds no events, and is skipped.
    case foreign
  }

  /// A payload that stood in another one, and the place where the other one starts.
  struct Part {
    let payload: [UInt8]
    let place: Notice.Place
    /// Whether the payload is an event's line.
    var isLine = false
  }

  /// The white space in front of the input, of which no line is kept.
  struct Lead {
    /// The number of its lines that have ended.
    var lines = 0
    var endsInCR = false
    /// The number of unused bytes, from the first one on, that are known to be white space.
    var searched = 0
  }

  /// Notices on the input so far; the reader's owner removes them.
  package var notices: [Notice] = []
  /// The events that `next` did not hand on since the owner last reset this.
  var skimmed = SkimmedEvents()
  /// Whether a missing beginning of its first response is still to be reported.
  var awaitsBeginning = false
  /// The line of the event, if the reader made it (`Event.lineRange` is `nil` then).
  package internal(set) var made: [UInt8] = []

  /// The end of the last block, in bytes from the start of the input; `nil` when the input is no
  /// event stream, or not known to be one yet.
  package var blockEnd: Int? { isStream ? stream.blockEnd : nil }

  /// Whether the input is surely an event stream: a block of it was read.
  package var isSurelyStream: Bool { isStream && hasSeenBlock }

  /// What an input without an object is, in words.
  var contents: String {
    switch format {
    case .json: "JSON without objects"
    case .eventStream where reported.contains("field") && !hasSeenBlock: "plain text"
    case .eventStream: "an event stream without events"
    case .foreign, nil: "of another kind"
    }
  }

  let settings: Settings
  let types = EventTypes.all
  var format: Format?
  var stream: EventStreamDecoder
  var texts: JSONTextDecoder
  /// The walk of the data of a block that may be a usual one.
  private var scan = JSONScan()
  /// The start of that data, in bytes from the first unused one; 0 when no walk has begun.
  private var dataStart = 0
  /// The range of the last event's line, from the start of the input, if the next line may be like
  /// it.
  private var model: Range<Int>?
  /// Payloads that stood in the last one, and are read next, from the back of the array.
  var parts: [Part] = []
  var lead = Lead()
  var isFlushed = false
  /// Whether the input began as an event stream.
  var isStream = false
  /// Messages that were reported: each is reported once.
  var reported: Set<String> = []
  /// Whether a block of the event stream gave an event or a comment.
  var hasSeenBlock = false
  /// Whether an event was of a known family.
  var hasKnownTypes = false
  /// Whether an answer has begun: text behind it is the error that ends it.
  var hasBegun = false
  /// The number of types before the answer has begun, as far as they are looked at.
  var earlyTypes = 0
  /// The error for an input whose first object with a type shows that it has no events; else `nil`.
  var foreign: String?
  /// The same, for tools that need the meaning of events, by one of the first types.
  var otherProtocol: String?
  /// The translator of answers of Chat Completions.
  var chat = ChatTranslator()
  /// Whether an object of Chat Completions came, and the place of the last one.
  var hasChat = false
  var chatPlace = Notice.Place(line: 1, byte: 0)

  /// Gives answers without ids others than `former`, the reader of the input before, did.
  package init(_ settings: Settings, behind former: ChatTranslator = ChatTranslator()) {
    self.settings = settings
    chat = former
    stream = EventStreamDecoder(limit: settings.limit, splitsObjects: true)
    texts = JSONTextDecoder(limit: settings.limit)
  }

  /// Puts the next event that `triage` hands on into `event`; false when more must be read first
  /// or, at the end of the input, after the last. Appends the lines of events that pass to
  /// `output`. Hands on every event without a type, or with a line that the reader made.
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, _ triage: borrowing EventTriage,
    into event: inout Event, passingTo output: inout [UInt8]
  ) -> Bool {
    while read(&input, isEnd: isEnd, into: &event) {
      event.inputEnd =
        format == .eventStream ? stream.eventEnd(input) : input.offset(of: input.start)
      if awaitsBeginning, let type = event.type { noteFirst(type) }
      guard let place = event.lineRange, event.typeName != nil else { return true }
      let course = triage.course(of: event.type)
      if course == .handle { return true }
      skim(place, of: input, course, passingTo: &output)
    }
    // The memory of a line as large as a document is freed.
    made = []
    return false
  }

  /// Reports that the first event of a response in an event stream does not begin it: it is the
  /// rest of a stream that broke off. Lines of JSON may be events that were selected.
  private mutating func noteFirst(_ type: EventType) {
    guard type.isOfResponse || type.isJudged else { return }
    awaitsBeginning = false
    guard type.isOfResponse, format == .eventStream else { return }
    let why =
      "the beginning of the response is missing; oresp-events --merge part.sse - puts the part "
      + "that came before in front"
    notices.append(Notice(.warning, why))
  }

  /// Passes, counts or drops the line at `place`, as `course` says.
  @inline(__always)
  mutating func skim(
    _ place: Range<Int>, of input: borrowing InputBuffer, _ course: EventCourse,
    passingTo output: inout [UInt8]
  ) {
    if course == .pass {
      output.append(copying: input.bytes.span.extracting(place))
      output.append(ASCII.lf)
    }
    if course == .drop { skimmed.dropped += 1 } else { skimmed.passed += 1 }
    skimmed.last = place
  }

  /// Puts the next event into `event`, which holds the one before; false when there is none yet.
  @inline(__always)
  private mutating func read(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    let model = self.model
    self.model = nil
    let goesOn = model.map { readContinuation(of: $0, &input, into: &event) } ?? false
    guard goesOn || readAnew(&input, isEnd: isEnd, into: &event) else { return false }
    if let place = event.lineRange, hasKnownTypes, event.isModel {
      if !goesOn { event.noteContents(in: input.bytes.span.extracting(place)) }
      self.model = input.offset(of: place.lowerBound)..<input.offset(of: place.upperBound)
    }
    return true
  }

  /// Puts the next event, like the one before or not, into `event`; false when there is none yet.
  private mutating func readAnew(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while true {
      if let part = parts.popLast() {
        event.begin(at: part.place)
        event.isPart = true
        if part.isLine {
          made = part.payload
          settleMade(&event)
          return true
        }
        if settle(&event, made: part.payload) { return true }
        continue
      }
      let former = format
      var isFound = false
      switch format ?? detect(&input, isEnd: isEnd) {
      case .eventStream: isFound = readBlock(&input, isEnd: isEnd, into: &event)
      case .json: isFound = readText(&input, isEnd: isEnd, into: &event)
      case .foreign: input.start = input.end
      case nil: break
      }
      if isFound { return true }
      guard parts.isEmpty, format == former else { continue }
      guard isEnd, hasChat else { return false }
      endChat()
    }
  }

  private mutating func readBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let range = usualData(&input, isEnd: isEnd, &event.members) {
      if range.isEmpty { return false }
      stream.passBlock(range, of: &input)
      hasSeenBlock = true
      event.begin(at: stream.blockPlace)
      event.lineRange = range
      let payload = input.bytes.span.extracting(range)
      if settle(&event, payload, isUTF8: scan.isUTF8, hasLineEnds: false) { return true }
      if !parts.isEmpty { return false }
    }
    return readAnyBlock(&input, isEnd: isEnd, into: &event)
  }

  /// The data of the usual block at the first unused byte, its members in `members`; empty when
  /// more must be read first, `nil` when the block is no usual one.
  private mutating func usualData(
    _ input: inout InputBuffer, isEnd: Bool, _ members: inout Members
  ) -> Range<Int>? {
    guard stream.isBetweenBlocks, !settings.keepsNames else { return nil }
    let bytes = input.bytes.span.extracting(0..<input.end)
    if dataStart == 0 {
      guard let start = EventStreamDecoder.usualData(bytes, at: input.start) else { return nil }
      dataStart = start - input.start
      scan.restart()
      members.removeAll()
    }
    let start = input.start + dataStart
    let outcome = scan.scan(bytes.extracting(start...), noting: &members)
    let end = start + scan.position
    if !scan.hasLineEnds, settings.limit == 0 || scan.position <= settings.limit {
      switch outcome {
      case .more where !isEnd: return start..<start
      case .end where bytes.starts(with: "\n\n", at: end):
        dataStart = 0
        // Data without a type may get one from the name of its block.
        let type = members.value(of: "type", in: bytes.extracting(start..<end))
        return type.map { bytes[start + $0.lowerBound] } == ASCII.quote ? start..<end : nil
      case .end
      where !isEnd && bytes.count - end < 2 && (end == bytes.count || bytes[end] == ASCII.lf):
        return start..<start
      default: break
      }
    }
    dataStart = 0
    return nil
  }
}
