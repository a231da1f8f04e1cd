import Foundation

/// Rows on streams that come one event at a time, through all three filters.
struct Live {
  let events: Int

  func measure(into table: inout Table) throws {
    let filters = [["oresp-sse"], ["oresp-events", "-T", "keepalive"], ["oresp-text"]]
    let (milliseconds, perEvent) = try run(Pipeline(filters))
    // The floor: three programs that read and write and do nothing else.
    let (_, least) = try run(Pipeline([["cat"], ["cat"], ["cat"]], copies: true))
    let (middle, high) = (milliseconds[events / 2], milliseconds[events * 99 / 100])
    table.add(
      "event in → text out, three filters", against: "wall, p50 and p99",
      "\(middle.short) and \(high.short) ms", budget: "1 ms (p99)", isMet: high < 1)
    table.add(
      "CPU time of an event through three filters", against: "three `cat`",
      "\((perEvent / least).short) × (\((perEvent * 1e6).short) and \((least * 1e6).short) µs)",
      budget: "1.5 × at most", isMet: perEvent <= 1.5 * least)
    table.add(
      "live pipelines of three filters that one core carries",
      against: "50 events a second in each",
      "\(Int(1 / (perEvent * 50)))")
  }

  /// The times of all round trips, sorted, and the CPU time of one in seconds.
  private func run(_ pipeline: Pipeline) -> (milliseconds: [Double], perEvent: Double) {
    pipeline.begin()
    let milliseconds = (0..<events).map { _ in pipeline.roundTrip() * 1e3 }
    return (milliseconds.sorted(), pipeline.end() / Double(events + Pipeline.extra))
  }

  /// The time from start to end on an empty stream.
  static func start(runs: Int, into table: inout Table) throws {
    for tool in ["oresp-sse", "oresp-events", "oresp-text"] {
      let costs = try Measure.inTurn(Candidate(tool), Candidate("true"), runs: runs)
      let extra = Measure.median(costs.ours.map(\.wallSeconds)) * 1e3
      let base = Measure.median(costs.peer.map(\.wallSeconds)) * 1e3
      table.add(
        "`\(tool)`, start to exit on an empty stream", against: "`true`",
        "\(extra.short) ms against \(base.short) ms", budget: "1 ms more", isMet: extra - base <= 1)
    }
  }
}

/// Filters in a row, with the ends in hand.
private final class Pipeline {
  private var children: [Int32] = []
  private let input: Int32
  private let output: Int32
  private static let text = "word "
  /// How many round trips are made before those that count.
  static let extra = 100
  /// Whether all that goes in comes out, not the text alone.
  private let copies: Bool

  init(_ commands: [[String]], copies: Bool = false) throws {
    self.copies = copies
    _ = SystemCall.ignoresSIGPIPE
    var reading: Int32
    (reading, input) = try SystemCall.pipe()
    let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
    for arguments in commands {
      let next = try SystemCall.pipe()
      children.append(
        try Spawn.start(
          Tools.path(of: arguments[0]) ?? "", arguments, environment: Tools.environment,
          descriptors: [reading, next.writing, errors]))
      close(reading)
      close(next.writing)
      reading = next.reading
    }
    output = reading
    close(errors)
  }

  func begin() {
    let created = send("response.created", #""response":{"id":"r"}"#)
    let added = send(
      "response.output_item.added",
      #""output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}"#)
    if copies { take(created + added) }
    for _ in 0..<Self.extra { _ = roundTrip() }
  }

  /// Sends a delta and waits for its text; the seconds that took.
  func roundTrip() -> Double {
    let start = Measure.now()
    let sent = send(
      "response.output_text.delta",
      #""item_id":"m","output_index":0,"content_index":0,"delta":"\#(Self.text)""#)
    let isThere = take(copies ? sent : Self.text.utf8.count)
    return isThere ? Measure.now() - start : .infinity
  }

  /// Waits for `count` bytes; false when they do not come.
  @discardableResult
  private func take(_ count: Int) -> Bool {
    var missing = count
    while missing > 0 {
      let count = SystemCall.read(output).count
      guard count > 0 else { return false }
      missing -= count
    }
    return true
  }

  /// Ends the stream; the CPU time that all three took.
  func end() -> Double {
    close(input)
    while !SystemCall.read(output).isEmpty {}
    close(output)
    return children.reduce(0) { $0 + Measure.cpuSeconds(awaiting: $1) }
  }

  /// Sends an event; returns how many bytes that were.
  private func send(_ type: String, _ members: String) -> Int {
    let block = "event: \(type)\ndata: {\"type\":\"\(type)\",\(members)}\n\n"
    _ = SystemCall.write(Array(block.utf8), to: input)
    return block.utf8.count
  }
}
