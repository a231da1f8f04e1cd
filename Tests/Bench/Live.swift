import Foundation

/// Rows on streams that come one event at a time, through all three filters.
struct Live {
  let events: Int

  func measure(into table: inout Table) throws {
    let pipeline = try Pipeline()
    pipeline.begin()
    var milliseconds = (0..<events).map { _ in pipeline.roundTrip() * 1e3 }
    let cpuSeconds = pipeline.end()
    milliseconds.sort()
    let (middle, high) = (milliseconds[events / 2], milliseconds[events * 99 / 100])
    table.add(
      "event in → text out, three filters", against: "wall, p50 and p99",
      "\(middle.short) and \(high.short) ms", budget: "1 ms (p99)", isMet: high < 1)
    let perEvent = cpuSeconds / Double(events)
    table.add(
      "live pipelines of three filters that one core carries",
      against: "50 events a second in each",
      "\(Int(1 / (perEvent * 50))) (\((perEvent * 1e6).short) µs of CPU an event)")
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

/// `oresp-sse | oresp-events | oresp-text`, with the ends in hand.
private final class Pipeline {
  private var children: [Int32] = []
  private let input: Int32
  private let output: Int32
  private static let text = "word "

  init() throws {
    _ = SystemCall.ignoresSIGPIPE
    var reading: Int32
    (reading, input) = try SystemCall.pipe()
    let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
    for arguments in [["oresp-sse"], ["oresp-events", "-T", "keepalive"], ["oresp-text"]] {
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
    send("response.created", #""response":{"id":"r"}"#)
    send(
      "response.output_item.added",
      #""output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}"#)
    for _ in 0..<100 { _ = roundTrip() }
  }

  /// Sends a delta and waits for its text; the seconds that took.
  func roundTrip() -> Double {
    let start = Measure.now()
    send(
      "response.output_text.delta",
      #""item_id":"m","output_index":0,"content_index":0,"delta":"\#(Self.text)""#)
    var missing = Self.text.utf8.count
    while missing > 0 {
      let count = SystemCall.read(output).count
      guard count > 0 else { return .infinity }
      missing -= count
    }
    return Measure.now() - start
  }

  /// Ends the stream; the CPU time that all three took.
  func end() -> Double {
    close(input)
    while !SystemCall.read(output).isEmpty {}
    close(output)
    return children.reduce(0) { $0 + Measure.cpuSeconds(awaiting: $1) }
  }

  private func send(_ type: String, _ members: String) {
    let block = "event: \(type)\ndata: {\"type\":\"\(type)\",\(members)}\n\n"
    _ = SystemCall.write(Array(block.utf8), to: input)
  }
}
