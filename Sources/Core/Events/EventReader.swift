/// Reads events, one line of JSON each, out of whatever carries them: an event stream, NDJSON, or
/// whole JSON documents; which of them is found out from the first bytes.
///
/// Each event comes out as the bytes that the server sent, but for line breaks between tokens. What
/// has no `type` gains one: the name of its block, or, for a whole Response object or an error body,
/// that of the event it amounts to.
package struct EventReader: ~Copyable {
  /// How a reader reads.
  package struct Settings: Sendable {
    /// Whether every event is checked to be JSON and UTF-8; otherwise an event is judged by its
    /// outside, and checked by whoever reads further into it.
    package var validates = false
    /// Whether comments come out as `oresp.comment` events.
    package var keepsComments = false
    /// Whether events come with the names of their blocks.
    package var keepsNames = false
    /// The longest event, in bytes; 0 is no limit.
    package var limit = 256 << 20

    package init() {}
  }

  /// What the reader found wrong or noteworthy; whoever drives it takes them away.
  package var notices: [Notice] = []
  /// The events that `next` did not hand on since `takeSkimmed`.
  var skimmed = SkimmedEvents()
  /// The line of the event, when the reader had to make it (`Event.place` is `nil`).
  package private(set) var made: [UInt8] = []

  /// Where the last block ended, in bytes from the start of the input; `nil` when the input is no
  /// event stream, or not known to be one yet.
  package var blockEnd: Int? { format == .eventStream ? stream.blockEnd : nil }

  enum Format {
    case eventStream, json
  }

  let settings: Settings
  var format: Format?
  var head = EventHead()
  var stream: EventStreamDecoder
  var texts: JSONTextDecoder
  private var isFlushed = false
  private var hasNotedField = false
  /// Whether a block of the event stream gave an event or a comment.
  var hasSeenBlock = false
  /// Where NDJSON starts in the input, once it turned out to be no event stream.
  private var restart: Int?

  package init(_ settings: Settings) {
    self.settings = settings
    stream = EventStreamDecoder(limit: settings.limit)
    texts = JSONTextDecoder(trustsLines: !settings.validates, limit: settings.limit)
  }

  /// The next event that `triage` does not send elsewhere; `nil` when more must be read first. The
  /// lines of events that pass are appended to `output`. An event that is not written in the usual
  /// way is handed on, whatever its type.
  package mutating func next(
    _ input: inout InputBuffer, _ triage: borrowing EventTriage, passingTo output: inout [UInt8]
  ) -> Event? {
    switch nextPlain(&input, triage, passingTo: &output) {
    case .event(let event): return event
    case .none: return nil
    case .unusual:
      guard let event = next(&input) else { return nil }
      skimmed.last = nil
      return event
    }
  }

  /// The next event; `nil` when more must be read first.
  package mutating func next(_ input: inout InputBuffer) -> Event? {
    switch format ?? detect(&input, isEnd: false) {
    case .eventStream: nextOfStream(&input)
    case .json: nextOfTexts(&input, isEnd: false)
    case nil: nil
    }
  }

  /// Which events `next` did not hand on since it was asked last.
  package mutating func takeSkimmed() -> SkimmedEvents {
    defer { skimmed = SkimmedEvents() }
    return skimmed
  }

  /// The next event when nothing follows what was read; `nil` after the last.
  package mutating func finish(_ input: inout InputBuffer) -> Event? {
    switch format ?? detect(&input, isEnd: true) {
    case .eventStream: nextOfStream(&input) ?? lastOfStream(&input)
    case .json: nextOfTexts(&input, isEnd: true)
    case nil: nil
    }
  }

  /// Tells the format by the first byte that is no white space: no field of an event stream starts
  /// as a JSON value does.
  private mutating func detect(_ input: inout InputBuffer, isEnd: Bool) -> Format? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let marked = zip(mark, input.bytes[input.start..<input.end]).prefix { $0 == $1 }.count
    if marked < mark.count, marked == input.count, !isEnd { return nil }
    var index = input.start + (marked == mark.count ? marked : 0)
    while index < input.end, ASCII.isSpace(input.bytes[index]) { index += 1 }
    guard index < input.end else {
      // A stream of blank lines is an event stream, but may grow without limit until it ends.
      if isEnd || input.count > InputBuffer.readSize { format = .eventStream }
      return format
    }
    switch input.bytes[index] {
    case ASCII.openBrace, ASCII.openBracket, ASCII.quote, ASCII.minus,
      ASCII.zero...ASCII.nine:
      format = .json
      input.start = index
    default: format = .eventStream
    }
    return format
  }

  private mutating func nextOfStream(_ input: inout InputBuffer) -> Event? {
    while let found = stream.next(&input) {
      if let event = take(found, input) { return event }
      if let restart {
        input.start = restart
        format = .json
        return nextOfTexts(&input, isEnd: false)
      }
    }
    return nil
  }

  /// Whether the line at `range` shows that the input is NDJSON whose first lines are broken: it
  /// starts an object, and no field of an event stream came before.
  private mutating func isJSONAfterAll(
    _ range: Range<Int>, of input: borrowing InputBuffer
  ) -> Bool {
    guard !hasSeenBlock, input.bytes[range.lowerBound] == ASCII.openBrace else { return false }
    restart = range.lowerBound
    texts = JSONTextDecoder(
      trustsLines: !settings.validates, limit: settings.limit, line: stream.line)
    notices.append(
      Notice(
        .error, "what stands before is not JSON", status: .badInput,
        at: Notice.Place(line: stream.line, byte: stream.lineOffset)))
    return true
  }

  /// Brings out a last block that has no blank line behind it, if its data is whole; the standard
  /// throws it away.
  private mutating func lastOfStream(_ input: inout InputBuffer) -> Event? {
    guard !isFlushed else { return nil }
    isFlushed = true
    guard stream.hasRest(input), let found = stream.flush(&input) else { return nil }
    guard case .event = found else { return take(found, input) }
    let isWhole = stream.data.read(in: input) { $0.equals(Self.endMark) || JSONScanner.accepts($0) }
    let place = Notice.Place(line: stream.firstLine, byte: stream.offset)
    guard isWhole else {
      notices.append(
        Notice(
          .error, "the input ends inside an event, which is dropped", status: .badInput, at: place))
      return nil
    }
    notices.append(Notice(.warning, "the last event has no blank line behind it", at: place))
    return take(found, input)
  }

  private mutating func take(
    _ found: EventStreamDecoder.Found, _ input: borrowing InputBuffer
  ) -> Event? {
    if case .fault = found {} else { hasSeenBlock = true }
    switch found {
    case .event: return takeBlock(input)
    case .comment(let text):
      return settings.keepsComments ? comment(input.bytes.span.extracting(text)) : nil
    case .fault(.unknownField(let range)):
      if isJSONAfterAll(range, of: input) { return nil }
      noteField(input.bytes.span.extracting(range))
    case .fault: break
    case .oversized:
      reportOversized(at: Notice.Place(line: stream.firstLine, byte: stream.offset))
    }
    return nil
  }

  private mutating func takeBlock(_ input: borrowing InputBuffer) -> Event? {
    let payload = stream.data.read(in: input) { Self.withoutSpace($0) }
    if stream.data.read(in: input, { $0.extracting(payload).equals(Self.endMark) }) { return nil }
    var event = Event(inputLine: stream.firstLine, inputOffset: stream.offset)
    if stream.hasID { event.blockID = stream.lastID }
    if stream.hasRetry { event.blockRetry = stream.retry }
    if settings.keepsNames {
      event.blockName = stream.name.read(in: input) { [UInt8](copying: $0) }
    }
    if let data = stream.data.range {
      let place = data.lowerBound + payload.lowerBound..<data.lowerBound + payload.upperBound
      event.place = place
      settle(&event, input.bytes.span.extracting(place), of: input)
    } else {
      let copy = stream.data.copy
      made = [UInt8](copying: copy.span.extracting(payload))
      settle(&event, copy.span.extracting(payload), of: input)
    }
    return event
  }

  private mutating func comment(_ text: Span<UInt8>) -> Event {
    var comment = text
    if comment.count > 0, comment[0] == ASCII.space { comment = comment.extracting(1...) }
    made =
      JSONValue.object([
        ("type", .text("oresp.comment")), ("comment", .string([UInt8](copying: comment))),
        ("oresp", EventLine.synthetic),
      ]).line
    var event = Event(inputLine: stream.line, inputOffset: stream.lineOffset)
    (event.typeName, event.type) = Event.type(of: made.span)
    return event
  }

  private mutating func noteField(_ line: Span<UInt8>) {
    guard !hasNotedField else { return }
    hasNotedField = true
    let shown = String(decoding: line.count > 40 ? line.extracting(0..<40) : line)
    notices.append(
      Notice(
        .warning, "passed over, for it is no field of an event stream: \(shown.debugDescription)",
        at: Notice.Place(line: stream.line, byte: stream.lineOffset)))
  }

  private mutating func nextOfTexts(_ input: inout InputBuffer, isEnd: Bool) -> Event? {
    while let found = isEnd ? texts.finish(&input) : texts.next(&input) {
      var event = Event(inputLine: texts.firstLine, inputOffset: texts.offset)
      switch found {
      case .value(let range):
        event.place = range
        settle(&event, input.bytes.span.extracting(range), of: input)
        return event
      case .broken(let range, _)
      where input.bytes.span.extracting(range).starts(with: Self.endMark):
        // What stands behind the mark on its line is read on its own.
        input.start = range.lowerBound + Self.endMark.utf8CodeUnitCount
        continue
      case .broken(let range, let expected):
        reject(&event, input.bytes.span.extracting(range), "not JSON: \(expected)")
        return event
      case .oversized:
        reportOversized(at: Notice.Place(line: texts.firstLine, byte: texts.offset))
      }
    }
    return nil
  }

  /// Makes `payload` the event's line, as it is or as it must be, and finds its type.
  private mutating func settle(
    _ event: inout Event, _ payload: Span<UInt8>, of input: borrowing InputBuffer
  ) {
    if settings.validates || format == .eventStream, !UTF8Repair.isValid(payload) {
      notices.append(Notice(.warning, "not UTF-8; U+FFFD put in its place", at: event.inputPlace))
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      (event.place, made) = (nil, repaired)
      return settle(&event, repaired.span, of: input)
    }
    if let why = fault(in: payload) { return reject(&event, payload, why) }
    if event.place == nil || format == .json, Self.hasLineBreak(payload) {
      let joined = Self.withoutLineBreaks(payload)
      (event.place, made) = (nil, joined)
      return settle(&event, joined.span, of: input)
    }
    (event.typeName, event.type) = Event.type(of: payload)
    guard event.typeName == nil else { return }
    let name = stream.name.read(in: input) { [UInt8](copying: $0) }
    var shape = LineShape(payload)
    if shape == .untyped, !name.isEmpty, !name.span.equals("message") { shape = .named }
    switch shape {
    case .broken: return reject(&event, payload, "not JSON: a member is broken")
    case .typed, .untyped: return
    case .named: made = EventLine.adding(type: name.span, to: payload)
    case .response: made = EventLine.wrapping(response: payload)
    case .error:
      let error: [UInt8] = Array("error".utf8)
      var marked: [UInt8] = []
      EventLine.append(
        EventLine.adding(type: error.span, to: payload).span, facts: [("synthetic", .bool(true))],
        to: &marked)
      made = marked
    }
    event.place = nil
    (event.typeName, event.type) = Event.type(of: made.span)
  }

  /// Why `payload` cannot be an event; `nil` when it can.
  private func fault(in payload: Span<UInt8>) -> String? {
    // The decoder of JSON texts has walked what it gives, unless lines are trusted.
    if settings.validates, format == .eventStream, let fault = JSONScanner.fault(in: payload) {
      return "not JSON: \(fault)"
    }
    if LineShape.isObject(payload) { return nil }
    return settings.validates ? "a JSON value that is no object" : "not a JSON object"
  }

  /// Makes the event an `oresp.unparsed` that holds `payload`.
  private mutating func reject(_ event: inout Event, _ payload: Span<UInt8>, _ why: String) {
    notices.append(Notice(.error, why, status: .badInput, at: event.inputPlace))
    let data = [UInt8](copying: payload)
    made =
      JSONValue.object([
        ("type", .text("oresp.unparsed")), ("data", .string(data)),
        ("oresp", EventLine.synthetic),
      ]).line
    event.place = nil
    (event.typeName, event.type) = Event.type(of: made.span)
  }

  private mutating func reportOversized(at place: Notice.Place) {
    let why = "an event is longer than \(settings.limit) bytes, and dropped"
    notices.append(Notice(.error, why, status: .badInput, at: place))
  }

  private static let endMark: StaticString = "[DONE]"

  /// Where the bytes of `payload` stand that are not white space around it.
  private static func withoutSpace(_ payload: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, payload.count)
    while end > 0, ASCII.isSpace(payload[end - 1]) { end -= 1 }
    while start < end, ASCII.isSpace(payload[start]) { start += 1 }
    return start..<end
  }

  private static func hasLineBreak(_ payload: Span<UInt8>) -> Bool {
    payload.firstIndex(of: ASCII.lf) != nil || payload.firstIndex(of: ASCII.cr) != nil
  }

  /// `payload`, valid JSON, without its line breaks: they can stand between tokens only.
  private static func withoutLineBreaks(_ payload: Span<UInt8>) -> [UInt8] {
    var joined: [UInt8] = []
    joined.reserveCapacity(payload.count)
    for index in payload.indices {
      let byte = payload[index]
      if byte != ASCII.lf, byte != ASCII.cr { joined.append(byte) }
    }
    return joined
  }
}
