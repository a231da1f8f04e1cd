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
      seen.leftOut.add(count - kept.count, before: input.offset(of: input.end))
      self.condenser = end == nil ? condenser : nil
    }
    input.append(chunk.extracting(droppingFirst: count))
  }

  /// Begins to condense the line that has not ended, if it is long.
  mutating func lookForLongLine() {
    guard condenser == nil, input.count > Self.longLine else { return }
    let line = Array(input.bytes[input.start..<input.end])
    condenser = Condenser(behind: line.span)
    seen.leftOut.beginLine(at: input.offset(of: input.end))
  }

  /// Gets ready for another input.
  mutating func forgetLongLine() {
    condenser = nil
    (seen.leftOut, isTorn) = (LeftOut(), false)
  }

  /// Where the last block ended in the reply.
  var blockEnd: Int? { feed.blockEnd.map { seen.leftOut.place($0) } }
}

/// How much of a reply its reader did not get, and where: places of the one from places of the other.
struct LeftOut {
  /// How much is left out in front of `lines`.
  private var before = 0
  /// Lines that are condensed: where the reader's part of each ends so far, and how much it lacks.
  private var lines: [(end: Int, count: Int)] = []

  /// Begins a line, of which the reader has what stands before `end`.
  mutating func beginLine(at end: Int) { lines.append((end, 0)) }

  /// Leaves out `count` more bytes of the line that began last, which now ends at `end`.
  mutating func add(_ count: Int, before end: Int) {
    lines.append((end, count + (lines.popLast()?.count ?? 0)))
  }

  /// Where that stands in the reply which the reader has at `offset`: no place inside a line.
  func place(_ offset: Int) -> Int {
    lines.reduce(offset + before) { $0 + ($1.end <= offset ? $1.count : 0) }
  }

  /// Forgets where lines were that ended before `offset`; no place in front of that is asked for.
  mutating func forgetLines(before offset: Int) {
    before = place(offset) - offset
    lines.removeAll { $0.end <= offset }
  }
}

extension Span<UInt8> {
  /// The index of the first LF or CR.
  fileprivate var firstLineEnd: Int? {
    let feed = firstIndex(of: ASCII.lf)
    return extracting(first: feed ?? count).firstIndex(of: ASCII.cr) ?? feed
  }
}
