import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

/// What is left of events that are too long to be held.
@Suite struct CondenserTests {
  private static func condensed(
    _ text: String, behind count: Int, cuts: [[UInt8]]? = nil
  ) -> String {
    let bytes = Array(text.utf8)
    var kept = Array(bytes.prefix(count))
    var condenser = Condenser(behind: kept.span)
    for chunk in cuts ?? [Array(bytes.dropFirst(count))] { condenser.take(chunk.span, into: &kept) }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let long = String(repeating: #"é\n\u00e9 \"x\" 0123456789 "#, count: 8000)

  @Test(arguments: [
    (#"{"a":"b","c":[1,{"d":null}],"e":-1.5e3}"#, #"{"a":"b","c":[1,{"d":null}],"e":-1.5e3}"#),
    (#"{"a":[[[[[[[1,{"b":2}]]]]]]],"c":"]}"}"#, #"{"a":[[[[[[]]]]]],"c":"]}"}"#),
    (#"{"a":[[[[[{"b":[1],"c":"d"}]]]]]}"#, #"{"a":[[[[[{}]]]]]}"#),
    (#"{"a":"\"\\","b":"\u00e9"}"#, #"{"a":"\"\\","b":"\u00e9"}"#),
  ])
  func `what is nested deeply is left out`(text: String, left: String) {
    #expect(Self.condensed(text, behind: 1) == left)
  }

  @Test func `of a long text the start is left, and it is still JSON, however it comes`() {
    var random = SeededGenerator()
    let text = #"{"type":"x","a":"\#(Self.long)","b":[1,1,2]}"#
    for _ in 0..<8 {
      let count = Int.random(in: 0...200_000, using: &random)
      let rest = Array(text.utf8.dropFirst(count))
      let cuts = randomCuts(of: rest, 300, using: &random)
      let kept = Self.condensed(text, behind: count, cuts: cuts)
      #expect(kept.hasSuffix(#"","b":[1,1,2]}"#), "seed \(random.seed)")
      let fault = JSONScan.fault(in: Array(kept.utf8).span)
      #expect(fault == nil, "seed \(random.seed)")
      #expect(kept.utf8.count < max(count, 65 << 10) + 2000, "seed \(random.seed)")
    }
  }

  @Test(arguments: [
    (#"{"type":"x","a":["#, "1,", 4 << 20), ("", "[", 1 << 10), ("", "1", 65 << 10),
    (#"{"a":"#, " ", 65 << 10), (": ", ",", 4 << 20), (#"{"a":""#, #"\u00e9"#, 65 << 10),
    ("{", #""a":1,"#, 4 << 20),
  ])
  func `whatever never ends, a few megabytes are left of it`(
    start: String, piece: String, most: Int
  ) {
    let count = (most + most / 8) / piece.utf8.count
    let text = start + String(repeating: piece, count: count)
    #expect(Self.condensed(text, behind: 5).utf8.count < most + 100)
  }

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
  func `a response that is longer than is held is passed on and judged all the same`(
    index: Int, isStream: Bool
  ) {
    let (status, members, exit) = Self.ends[index]
    let document = Self.response(status, members)
    let event = #"data: {"type":"response.\#(status)","response":\#(document)}"# + "\n\n"
    let created = #"data: {"type":"response.created","response":{"id":"r"}}"# + "\n\n"
    let bytes = Array((isStream ? created + event + "data: [DONE]\n\n" : document).utf8)
    var relay = ReplyRelay(Redaction([]))
    var output = Output()
    var passed: [UInt8] = []
    var most = 0
    relay.begin(ReplyHead(status: 200, headers: []))
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      let end = min(start + 100_000, bytes.count)
      let chunk = Array(bytes[start..<end])
      let goesOn = relay.take(chunk.span, into: &output)
      #expect(goesOn)
      passed += output.bytes
      output.bytes = []
      most = max(most, end - passed.count)
    }
    relay.finish(nil, into: &output)
    passed += output.bytes
    let isSame = passed == bytes
    #expect(isSame && most < 5 << 20)
    let told = output.notices.filter { $0.kind == .error }
    #expect(
      told.compactMap(\.status).max() ?? .completed == exit, "\(told.map(\.message))")
  }

  @Test(arguments: [1 << 14, 100_000, 1 << 20])
  func `a key behind a long text is taken out of the error`(size: Int) {
    let text = String(repeating: "b", count: 400_000)
    func answer(_ key: String) -> String {
      #"{"object":"response","status":"failed","output":[{"type":"message","content":[{"text":"\#(text)"}]}],"#
        + #""error":{"code":"x","message":"bad \#(key)"}}"# + "\n"
    }
    let bytes = Array(answer("sk-0123456789").utf8)
    for last in [0, 2, 20] {
      var relay = ReplyRelay(Redaction([Array("sk-0123456789".utf8)]))
      var output = Output()
      relay.begin(ReplyHead(status: 200, headers: []))
      let cuts =
        Array(stride(from: 0, to: bytes.count - last, by: size)) + [
          bytes.count - last, bytes.count,
        ]
      for (start, end) in zip(cuts, cuts.dropFirst()) {
        _ = relay.take(bytes.span.extracting(start..<end), into: &output)
      }
      relay.finish(nil, into: &output)
      let isRedacted = output.bytes.starts(with: Array(answer("[key]").utf8))
      #expect(isRedacted, "the last \(last) bytes came alone")
    }
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
    var relay = ReplyRelay(Redaction([]))
    var output = Output()
    var wrong: [Int] = []
    relay.begin(ReplyHead(status: 200, headers: []))
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      _ = relay.take(bytes.span.extracting(start..<end), into: &output)
      let known = ends.last { place in ends.contains { place < $0 && $0 <= end } } ?? 0
      if output.bytes.count != known { wrong.append(end) }
    }
    #expect(wrong == [])
    relay.finish(TransportFault("connection_lost", "reset", advice: ""), into: &output)
    let passed = Array(bytes[..<ends[3]])
    let expected = passed + Array("\n\nevent: error\n".utf8)
    let isWhole = Array(output.bytes.prefix(expected.count)) == expected
    #expect(isWhole)
  }
}
