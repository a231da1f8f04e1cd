import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send

/// Every HTTP status, and a cut at every byte.
@Suite struct SendFaultTests {
  private static let request = HTTPRequest(
    url: "http://127.0.0.1/v1/responses", headers: [], body: [], isLocal: true)

  /// What comes out of a reply, and what is told.
  private static func end(
    _ head: ReplyHead, _ body: [UInt8], _ fault: TransportFault? = nil
  ) -> Outcome {
    let reply = Reply(Redaction([]))
    var output = Output()
    reply.request = request
    reply.begin(head)
    _ = reply.read(body.span, into: &output)
    reply.finish(fault, into: &output)
    let told = output.notices.filter { $0.kind != .summary }
    return Outcome(
      String(decoding: output.bytes, as: UTF8.self), told.compactMap(\.status).max() ?? .completed,
      told.map(\.message))
  }

  private static let place = "OPENAI_BASE_URL; the request went to http://127.0.0.1/v1/responses"

  /// Statuses, what they come to, and what to do about them; the first range that has a status
  /// counts.
  private static let rows: [(statuses: ClosedRange<Int>, status: Core.ExitStatus, advice: String)] =
    [
      (300...399, .refusedForGood, "check \(place)"),
      (401...401, .refusedForGood, "check the key"),
      (403...403, .refusedForGood, "check what the key may do"),
      (404...404, .refusedForGood, "check what was asked for and \(place)"),
      (408...409, .temporary, "try again later"), (425...425, .temporary, "try again later"),
      (429...429, .temporary, "try again later"),
      (400...499, .refusedForGood, "check the request with -n"),
      (501...501, .refusedForGood, "check the request with -n"),
      (505...505, .refusedForGood, "check the request with -n"),
      (500...999, .temporary, "try again later"),
    ]

  /// The advice where there is no such endpoint, and the error names no model and no code.
  private static let missing =
    "--api=chat asks a server that has Chat Completions only; or check OPENAI_BASE_URL: the request "
    + "went to http://127.0.0.1/v1/responses"

  @Test(arguments: [
    (#"{"detail":"Not Found"}"#, true), ("404 page not found", true),
    (#"{"error":"Unexpected endpoint or method. (POST /v1/responses)"}"#, true),
    (#"{"message":"No such path.","code":404}"#, true), ("<html><title>404</title>", true),
    (
      #"{"error":{"message":"Unknown request URL: POST /v1/responses.","code":"unknown_url"}}"#,
      true
    ),
    (#"{"error":{"message":"Not Found","type":"x","code":"not_found"}}"#, true),
    (#"{"error":{"message":"No.","code":"previous_response_not_found"}}"#, false),
    (#"{"error":{"message":"The model `x` does not exist.","code":null}}"#, false),
    (#"{"error":{"message":"No.","code":"deployment_not_found"}}"#, false),
  ])
  func `a server that may have no Responses API is asked by --api=chat`(
    body: String, isMissing: Bool
  ) throws {
    let told = Self.end(ReplyHead(status: 404), Array(body.utf8)).notices
    #expect(
      told.count == 1 && told.allSatisfy { $0.contains("--api=chat") == isMissing }, "\(told)")
  }

  private static let chunk =
    #"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}"#
  private static let whole =
    #"{"id":"c","choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}"#

  @Test(arguments: [
    (whole, Core.ExitStatus.completed, 1), ("data: \(chunk)\n\ndata: [DONE]\n\n", .completed, 1),
    ("data: \(chunk)\n\n", .temporary, 2), ("\(chunk)\n\(chunk)\n", .temporary, 2),
  ])
  func `an answer of Chat Completions that was not asked for passes, and names --api=chat`(
    body: String, status: Core.ExitStatus, count: Int
  ) {
    let end = Self.end(ReplyHead(status: 200), Array(body.utf8))
    #expect(end.status == status && end.output.hasPrefix(body))
    #expect(
      end.notices.count == count && end.notices.contains { $0.contains(Self.missing) }, "\(end)")
  }

  @Test func `every HTTP status has its exit status, and is reported with what to do`() throws {
    let error = #"{"error":{"message":"No.","code":"c"}}"#
    for http in 300...999 {
      let row = try #require(Self.rows.first { $0.statuses.contains(http) })
      let head = ReplyHead(status: http, headers: [("location", "/x")])
      let without =
        http < 400
        ? "redirect: the server points to /x, which is not followed"
        : "http_error: HTTP \(http) with an empty body"
      for (body, why) in [("", without), (error, "c: No.")] {
        let end = Self.end(head, Array(body.utf8))
        #expect(end.status == row.status)
        // The number stands in the message once.
        let origin = why.contains("HTTP ") ? "" : " (HTTP \(http))"
        let isMissing = http == 405 || body.isEmpty && http == 404
        #expect(
          end.notices == ["error: \(why)\(origin); \(isMissing ? Self.missing : row.advice)"])
        #expect(end.output.hasPrefix("event: error\ndata: {\"type\":\"error\",\"error\":{"))
        #expect(end.output.contains(#","status":\#(http),"oresp":{"synthetic":true}}"#))
      }
    }
    for http in 200...299 {
      let empty = Self.end(ReplyHead(status: http), [])
      #expect(empty.status == .temporary)
      let why = "empty_answer: the answer has no event in it (HTTP \(http)); check OPENAI_BASE_URL"
      #expect(empty.notices == ["error: \(why)"])
    }
  }

  @Test func `heads of status 1xx are passed over`() {
    for status in 100...199 {
      var decoder = ReplyHeadDecoder()
      var heads: [Int] = []
      for line in ["HTTP/1.1 \(status) X", "A: b", "", "HTTP/1.1 200 OK", "C: d", ""] {
        if let head = decoder.append(Array((line + "\r\n").utf8).span) { heads.append(head.status) }
      }
      #expect(heads == [200])
    }
  }

  private static let blocks = [
    #"data: {"type":"response.created","response":{"id":"r","status":"in_progress"}}"#,
    "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"é\"}",
    ": ping",
    #"data: {"type":"response.completed","response":{"id":"r","status":"completed"}}"#,
  ].map { $0 + "\n\n" }

  /// Whatever is cut off, what stood before is passed on whole and once, an `error` event ends it,
  /// and one notice tells of it.
  @Test(arguments: [nil, TransportFault(.connectionLost, "reset", advice: "try again")])
  func `a stream that is cut at any byte comes out up to its last whole event`(
    fault: TransportFault?
  ) {
    let stream = Array(Self.blocks.joined().utf8)
    let head = ReplyHead(status: 200, headers: [("content-type", "text/event-stream")])
    for cut in 1..<stream.count {
      let end = Self.end(head, Array(stream[..<cut]), fault)
      let ends = Self.blocks.indices.map { Self.blocks[...$0].joined() }
      let whole = ends.last { $0.utf8.count <= cut } ?? ""
      // An event whose data is whole is one, where the answer did not break off.
      let isEvent = fault == nil && ends.contains { (1...2).contains($0.utf8.count - cut) }
      let isLast = isEvent && cut > stream.count - 3
      #expect(end.status == (isLast ? .completed : .temporary), "cut at \(cut)")
      guard !isEvent else { continue }
      let rest = end.output.dropFirst(whole.count)
      #expect(end.output.hasPrefix(whole), "cut at \(cut)")
      #expect(rest.hasPrefix("event: error\n"), "cut at \(cut)")
      #expect(rest.components(separatedBy: "event: error\n").count == 2, "cut at \(cut)")
      #expect(end.notices.count == 1, "cut at \(cut): \(end.notices)")
    }
  }
}
