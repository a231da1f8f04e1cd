import Core

/// The lines of the events that were read of a reply, tagged with the name of their request. Each
/// waits until its bytes in the reply would be passed on.
struct HeldLines {
  private let facts: JSONValue.Members
  private var bytes: [UInt8] = []
  /// Where each event ends in the reply and its line in `bytes`.
  private var events: [(end: Int, lineEnd: Int)] = []

  init(tag: [UInt8]) { facts = [("request", .string(tag))] }

  /// Takes the line of an event that ends at place `end` of the reply.
  mutating func append(_ line: Span<UInt8>, endingAt end: Int) {
    Self.write(line, facts, to: &bytes)
    events.append((end, bytes.count))
  }

  /// Appends `line` to `output`, with the tag and a line end.
  func write(_ line: Span<UInt8>, to output: inout [UInt8]) {
    Self.write(line, facts, to: &output)
  }

  /// Does the same. A method of the value would hold on to `bytes`, which then were copied for each
  /// line.
  private static func write(
    _ line: Span<UInt8>, _ facts: JSONValue.Members, to output: inout [UInt8]
  ) {
    EventLine.append(line, facts: facts, to: &output)
    output.append(ASCII.lf)
  }

  /// Passes on the lines of the events that end at place `end` of the reply or before.
  mutating func pass(upTo end: Int, into output: inout [UInt8]) {
    let passed = events.prefix { $0.end <= end }
    guard let size = passed.last?.lineEnd else { return }
    output.append(copying: bytes.span.extracting(first: size))
    bytes.removeFirst(size)
    events.removeFirst(passed.count)
    for index in events.indices { events[index].lineEnd -= size }
  }

  /// Drops all lines: another reply takes the place of theirs.
  mutating func drop() {
    bytes = []
    events = []
  }
}
