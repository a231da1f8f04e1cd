/// Continuations: events that repeat the one before except the values that they add, as deltas do:
///
///     {"type":"response.output_text.delta","sequence_number":41,"delta":" a","output_index":0}
///     {"type":"response.output_text.delta","sequence_number":42,"delta":" bird","output_index":0}
///
/// The first is JSON of a known type, so the second is, too, once the values that may differ, 42
/// and `" bird"`, are walked. Its members are the first's, moved by the three more bytes of
/// `delta`. In recorded streams 87 % of the events are such, with 60 % of the bytes. A comparison
/// takes less than half the instructions of a walk, and nobody looks up again where the event
/// belongs.
extension EventReader {
  /// Puts the next event into `event`, which holds the one before, whose line is at `model`,
  /// counted from the start of the input. False when the next event is no continuation or not yet
  /// whole: the members in `event` are then of no use.
  mutating func readContinuation(
    of model: Range<Int>, _ input: inout InputBuffer, into event: inout Event
  ) -> Bool {
    let isBlock = format == .eventStream
    guard isBlock ? stream.isBetweenBlocks : texts.isBetweenLines,
      let line = Self.continuation(
        of: model, isBlock: isBlock, limit: settings.limit, input, &event)
    else { return false }
    if isBlock { stream.passBlock(line, of: &input) } else { texts.passLine(line, of: &input) }
    event.goOn(at: isBlock ? stream.blockPlace : texts.place, line, in: input.bytes.span)
    return true
  }

  // As a method of the reader it would copy the reader, for each event.
  private static func continuation(
    of model: Range<Int>, isBlock: Bool, limit: Int, _ input: borrowing InputBuffer,
    _ event: inout Event
  ) -> Range<Int>? {
    let moved = input.offset(of: 0)
    let bytes = input.bytes.span.extracting(0..<input.end)
    let former = model.lowerBound - moved..<model.upperBound - moved
    let lead = isBlock ? model.lowerBound - event.place.byte : 1
    let start = input.start + lead
    guard former.lowerBound >= lead,
      isBlock
        ? bytes.repeats(former.lowerBound - lead..<former.lowerBound, at: input.start)
        : bytes.byte(at: input.start) == ASCII.lf,
      let end = event.moveOn(from: former, to: start, in: bytes),
      limit == 0 || end - start <= limit,
      !isBlock || bytes.starts(with: "\n\n", at: end)
    else { return nil }
    return start..<end
  }
}

extension Event {
  /// Whether a continuation of the event can be read: its type is known, and all its outermost
  /// members are noted.
  @inline(__always)
  var isModel: Bool { type != nil && block == nil && members.areOutermost }

  /// Notes which members of its line, `line`, may differ in a continuation.
  mutating func noteContents(in line: Span<UInt8>) {
    contents =
      bit(of: "sequence_number", in: line) | bit(of: "delta", in: line)
      | bit(of: "obfuscation", in: line) | bit(of: "oresp", in: line)
  }

  /// The bit of the member `name`, if it is a string, a number or the toolkit's `oresp`; else 0.
  @inline(__always)
  private func bit(of name: StaticString, in line: Span<UInt8>) -> UInt32 {
    guard let index = members.index(of: name, in: line) else { return 0 }
    let first = line[members.value(at: index).lowerBound]
    let mayDiffer = first == ASCII.quote || ASCII.isDigit(first) || name.utf8CodeUnitCount == 5
    return mayDiffer ? 1 &<< UInt32(index) : 0
  }

  /// Moves its members from its line at `former` in `bytes` to the line at `start`. Returns the end
  /// of the new line; `nil`, with members of neither line, when that is no continuation.
  fileprivate mutating func moveOn(
    from former: Range<Int>, to start: Int, in bytes: Span<UInt8>
  ) -> Int? {
    var (old, new, rest) = (former.lowerBound, start, contents)
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      // The members behind the earlier values have moved with those.
      let value = members.value(at: index)
      let gap = start + value.lowerBound - new
      guard bytes.repeats(old..<old + gap, at: new) else { return nil }
      (old, new) = (old + gap, new + gap)
      guard let end = Self.end(bytes, new, like: old..<old + value.count) else { return nil }
      members.widen(index, by: end - new - value.count)
      (old, new) = (old + value.count, end)
    }
    guard bytes.repeats(old..<former.upperBound, at: new) else { return nil }
    return new + former.upperBound - old
  }

  /// The end of the value at `index`, which is as the one at `former`: a string, a whole number, or
  /// the toolkit's `{"at":1767225600.25}` with any time. `nil` when it is something else.
  private static func end(_ bytes: Span<UInt8>, _ index: Int, like former: Range<Int>) -> Int? {
    let first = bytes[former.lowerBound]
    if first == ASCII.quote {
      guard bytes.byte(at: index) == first else { return nil }
      let end = JSONStringEnd(bytes, from: index + 1)
      return end.isWhole && end.isUTF8 ? end.index : nil
    }
    if ASCII.isDigit(first) { return JSONScan.endOfInteger(bytes, index) }
    if bytes.repeats(former, at: index) { return index + former.count }
    guard let oldEnd = endOfTime(bytes, former.lowerBound),
      let end = endOfTime(bytes, index),
      bytes.repeats(oldEnd..<former.upperBound, at: end)
    else { return nil }
    return end + former.upperBound - oldEnd
  }

  /// The end of the time or number in `{"at":1767225600.25` or `{"n":7` at `index`; else `nil`.
  private static func endOfTime(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
    let isTime = bytes.starts(with: #"{"at":"#, at: index)
    guard isTime || bytes.starts(with: #"{"n":"#, at: index) else { return nil }
    let start = index + (isTime ? 6 : 5)
    let end = endOfDigits(bytes, start)
    guard end > start, bytes[start] != ASCII.zero else { return nil }
    guard bytes.byte(at: end) == ASCII.point else { return end }
    let decimals = endOfDigits(bytes, end + 1)
    return decimals > end + 1 ? decimals : nil
  }

  private static func endOfDigits(_ bytes: Span<UInt8>, _ index: Int) -> Int {
    var end = index
    while ASCII.isDigit(bytes.byte(at: end)) { end += 1 }
    return end
  }

  /// Becomes the continuation at `place` in the input, with its line at `line` in `bytes`.
  fileprivate mutating func goOn(
    at place: Notice.Place, _ line: Range<Int>, in bytes: Span<UInt8>
  ) {
    lineRange = line
    self.place = place
    step = .inside
    slot = 0
    isUntypedBlock = false
    isContinuation = true
    typeName = members.value(of: "type", in: bytes.extracting(line)).map {
      $0.lowerBound + 1..<$0.upperBound - 1
    }
  }
}
