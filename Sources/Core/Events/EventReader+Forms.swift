/// Reads the forms of input that carry events, up to the end of each.
extension EventReader {
  /// Finds the format by the first byte that is no white space: no field of an event stream starts
  /// as a JSON value does. `nil` when more must be read first.
  mutating func detect(_ input: inout InputBuffer, isEnd: Bool) -> Format? {
    guard let index = passLead(&input, isEnd: isEnd), index < input.end else {
      if isEnd {
        format = .eventStream
        isStream = true
      }
      return format
    }
    let foreign = ForeignInput(head: input.bytes.span.extracting(index..<input.end))
    switch settings.acceptsAnything ? .own : foreign {
    case .undecided where !isEnd: return nil
    case .foreign(let what):
      let place = Notice.Place(line: lead.lines + 1, byte: input.offset(of: input.start))
      report(.error, what, at: place)
      format = .foreign
      return format
    case .undecided, .own: break
    }
    if !settings.acceptsAnything, let line = lineWithPrefix(input, from: index, isEnd: isEnd) {
      guard line.upperBound > line.lowerBound else { return nil }
      if let what = ForeignInput.named(byLine: input.bytes.span.extracting(line)) {
        report(.error, what, at: Notice.Place(line: lead.lines + 1, byte: input.offset(of: index)))
        format = .foreign
        return format
      }
    }
    switch input.bytes[index] {
    case ASCII.openBrace, ASCII.openBracket, ASCII.quote, ASCII.minus, ASCII.recordSeparator,
      ASCII.zero...ASCII.nine:
      format = .json
      input.start = index
      texts = JSONTextDecoder(limit: settings.limit, line: lead.lines + 1)
    default:
      format = .eventStream
      isStream = true
      stream.skipLines(lead.lines)
    }
    return format
  }

  /// The range of the first line, which starts at `start`, if it begins as JSON and may have a
  /// prefix such as a time; `nil` if not. It is empty when more must be read first.
  private func lineWithPrefix(
    _ input: borrowing InputBuffer, from start: Int, isEnd: Bool
  ) -> Range<Int>? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    let first = bytes[start]
    if first == ASCII.openBracket {
      if start + 1 == bytes.count, !isEnd { return start..<start }
      guard ASCII.isLetterOrDigit(bytes.byte(at: start + 1)) else { return nil }
    } else if first != ASCII.minus, !ASCII.isDigit(first) {
      return nil
    }
    let end = bytes.endOfLine(from: start)
    if end == bytes.count, !isEnd, end - start <= InputBuffer.readSize { return start..<start }
    return start..<end
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
  mutating func readAnyBlock(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let found = stream.next(&input) {
      if case .fault(.unknownField(let range)) = found,
        input.bytes[range.lowerBound] == ASCII.openBrace,
        !Self.isOfCurl(input.bytes.span.extracting(range))
      {
        return goOnAsTexts(
          &input, from: range.lowerBound, line: stream.linePlace.line, into: &event)
      }
      if settle(&event, found, input) { return true }
      if !parts.isEmpty || format == .foreign { return false }
    }
    guard isEnd else { return false }
    let rest = input.start..<input.end
    if Self.error(inField: input.bytes.span.extracting(rest)) != nil {
      input.start = input.end
      return settle(&event, errorField: rest, input)
    }
    guard input.count > 0, !stream.skipsLine, input.bytes[input.start] == ASCII.openBrace else {
      return readLastBlock(&input, into: &event)
    }
    return goOnAsTexts(&input, from: input.start, line: stream.linePlace.line + 1, into: &event)
  }

  /// Goes on at `start`, where an object begins on line number `line`, reading JSON texts. True
  /// when the block before it gives an event, which comes first.
  private mutating func goOnAsTexts(
    _ input: inout InputBuffer, from start: Int, line: Int, into event: inout Event
  ) -> Bool {
    let place = Notice.Place(line: line, byte: input.offset(of: start))
    var isFound = false
    if let found = stream.endEarly() { isFound = settle(&event, found, input) }
    if hasSeenBlock || !stream.name.isEmpty {
      reportMix(at: place)
    } else {
      // No field of an event stream came before: this is NDJSON whose first lines may be broken.
      if reported.contains("field") { report(.error, "the text before is not JSON", at: place) }
      isStream = false
    }
    (input.start, format) = (start, .json)
    stream.restart(atLine: line, of: input)
    texts = JSONTextDecoder(limit: settings.limit, line: line)
    return isFound
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

  /// Makes an event of the field `error` at `line`; false as below.
  private mutating func settle(
    _ event: inout Event, errorField line: Range<Int>, _ input: borrowing InputBuffer
  ) -> Bool {
    let field = input.bytes.span.extracting(line)
    guard let range = Self.error(inField: field) else { return false }
    let error = field.extracting(range)
    hasSeenBlock = true
    let place = stream.linePlace
    if let found = stream.endEarly() {
      // Behind data without a blank line: that comes first.
      parts.append(Part(payload: EventLine.wrapping(error: error), place: place))
      return settle(&event, found, input)
    }
    event.begin(at: place)
    return settle(&event, error: error)
  }

  /// Whether `line` looks like a line that `curl -v` writes on stderr.
  private static func isOfCurl(_ line: Span<UInt8>) -> Bool {
    let line = line.extracting(line.trimmed())
    guard !line.isEmpty else { return false }
    if (["{ [", "} ["] as [StaticString]).contains(where: { line.starts(with: $0) }) {
      return line.starts(with: " bytes data]", at: line.count - 12)
    }
    let marks = [UInt8(ascii: "*"), UInt8(ascii: ">"), UInt8(ascii: "<")]
    return marks.contains(line[0]) && (line.count == 1 || line[1] == ASCII.space)
  }

  private mutating func reportCurl(at place: Notice.Place) {
    report(.warning, "the lines that curl -v writes on stderr are skipped", at: place)
  }

  private mutating func reportMix(at place: Notice.Place) {
    report(.warning, "an event stream and lines of JSON in one input", at: place)
  }

  /// Reports `what`, once; an error has the status for bad input.
  mutating func report(_ kind: Notice.Kind, _ what: String, at place: Notice.Place) {
    guard reported.insert(what).inserted else { return }
    notices.append(Notice(kind, what, status: kind == .error ? .badInput : nil, at: place))
  }

  /// Hands on a last block without a blank line behind it, if its data is whole; the standard drops
  /// it.
  private mutating func readLastBlock(
    _ input: inout InputBuffer, into event: inout Event
  ) -> Bool {
    let isLineWhole = input.count == 0
    guard !isFlushed, stream.hasRest(input), let found = stream.flush(&input) else { return false }
    isFlushed = input.count == 0
    guard isFlushed, case .event = found else { return settle(&event, found, input) }
    let data = stream.data
    let text = data.span.extracting(data.span.trimmed())
    let isText = Heartbeat.isOne(text) || hasBegun && Self.words(of: text) != nil
    guard JSONScan.accepts(text) || text.equals(Self.endMark) || isLineWhole && isText else {
      let why = "the input ends inside an event, which is dropped"
      notices.append(Notice(.error, why, status: .badInput, at: stream.blockPlace))
      return false
    }
    // A stream that lacks blank lines has been reported already.
    if !stream.hasSplit {
      report(.warning, "the last event has no blank line after it", at: stream.blockPlace)
    }
    return settle(&event, found, input)
  }

  /// Makes an event of `found`, the next thing in the stream; false when it is none.
  private mutating func settle(
    _ event: inout Event, _ found: EventStreamDecoder.Found, _ input: borrowing InputBuffer
  ) -> Bool {
    if case .fault = found {} else { hasSeenBlock = true }
    if stream.hasSplit {
      report(.warning, "there is no blank line between events", at: stream.blockPlace)
    }
    switch found {
    case .event: return settleBlock(&event)
    case .comment: break
    case .fault(.unknownField(let range))
    where Self.isOfCurl(input.bytes.span.extracting(range)):
      reportCurl(at: stream.linePlace)
    case .fault(.unknownField(let range))
    where Self.error(inField: input.bytes.span.extracting(range)) != nil:
      return settle(&event, errorField: range, input)
    case .fault(.unknownField(let range)):
      if !hasSeenBlock, !settings.acceptsAnything,
        let what = ForeignInput.named(byLine: input.bytes.span.extracting(range))
      {
        report(.error, what, at: stream.linePlace)
        format = .foreign
        break
      }
      guard reported.insert("field").inserted else { break }
      let shown = String(decoding: input.bytes.span.extracting(range).extracting(first: 40))
      let why = "skipped, not a field of an event stream: \(shown.debugDescription)"
      notices.append(Notice(.warning, why, at: stream.linePlace))
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
    if data.span.extracting(payload).equals(Self.endMark) {
      return makeMark(&event)
    }
    if Heartbeat.isOne(data.span.extracting(payload)) {
      return makeHeartbeat(&event, data.span.extracting(payload))
    }
    if hasBegun, let words = Self.words(of: data.span.extracting(payload)) {
      return makeError(&event, words)
    }
    return settle(&event, made: [UInt8](data[payload]))
  }

  /// The text that `data` is, or spells as a JSON string; `nil` when it is another JSON value, or
  /// begins as one.
  private static func words(of data: Span<UInt8>) -> [UInt8]? {
    switch data[0] {
    case ASCII.openBrace: return nil
    case ASCII.openBracket where !ASCII.isLetter(data.byte(at: 1)): return nil
    case ASCII.quote: return JSONScan.accepts(data) ? JSONString.decoded(data) : nil
    default: return JSONScan.accepts(data) ? nil : [UInt8](copying: data)
    }
  }

  /// Puts the event of the next JSON text into `event`; false when there is none yet.
  mutating func readText(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while let found = texts.next(&input, isEnd: isEnd, noting: &event.members) {
      event.begin(at: texts.place)
      switch found {
      case .value(let range):
        event.lineRange = range
        let payload = input.bytes.span.extracting(range)
        let isSettled = settle(
          &event, payload, isUTF8: texts.isUTF8, hasLineEnds: texts.hasLineEnds)
        if isSettled { return true }
        if !parts.isEmpty { return false }
      case .broken(let range, _)
      where input.bytes.span.extracting(range).starts(with: Self.endMark):
        // The line goes on behind the mark: [DONE]{"type":…}
        input.start = range.lowerBound + Self.endMark.utf8CodeUnitCount
        if makeMark(&event) { return true }
        if !parts.isEmpty { return false }
      case .broken(let range, _)
      where EventStreamDecoder.isField(input.bytes.span.extracting(range)):
        reportMix(at: texts.place)
        (input.start, format, hasSeenBlock) = (range.lowerBound, .eventStream, true)
        stream.restart(atLine: texts.place.line, of: input)
        return false
      case .broken(let range, _) where Self.isOfCurl(input.bytes.span.extracting(range)):
        reportCurl(at: texts.place)
      case .broken(let range, let expected) where range.isEmpty:
        // An array that does not end: its bracket is left.
        let bracket = [ASCII.openBracket]
        reject(&event, bracket.span, "not JSON: \(expected)")
        return true
      case .broken(let range, let expected):
        reject(&event, input.bytes.span.extracting(range), "not JSON: \(expected)")
        return true
      case .oversized: noteOversized(at: event.place)
      }
    }
    return false
  }
}
