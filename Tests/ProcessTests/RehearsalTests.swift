import ProcessSupport
import Testing

/// `oresp-send --rehearse`: every ending, without a key and without a network.
struct RehearsalTests {
  static let outcomes: [(outcome: String, status: Int32)] = [
    ("completed", 0), ("failed", 5), ("incomplete", 6), ("refusal", 7), ("cut", 5), ("error", 4),
    ("http-401", 4), ("http-429", 5), ("slow", 0),
  ]

  @Test(arguments: outcomes)
  func `every stage reaches the status of a rehearsed outcome`(
    outcome: String, status: Int32
  ) throws {
    let server = try LoopbackServer(.body(""))
    let (finished, statuses) = try ToolProcess.pipeline(
      ["oresp-send --rehearse=\(outcome) Hello"] + filters, environment: server.asProxy)
    #expect(statuses == Array(repeating: status, count: 4))
    #expect(status == 0 || !finished.errors.isEmpty)
    #expect(status != 0 || finished.text.hasSuffix("\n"))
    #expect(server.requests.isEmpty)
  }

  @Test func `an outcome that is left out is a completed one`() throws {
    let plain = try ToolProcess.run("oresp-send", ["--rehearse", "Hello"])
    let named = try ToolProcess.run("oresp-send", ["--rehearse=completed", "Hello"])
    #expect(plain.outcome == .exited(0))
    #expect(plain.text == named.text)
    #expect(!events(of: plain.output).isEmpty)
    #expect(events(of: plain.output).allSatisfy { !$0.isEmpty })
  }
}
