extension EventStreamDecoder {
  /// Where the data starts of a block that begins as nearly all do: with an `event` line perhaps,
  /// then a `data` line. `nil` when something else comes next, or a block has begun already.
  @inline(__always)
  func plainData(_ input: borrowing InputBuffer) -> Int? {
    guard isPastMark, !skipsLF, !skipsLine, scanned == 0, isDispatched || !hasFields && !isOversized
    else { return nil }
    let bytes = input.bytes.span.extracting(0..<input.end)
    var index = input.start
    if bytes.starts(with: "event: ", at: index) {
      let end = bytes.endOfLine(from: index + 7)
      guard end < bytes.count, bytes[end] == ASCII.lf else { return nil }
      index = end + 1
    }
    return bytes.starts(with: "data: ", at: index) ? index + 6 : nil
  }

  /// Takes the block that `plainData` saw begin, whose data stands at `data` with an LF behind it and
  /// one that makes a blank line: what `next` comes to by many more steps.
  @inline(__always)
  mutating func takePlain(_ data: Range<Int>, of input: inout InputBuffer) {
    let isNamed = data.lowerBound > input.start + 6
    (firstLine, offset) = (line + 1, input.offset(of: input.start))
    line += isNamed ? 3 : 2
    lineOffset = input.offset(of: data.upperBound + 1)
    input.start = data.upperBound + 2
    blockEnd = input.offset(of: input.start)
  }
}
