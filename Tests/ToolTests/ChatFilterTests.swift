import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_sse

/// Answers of Chat Completions, those of `Tests/CommandLines/chat.txt`, as events.
@Suite struct ChatFilterTests {
  private static var inputs: [(name: String, lines: [String])] {
    get throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "CommandLines/chat.txt")
      let table = CommandTable(try String(contentsOf: file, encoding: .utf8))
      return table.inputs.filter { $0.name != "setup" }.map { ($0.name, $0.lines) }
    }
  }

  private static func filter(_ change: (inout SSETool.Settings) -> Void = { _ in })
    -> EventPipe<DecodeFilter>
  {
    var settings = SSETool.Settings()
    change(&settings)
    return EventPipe(DecodeFilter(settings), reading: settings.reading, needing: .objects)
  }

  @Test func `where reads were cut does not show`() throws {
    var generator = SeededGenerator()
    for input in try Self.inputs {
      let stream = Array(input.lines.map { "data: \($0)\n\n" }.joined().utf8)
      let lines = Array(input.lines.map { $0 + "\n" }.joined().utf8)
      let whole = feed(Self.filter(), [stream])
      #expect(feed(Self.filter(), [lines]).output == whole.output, "\(input.name)")
      // A long one at some of its places only.
      let ways =
        stream.count < 300
        ? splits(of: stream)
        : [stream.map { [$0] }]
          + (0..<8).map { _ in randomCuts(of: stream, 2, using: &generator) }
      for chunks in ways {
        let why = "\(input.name) \(chunks.map(\.count)), seed \(generator.seed)"
        try #require(feed(Self.filter(), chunks) == whole, "\(why)")
      }
    }
  }

  @Test func `an answer that was cut has no end, wherever that was`() throws {
    let lines = try #require(try Self.inputs.first { $0.name == "calls.chat" }).lines
    let end = try #require(lines.firstIndex { $0.contains("\"finish_reason\":\"tool_calls\"") })
    for count in 1...end {
      let outcome = feed(Self.filter(), inputs: [lines.prefix(count).joined(separator: "\n")])
      #expect(outcome.status == .temporary, "\(count)")
    }
    for count in end + 1...lines.count {
      let outcome = feed(Self.filter(), inputs: [lines.prefix(count).joined(separator: "\n")])
      #expect(outcome.status == .completed, "\(count)")
    }
  }

  @Test(
    arguments: [
      ("stop", .completed), ("tool_calls", .completed), ("STOP", .completed),
      ("eos", .completed), ("length", .incomplete), ("MAX_TOKENS", .incomplete),
      ("content_filter", .incomplete), ("SAFETY", .incomplete), ("error", .temporary),
      ("model_context_window_exceeded", .incomplete), ("repetition", .incomplete),
      ("model_length", .incomplete), ("load", .temporary), ("end_turn", .completed),
      ("insufficient_system_resource", .temporary), ("something", .completed),
    ] as [(String, Core.ExitStatus)])
  func `the reason of the end decides the status`(reason: String, status: Core.ExitStatus) {
    let chunk =
      #"{"choices":[{"delta":{"content":"a"},"finish_reason":"\#(reason)"}],"object":"chat.completion.chunk"}"#
    #expect(feed(Self.filter(), inputs: [chunk]).status == status)
  }

  @Test(arguments: [
    "{\"choices\":[]}", "{\"choices\":[1,null,[],{}]}", "{\"choices\":[{\"delta\":1}]}",
    "{\"choices\":[{\"delta\":{\"content\":{},\"tool_calls\":[1,{},{\"function\":7}]}}]}",
    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-9223372036854775808,\"function\":{}}]}}]}",
    "{\"choices\":[{\"delta\":{\"annotations\":[{}],\"images\":[5,{}],\"audio\":{}}}],\"usage\":5}",
    "{\"choices\":[{\"message\":{\"content\":[[],{\"thinking\":4}]},\"finish_reason\":7}]}",
    "{\"choices\":[{\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9223372036854775807,\"completion_tokens\":1}}",
  ])
  func `what makes no sense is told, or ends the answer as it should`(object: String) {
    let outcome = feed(Self.filter(), inputs: [object, object])
    #expect(outcome.status != .completed || outcome.output.contains("response.completed"))
    #expect(outcome.notices.isEmpty == (outcome.status == .completed), "\(outcome)")
  }
}
