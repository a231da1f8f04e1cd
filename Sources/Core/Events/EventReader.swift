/// Reads events, one line of JSON each, out of an input of one form, which its first bytes show: an
/// event stream, or JSON values with white space between them.
///
///     data: {"type":"a","delta":"b"}    a usual block: one walk checks its JSON where it stands,
///                                       and notes where `type` and `delta` are
///     data: {"type":"a",                a block of another form goes through `EventStreamDecoder`
///     data: "delta":"b"}                first; then its data is walked
///     {"error":{"message":"m"}}         a line that is an object is an event, too
///
/// Each event comes out as the bytes that the server sent, without line breaks between tokens. An
/// event without a `type` gains the name of its block as one. A whole Response object becomes the
/// event of its status, and an error body an `error` event.
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
    /// Whether data in place of events, such as a heartbeat or text, is reported, and what is left
    /// out or guessed of Chat Completions.
    package var reportsStrayData = true
    /// Whether the owner reports what is no JSON: the event that holds it says so.
    package var reportsErrors = true
    package var chat = Chat.translated
    /// Whether an answer of Chat Completions that the end of the input cuts stays open: the owner ends
    /// it by an error of its own.
    package var leavesCutChat = false
    /// Whether a whole Response is a response of its own. Otherwise one of the id of an open response
    /// goes on with that: it was asked for when a stream broke off.
    package var documentsStandAlone = true
    /// The longest event, in bytes; 0 is no limit.
    package var limit = 256 << 20
    /// The number of responses to read to their end; `nil` for all that come.
    package var responses: Int?

    package init() {}
  }

  /// The form of the input.
  enum Form {
    /// An event stream. A line of it that is an object is an event, too.
    case blocks
    /// JSON values with white space between them.
    case values
    /// Input that holds no events, and is skipped.
    case foreign
  }

  /// A payload that stood in another one, and the place where the other one starts.
  private struct Part {
    let payload: [UInt8]
    let place: Notice.Place
    /// Whether the payload is an event's line.
    var isLine = false
  }

  /// The white space in front of the input, of which no line is kept.
  private struct Lead {
    /// The number of its lines that have ended.
    var lines = 0
    var endsInCR = false
    /// The number of unused bytes, from the first one on, that are known to be white space.
    var searched = 0
  }

  /// Notices on the input so far; the reader's owner removes them.
  package var notices: [Notice] {
    get { reports.untaken }
    set { reports.untaken = newValue }
  }
  /// The events that `next` did not hand on since the owner last reset this.
  var skimmed = SkimmedEvents()
  /// Whether a missing beginning of its first response is still to be reported.
  var awaitsBeginning = false
  /// The line of the event, if the reader made it (`Event.lineRange` is `nil` then).
  package internal(set) var made: [UInt8] = []

  /// The end of the last block, in bytes from the start of the input; `nil` when the input is no
  /// event stream, or not known to be one yet.
  package var blockEnd: Int? { form == .blocks ? stream.blockEnd : nil }

  /// Whether the input is surely an event stream: a block of it was read.
  package var isSurelyStream: Bool { form == .blocks && hasSeenBlock }

  /// What an input without an object is.
  package var contents: String {
    switch form {
    case .values: "JSON without objects"
    case .blocks where unknownField?.isBinary == true: "binary data"
    case .blocks where unknownField != nil: "plain text"
    case .blocks: "an event stream without events"
    case .foreign, nil: "of another kind"
    }
  }

  /// How an input that is plain text begins, quoted; `nil` for another.
  package var firstWords: String? {
    unknownField.flatMap { $0.isBinary ? nil : $0.shown }
  }

  private let settings: Settings
  private let types = EventTypes.all
  private(set) var form: Form?
  private var stream: EventStreamDecoder
  private var values = ValueDecoder()
  /// The walk of the data of a block that may be a usual one.
  private var scan = JSONScan(limitsDepth: true)
  /// The start of that data, in bytes from the first unused one; 0 when no walk has begun.
  private var dataStart = 0
  /// Payloads that stood in the last one, and are read next, from the back of the array.
  private var parts: [Part] = []
  private var lead = Lead()
  private var isFlushed = false
  /// Whether a value came, and whether the last one was a whole answer.
  private var (hasValue, isBehindAnswer) = (false, false)
  private var reports = InputNotices()
  /// Whether a block of the event stream gave an event or a comment.
  private var hasSeenBlock = false
  /// Whether a line that is no field of an event stream came; the first one, until a block shows
  /// that the input is such a stream.
  private var hasUnknownField = false
  private var unknownField: (shown: String, isBinary: Bool, place: Notice.Place)?
  /// Whether an event was of a known family.
  private(set) var hasKnownTypes = false
  /// Whether an answer has begun: text behind it is the error that ends it.
  private var hasBegun = false
  /// The number of types before the answer has begun, as far as they are looked at.
  private var earlyTypes = 0
  /// The error for an input whose first object with a type shows that it has no events; else `nil`.
  private(set) var foreign: String?
  /// The same, for tools that need the meaning of events, by one of the first types.
  private(set) var otherProtocol: String?
  private var answers: ChatReader
  private var strayText: StrayText
  /// The translator of answers of Chat Completions.
  package var chat: ChatTranslator { answers.translator }

  /// Gives answers without ids others than `former`, the reader of the input before, did.
  package init(_ settings: Settings, behind former: ChatTranslator = ChatTranslator()) {
    self.settings = settings
    answers = ChatReader(behind: former, reports: settings.reportsStrayData)
    strayText = StrayText(isReported: settings.reportsStrayData)
    stream = EventStreamDecoder(limit: settings.limit, splitsObjects: true)
  }

  /// Ends the answers of Chat Completions that are open, of which no more comes, by `error` if that
  /// is why. `next` then has their last events.
  mutating func endChat(by error: APIError?) {
    if let error { answers.fail(error) }
    answers.endInput(&reports)
  }

  /// Puts the next event that `triage` hands on into `event`; false when more must be read first
  /// or, at the end of the input, after the last. Appends the lines of events that pass to
  /// `output`. Hands on every event without a type, or with a line that the reader made.
  @inline(__always)
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, _ triage: borrowing EventTriage,
    into event: inout Event, passingTo output: inout [UInt8]
  ) -> Bool {
    // A stream that comes an event at a time is asked for the next one in vain, for each.
    if input.count > 0 || isEnd || hasReady,
      sort(&input, isEnd: isEnd, triage, into: &event, passingTo: &output)
    {
      return true
    }
    // The memory of a line as large as a document is freed.
    if !made.isEmpty { made = [] }
    return false
  }

  /// Does that where there may be an event.
  private mutating func sort(
    _ input: inout InputBuffer, isEnd: Bool, _ triage: borrowing EventTriage,
    into event: inout Event, passingTo output: inout [UInt8]
  ) -> Bool {
    while read(&input, isEnd: isEnd, into: &event) {
      event.isBlock = form == .blocks
      event.inputEnd =
        event.isBlock ? stream.eventEnd(input) : input.offset(of: input.start)
      if awaitsBeginning, let type = event.type { noteFirst(event, type, of: input) }
      if !strayText.isEmpty { strayText.noteNext(event, &reports) }
      guard let place = event.lineRange, event.typeName != nil else { return true }
      let course = triage.course(of: event.type)
      if course == .handle { return true }
      skim(place, of: input, course, passingTo: &output)
    }
    return false
  }

  /// Reports that the first event of a response in an event stream does not begin it: it is the
  /// rest of a stream that broke off, and can be joined if it has numbers. Lines of JSON may be
  /// events that were selected.
  private mutating func noteFirst(
    _ event: borrowing Event, _ type: EventType, of input: borrowing InputBuffer
  ) {
    guard type.isOfResponse || type.isJudged else { return }
    awaitsBeginning = false
    guard type.isOfResponse, form == .blocks else { return }
    let number =
      if let place = event.lineRange {
        event.sequenceNumber(in: input.bytes.span.extracting(place))
      } else {
        event.sequenceNumber(in: made.span)
      }
    let advice =
      "; oresp-events --merge part.sse - puts the part that came before in front"
    let why = "the beginning of the response is missing" + (number == nil ? "" : advice)
    notices.append(Notice(.warning, why))
  }

  /// Passes, counts or drops the line at `place`, as `course` says.
  @inline(__always)
  private mutating func skim(
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

  /// Whether events are at hand that were made, or stood in the last payload.
  private var hasReady: Bool { answers.hasEvent || !parts.isEmpty }

  /// Puts the next event into `event`; false when there is none yet.
  @inline(__always)
  private mutating func read(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while true {
      if answers.hasEvent, let next = answers.next() {
        event.begin(at: next.place)
        event.isPart = true
        made = next.line
        settleMade(&event)
        return true
      }
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
      let former = form
      var isFound = false
      switch form ?? detect(&input, isEnd: isEnd) {
      case .blocks: isFound = readBlock(&input, isEnd: isEnd, into: &event)
      case .values: isFound = readValue(&input, isEnd: isEnd, into: &event)
      case .foreign: input.start = input.end
      case nil: break
      }
      if isFound { return true }
      guard !hasReady, form == former else { continue }
      guard isEnd, answers.hasAnswers, !settings.leavesCutChat || !answers.isCut else {
        return false
      }
      if answers.hasReason { strayText.forget() }
      answers.endInput(&reports)
    }
  }

  private mutating func readBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let range = usualData(&input, isEnd: isEnd, into: &event) {
      if range.isEmpty { return false }
      stream.passBlock(range, of: &input)
      noteBlock()
      event.lineRange = range
      let payload = input.bytes.span.extracting(range)
      if settle(&event, payload, isUTF8: scan.isUTF8, hasLineEnds: false) { return true }
      if hasReady { return false }
    }
    return readAnyBlock(&input, isEnd: isEnd, into: &event)
  }

  /// The data of the usual block at the first unused byte, its members and its type in `event`;
  /// empty when more must be read first, `nil` when the block is no usual one.
  private mutating func usualData(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Range<Int>? {
    guard stream.isBetweenBlocks, !settings.keepsNames else { return nil }
    let bytes = input.bytes.span.extracting(0..<input.end)
    if dataStart == 0 {
      guard let start = EventStreamDecoder.usualData(bytes, at: input.start) else { return nil }
      dataStart = start - input.start
      scan.restart()
      event.members.removeAll()
    }
    let start = input.start + dataStart
    let outcome = scan.scan(bytes.extracting(start...), noting: &event.members)
    let end = start + scan.position
    if !scan.hasLineEnds, settings.limit == 0 || scan.position <= settings.limit {
      switch outcome {
      case .more where !isEnd: return start..<start
      // White space may have come behind what was there before.
      case .end where bytes.starts(with: "\n\n", at: end) && bytes[start] > ASCII.space:
        dataStart = 0
        event.begin(at: stream.place(ofBlockIn: input))
        event.noteType(in: bytes.extracting(start..<end), types)
        // Data without a type may get one from the name of its block.
        return event.typeName != nil ? start..<end : nil
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

/// Reads the forms of input that carry events, up to the end of each.
extension EventReader {
  /// Finds the form by the first byte that is no white space: no field of an event stream starts as
  /// a JSON value does. `nil` when more must be read first.
  private mutating func detect(_ input: inout InputBuffer, isEnd: Bool) -> Form? {
    guard let index = passLead(&input, isEnd: isEnd), index < input.end else {
      if isEnd { form = .blocks }
      return form
    }
    if !settings.acceptsAnything {
      switch ForeignInput.head(input.bytes.span.extracting(index..<input.end)) {
      case .more where !isEnd: return nil
      case .found(let what):
        let place = Notice.Place(line: lead.lines + 1, byte: input.offset(of: input.start))
        skipForeign(what, at: place)
        return form
      case .more, .own: break
      }
    }
    switch input.bytes[index] {
    case ASCII.openBrace, ASCII.openBracket, ASCII.quote, ASCII.minus, ASCII.recordSeparator,
      ASCII.zero...ASCII.nine:
      form = .values
      values = ValueDecoder(
        limit: settings.limit, line: lead.lines + 1, start: input.offset(of: input.start))
      input.start = index
    default:
      form = .blocks
      stream.skipLines(lead.lines)
    }
    return form
  }

  /// Whether `text`, neither JSON nor a field of an event stream, shows that the input, of which
  /// nothing was read yet, is foreign. It is then reported and skipped.
  private mutating func isForeign(_ text: Span<UInt8>, at place: Notice.Place) -> Bool {
    guard !hasValue, !hasSeenBlock, !settings.acceptsAnything,
      let what = ForeignInput.named(byText: text)
    else { return false }
    skipForeign(what, at: place)
    return true
  }

  /// Reports what the input is in place of events, and skips it.
  private mutating func skipForeign(_ what: String, at place: Notice.Place) {
    reports.report(.error, what, at: place)
    form = .foreign
  }

  /// Passes the blank lines in front of the input. Returns the index of the first byte that is
  /// neither white space nor part of a byte order mark, or the end; `nil` when more must be read
  /// first. What stands before that byte on its line stays: an event stream ends at ` data:`.
  private mutating func passLead(_ input: inout InputBuffer, isEnd: Bool) -> Int? {
    var index = input.start + lead.searched
    while index < input.end {
      let byte = input.bytes[index]
      if byte == 0xEF {
        let length = input.markLength(at: index)
        if length < 3, index + length == input.end, !isEnd { return nil }
        guard length == 3 else { break }
        index += 3
      } else {
        guard ASCII.isSpace(byte) else { break }
        index += 1
        if byte == ASCII.cr || byte == ASCII.lf {
          if byte == ASCII.cr || !lead.endsInCR { lead.lines += 1 }
          input.start = index
        }
        lead.endsInCR = byte == ASCII.cr
      }
      lead.searched = index - input.start
    }
    if lead.searched > InputBuffer.readSize {
      input.start = index
      lead.searched = 0
    }
    return index
  }

  /// Puts the event of the next block, of any form, into `event`; false when there is none yet.
  private mutating func readAnyBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let found = stream.next(&input) {
      if case .fault(.unknownField(let line)) = found, Self.beginsObject(input, line) {
        if isBeforeEvents {
          goOnAsTexts(&input, from: line.lowerBound, line: stream.linePlace.line)
          return false
        }
        if let former = stream.endEarly(&input, at: line.lowerBound) {
          if settle(&event, former, input) { return true }
          if hasReady { return false }
          continue
        }
      }
      if settle(&event, found, input) { return true }
      if hasReady || form == .foreign { return false }
    }
    guard isEnd else { return false }
    let rest = input.start..<input.end
    if !stream.skipsLine, Self.beginsObject(input, rest) {
      if isBeforeEvents {
        goOnAsTexts(&input, from: rest.lowerBound, line: stream.linePlace.line + 1)
        return false
      }
      stream.passRest(&input)
      if let former = stream.endEarly(&input, at: rest.lowerBound) {
        if settle(&event, former, input) { return true }
        guard !hasReady else { return false }
        stream.passRest(&input)
      }
      return settle(&event, object: rest, input, isRest: true)
    }
    if Self.error(inField: input.bytes.span.extracting(rest)) != nil {
      input.start = input.end
      return settle(&event, errorField: rest, input)
    }
    return readLastBlock(&input, into: &event)
  }

  private static func beginsObject(_ input: borrowing InputBuffer, _ line: Range<Int>) -> Bool {
    let text = input.bytes.span.extracting(line)
    return text.byte(at: text.trimmed().lowerBound) == ASCII.openBrace
  }

  /// Whether nothing of an event stream came yet: an object may then begin lines of JSON, of which
  /// the first were broken, or no JSON.
  private var isBeforeEvents: Bool { !hasSeenBlock && !stream.holdsEvent }

  /// Goes on at `start`, where an object begins on line number `line`, reading JSON values. The lines
  /// in front of it are none, such as the headers of curl -i.
  private mutating func goOnAsTexts(_ input: inout InputBuffer, from start: Int, line: Int) {
    if let text = unknownField, !text.shown.hasPrefix("\"HTTP/") {
      reports.report(.error, "not JSON: \(text.shown)", at: text.place)
      unknownField = nil
    }
    reportField()
    form = .values
    values = ValueDecoder(limit: settings.limit, line: line, start: input.offset(of: start))
    input.start = start
  }

  /// Makes an event of the line at `line`, an object in an event stream; false when it gives none.
  /// What only begins as one, such as `{ [61 bytes data]`, is a field of no name that is known.
  private mutating func settle(
    _ event: inout Event, object line: Range<Int>, _ input: borrowing InputBuffer,
    isRest: Bool = false
  ) -> Bool {
    let text = input.bytes.span.extracting(line)
    let object = text.extracting(text.trimmed())
    let isWhole = JSONScan.accepts(object)
    guard isWhole || object.starts(with: "{\"") else {
      if !isForeign(text, at: stream.linePlace) { noteField(text) }
      return false
    }
    noteBlock()
    if isWhole { stream.endLine(input) }
    event.begin(at: stream.linePlace)
    if isRest, JSONScan.breaksOff(object) { return rejectCut(&event, object) }
    return settle(&event, made: [UInt8](copying: object))
  }

  /// The range of the object in `line`, if that is a field `error` with a whole one, as llama.cpp
  /// sends it: `error: {"code":400,"message":"…","type":"…"}`. The standard ignores such a field.
  private static func error(inField line: Span<UInt8>) -> Range<Int>? {
    guard line.starts(with: "error:") else { return nil }
    let value = line.extracting(6...).trimmed()
    let range = value.lowerBound + 6..<value.upperBound + 6
    let error = line.extracting(range)
    guard error.byte(at: 0) == ASCII.openBrace, UTF8Repair.isValid(error) else { return nil }
    return JSONScan.accepts(error) ? range : nil
  }

  /// Notes that the input is an event stream, and reports a line of it that is no field of one.
  @inline(__always)
  private mutating func noteBlock() {
    hasSeenBlock = true
    if unknownField != nil { reportField() }
  }

  /// Notes that `line` is no field of an event stream; the first such line is reported.
  private mutating func noteField(_ line: Span<UInt8>) {
    guard !hasUnknownField else { return }
    hasUnknownField = true
    let isBinary =
      line.firstIndex(of: 0) != nil || FileKind.of(line).map { $0.content != .text } == true
    unknownField = (Self.shown(line), isBinary, stream.linePlace)
  }

  /// The beginning of `text`, quoted.
  private static func shown(_ text: Span<UInt8>) -> String {
    String(decoding: text.extracting(first: 40)).debugDescription
  }

  private mutating func reportField() {
    guard let field = unknownField else { return }
    unknownField = nil
    let why = "skipped, not a field of an event stream: \(field.shown)"
    notices.append(Notice(.warning, why, at: field.place))
  }

  /// Makes an event of the field `error` at `line`; false as below.
  private mutating func settle(
    _ event: inout Event, errorField line: Range<Int>, _ input: borrowing InputBuffer
  ) -> Bool {
    let field = input.bytes.span.extracting(line)
    guard let range = Self.error(inField: field) else { return false }
    let error = field.extracting(range)
    noteBlock()
    let place = stream.linePlace
    if let found = stream.endEarly() {
      // Behind data without a blank line: that comes first.
      parts.append(Part(payload: EventLine.wrapping(error: error), place: place))
      return settle(&event, found, input)
    }
    event.begin(at: place)
    return settle(&event, error: error)
  }

  /// Hands on a last block without a blank line behind it, if its data is whole; the standard drops
  /// it.
  private mutating func readLastBlock(
    _ input: inout InputBuffer, into event: inout Event
  ) -> Bool {
    let isLineWhole = input.count == 0
    // A text without a line end: no field has a name as long.
    if !hasSeenBlock, !stream.skipsLine, input.count > 6 {
      let unused = input.bytes.span.extracting(input.start..<input.end)
      let line = [UInt8](copying: unused.extracting(first: 40))
      if !EventStreamDecoder.isField(line.span) { noteField(line.span) }
    }
    guard !isFlushed, stream.hasRest(input), let found = stream.flush(&input) else { return false }
    isFlushed = input.count == 0
    guard isFlushed, case .event = found else { return settle(&event, found, input) }
    let data = stream.data
    let text = data.span.extracting(data.span.trimmed())
    let isText = Heartbeat.isOne(text) || hasBegun && StrayText.words(of: text) != nil
    guard JSONScan.accepts(text) || EventStreamDecoder.isEndMark(text) || isLineWhole && isText
    else {
      let why = "the input ends inside an event, which is dropped"
      var notice = Notice(.error, why, status: .badInput, at: stream.blockPlace)
      notice.cutEvent = ", inside an event, which is dropped"
      notices.append(notice)
      return false
    }
    // A stream that lacks blank lines has been reported already.
    if !stream.hasSplit {
      reports.report(.warning, "the last event has no blank line after it", at: stream.blockPlace)
    }
    return settle(&event, found, input)
  }

  /// Makes an event of `found`, the next thing in the stream; false when it is none.
  private mutating func settle(
    _ event: inout Event, _ found: EventStreamDecoder.Found, _ input: borrowing InputBuffer
  ) -> Bool {
    if case .fault = found {} else { noteBlock() }
    if stream.hasSplit {
      reports.report(.warning, "there is no blank line between events", at: stream.blockPlace)
    }
    switch found {
    case .event: return settleBlock(&event)
    case .comment: break
    case .fault(.unknownField(let range)) where Self.beginsObject(input, range):
      return settle(&event, object: range, input)
    case .fault(.unknownField(let range))
    where Self.error(inField: input.bytes.span.extracting(range)) != nil:
      return settle(&event, errorField: range, input)
    case .fault(.unknownField(let range)):
      let line = input.bytes.span.extracting(range)
      if isForeign(line, at: stream.linePlace) { break }
      noteField(line)
      if hasSeenBlock { noteBlock() }
    case .fault: break
    case .oversized: noteOversized(at: stream.blockPlace)
    }
    return false
  }

  private mutating func settleBlock(_ event: inout Event) -> Bool {
    let data = stream.data
    let payload = data.span.trimmed()
    event.begin(at: stream.blockPlace)
    if stream.id != nil || stream.hasRetry || settings.keepsNames {
      event.block = EventBlock(
        id: stream.id, retry: stream.hasRetry ? stream.retry : nil, name: stream.name)
    }
    let content = data.span.extracting(payload)
    if EventStreamDecoder.isEndMark(content) { return makeMark(&event) }
    if Heartbeat.isOne(content) { return makeHeartbeat(&event, content) }
    if hasBegun, StrayText.words(of: content) != nil { return makeText(&event, content) }
    return settle(&event, made: [UInt8](data[payload]))
  }

  /// Puts the event of the next JSON value into `event`; false when there is none yet.
  @inline(__always)
  private mutating func readValue(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let found = values.next(&input, isEnd: isEnd, noting: &event.members) {
      event.begin(at: values.place)
      if case .value(let range) = found {
        event.lineRange = range
        hasValue = true
        if isBehindAnswer { isBehindAnswer = false }
        let payload = input.bytes.span.extracting(range)
        let isSettled = settle(
          &event, payload, isUTF8: values.isUTF8, hasLineEnds: values.hasLineEnds)
        if isSettled { return true }
      } else if settle(&event, found, input) {
        return true
      }
      if hasReady || form != .values { return false }
    }
    return false
  }

  /// Makes an event of what stands among JSON values and is no object; false when it is none.
  private mutating func settle(
    _ event: inout Event, _ found: ValueDecoder.Found, _ input: borrowing InputBuffer
  ) -> Bool {
    switch found {
    case .value: return false
    case .text(let range):
      let text = input.bytes.span.extracting(range)
      if EventStreamDecoder.isEndMark(text) { return makeMark(&event) }
      if isBehindAnswer {
        // What curl -w writes: {"object":"response",…}200
        reports.report(.warning, "skipped behind the answer: \(Self.shown(text))", at: event.place)
        return false
      }
      if isForeign(text, at: event.place) { return false }
      let fault = JSONScan.fault(in: text)
      return reject(&event, text, fault.map { "not JSON: \($0)" } ?? "a JSON value, not an object")
    case .broken(let range, let expected):
      // The fault may stand on a later line.
      let start = input.bytes.span.extracting(range.lowerBound..<input.end)
      if isForeign(start.extracting(first: 256), at: event.place) { return false }
      let line = input.bytes.span.extracting(range)
      return reject(&event, line, expected.map { "not JSON: \($0)" })
    case .cut(let range): return rejectCut(&event, input.bytes.span.extracting(range))
    case .mark: return makeMark(&event)
    case .field where hasValue:
      skipForeign("an event stream begins behind JSON; name each as a FILE", at: event.place)
    case .field:
      form = .blocks
      stream.skipLines(event.place.line - 1 - stream.linePlace.line)
    case .oversized: noteOversized(at: event.place)
    }
    return false
  }
}

/// Checks the data of a block, or a JSON text, and makes it an event's line.
extension EventReader {
  /// Makes the event's line of `line`, the data of a block or a part of another payload; false as
  /// below.
  private mutating func settle(_ event: inout Event, made line: [UInt8]) -> Bool {
    event.lineRange = nil
    event.typeName = nil
    made = line
    var scan = JSONScan(limitsDepth: true)
    event.members.removeAll()
    if let fault = scan.fault(in: line.span, noting: &event.members) {
      return reject(&event, line.span, "not JSON: \(fault)")
    }
    return settle(&event, line.span, isUTF8: scan.isUTF8, hasLineEnds: scan.hasLineEnds)
  }

  /// Makes the event's line of `payload`, a value whose members are noted, and finds its type.
  /// False when `payload` is a list, whose elements are then in `parts`.
  private mutating func settle(
    _ event: inout Event, _ payload: Span<UInt8>, isUTF8: Bool, hasLineEnds: Bool
  ) -> Bool {
    guard isUTF8 else {
      reports.reportRepair(at: event.place)
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      return settle(&event, made: repaired)
    }
    guard payload[0] == ASCII.openBrace else {
      if EventStreamDecoder.isEndMark(payload) { return makeMark(&event) }
      if takeErrors(in: payload, at: event.place) { return false }
      return reject(&event, payload, "a JSON value, not an object")
    }
    if hasLineEnds { return settle(&event, made: payload.withoutLineEnds) }
    if event.typeName == nil { event.noteType(in: payload, types) }
    if let name = event.typeName {
      if event.type == nil, payload.extracting(name).equals(EventLine.unparsed) {
        noteUnparsed(&event, payload)
        return true
      }
      if event.type == nil {
        if Self.isErrorObject(event, payload) { return settle(&event, error: payload) }
        // Some servers give their chunks a type, too.
        if settings.chat != .kept, event.value(of: "choices", in: payload) != nil,
          translates(payload, of: event)
        {
          return false
        }
      }
      if !hasBegun { lookAtType(event, payload) }
      if answers.hasAnswers {
        if event.isError, passesOver(&event, payload) { return true }
        if endsChat(event, payload) { return false }
        answers.noteReason(event, payload)
      }
      guard event.type == nil, foreign == nil, isItem(event, payload) else { return true }
      made = EventLine.wrapping(item: payload)
    } else if hasKnownTypes, !answers.hasAnswers, Self.isFailedChat(event, payload) {
      return settle(&event, error: payload)
    } else if settings.chat != .kept, translates(payload, of: event) {
      return false
    } else {
      if !hasBegun { hasBegun = ChatTranslator.isAnswer(payload) }
      let name = stream.name
      let shape = LineShape(
        payload, blockName: name.span,
        takesErrors: hasBegun ? .all : settings.isGeneric ? .none : .plain)
      if shape.mayBeForeign, !settings.acceptsAnything,
        let found = ForeignInput.named(byObject: payload, unwraps: !settings.isGeneric)
      {
        reports.report(.error, found.what, at: event.place)
        guard case .named = shape else { return true }
      }
      switch shape {
      case .typed, .untyped:
        answers.noteReason(event, payload)
        guard settings.chat == .only else { return true }
        let why = "neither an event nor an answer of Chat Completions"
        notices.append(Notice(.error, why, status: .badInput, at: event.place))
        return false
      case .named: made = EventLine.adding(type: name.span, to: payload)
      case .response:
        made = EventLine.wrapping(response: payload)
        event.isDocument = settings.documentsStandAlone
        isBehindAnswer = true
      case .error: return settle(&event, error: payload)
      case .message:
        guard form == .values, !settings.acceptsAnything else { return true }
        made = EventLine.wrapping(item: payload)
      case .document(let type):
        guard form == .values, !settings.acceptsAnything else { return true }
        made = EventLine.wrapping(payload, as: type)
      case .batch:
        guard let line = EventLine.wrapping(batch: payload) else { return true }
        made = line
        event.isDocument = true
      case .list where event.isPart: return true
      case .list:
        for place in JSONChildren.elements(of: "data", in: payload).reversed() {
          let part = [UInt8](copying: payload.extracting(place))
          parts.append(Part(payload: part, place: event.place))
        }
        return false
      }
      event.isUntypedBlock = form == .blocks
    }
    settleMade(&event)
    return !answers.hasAnswers || !endsChat(event)
  }

  /// Makes the event's line of `error`, an error body.
  private mutating func settle(_ event: inout Event, error: Span<UInt8>) -> Bool {
    if answers.hasAnswers, passesOver(&event, error) { return true }
    made = EventLine.wrapping(error: error)
    isBehindAnswer = true
    event.isBareError = true
    event.isUntypedBlock = form == .blocks
    settleMade(&event)
    return !answers.hasAnswers || !endsChat(event)
  }

  /// Makes `made` the event's line, and finds its type.
  private mutating func settleMade(_ event: inout Event) {
    noteMade(&event)
    guard !hasBegun else { return }
    let line = made
    lookAtType(event, line.span)
  }

  /// Whether `payload`, whose type is not known, is an error.
  private static func isErrorObject(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    // vLLM, SGLang, Mistral: {"object":"error","message":"…","type":"BadRequestError","code":400}
    if let kind = event.value(of: "object", in: payload),
      payload.extracting(kind).equals("\"error\"")
    {
      return true
    }
    return APIError.isProblem(payload)
  }

  /// Takes the elements of `array`, the data of a block, as parts if the first is an error body.
  private mutating func takeErrors(in array: Span<UInt8>, at place: Notice.Place) -> Bool {
    guard form == .blocks, array[0] == ASCII.openBracket else { return false }
    let elements = JSONChildren.elements(at: 0..<array.count, in: array)
    guard let first = elements.first, array[first.lowerBound] == ASCII.openBrace,
      case .error = LineShape(array.extracting(first), blockName: Span())
    else { return false }
    for element in elements.reversed() {
      parts.append(Part(payload: [UInt8](copying: array.extracting(element)), place: place))
    }
    return true
  }

  /// Whether `payload` is a chunk of Chat Completions that brings an error. Some bridges end a
  /// stream of events so: {"object":"chat.completion.chunk","choices":[…],"error":{…}}
  private static func isFailedChat(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    guard let error = event.value(of: "error", in: payload), ChatTranslator.isAnswer(payload)
    else { return false }
    return payload[error.lowerBound] == ASCII.openBrace || payload[error.lowerBound] == ASCII.quote
  }

  /// Has the answers of Chat Completions in `payload` translated; false when it has none.
  private mutating func translates(_ payload: Span<UInt8>, of event: borrowing Event) -> Bool {
    guard let isWhole = answers.translate(event, payload, &reports) else { return false }
    isBehindAnswer = isWhole
    return true
  }

  /// Whether the event `line` ends an answer of Chat Completions: then the events of its end come
  /// first.
  private mutating func endsChat(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard answers.ends(at: event, line, &reports) else { return false }
    parts.append(Part(payload: [UInt8](copying: line), place: event.place, isLine: true))
    return true
  }

  /// Does the same for the event whose line the reader made.
  private mutating func endsChat(_ event: borrowing Event) -> Bool {
    let line = made
    return endsChat(event, line.span)
  }

  /// Whether `error` came behind the end of its answer: then the event becomes an `oresp.unparsed`
  /// that holds it.
  private mutating func passesOver(_ event: inout Event, _ error: Span<UInt8>) -> Bool {
    guard answers.passesOver(error, of: event, &reports) else { return false }
    let tag = ChatReader.tag(of: event, error)
    make(&event, EventLine.unparsed, "data", error, isReported: settings.reportsErrors)
    made = EventLine.tagged(made, tag)
    noteMade(&event)
    return true
  }

  /// Makes the event stand for the mark `[DONE]`; false when nobody waits for the mark, or when it
  /// ends an answer of Chat Completions, whose last events come first.
  private mutating func makeMark(_ event: inout Event) -> Bool {
    guard answers.hasAnswers else {
      if settings.keepsMarks { make(&event, EventLine.done, "data", Span()) }
      return settings.keepsMarks
    }
    if settings.keepsMarks {
      let mark = EventLine.synthetic(EventLine.done, "data", [])
      parts.append(Part(payload: mark, place: event.place, isLine: true))
    }
    if answers.hasReason { strayText.forget() }
    answers.endStream(at: event.place, &reports)
    return false
  }

  /// Notes whether the event's type is of a known family and begins an answer, and which other
  /// protocol one of the first types is of. Reports that of the first type.
  private mutating func lookAtType(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let place = event.typeName else { return }
    if event.type == nil, earlyTypes < 16, otherProtocol == nil,
      let found = ForeignInput.named(byObject: line, unwraps: true)
    {
      otherProtocol = found.what
      if earlyTypes == 0, !found.isForReaders { foreign = found.what }
    }
    if earlyTypes < 16 { earlyTypes += 1 }
    hasKnownTypes =
      hasKnownTypes || foreign != nil || event.type != nil
      || EventCatalogue.isOfFamily(line.extracting(place))
    hasBegun = event.type.map { $0.isOfAnswer } ?? false
    guard let foreign, !settings.acceptsAnything else { return }
    reports.report(.error, foreign, at: event.place)
  }

  /// Notes that the event, whose line is `line`, holds what an earlier tool could not read.
  private mutating func noteUnparsed(_ event: inout Event, _ line: Span<UInt8>) {
    let isReported = event.value(of: "oresp", "told", in: line) != nil
    if let data = JSONChildren.string(of: "data", in: line) {
      event.isHeartbeat = Heartbeat.isOne(data.span)
      if event.isHeartbeat || data.first == ASCII.openBrace && JSONScan.accepts(data.span) {
        return
      }
      if hasBegun, event.value(of: "oresp", "block", in: line) != nil {
        return strayText.note(
          data.span, at: event.place, isReported: isReported, &answers, &reports)
      }
    }
    let why = "an earlier tool found input that is not JSON (oresp.unparsed)"
    reports.report(.error, why, at: event.place, isReported: isReported)
  }

  /// Settles at the end of the input what the text in place of an event was. If a response is open
  /// (`isOpen`), it is true, and `event` becomes the error that the text tells.
  package mutating func settleText(isOpen: Bool, into event: inout Event) -> Bool {
    guard let text = strayText.takeReason(isOpen: isOpen, &reports) else { return false }
    event.begin(at: text.place)
    make(&event, "error", "message", text.words.span)
    return true
  }

  /// Makes `made` the event's line.
  private func noteMade(_ event: inout Event) {
    event.lineRange = nil
    event.note(made.span)
  }

  /// Makes the event an `oresp.unparsed` that holds `payload`; `why` is `nil` where that was reported
  /// with the line before. Returns true.
  private mutating func reject(
    _ event: inout Event, _ payload: Span<UInt8>, _ why: String?, status: ExitStatus = .badInput,
    cutEvent: String? = nil
  ) -> Bool {
    if !UTF8Repair.isValid(payload) { reports.reportRepair(at: event.place) }
    if let why {
      var notice = Notice(.error, why, status: status, at: event.place)
      notice.cutEvent = cutEvent
      notices.append(notice)
    }
    make(&event, EventLine.unparsed, "data", payload, isReported: settings.reportsErrors)
    return true
  }

  /// Does the same where the end of the input cuts the value. Returns true.
  private mutating func rejectCut(_ event: inout Event, _ payload: Span<UInt8>) -> Bool {
    reject(
      &event, payload, "the input is cut off", status: .temporary, cutEvent: ", inside an event")
  }

  /// Makes the event an `oresp.unparsed` that holds the heartbeat `data`. Returns true.
  private mutating func makeHeartbeat(_ event: inout Event, _ data: Span<UInt8>) -> Bool {
    if settings.reportsStrayData {
      reports.report(.warning, "data that is no event is read as a heartbeat", at: event.place)
    }
    make(&event, EventLine.unparsed, "data", data)
    event.isHeartbeat = true
    return true
  }

  /// Makes the event an `oresp.unparsed` that holds `data`, text that a server sent in place of an
  /// event. Returns true.
  private mutating func makeText(_ event: inout Event, _ data: Span<UInt8>) -> Bool {
    if !UTF8Repair.isValid(data) { reports.reportRepair(at: event.place) }
    strayText.note(data, at: event.place, isReported: false, &answers, &reports)
    make(
      &event, EventLine.unparsed, "data", data, isReported: settings.reportsErrors, isBlock: true)
    return true
  }

  /// Makes the event one of the toolkit's own type `type`, with `text` in its member `member`.
  private mutating func make(
    _ event: inout Event, _ type: StaticString, _ member: StaticString, _ text: Span<UInt8>,
    isReported: Bool = false, isBlock: Bool = false
  ) {
    made = EventLine.synthetic(
      type, member, [UInt8](copying: text), isReported: isReported, isBlock: isBlock)
    noteMade(&event)
  }

  private mutating func noteOversized(at place: Notice.Place) {
    let why = "an event is longer than \(settings.limit) bytes, and dropped"
    notices.append(Notice(.error, why, status: .badInput, at: place))
  }

  /// Whether `payload`, whose type the catalogue of events does not know, is an output item. Without
  /// an id it must have what such an item has, and stand among lines of JSON: the blocks of other
  /// protocols have such types, too.
  @inline(never)
  private func isItem(_ event: borrowing Event, _ payload: Span<UInt8>) -> Bool {
    guard let name = event.typeName,
      let row = ItemCatalogue.row(of: String(decoding: payload.extracting(name)))
    else { return false }
    if event.value(of: "id", in: payload) != nil { return true }
    guard form == .values else { return false }
    if row.type.description == "message" { return LineShape.isAnswer(payload) }
    return event.value(of: "call_id", in: payload) != nil
      || row.values.contains { value in
        value.path.first.flatMap { event.value(of: $0, in: payload) } != nil
      }
  }

  private static let endMark: StaticString = "[DONE]"
}
