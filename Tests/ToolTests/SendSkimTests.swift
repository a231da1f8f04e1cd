import Core
import TestSupport
import Testing

@testable import oresp_send

/// What the sender does not read to its end, it still passes on and counts.
@Suite struct SendSkimTests {
  private static let blocks = [
    #"event: response.output_text.delta|data: {"type":"response.output_text.delta","delta":"a"}||"#,
    #"event: response.output_text.delta|data: {"type":"response.output_text.delta","delta":"é\n"}||"#,
    #"data: {"type":"response.output_text.delta","sequence_number":7,"delta":"b"}||"#,
    #"data: {"delta":"b","type":"response.output_text.delta"}||"#,
    #"event: own.type|data: {"type":"own.type"}||"#, #"event: own.type|data: {"a":1}||"#,
    #"id: 1|event: x|data: {"type":"x",|data: "b":2}||"#, ": ping||", "data: [DONE]||",
    #"event: response.created|data: {"type":"response.created","response":{"id":"r"}}||"#,
    #"event: error|data: {"type":"error","code":"rate_limit_exceeded","message":"m"}||"#,
    #"data: {"type":"response.completed","response":{"status":"completed"}}||"#,
    #"data: {"type":"response.incomplete","response":{"status":"incomplete"}}||"#,
    #"event: response.failed|data: {"type":"response.failed","response":{"error":{"code":"server_error"}}}||"#,
  ]

  /// What a relay makes of an answer that comes in `chunks`.
  private static func output(of chunks: [[UInt8]]) -> Output {
    let reply = Reply(Redaction([]))
    var output = Output()
    reply.begin(ReplyHead(status: 200, headers: []))
    for chunk in chunks { _ = reply.read(chunk.span, into: &output) }
    reply.finish(nil, into: &output)
    return output
  }

  /// The same: its bytes, its notices and its status.
  private static func relay(_ chunks: [[UInt8]]) -> Outcome {
    let output = output(of: chunks)
    return Outcome(
      String(decoding: output.bytes, as: UTF8.self),
      output.notices.map { $0.status ?? .completed }.max() ?? .completed,
      output.notices.map(\.message))
  }

  /// The verdict on `text`, whose every event is read.
  private static func verdict(on text: String) -> Core.ExitStatus {
    var feed = EventFeed(sorting: .handlingAll)
    var input = InputBuffer()
    var output = Output()
    input.append(Array(text.utf8).span)
    feed.each(in: &input, isEnd: true, into: &output) { _, _, _ in }
    feed.finish(into: &output)
    // What was found wrong in the input itself has a place.
    return output.notices.filter { $0.place == nil }.compactMap(\.status).max() ?? .completed
  }

  @Test func `an answer is passed on and judged the same however it comes`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      let end = ["\n", "\n", "\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
      let text = (0..<Int.random(in: 1...10, using: &random)).map { _ in
        Self.blocks.randomElement(using: &random) ?? ""
      }.joined().split(separator: "|", omittingEmptySubsequences: false).joined(separator: end)
      let whole = Self.relay([Array(text.utf8)])
      let story = "\(text.debugDescription), seed \(random.seed)"
      #expect(whole.output.hasPrefix(text), "\(story)")
      #expect(whole.status == Self.verdict(on: whole.output), "\(story)")
      for _ in 0..<5 {
        let cuts = Int.random(in: 1...8, using: &random)
        let chunks = randomCuts(of: Array(text.utf8), cuts, using: &random)
        let outcome = Self.relay(chunks)
        #expect(outcome == whole, "cut as \(chunks.map(\.count)): \(story)")
      }
    }
  }

  @Test func `which of two responses an error is of shows no cut`() {
    let stream = [
      #"{"type":"response.created","response":{"id":"a"},"sequence_number":0}"#,
      #"{"type":"response.created","response":{"id":"b"},"sequence_number":0}"#,
      #"{"type":"response.output_text.delta","delta":"x","sequence_number":1}"#,
    ].map { "event: x\ndata: \($0)\n\n" }.joined()
    let whole = Self.relay([Array(stream.utf8)])
    for chunks in cuts(of: Array(stream.utf8)) {
      #expect(Self.relay(chunks) == whole, "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `the last sequence number is known of a delta that was passed over`() {
    let created = #"data: {"type":"response.created","sequence_number":0,"response":{}}"# + "\n\n"
    let deltas = (1...3).map {
      #"data: {"type":"response.output_text.delta","sequence_number":\#($0),"delta":"a"}"# + "\n\n"
    }
    for chunks in cuts(of: Array((created + deltas.joined()).utf8)) {
      let lines = Self.output(of: chunks).facts("last_sequence_number")
      #expect(lines == ["3"], "cut as \(chunks.map(\.count))")
    }
  }
}
