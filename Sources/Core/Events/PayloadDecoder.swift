/// Finds the payloads in an input of one form, which its first bytes show: an event stream, or JSON
/// values with white space between them.
///
///     data: {"type":"a","delta":"b"}    a usual block: one walk checks its JSON where it stands,
///                                       and notes where `type` and `delta` are
///     data: {"type":"a",                a block of another form goes through `EventStreamDecoder`
///     data: "delta":"b"}
///     {"error":{"message":"m"}}         a line that is an object is a payload, too
///
/// Between calls it holds what the decoders of both forms hold.
struct PayloadDecoder: ~Copyable {
  /// The form of the input.
  enum Form {
    /// An event stream. A line of it that is an object is an event, too.
    case blocks
    /// JSON values with white space between them.
    case values
    /// Input that holds no events, and is skipped.
    case foreign
  }

  /// The next thing in the input; an event begins at its place.
  enum Found {
    /// An object where it stands, whose members and type the event has noted.
    case value(Range<Int>, isUTF8: Bool, hasLineEnds: Bool)
    /// The data of a block, which is in the `stream`.
    case block
    /// The data of the last block, which has no blank line behind it; the standard drops it.
    case lastBlock(isLineWhole: Bool)
    /// What begins as an object, on a line of an event stream.
    case object(Range<Int>)
    /// The object in a field `error`, as llama.cpp sends it: `error: {"code":400}`.
    case error(Range<Int>)
    /// Something that is no event, in either form.
    case other(ValueDecoder.Found)
  }

  /// Notices on the input, of its forms and its events.
  var reports = InputNotices()
  private(set) var form: Form?
  private(set) var stream: EventStreamDecoder
  /// Whether a block gave an event or a comment, or a value came: the form is sure.
  private(set) var isSure = false
  private var values: ValueDecoder
  private var strayLine = StrayLine()
  /// The walk of the data of a block that may be a usual one.
  private var scan = JSONScan(limitsDepth: true)
  /// The start of that data, in bytes from the first unused one; 0 when no walk has begun.
  private var dataStart = 0
  private let types = EventTypes.all
  private let limit: Int
  private let acceptsAnything: Bool
  private let keepsNames: Bool
  /// Whether the next block may be a usual one: it is none if it has a mark.
  private var readsUsualBlocks: Bool
  /// Whether marks that say what was told are believed.
  var trustsMarks = false
  /// The time in the last mark, and the line of the block that it is about (`ToldMark`).
  private var mark: (line: Int, seconds: Int)?

  /// Payloads longer than `limit` are skipped; 0 is no limit. Input that is known to have no events
  /// is skipped unless it `acceptsAnything`. With `keepsNames` each block goes through the `stream`.
  init(limit: Int, acceptsAnything: Bool, keepsNames: Bool) {
    self.limit = limit
    self.acceptsAnything = acceptsAnything
    self.keepsNames = keepsNames
    readsUsualBlocks = !keepsNames
    stream = EventStreamDecoder(limit: limit, splitsObjects: true)
    values = ValueDecoder(limit: limit)
  }

  /// What an input without an object is.
  var contents: String {
    switch form {
    case .values: "JSON without objects"
    case .blocks where strayLine.shown == nil: "an event stream without events"
    case .blocks: strayLine.isBinary ? "binary data" : "plain text"
    case .foreign, nil: "of another kind"
    }
  }

  /// How an input that is plain text begins, quoted; `nil` for another.
  var firstWords: String? { strayLine.words }

  /// Finds the next payload as `next` does, if it is a usual block, or an object right behind the
  /// line before.
  @inline(__always)
  mutating func nextUsual(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    switch form {
    case .blocks: usualBlock(&input, isEnd: isEnd, into: &event)
    case .values:
      if let found = values.nextUsual(&input, isEnd: isEnd, noting: &event.members) {
        payload(of: found, &input, into: &event)
      } else {
        nil
      }
    case .foreign, nil: nil
    }
  }

  /// Finds the next payload, and begins `event` at its place; `nil` when more must be read first or,
  /// at the end of the input, after the last.
  mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    while true {
      let current = form ?? detect(&input, isEnd: isEnd)
      var found: Found?
      switch current {
      case .blocks: found = nextBlock(&input, isEnd: isEnd, into: &event)
      case .values: found = nextValue(&input, isEnd: isEnd, into: &event)
      case .foreign: input.start = input.end
      case nil: break
      }
      if found != nil || form == current { return found }
    }
  }

  /// Finds the form by the first byte that is no white space: no field of an event stream starts as
  /// a JSON value does. White space is left to the decoder; where there is more of it than a read
  /// brings, it is taken for that between values, which is not kept. `nil` when more must be read
  /// first.
  private mutating func detect(_ input: inout InputBuffer, isEnd: Bool) -> Form? {
    var start = input.start
    while start < input.end, start - input.start < InputBuffer.readSize {
      let markLength = input.markLength(at: start)
      if 1...2 ~= markLength, start + markLength == input.end, !isEnd { return nil }
      guard markLength == 3 || ASCII.isSpace(input.bytes[start]) else { break }
      start += max(1, markLength)
    }
    if start - input.start >= InputBuffer.readSize {
      form = .values
      return form
    }
    guard start < input.end else {
      if isEnd { form = .blocks }
      return form
    }
    if !acceptsAnything {
      let head = ForeignInput.named(byHead: input.bytes.span.extracting(start..<input.end))
      if let what = head.what {
        let line = 1 + input.bytes[input.start..<start].count { $0 == ASCII.lf }
        skipForeign(what, at: Notice.Place(line: line, byte: input.offset(of: start)))
        return form
      }
      if head.isShort, !isEnd { return nil }
    }
    switch input.bytes[start] {
    case ASCII.openBrace, ASCII.openBracket, ASCII.quote, ASCII.minus, ASCII.recordSeparator,
      ASCII.zero...ASCII.nine:
      form = .values
    default: form = .blocks
    }
    return form
  }

  /// Whether `text`, neither JSON nor a field of an event stream, shows that the input, of which
  /// nothing was read yet, is foreign. It is then reported and skipped.
  private mutating func isForeign(_ text: Span<UInt8>, at place: Notice.Place) -> Bool {
    guard !isSure, !acceptsAnything,
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

  /// Finds the next thing among JSON values.
  private mutating func nextValue(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    guard let found = values.next(&input, isEnd: isEnd, noting: &event.members) else { return nil }
    return payload(of: found, &input, into: &event)
  }

  /// The payload that the next thing among JSON values gives; `nil` when the form changes there. It
  /// changes nothing in `input`, which would be copied if it were borrowed.
  @inline(__always)
  private mutating func payload(
    of found: ValueDecoder.Found, _ input: inout InputBuffer, into event: inout Event
  ) -> Found? {
    event.begin(at: values.place)
    guard case .value(let range) = found else { return other(found, of: input, at: event.place) }
    isSure = true
    event.noteType(in: input.bytes.span.extracting(range), types)
    return .value(range, isUTF8: values.isUTF8, hasLineEnds: values.hasLineEnds)
  }

  /// Does that for what stands at `place` and is no object.
  private mutating func other(
    _ found: ValueDecoder.Found, of input: borrowing InputBuffer, at place: Notice.Place
  ) -> Found? {
    switch found {
    case .text(let range):
      let text = input.bytes.span.extracting(range)
      if EventStreamDecoder.isEndMark(text) { return .other(.mark) }
      if isForeign(text, at: place) { return nil }
    case .broken(let range, .some):
      // The fault, behind which nothing may have been read, may stand on a later line.
      let fault = min(input.end, values.faultPlace - input.offset(of: 0) + 1)
      let start = range.lowerBound..<max(range.upperBound, fault)
      if isForeign(input.bytes.span.extracting(start), at: place) { return nil }
    case .field where isSure:
      skipForeign("an event stream begins behind JSON; name each as a FILE", at: place)
      return nil
    case .field:
      form = .blocks
      stream.skipLines(place.line - 1 - stream.linePlace.line)
      return nil
    default: break
    }
    return .other(found)
  }

  /// Finds the next payload in an event stream.
  private mutating func nextBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    if let found = usualBlock(&input, isEnd: isEnd, into: &event) { return found }
    return dataStart > 0 ? nil : nextAnyBlock(&input, isEnd: isEnd, into: &event)
  }

  /// Finds the usual block at the first unused byte; `nil` when there is none, or when more must be
  /// read first: the walk of its data has begun then.
  @inline(__always)
  private mutating func usualBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    guard let range = usualData(&input, isEnd: isEnd, into: &event) else { return nil }
    stream.passBlock(range, of: &input)
    confirmStream()
    return .value(range, isUTF8: scan.isUTF8, hasLineEnds: false)
  }

  /// The data of that block, its members and its type in `event`.
  private mutating func usualData(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Range<Int>? {
    guard stream.isBetweenBlocks, readsUsualBlocks else { return nil }
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
    if !scan.hasLineEnds, limit == 0 || scan.position <= limit {
      switch outcome {
      case .more where !isEnd: return nil
      // White space may have come behind what was there before.
      case .end where bytes.starts(with: "\n\n", at: end) && bytes[start] > ASCII.space:
        dataStart = 0
        event.begin(at: stream.place(ofBlockIn: input))
        event.noteType(in: bytes.extracting(start..<end), types)
        // Data without a type may get one from the name of its block.
        return event.typeName != nil ? start..<end : nil
      case .end
      where !isEnd && bytes.count - end < 2 && (end == bytes.count || bytes[end] == ASCII.lf):
        return nil
      default: break
      }
    }
    dataStart = 0
    return nil
  }

  /// Finds the next payload in blocks of any form.
  private mutating func nextAnyBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Found? {
    while let found = stream.next(&input) {
      if let payload = payload(of: found, &input, into: &event) { return payload }
      if form != .blocks { return nil }
    }
    guard isEnd else { return nil }
    while input.count > 0, !stream.skipsLine,
      isLone(input.bytes.span.extracting(input.start..<input.end))
    {
      let rest = input.start..<input.end
      stream.passRest(&input)
      let found = loneLine(rest, of: &input, isRest: true, into: &event)
      if found != nil || form != .blocks { return found }
    }
    return lastBlock(&input, into: &event)
  }

  /// The payload that the next thing in the stream gives.
  private mutating func payload(
    of found: EventStreamDecoder.Found, _ input: inout InputBuffer, into event: inout Event
  ) -> Found? {
    if case .fault(let fault) = found {
      guard case .unknownField(let line) = fault else { return nil }
      return loneLine(line, of: &input, isRest: false, into: &event)
    }
    confirmStream()
    event.begin(at: stream.blockPlace)
    if stream.hasSplit {
      reports.report(.warning, "there is no blank line between events", at: stream.blockPlace)
    }
    readsUsualBlocks = !keepsNames
    takeMark(of: &event)
    switch found {
    case .event: return .block
    case .oversized: return .other(.oversized)
    case .comment(let text): noteMark(input.bytes.span.extracting(text))
    case .fault: break
    }
    return nil
  }

  /// Notes the mark in a comment, if it is one: `: oresp told=…`, a blank line, and the block.
  private mutating func noteMark(_ comment: Span<UInt8>) {
    guard trustsMarks, !stream.holdsEvent, let seconds = ToldMark.seconds(inComment: comment),
      ToldMark.isFresh(seconds)
    else { return }
    mark = (stream.linePlace.line + 2, seconds)
    readsUsualBlocks = false
  }

  /// Gives `event` the mark that stands in front of the block at its place.
  func takeMark(of event: inout Event) {
    if let mark, mark.line == event.place.line { event.told = mark.seconds }
  }

  /// Lets a mark with no block behind it be about the end of the answer at `place`.
  mutating func endMark(of place: Notice.Place) {
    if let mark, mark.line > place.line { self.mark = (place.line, mark.seconds) }
  }

  /// The payload in a line that is no field of the standard. It may be
  ///
  ///     {"type":"error"}           an object, as `cat a.sse b.ndjson` gives it
  ///     error: {"code":400}        an error, as llama.cpp sends it, which the standard ignores
  ///     { [61 bytes data]          something else, which is skipped
  private mutating func loneLine(
    _ line: Range<Int>, of input: inout InputBuffer, isRest: Bool, into event: inout Event
  ) -> Found? {
    let isObject = Self.beginsObject(input.bytes.span.extracting(line))
    let error = Self.error(inField: input.bytes.span.extracting(line))
    if isObject, !isSure, !stream.holdsEvent {
      goOnWithValues(&input, from: line.lowerBound)
      return nil
    }
    if isObject || error != nil, let former = stream.endEarly(&input, at: line.lowerBound) {
      return payload(of: former, &input, into: &event)
    }
    event.begin(at: stream.linePlace)
    let text = input.bytes.span.extracting(line)
    let place = error ?? text.trimmed()
    let object = text.extracting(place)
    let range = line.lowerBound + place.lowerBound..<line.lowerBound + place.upperBound
    if error != nil {
      confirmStream()
      return .error(range)
    }
    let isWhole = isObject && JSONScan.accepts(object)
    if isWhole || object.starts(with: "{\"") {
      confirmStream()
      if isWhole { stream.endLine(input) }
      return isRest && JSONScan.breaksOff(object) ? .other(.cut(range)) : .object(range)
    }
    if !isSure, object.isEmpty { return nil }
    if isForeign(text, at: stream.linePlace) { return nil }
    strayLine.note(text, at: stream.linePlace)
    if isSure { strayLine.report(&reports) }
    return nil
  }

  /// Whether `line`, which has no end, may be an event by itself or, in front of all blocks, text: no
  /// field has a name of more than six bytes.
  private func isLone(_ line: Span<UInt8>) -> Bool {
    Self.beginsObject(line) || Self.error(inField: line) != nil
      || !isSure && line.count > 6 && !EventStreamDecoder.isField(line)
  }

  private static func beginsObject(_ line: Span<UInt8>) -> Bool {
    line.byte(at: line.trimmed().lowerBound) == ASCII.openBrace
  }

  /// The range of the object in `line`, if that is a field `error` with a whole one.
  private static func error(inField line: Span<UInt8>) -> Range<Int>? {
    guard line.starts(with: "error:") else { return nil }
    let value = line.extracting(6...).trimmed()
    let range = value.lowerBound + 6..<value.upperBound + 6
    let error = line.extracting(range)
    guard error.byte(at: 0) == ASCII.openBrace, UTF8Repair.isValid(error) else { return nil }
    return JSONScan.accepts(error) ? range : nil
  }

  /// Goes on with JSON values at `start`, where an object begins on the line that was read last, as
  /// nothing of an event stream came before it.
  private mutating func goOnWithValues(_ input: inout InputBuffer, from start: Int) {
    strayLine.report(isBeforeValues: true, &reports)
    form = .values
    values = ValueDecoder(limit: limit, line: stream.linePlace.line, start: stream.linePlace.byte)
    input.start = start
  }

  /// The last block, which has no blank line behind it.
  private mutating func lastBlock(
    _ input: inout InputBuffer, into event: inout Event
  ) -> Found? {
    let isLineWhole = input.count == 0
    guard stream.hasRest(input), let found = stream.flush(&input) else { return nil }
    let payload = payload(of: found, &input, into: &event)
    guard input.count == 0, case .block? = payload else { return payload }
    return .lastBlock(isLineWhole: isLineWhole)
  }

  /// Notes that the input surely is an event stream, and reports a line that is no field of one.
  @inline(__always)
  private mutating func confirmStream() {
    if isSure { return }
    isSure = true
    strayLine.report(&reports)
  }
}
