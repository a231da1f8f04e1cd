/// Blocks that repeat the one before them but for a few values, as those of an answer's deltas do:
///
///     event: response.output_text.delta
///     data: {"type":"response.output_text.delta","sequence_number":41,"delta":" a"}
///
///     event: response.output_text.delta
///     data: {"type":"response.output_text.delta","sequence_number":42,"delta":" bird"}
///
/// The second has the first one's bytes, but for the text of `delta` and the number: as the first
/// is JSON of a known type, so is the second once these two are walked. That takes a sixth of the
/// time of a walk through all of it.
extension EventReader {
  /// Skims the usual blocks at the first unused byte that repeat the one of `event`, whose data
  /// stands at `data` and whose type has them all take `course`.
  mutating func skimRepeats(
    of event: borrowing Event, _ data: Range<Int>, _ course: EventCourse,
    _ input: inout InputBuffer, passingTo output: inout [UInt8]
  ) {
    let start = event.inputPlace.byte - input.offset(of: 0)
    let block = RepeatedBlock(start..<data.upperBound + 2, event, data, input.bytes.span)
    while let end = block.endOfRepeat(
      in: input.bytes.span.extracting(0..<input.end), at: input.start)
    {
      let next = input.start + data.lowerBound - start..<end - 2
      guard settings.limit == 0 || next.count <= settings.limit else { return }
      stream.passBlock(next, of: &input)
      skim(next, of: input, course, passingTo: &output)
    }
  }
}

/// A usual block, with its blank line, and where the values stand that may differ in the next.
private struct RepeatedBlock {
  private let range: Range<Int>
  private let (number, delta, padding): (Range<Int>, Range<Int>, Range<Int>)

  init(
    _ range: Range<Int>, _ event: borrowing Event, _ data: Range<Int>, _ bytes: Span<UInt8>
  ) {
    let line = bytes.extracting(data)
    func place(_ value: Range<Int>?) -> Range<Int> {
      guard let value else { return .max ..< .max }
      return value.lowerBound + data.lowerBound..<value.upperBound + data.lowerBound
    }
    self.range = range
    number = place(event.value(of: "sequence_number", in: line))
    delta = place(event.value(of: "delta", in: line))
    padding = place(event.value(of: "obfuscation", in: line))
  }

  /// Where the block at `start` ends, if it is whole and repeats this one.
  func endOfRepeat(in bytes: Span<UInt8>, at start: Int) -> Int? {
    var (former, index, walked) = (range.lowerBound, start, range.lowerBound)
    while true {
      let count = bytes.countAlike(former, index, most: range.upperBound - former)
      (former, index) = (former + count, index + count)
      if former == range.upperBound { return index }
      // Behind a number that goes on, or inside a string, which its quotes begin and end.
      let value =
        number.lowerBound...number.upperBound ~= former
        ? number : delta.contains(former) ? delta : padding
      guard value.lowerBound...value.upperBound ~= former, value.lowerBound >= walked,
        let end = Self.end(
          bytes, index - (former - value.lowerBound), like: bytes[value.lowerBound])
      else { return nil }
      (former, index, walked) = (value.upperBound, end, value.upperBound)
    }
  }

  /// Where the string or the whole number at `index` ends, whichever begins with `first`.
  private static func end(_ bytes: Span<UInt8>, _ index: Int, like first: UInt8) -> Int? {
    guard first == ASCII.quote else { return JSONScan.endOfInteger(bytes, index) }
    guard bytes.byte(at: index) == first else { return nil }
    let end = JSONStringEnd(bytes, from: index + 1)
    return end.isWhole && end.isUTF8 ? end.index : nil
  }
}
