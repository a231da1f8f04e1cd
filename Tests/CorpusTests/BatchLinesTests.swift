import Core
import Foundation
import Testing

@testable import Core
@testable import oresp_send

/// The lines of events that a batch prints are those that a reader of the answer's bytes finds.
@Suite struct BatchLinesTests {
  private static let tag = Array(#"a "tag""#.utf8)
  private static let lost = TransportFault(.connectionLost, "reset", advice: "")
  private static let recordings =
    Corpus.all + Corpus.files("chat", ".sse") + Corpus.files("faults", ".sse")
  private static let heads: [(status: Int, type: String?)] = [
    (200, "text/event-stream"), (200, nil), (200, "application/json"), (400, "application/json"),
  ]

  /// What a reply with `plan` passes on of `chunks`, behind which comes `fault`.
  private static func pass(
    _ chunks: [ArraySlice<UInt8>], _ head: (status: Int, type: String?), _ fault: TransportFault?,
    _ plan: ReplyPlan
  ) -> (bytes: [UInt8], told: [String]) {
    var reply = Reply(Redaction([]), telling: NoticeSettings(), plan)
    var output = Output()
    reply.begin(
      ReplyHead(status: head.status, headers: head.type.map { [("content-type", $0)] } ?? []))
    for chunk in chunks where !reply.read(Array(chunk).span, into: &output) { break }
    reply.finish(fault, into: &output)
    let told = output.notices.map { "\($0.kind) \($0.status ?? .completed) \($0.message)" }
    return (output.bytes, told)
  }

  /// The lines that a reader finds in `bytes`.
  private static func read(_ bytes: [UInt8]) -> [UInt8] {
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    reading.chat = .kept
    var ends = OwnEnds()
    ends.passes = true
    var feed = EventFeed(reading, sorting: .handlingAll, ends)
    var input = InputBuffer()
    var unused = Output()
    var lines: [UInt8] = []
    input.append(bytes.span)
    feed.each(in: &input, isEnd: true, into: &unused) { _, line, _ in
      EventLine.append(line, facts: [("request", .string(tag))], to: &lines)
      lines.append(ASCII.lf)
    }
    return lines
  }

  /// Places to cut `bytes` at: behind a few of its lines, and inside of them.
  private static func cuts(of bytes: [UInt8]) -> [Int] {
    let ends = bytes.indices.filter { bytes[$0] == ASCII.lf }
    let step = max(ends.count / 3, 1)
    let some = ends.enumerated().filter { $0.offset % step == 1 }.map(\.element) + ends.suffix(2)
    return Set(some.flatMap { [$0 - 9, $0, $0 + 1] }).filter(bytes.indices.contains).sorted()
  }

  /// Compares what is made of `bytes`, a part of the recording at `path`, as lines and as bytes.
  private static func compare(
    _ bytes: ArraySlice<UInt8>, _ path: String, _ head: (status: Int, type: String?),
    _ fault: TransportFault?, _ form: ReplyPlan.Form = .response
  ) {
    let chunks = [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)]
    var plan = ReplyPlan(form: form, isChat: path.hasPrefix("chat"), isOfBatch: true)
    let printed = pass(chunks, head, fault, plan)
    let expected = read(printed.bytes)
    plan.product = .lines(tag: tag)
    let made = pass(chunks, head, fault, plan)
    let what = "\(bytes.count) bytes, \(head), \(form), fault: \(fault != nil)"
    #expect(made.bytes == expected, "\(what)")
    #expect(made.told == printed.told, "\(what)")
  }

  @Test(arguments: recordings)
  func `the lines of a batch are those of the bytes that a single request prints`(
    path: String
  ) throws {
    let whole = try Recording(path).bytes
    for head in Self.heads {
      for form in [ReplyPlan.Form.response, .document] {
        Self.compare(whole[...], path, head, nil, form)
      }
    }
    guard whole.count < 100_000 else { return }
    for cut in Self.cuts(of: whole) {
      for fault in [nil, Self.lost] { Self.compare(whole[..<cut], path, Self.heads[0], fault) }
    }
  }

  @Test func `no line comes out of an attempt that another takes the place of`() {
    var plan = ReplyPlan(isOfBatch: true)
    plan.product = .lines(tag: Self.tag)
    var reply = Reply(Redaction([]), plan)
    var output = Output()
    let created = #"{"type":"response.created","response":{"id":"r"}}"# + "\n"
    let document = #"{"id":"s","object":"response","status":"completed","output":[]}"#
    for (text, fault) in [(created, Self.lost), (document, nil)] {
      reply.begin(ReplyHead(status: 200, headers: []))
      _ = reply.read(Array(text.utf8).span, into: &output)
      guard case .failed = reply.end(fault, into: &output) else { continue }
      reply.restart()
    }
    #expect(output.bytes == Self.read(Array(document.utf8)))
  }
}
