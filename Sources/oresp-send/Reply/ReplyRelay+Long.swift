import Core

/// Events and documents that are too long to be held: their lines are condensed on the way to the
/// reader, which then tells places in what it got.
extension ReplyRelay {
  /// From which length on a line is condensed.
  private static let longLine = 256 << 10

  /// Appends `chunk` to the input, a long line up to its end condensed.
  mutating func append(_ chunk: Span<UInt8>) {
    var count = 0
    if var condenser {
      let end = feed.blockEnd == nil ? nil : chunk.firstLineEnd
      count = end ?? chunk.count
      var kept: [UInt8] = []
      condenser.take(chunk.extracting(first: count), into: &kept)
      input.append(kept.span)
      leftOut += count - kept.count
      leftOutOfBlock += count - kept.count
      self.condenser = end == nil ? condenser : nil
    }
    input.append(chunk.extracting(droppingFirst: count))
  }

  /// Begins to condense the line that has not ended, if it is long.
  mutating func lookForLongLine() {
    guard condenser == nil, input.count > Self.longLine else { return }
    let line = Array(input.bytes[input.start..<input.end])
    condenser = Condenser(behind: line.span)
  }

  /// Gets ready for another input.
  mutating func forgetLongLine() {
    condenser = nil
    (leftOut, leftOutOfBlock, isTorn) = (0, 0, false)
  }

  /// Where the last block ended in the reply.
  var blockEnd: Int? { feed.blockEnd.map { $0 + leftOut - leftOutOfBlock } }
}

extension Span<UInt8> {
  /// The index of the first LF or CR.
  fileprivate var firstLineEnd: Int? {
    let feed = firstIndex(of: ASCII.lf)
    return extracting(first: feed ?? count).firstIndex(of: ASCII.cr) ?? feed
  }
}
