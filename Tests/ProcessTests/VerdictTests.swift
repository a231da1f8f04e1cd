import ProcessSupport
import Testing

/// How a response ended is in the status of whichever tool comes last.
struct VerdictTests {
  /// An ending, and the status that it comes to.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What stands behind the last delta.
    let events: [String]
    let status: Int32

    init(_ name: String, _ status: Int32, _ events: [String]) {
      (testDescription, self.status, self.events) = (name, status, events)
    }
  }

  static let endings: [Ending] = [
    Ending("completed", 0, Array(SampleStream.events.suffix(4))),
    Ending("cut", 5, []),
    Ending("incomplete", 6, [terminal("incomplete")]),
    Ending("failed", 5, [terminal("failed")]),
    Ending("cancelled", 8, [terminal("cancelled")]),
    Ending(
      "refused", 7,
      [#"{"type":"response.refusal.done","refusal":"No."}"#, terminal("completed")]),
    Ending("rate limit", 5, [error("rate_limit_exceeded")]),
    Ending("quota", 4, [error("insufficient_quota")]),
    Ending("told twice", 4, [error("insufficient_quota"), terminal("failed")]),
  ]

  private static func terminal(_ status: String) -> String {
    #"{"type":"response.\#(status)","response":\#(SampleStream.response(status))}"#
  }

  private static func error(_ code: String) -> String {
    #"{"type":"error","error":{"code":"\#(code)","message":"no more"}}"#
  }

  /// The stream of an answer that ends so.
  static func stream(_ ending: Ending) -> String {
    SampleStream.stream(Array(SampleStream.events.dropLast(4)) + ending.events)
  }

  @Test(arguments: filters, endings)
  func `each tool reaches the verdict alone`(tool: String, ending: Ending) throws {
    let run = try ToolProcess.run(tool, input: .text(Self.stream(ending)))
    #expect(run.outcome == .exited(ending.status))
    #expect(Finished.lines(run.errors).count == (ending.status == 0 ? 0 : 1), "\(run.errors)")
    #expect(ending.status == 0 || run.errors.hasPrefix(tool + ": "))
    #expect(run.text.contains("こんにちは"), "what there is was not delivered")
  }

  @Test(arguments: endings)
  func `every stage of a pipeline reaches it`(ending: Ending) throws {
    let (_, statuses) = try ToolProcess.pipeline(filters, input: .text(Self.stream(ending)))
    #expect(statuses == [ending.status, ending.status, ending.status])
  }

  @Test(arguments: filters)
  func `the worst of several responses counts`(tool: String) throws {
    let streams = [0, 2, 0].map { Self.stream(Self.endings[$0]) }.joined()
    let run = try ToolProcess.run(tool, input: .text(streams))
    #expect(run.outcome == .exited(6))
  }
}
