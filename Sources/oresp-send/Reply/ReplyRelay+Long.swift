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
      seen.leftOut.add(count - kept.count)
      self.condenser = end == nil ? condenser : nil
    }
    input.append(chunk.extracting(droppingFirst: count))
  }

  /// Begins to condense the line that has not ended, if it is long; `former` is where the unused bytes
  /// began before the last were read.
  mutating func lookForLongLine(from former: Int) {
    // A document may have line ends in it: it ends where the next begins.
    if feed.blockEnd == nil, input.offset(of: input.start) > former { condenser = nil }
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

/// How much of a reply is left out of what its reader gets, and where.
struct LeftOut {
  /// How much is left out in front of `lines`.
  private var before = 0
  /// The lines that are condensed: from which byte on that the reader gets, and how much they lack.
  private var lines: [(start: Int, count: Int)] = []

  /// Begins to condense a line: what the reader gets from `start` on.
  mutating func beginLine(at start: Int) { lines.append((start, 0)) }

  /// Leaves out `count` more bytes of the line that began last.
  mutating func add(_ count: Int) {
    if let last = lines.indices.last { lines[last].count += count }
  }

  /// The place in the reply of what the reader has at `offset`, which is never inside a line that is
  /// condensed.
  func place(_ offset: Int) -> Int {
    lines.reduce(offset + before) { $0 + ($1.start <= offset ? $1.count : 0) }
  }

  /// Forgets the lines in front of `offset`, where none is open; only later places are asked for then.
  mutating func forgetLines(before offset: Int) {
    before = place(offset) - offset
    lines.removeAll { $0.start <= offset }
  }
}

extension Span<UInt8> {
  /// The index of the first LF or CR.
  fileprivate var firstLineEnd: Int? {
    let feed = firstIndex(of: ASCII.lf)
    return extracting(first: feed ?? count).firstIndex(of: ASCII.cr) ?? feed
  }
}
