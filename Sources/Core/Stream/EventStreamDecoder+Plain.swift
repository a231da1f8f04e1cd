extension EventStreamDecoder {
  /// Whether a block may begin at the first unused byte, and none has begun.
  var isBetweenBlocks: Bool {
    isPastMark && !skipsLF && !skipsLine && scanned == 0
      && (isDispatched || !hasFields && !isOversized)
  }

  /// Where the data starts of a block at `start` that begins as nearly all do: with an `event` line
  /// perhaps, then a `data` line. `nil` when something else stands there.
  static func plainData(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    var index = start
    if bytes.starts(with: "event: ", at: index) {
      let end = bytes.endOfLine(from: index + 7)
      guard end < bytes.count, bytes[end] == ASCII.lf else { return nil }
      index = end + 1
    }
    return bytes.starts(with: "data: ", at: index) ? index + 6 : nil
  }

  /// Takes the block at the first unused byte that `plainData` saw, whose data stands at `data` with
  /// two LFs behind it: what `next` comes to by many more steps.
  @inline(__always)
  mutating func takePlain(_ data: Range<Int>, of input: inout InputBuffer) {
    let isNamed = data.lowerBound > input.start + 6
    (firstLine, offset) = (line + 1, input.offset(of: input.start))
    line += isNamed ? 3 : 2
    lineOffset = input.offset(of: data.upperBound + 1)
    input.start = data.upperBound + 2
    blockEnd = input.offset(of: input.start)
  }

  /// More is read before anything else is taken, and the input moves then.
  mutating func endRead() { nextCR = -1 }
}
