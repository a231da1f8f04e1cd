extension EventReader {
  /// What `nextPlain` comes to.
  enum PlainEvent {
    case event(Event)
    /// More must be read first.
    case none
    /// What comes next is for `next(_:)`.
    case unusual
  }

  /// An event that is written in the usual way.
  private struct Plain {
    /// Where its line stands.
    var place: Range<Int>
    var name: Range<Int>
    var type: EventType?
  }

  /// The next event, as long as events are written in the usual way: blocks of one `data` line, or
  /// NDJSON, ended by LF.
  ///
  /// It does what `next(_:)` does in one pass and without a call for each line: small events take
  /// it a third of the time.
  mutating func nextPlain(
    _ input: inout InputBuffer, _ triage: borrowing EventTriage, passingTo output: inout [UInt8]
  ) -> PlainEvent {
    switch format {
    case .eventStream: nextPlainBlock(&input, triage, passingTo: &output)
    case .json: nextPlainLine(&input, triage, passingTo: &output)
    case nil: .unusual
    }
  }

  private mutating func nextPlainBlock(
    _ input: inout InputBuffer, _ triage: borrowing EventTriage, passingTo output: inout [UInt8]
  ) -> PlainEvent {
    guard stream.isBetweenBlocks, !settings.keepsNames else { return .unusual }
    while let found = plainBlock(input) {
      let course = triage.course(of: found.type)
      guard settings.validates || course == .drop || isUTF8(found.place, of: input) else {
        return .unusual
      }
      stream.takePlain(found.place, of: &input)
      hasSeenBlock = true
      switch course {
      case .take: return .event(event(found, line: stream.firstLine, offset: stream.offset))
      case .pass:
        let line = found.place.lowerBound..<found.place.upperBound + 1
        output.append(copying: input.bytes.span.extracting(line))
        skimmed.passed += 1
      case .drop: skimmed.dropped += 1
      }
      skimmed.last = found.place
    }
    guard isUnfinished(input) else { return .unusual }
    stream.endRead()
    return .none
  }

  private mutating func nextPlainLine(
    _ input: inout InputBuffer, _ triage: borrowing EventTriage, passingTo output: inout [UInt8]
  ) -> PlainEvent {
    // Lines that touch go out together.
    var run = 0..<0
    while let start = texts.plainStart(&input), let found = plainLine(input, at: start) {
      texts.takePlain(found.place, of: &input)
      switch triage.course(of: found.type) {
      case .take:
        output.append(copying: input.bytes.span.extracting(run))
        return .event(event(found, line: texts.firstLine, offset: texts.offset))
      case .pass:
        if start != run.upperBound {
          output.append(copying: input.bytes.span.extracting(run))
          run = start..<start
        }
        run = run.lowerBound..<found.place.upperBound + 1
        skimmed.passed += 1
      case .drop: skimmed.dropped += 1
      }
      skimmed.last = found.place
    }
    output.append(copying: input.bytes.span.extracting(run))
    return isUnfinished(input) ? .none : .unusual
  }

  /// The block that starts at the first unused byte.
  @inline(__always)
  private mutating func plainBlock(_ input: borrowing InputBuffer) -> Plain? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    let start = input.start
    let object: Int
    if head.begins(bytes, at: start) {
      object = start + head.object
    } else {
      guard let data = EventStreamDecoder.plainData(bytes, at: start) else { return nil }
      object = data
      head.learn(bytes, at: start, object: object)
    }
    guard let found = plain(bytes, start: start, object: object),
      found.place.upperBound + 1 < bytes.count, bytes[found.place.upperBound + 1] == ASCII.lf
    else { return nil }
    return found
  }

  /// The line that starts at `start`.
  @inline(__always)
  private mutating func plainLine(_ input: borrowing InputBuffer, at start: Int) -> Plain? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    if !head.begins(bytes, at: start) { head.learn(bytes, at: start, object: start) }
    return plain(bytes, start: start, object: start)
  }

  /// The event that starts at `start`, with `head` if there is one, whose object starts at `object`.
  @inline(__always)
  private func plain(_ bytes: Span<UInt8>, start: Int, object: Int) -> Plain? {
    guard let end = plainEnd(bytes, from: object, known: start + head.count) else { return nil }
    if head.count > 0 { return Plain(place: object..<end, name: head.name, type: head.type) }
    let (name, type) = Event.type(of: bytes.extracting(object..<end))
    return name.map { Plain(place: object..<end, name: $0, type: type) }
  }

  /// Where the object that starts at `start` ends, with an LF behind it. If it has a head, that ends
  /// at `known`.
  @inline(__always)
  private func plainEnd(_ bytes: Span<UInt8>, from start: Int, known: Int) -> Int? {
    var end: Int
    if settings.validates {
      let found =
        head.count > 0
        ? CompactJSON.end(of: bytes, afterMember: known)
        : CompactJSON.end(of: bytes, at: start)
      guard let found else { return nil }
      end = found
    } else {
      end = bytes.endOfLine(from: max(start, known))
      guard end > start + 1, bytes[start] == ASCII.openBrace, bytes[end - 1] == ASCII.closeBrace
      else { return nil }
    }
    guard end < bytes.count, bytes[end] == ASCII.lf else { return nil }
    return settings.limit == 0 || end - start <= settings.limit ? end : nil
  }

  /// Whether the unused bytes, if there are any, are the start of an event like the last and no more
  /// than that. To wait for the rest of a short one costs less than to go the long way for it.
  private func isUnfinished(_ input: borrowing InputBuffer) -> Bool {
    let bytes = input.bytes.span.extracting(input.start..<input.end)
    guard !bytes.isEmpty else { return true }
    guard bytes.count < 4096 else { return false }
    if head.mayBegin(bytes, at: 0) { return true }
    guard head.begins(bytes, at: 0) else { return false }
    let end = bytes.endOfLine(from: head.count)
    return format == .eventStream
      ? end == bytes.count || end == bytes.count - 1 && bytes[end] == ASCII.lf
      : end == bytes.count && bytes[end - 1] != ASCII.closeBrace
  }

  private func isUTF8(_ place: Range<Int>, of input: borrowing InputBuffer) -> Bool {
    UTF8Repair.isValid(input.bytes.span.extracting(place))
  }

  private mutating func event(_ found: Plain, line: Int, offset: Int) -> Event {
    skimmed.last = nil
    var event = Event(inputLine: line, inputOffset: offset)
    (event.place, event.typeName, event.type) = (found.place, found.name, found.type)
    return event
  }
}
