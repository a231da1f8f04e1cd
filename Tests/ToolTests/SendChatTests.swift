import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send
@testable import oresp_sse

/// What the sender makes of replies of Chat Completions, those of `Tests/CommandLines/chat.txt`.
@Suite struct SendChatTests {
  private static let broken = TransportFault(.connectionLost, "reset", advice: "try again")

  private static func relay(
    _ chunks: [[UInt8]], _ fault: TransportFault? = nil, type: String = "text/event-stream"
  ) -> (outcome: TestSupport.Outcome, response: ResponseFacts) {
    let reply = Reply(Redaction([Array("sk-0123456789".utf8)]), ReplyPlan(isChat: true))
    var output = Output()
    reply.begin(ReplyHead(status: 200, headers: [("content-type", type)]))
    for chunk in chunks { _ = reply.read(chunk.span, into: &output) }
    reply.finish(fault, into: &output)
    let told = output.notices.filter { $0.kind != .summary }
    let outcome = Outcome(
      String(decoding: output.bytes, as: UTF8.self),
      told.map { $0.status ?? .completed }.max() ?? .completed, told.map(\.message))
    return (outcome, reply.facts.response)
  }

  /// What `oresp-sse --from=chat` makes of `bytes`.
  private static func later(
    _ bytes: String, _ chat: EventReader.Chat = .only
  ) -> Core.ExitStatus {
    let settings = SSETool.Settings()
    var reading = settings.reading
    reading.chat = chat
    let filter = EventPipe(DecodeFilter(settings), reading: reading, needing: .objects)
    return feed(filter, inputs: [bytes]).status
  }

  private static func stream(_ name: String) throws -> String {
    let file = Repository.root.appending(path: "Tests/CommandLines/chat.txt")
    let table = CommandTable(try String(contentsOf: file, encoding: .utf8))
    let lines = try #require(table.inputs.first { $0.name == name + ".chat" }).lines
    return (lines + ["[DONE]"]).map { "data: \($0)\n\n" }.joined()
  }

  @Test func `a document that is whole is passed on, though the connection is lost behind it`() {
    let document =
      #"{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}"#
    for count in 1...document.utf8.count {
      let outcome = Self.relay(
        [Array(document.utf8.prefix(count))], Self.broken, type: "application/json"
      ).outcome
      let isWhole = count == document.utf8.count
      #expect(outcome.status == (isWhole ? .completed : .temporary), "cut at \(count)")
      #expect(isWhole ? outcome.output == document : outcome.output.hasPrefix("event: error\n"))
    }
  }

  @Test(arguments: [
    #"{"role":"assistant"}"#, #"{"content":"A"}"#,
    #"{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"f","arguments":""}}]}"#,
    #"{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
  ])
  func `an answer that is cut inside of anything is one failure`(delta: String) {
    let chunks = [#"{"content":"A"}"#, delta].map {
      #"data: {"id":"c1","choices":[{"index":0,"delta":\#($0)}]}"# + "\n\n"
    }
    let text = chunks.joined() + #"data: {"id""#
    for fault in [nil, Self.broken] {
      let outcome = Self.relay([Array(text.utf8)], fault).outcome
      #expect(outcome.notices.count == 1 && outcome.status == .temporary, "\(outcome.notices)")
    }
  }

  /// What may stand in place of the rest of an answer, and behind its end.
  private static let others = [
    #"{"error":{"code":"server_error","message":"slow down"}}"#,
    #"{"type":"about:blank","title":"Too Many Requests","status":429}"#,
    #"{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}"#, #"{"why":"overloaded"}"#,
    "Internal Server Error: boom", #""out of memory""#,
  ]

  @Test(arguments: others)
  func `what stands in place of the rest fails an answer, and changes none that is complete`(
    other: String
  ) {
    let lines = [
      #"{"id":"c1","choices":[{"index":0,"delta":{"content":"Half"}}]}"#,
      #"{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    ]
    for count in 1...2 {
      for mark in [[], ["[DONE]"]] {
        let stream = (lines.prefix(count) + [other] + mark).map { "data: \($0)\n\n" }.joined()
        let status = Self.relay([Array(stream.utf8)]).outcome.status
        #expect(status == (count == 2 ? .completed : .temporary), "\(stream)")
        #expect(status == Self.later(stream, .translated), "\(stream)")
      }
    }
  }

  @Test(
    arguments: [
      ("calls", .completed), ("deepseek", .completed), ("openrouter", .completed),
      ("plain", .completed), ("message", .completed), ("gemini", .completed),
      ("mistral", .completed), ("azure", .completed), ("long", .incomplete),
      ("filtered", .incomplete), ("refused", .refusal), ("failed", .temporary),
      ("two", .completed), ("odd", .completed), ("together", .completed), ("writer", .completed),
      ("perplexity", .completed), ("behind", .completed), ("both", .completed),
      ("empty", .incomplete), ("web", .completed),
      ("unended", .completed), ("uncalled", .temporary), ("gone", .temporary),
      ("summed", .completed), ("pieces", .completed), ("units", .completed),
    ] as [(String, Core.ExitStatus)])
  func `an answer comes out as it came, and its end decides the status`(
    name: String, status: Core.ExitStatus
  ) throws {
    let stream = try Self.stream(name)
    for size in [1, 7, 64, 5000] {
      let bytes = Array(stream.utf8)
      let chunks = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0...].prefix(size))
      }
      let outcome = Self.relay(chunks).outcome
      #expect(outcome.output == stream && outcome.status == status, "in pieces of \(size)")
    }
    #expect(Self.later(stream) == status)
    #expect(Self.relay([Array(stream.utf8)], Self.broken).outcome.output == stream)
  }

  @Test(arguments: [
    "calls", "deepseek", "openrouter", "plain", "refused", "long", "azure", "perplexity", "behind",
    "both", "empty", "web", "unended", "uncalled", "gone", "summed", "pieces", "two",
  ])
  func `wherever an answer is cut, the filter after it gives the same`(name: String) throws {
    let stream = Array(try Self.stream(name).utf8)
    for count in stride(from: .random(in: 1...61), to: stream.count, by: 61) {
      for fault in [nil, Self.broken] {
        let outcome = Self.relay([Array(stream.prefix(count))], fault).outcome
        try #require(outcome.status == Self.later(outcome.output), "\(count)\n\(outcome)")
      }
    }
  }

  @Test
  func `an answer is whole with its finish_reason, though the connection broke before its mark`()
    throws
  {
    let blocks = try Self.stream("plain").components(separatedBy: "\n\n").dropLast()
    for count in 1...blocks.count {
      let start = Array(blocks.prefix(count).map { $0 + "\n\n" }.joined().utf8)
      let ended = Self.relay([start]).outcome
      #expect(ended.status == (count < 3 ? .temporary : .completed), "\(count)")
      let lost = Self.relay([start], Self.broken).outcome
      #expect(lost.status == (count < 3 ? .temporary : .completed), "\(count)")
      #expect(lost.output.contains("event: error\n") == (count < 3))
    }
  }

  @Test func `a whole answer is one, and is known to the log`() {
    let usage = #""usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}"#
    let document =
      #"{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"#
      + #""message":{"content":null,"refusal":"No."},"finish_reason":"stop"}],"# + usage + "}\n"
    let (outcome, response) = Self.relay([Array(document.utf8)], type: "application/json")
    #expect(outcome.output == document && outcome.status == .refusal)
    #expect(outcome.notices == ["the model refused: No. (HTTP 200)"])
    #expect(response.id == "c1" && response.model == "m" && response.status == "completed")
    let counts = response.usage?.line ?? []
    #expect(JSONChildren.integer(of: "input_tokens", in: counts.span) == 1)
  }

  @Test func `events of the Responses API are judged as ever`() {
    let stream =
      #"data: {"type":"response.created","response":{"id":"r"}}"# + "\n\n"
      + #"data: {"type":"response.incomplete","response":{"id":"r","status":"incomplete"}}"#
      + "\n\n"
    let outcome = Self.relay([Array(stream.utf8)]).outcome
    #expect(outcome.output == stream && outcome.status == .incomplete)
  }
}
