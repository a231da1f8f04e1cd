import Testing

@testable import Core
@testable import oresp_send

/// The lines of events that a batch prints are those that a reader of the answer's bytes finds.
@Suite struct BatchLinesTests {
  private static let tag = Array(#"a "tag""#.utf8)
  private static let recordings =
    Corpus.all + Corpus.files("chat", ".sse") + Corpus.files("faults", ".sse")

  /// The lines that are made of `chunks`.
  private static func lines(of chunks: [ArraySlice<UInt8>]) -> [UInt8] {
    var lines = TaggedLines(tag: tag)
    var made: [UInt8] = []
    for chunk in chunks { lines.append(Array(chunk).span, isEnd: false, to: &made) }
    lines.append(Span(), isEnd: true, to: &made)
    return made
  }

  /// The lines that a reader finds in `bytes`.
  private static func read(_ bytes: [UInt8]) -> [UInt8] {
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    reading.chat = .kept
    var ends = OwnEnds()
    ends.passes = true
    ends.marks = .written
    var feed = EventFeed(reading, sorting: .handlingAll, ends)
    var input = InputBuffer()
    var unused = Output()
    unused.readsPipe = true
    unused.leadsToProgram = true
    var lines: [UInt8] = []
    input.append(bytes.span)
    feed.each(in: &input, isEnd: true, into: &unused) { _, line, _ in
      EventLine.append(line, facts: [("request", .string(tag))], to: &lines)
      lines.append(ASCII.lf)
    }
    return lines
  }

  @Test(arguments: recordings)
  func `the lines of a batch are those of its answer's bytes, however they come`(
    path: String
  ) throws {
    let whole = try Recording(path).bytes
    for size in [max(whole.count, 1), 4096, 97] {
      let chunks = stride(from: 0, to: whole.count, by: size).map { whole[$0...].prefix(size) }
      #expect(Self.lines(of: chunks) == Self.read(whole), "\(size)")
    }
  }
}
