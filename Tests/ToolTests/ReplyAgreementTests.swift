import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

/// The readers of replies agree with the relay that they replace.
@Suite struct ReplyAgreementTests {
  struct Part {
    var head: ReplyHead?
    var chunks: [[UInt8]]
    var fault: TransportFault?
  }

  struct Story: Equatable, CustomStringConvertible {
    var steps: [String] = []
    var bytes: [UInt8] = []
    var told: [String] = []
    var facts = ""

    var description: String {
      "\(steps)\n\(String(decoding: bytes, as: UTF8.self).suffix(1500))\n\(told)\n\(facts)"
    }
  }

  static let lost = TransportFault(.connectionLost, "reset", advice: "try again")
  static let redaction = Redaction([Array("sk-0123456789".utf8)])

  static func told(_ notices: [Notice]) -> [String] {
    notices.map { notice in
      let facts = String(decoding: JSONValue.object(notice.facts).line, as: UTF8.self)
      return "\(notice.kind) \(notice.status.map { "\($0)" } ?? "") \(notice.message) \(facts)"
    }.filter { !$0.contains(": 0 events in ") }
  }

  static func facts(_ facts: (head: ReplyHead?, response: ResponseFacts)) -> String {
    "\(facts.head.map { "\($0.status)" } ?? "none") \(facts.response)"
  }

  static func text(_ rest: ResponseRest) -> String {
    "goes on \(rest.reason) \(rest.id) \(rest.last.map { "\($0)" } ?? "-") \(rest.isWhole)"
  }

  static func old(_ parts: [Part], _ plan: ReplyPlan, limit: Int) -> Story {
    var relay = ReplyRelay(redaction, isReported: true, plan, limit: limit)
    var output = Output()
    var story = Story()
    var asks: Bool?
    for (index, part) in parts.enumerated() {
      if index > 0 { relay.restart(asksForEvents: asks) }
      if let head = part.head { relay.begin(head) }
      for chunk in part.chunks where !relay.receive(chunk.span, into: &output) { break }
      relay.readEvents(into: &output)
      let failure = relay.failure(part.fault)
      let fault = failure?.fault ?? part.fault
      var rest: ResponseRest?
      var isRefused = false
      if case .refused(let head, _)? = failure {
        isRefused = APIError.status(http: head.status) == .refusedForGood
      }
      if failure == nil || isRefused { rest = relay.rest(fault, into: &output) }
      if let rest {
        story.steps.append(text(rest))
        relay.held.endBlock(into: &output)
      } else if let failure {
        story.steps.append("failed \(failure.reason)")
      } else {
        story.steps.append("ended")
      }
      asks = rest?.asksForEvents
      guard index < parts.count - 1, rest != nil || failure != nil else {
        relay.finish(fault, into: &output)
        break
      }
    }
    story.bytes = output.bytes
    story.told = told(output.notices)
    story.facts = facts(relay.facts)
    return story
  }

  static func new(_ parts: [Part], _ plan: ReplyPlan, limit: Int) -> Story {
    var reply = Reply(redaction, isReported: true, plan, limit: limit)
    var output = Output()
    var story = Story()
    var asks: Bool?
    parts: for (index, part) in parts.enumerated() {
      if index > 0 { reply.restart(asksForEvents: asks) }
      if let head = part.head { reply.begin(head) }
      for chunk in part.chunks where !reply.receive(chunk.span, into: &output) { break }
      switch reply.end(part.fault, into: &output) {
      case .ended:
        story.steps.append("ended")
        break parts
      case .failed(let failure):
        story.steps.append("failed \(failure.reason)")
        asks = nil
      case .goesOn(let rest):
        story.steps.append(text(rest))
        asks = rest.asksForEvents
      }
      if index == parts.count - 1 { reply.giveUp(into: &output) }
    }
    story.bytes = output.bytes
    story.told = told(output.notices)
    story.facts = facts(reply.facts)
    return story
  }

  /// Whether the readers and the relay differ by a rule: what begins as a text is one, though lines
  /// of JSON follow, and it is not asked for again; a byte order mark is no content; nothing stands
  /// before the error that takes the place of a web page; what is compressed does not go on.
  private static func isOther(_ parts: [Part], _ plan: ReplyPlan) -> Bool {
    parts.contains { part in
      let bytes = part.chunks.flatMap { $0 }
      let content = bytes.drop { ASCII.isSpace($0) }
      guard let head = part.head else { return false }
      let opening = Array(content.prefix(6))
      let kind = ReplyKind.of(head, plan, opening: opening.span, isEnd: true)
      let isMarked = content.starts(with: [0xEF, 0xBB, 0xBF])
      let hasSpace = kind == .refusal && head.isSuccess && content.count < bytes.count
      // Of a text that is cut its bytes are dropped, and no event.
      let isJoined =
        kind == .text
        && (parts.count > 1 || part.fault != nil || plan.isBackground
          || bytes.contains(ASCII.openBrace))
      let isPacked = kind == .packed && plan.isBackground
      return isMarked || hasSpace || isJoined || isPacked
        || opening.first == 0x1F && kind != .packed
    }
  }

  static func expectSame(
    _ parts: [Part], _ plan: ReplyPlan, limit: Int = 256 << 20, _ what: @autoclosure () -> String
  ) {
    if isOther(parts, plan) { return }
    let old = old(parts, plan, limit: limit)
    let new = new(parts, plan, limit: limit)
    if old != new {
      let chunks = parts.map { $0.chunks.map { String(decoding: $0.prefix(400), as: UTF8.self) } }
      let heads = parts.map { part in part.head.map { "\($0.status) \($0.headers)" } ?? "none" }
      Issue.record(
        "\(what())\n\(plan.form) \(plan)\n\(heads)\n\(chunks) \(parts.map { $0.fault != nil })\nOLD \(old)\nNEW \(new)"
      )
    }
  }

  static let heads: [ReplyHead?] = [
    ReplyHead(status: 200, headers: [("x-request-id", "req_1")]),
    ReplyHead(status: 200, headers: [("content-type", "text/event-stream; charset=utf-8")]),
    ReplyHead(
      status: 200,
      headers: [("content-type", "application/json"), ("openai-poll-after-ms", "700")]),
    ReplyHead(status: 200, headers: [("content-type", "text/plain")]),
    ReplyHead(status: 200, headers: [("content-type", "application/octet-stream")]),
    ReplyHead(status: 429, headers: [("content-type", "application/json"), ("retry-after", "2")]),
    ReplyHead(status: 404, headers: [("x-request-id", "req_1")]),
    ReplyHead(status: 500, headers: [("content-type", "text/event-stream")]),
    ReplyHead(status: 307, headers: [("location", "https://x.example/")]),
  ]

  static let plans: [ReplyPlan] = [
    ReplyPlan(), ReplyPlan(isChat: true), ReplyPlan(isAskedAnew: true),
    ReplyPlan(isBackground: true), ReplyPlan(isBackground: true, waits: true),
    ReplyPlan(isBackground: true, id: "r", resumes: true, last: 1),
    ReplyPlan(isBackground: true, waits: true, id: "r"),
    ReplyPlan(form: .document), ReplyPlan(form: .document, isAskedAnew: true),
    ReplyPlan(form: .document, takesText: true), ReplyPlan(form: .page), ReplyPlan(form: .object),
    ReplyPlan(form: .bytes),
  ]

  static let created =
    #"data: {"type":"response.created","sequence_number":0,"response":{"id":"r","status":"queued"}}"#
    + "\n\n"
  static let delta =
    #"event: x"# + "\n"
    + #"data: {"type":"response.output_text.delta","sequence_number":1,"delta":"é sk-0123456789"}"#
    + "\n\n"
  static let completed =
    #"data: {"type":"response.completed","sequence_number":2,"response":{"id":"r","status":"completed"}}"#
    + "\n\n"
  static let failed =
    #"data: {"type":"response.failed","sequence_number":2,"response":{"id":"r","status":"failed","error":{"code":"server_error","message":"sk-0123456789"}}}"#
    + "\n\n"
  static let error =
    #"data: {"type":"error","code":"rate_limit_exceeded","message":"m","sequence_number":3}"#
    + "\n\n"
  static let chunk =
    #"data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}"#
    + "\n\n"
  static let lastChunk =
    #"data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
    + "\n\n"

  static let bodies: [String] = [
    "", " \n", created + delta + completed, created + delta,
    created + delta + completed + "data: [DONE]\n\n",
    created + delta + failed, created + error, error, created + "data: {\"ty", delta + completed,
    created + created + completed + ": bye\n", ": ping\n\n" + created,
    (created + delta + completed).replacingOccurrences(of: "\n", with: "\r\n"),
    (created + delta + completed).replacingOccurrences(of: "\n\n", with: "\n"),
    (created + delta + completed).replacingOccurrences(of: "data: ", with: "")
      .replacingOccurrences(of: "event: x\n", with: "").replacingOccurrences(
        of: "\n\n", with: "\n"),
    #"{"id":"r","object":"response","status":"completed","output":[]}"# + "\n",
    "{\n \"object\" : \"response\",\"id\":\"r\",\"status\":\"completed\"}",
    #"{"id":"r","object":"response","status":"in_progress","background":true}"#,
    #"{"id":"r","object":"response","status":"odd","background":true}"#,
    #"{"id":"r","object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}"#,
    #"{"id":"r","object":"response","status":"failed","error":{"code":"server_error","message":"m"}}"#,
    #"{"object":"response","#, "{\"object\":\"response\"\n{\"a\":tru}\n{\"b\":",
    #"{"a":1}"#, "{\"a\":1}\n{\"b\":2}\n", "data: {\"a\":1}\n\n",
    "data:\n\ndata: ping\n\n" + completed,
    "data: engine was unloaded\n\n", "event: x\n\n{\"a\":1}\n{",
    "data: {\"type\":\"x\",\ndata: y\n{\"b\":",
    "data: {\"type\":\"foo\"}\n\n",
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n",
    "Bad gateway\n\nmore", "<html><title>502 Bad Gateway</title>", " \n<html>", "eve", "d", "dat",
    #"{"error":{"message":"No sk-0123456789.","code":"invalid_api_key"}}"#,
    #"{"error":{"code":"insufficient_quota","message":"Pay."}}"#, #"{"message":"A fault."}"#,
    #"[{"error":{"message":"No."}}]"#, "[]", "[1,\n 2]",
    "[{\"type\":\"response.created\",\"response\":{\"id\":\"r\"}}]",
    #"{"object":"list","data":[{"id":"a"},{"id":"b"}],"has_more":true,"last_id":"b"}"#,
    #"{"data":[{"id":"a"}],"has_more":false}"#, #"{"data":[],"next_page":"p/2"}"#,
    #"{"id":"v","status":"processing"}"#, #"{"id":"v","status":"expired","data":[1,2]}"#,
    #"{"id":"v","status":"strange"}"#, "\u{1F}\u{8B}", "plain text", "data",
    "\u{FEFF}" + created + completed,
    chunk + lastChunk + "data: [DONE]\n\n", chunk, chunk + lastChunk,
    #"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#,
    "event: error\ndata: {\"error\":{\"message\":\"M.\",\"code\":\"c\"}}\n\ndata: [DONE]\n\n",
  ]

  static let gzip: [UInt8] = [0x1F, 0x8B, 0x08, 0x00, 0x0A, 0x0A, 0x2A, 0x03]

  @Test func `each body with each head, plan and fault is read the same`() {
    for body in bodies.map({ Array($0.utf8) }) + [Self.gzip] {
      for plan in Self.plans {
        for head in Self.heads {
          for fault in [nil, Self.lost] {
            let part = Part(head: head, chunks: body.isEmpty ? [] : [body], fault: fault)
            Self.expectSame([part], plan, "whole")
            let bytes = Part(head: head, chunks: body.map { [$0] }, fault: fault)
            Self.expectSame([bytes], plan, "byte by byte")
          }
        }
        Self.expectSame([Part(head: nil, chunks: [], fault: Self.lost)], plan, "no head")
      }
    }
  }

  private var bodies: [String] { Self.bodies }

  @Test func `any cut, and any reply behind another, is read the same`() {
    var random = SeededGenerator()
    let seed = random.seed
    for turn in 0..<2000 {
      guard let plan = Self.plans.randomElement(using: &random) else { return }
      var parts: [Part] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let wanted = Self.heads.indices.randomElement(using: &random) ?? 0
        let head = Bool.random(using: &random) ? Self.heads[wanted % 3] : Self.heads[wanted]
        var body = Array((Self.bodies.randomElement(using: &random) ?? "").utf8)
        if Bool.random(using: &random) {
          body = Array(body.prefix(Int.random(in: 0...body.count, using: &random)))
        }
        let chunks =
          body.isEmpty
          ? [] : randomCuts(of: body, Int.random(in: 1...6, using: &random), using: &random)
        parts.append(
          Part(head: head, chunks: chunks, fault: Bool.random(using: &random) ? Self.lost : nil))
      }
      let limit = turn % 10 == 0 ? 60 : 256 << 20
      Self.expectSame(parts, plan, limit: limit, "seed \(seed), turn \(turn)")
    }
  }

  @Test func `the recordings are read the same wherever they are cut`() throws {
    guard let root = ProcessInfo.processInfo.environment["ORESP_CORPUS"] else { return }
    var random = SeededGenerator()
    let seed = random.seed
    var count = 0
    for folder in ["streams", "streams/more", "streams/peers", "chat", "faults", "api"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
      for name in names.sorted() {
        let isRead = ["sse", "ndjson", "json", "txt", "chat", "http"].contains(
          String(name.split(separator: ".").last ?? ""))
        guard isRead, let data = FileManager.default.contents(atPath: "\(root)/\(folder)/\(name)"),
          data.count < 400_000
        else { continue }
        count += 1
        let body = [UInt8](data)
        for plan in Self.plans[0...6] {
          for head in Self.heads[0...1] {
            let whole = Part(head: head, chunks: [body], fault: nil)
            Self.expectSame([whole], plan, "\(folder)/\(name)")
          }
        }
        // Behind an event, or inside it.
        var ends = body.indices.filter {
          $0 > 0 && body[$0] == ASCII.lf && body[$0 - 1] == ASCII.lf
        }
        ends = Array(ends.shuffled(using: &random).prefix(4))
        for end in ends + (0..<4).map({ _ in Int.random(in: 0..<body.count, using: &random) }) {
          let cut = min(end + Int.random(in: 0...2, using: &random), body.count)
          guard cut > 0, let plan = Self.plans[0...6].randomElement(using: &random) else {
            continue
          }
          let start = randomCuts(of: Array(body[..<cut]), 3, using: &random)
          let head = Self.heads[Int.random(in: 0...2, using: &random)]
          for fault in [nil, Self.lost] {
            let first = Part(head: head, chunks: start, fault: fault)
            Self.expectSame([first], plan, "\(folder)/\(name) cut at \(cut), seed \(seed)")
            let rest = Part(head: head, chunks: [Array(body[cut...])], fault: nil)
            let again = Part(head: head, chunks: [body], fault: fault)
            Self.expectSame([first, rest], plan, "\(folder)/\(name) cut at \(cut), seed \(seed)")
            Self.expectSame(
              [first, again], plan, "\(folder)/\(name) again at \(cut), seed \(seed)")
          }
        }
      }
    }
    print("recordings: \(count)")
  }
}
