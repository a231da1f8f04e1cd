import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

/// Replies of which an event or a document is long, or longer than is held.
@Suite struct LongReplyTests {
  /// How a response of some megabytes ended, and what that comes to.
  private static let ends: [(status: String, members: String, exit: Core.ExitStatus)] = [
    ("completed", #""error":null"#, .completed),
    ("incomplete", #""incomplete_details":{"reason":"max_output_tokens"}"#, .incomplete),
    ("failed", #""error":{"code":"insufficient_quota","message":"No."}"#, .refusedForGood),
  ]

  private static func response(_ status: String, _ members: String) -> String {
    let image =
      #"{"type":"image_generation_call","result":"\#(String(repeating: "iVBO", count: 5 << 18))"}"#
    let probability = #"{"token":"a","logprob":-0.1,"top_logprobs":[{"token":"a"}]}"#
    let list = Array(repeating: probability, count: 9000).joined(separator: ",")
    let part = #"{"type":"output_text","text":"a","logprobs":[\#(list)]}"#
    let message = #"{"type":"message","content":[\#(part)]}"#
    return #"{"id":"r","object":"response","status":"\#(status)","#
      + #""output":[\#(image),\#(message)],\#(members)}"#
  }

  @Test(arguments: ends.indices, [true, false])
  func `a response of megabytes is passed on and judged as any other`(
    index: Int, isStream: Bool
  ) {
    let (status, members, exit) = Self.ends[index]
    let document = Self.response(status, members)
    let event = #"data: {"type":"response.\#(status)","response":\#(document)}"# + "\n\n"
    let created = #"data: {"type":"response.created","response":{"id":"r"}}"# + "\n\n"
    let bytes = Array((isStream ? created + event + "data: [DONE]\n\n" : document).utf8)
    let reply = Reply(Redaction([]))
    var output = Output()
    reply.begin(ReplyHead(status: 200, headers: []))
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      let end = min(start + 100_000, bytes.count)
      let chunk = Array(bytes[start..<end])
      let goesOn = reply.read(chunk.span, into: &output)
      #expect(goesOn)
    }
    reply.finish(nil, into: &output)
    let isSame = output.bytes == bytes
    #expect(isSame)
    let told = output.notices.filter { $0.kind == .error }
    #expect(
      told.compactMap(\.status).max() ?? .completed == exit, "\(told.map(\.message))")
  }

  @Test(arguments: ["", "event: x\n"], [100_000, 65_537, 1000])
  func `long events without blank lines are passed on once the next has come`(
    name: String, size: Int
  ) {
    let lines = [270_000, 2, 400_000, 300_000, 1].map {
      #"\#(name)data: {"type":"x","a":"\#(String(repeating: "b", count: $0))"}"# + "\n"
    }
    let bytes = Array(lines.joined().utf8)
    let ends = lines.indices.map { lines[...$0].joined().utf8.count }
    let reply = Reply(Redaction([]))
    var output = Output()
    var wrong: [Int] = []
    reply.begin(ReplyHead(status: 200, headers: []))
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      _ = reply.read(bytes.span.extracting(start..<end), into: &output)
      let known = ends.last { place in ends.contains { place < $0 && $0 <= end } } ?? 0
      if output.bytes.count != known { wrong.append(end) }
    }
    #expect(wrong == [])
    reply.finish(TransportFault(.connectionLost, "reset", advice: ""), into: &output)
    let passed = Array(bytes[..<ends[3]])
    let expected = passed + Array("\n\nevent: error\n".utf8)
    let isWhole = Array(output.bytes.prefix(expected.count)) == expected
    #expect(isWhole)
  }

  /// Starts of what never ends, and what of them is whole and passed on.
  private static let endless: [(start: String, whole: Int, plan: ReplyPlan)] = [
    (
      #"data: {"type":"response.created","response":{"id":"r"}}"# + "\n\ndata: {\"a\":\"", 57,
      .init()
    ),
    ("data: {\"type\":\"x\"}\n\n: ", 20, .init()), (": ping\n: ", 0, .init()),
    ("event: ", 0, .init()),
    (
      #"data: {"type":"response.created","sequence_number":0,"response":{"id":"r"}}"#
        + "\n\ndata: ", 77, .init(isBackground: true)
    ),
    (#"{"object":"response","a":""#, 0, .init(isOfBatch: true)),
    (#"{"object":"response","a":""#, 0, .init(isBackground: true, waits: true)),
    (#"{"data":[""#, 0, .init(form: .page)),
  ]

  @Test func `the limit is for one event, however many come together`() {
    let block = #"data: {"type":"response.output_text.delta","delta":"a bird"}"# + "\n\n"
    let many = Array(String(repeating: block, count: 100).utf8)
    let reply = Reply(Redaction([]), limit: 5000)
    var output = Output()
    reply.begin(ReplyHead(status: 200))
    let goesOn = reply.receive(many.span, into: &output)
    #expect(goesOn && many.count > 5000 && output.bytes == many)
  }

  @Test(arguments: endless.indices)
  func `what has no end is given up at the limit, and not asked for again`(index: Int) {
    let (start, whole, plan) = Self.endless[index]
    for size in [1, 100, 4096] {
      let reply = Reply(Redaction([]), plan, limit: 5000)
      var output = Output()
      reply.begin(ReplyHead(status: 200))
      var goesOn = reply.read(Array(start.utf8).span, into: &output)
      var count = 0
      while goesOn, count < 10_000 {
        goesOn = reply.read(
          [UInt8](repeating: UInt8(ascii: "x"), count: size).span, into: &output)
        count += size
      }
      #expect(!goesOn && count <= 5000 + size)
      guard case .ended = reply.end(nil, into: &output) else {
        Issue.record("it is asked for again")
        continue
      }
      let text = String(decoding: output.bytes, as: UTF8.self)
      #expect(text.hasPrefix(start.prefix(whole) + "event: error\n"), "\(text)")
      #expect(text.contains(#""code":"event_too_long""#))
      let told = output.notices.filter { $0.kind == .error }
      #expect(told.map(\.status) == [.badInput], "\(told.map(\.message))")
    }
  }
}
