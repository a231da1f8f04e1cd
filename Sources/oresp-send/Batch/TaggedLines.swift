import Core

/// Reads the events in the bytes of a reply, and makes a line of each, tagged with the name of its
/// request, with the marks of what the reader of the reply told.
struct TaggedLines: ~Copyable {
  private let facts: JSONValue.Members
  private var feed: EventFeed
  private var input = InputBuffer()

  init(tag: [UInt8]) {
    facts = [("request", .string(tag))]
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    reading.chat = .kept
    var ends = OwnEnds()
    ends.passes = true
    ends.marks = .written
    feed = EventFeed(reading, sorting: .handlingAll, ends)
  }

  /// Appends the lines of the events in `bytes` to `output`; `isEnd` when nothing follows.
  mutating func append(_ bytes: Span<UInt8>, isEnd: Bool, to output: inout [UInt8]) {
    input.append(bytes)
    var unused = Output()
    unused.readsPipe = true
    unused.leadsToProgram = true
    feed.each(in: &input, isEnd: isEnd, into: &unused) { [facts] _, line, _ in
      EventLine.append(line, facts: facts, to: &output)
      output.append(ASCII.lf)
    }
  }
}
