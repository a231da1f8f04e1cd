import Core
import TestSupport
import Testing

@testable import oresp_send

/// Streams of responses in the background that are taken up again.
@Suite struct SendResumeTests {
  private static let lost = TransportFault(.connectionLost, "reset", advice: "")

  private static let events = [
    #"{"type":"response.created","sequence_number":0,"response":{"id":"r","status":"queued"}}"#,
    #"{"type":"response.output_text.delta","sequence_number":1,"delta":"é"}"#,
    #"{"type":"response.completed","sequence_number":2,"response":{"id":"r","status":"completed"}}"#,
  ]

  /// What is passed on of the stream of `blocks`, cut at byte `cut` and taken up again, its rest
  /// coming in `pieces`.
  private static func resumed(
    _ blocks: [String], cut: Int, _ fault: TransportFault?, bytewise: Bool
  ) -> String {
    let whole = Array(blocks.joined().utf8)
    let reply = Reply(Redaction([]), ReplyPlan(isBackground: true))
    var output = Output()
    reply.begin(ReplyHead(status: 200))
    _ = reply.read(whole.span.extracting(..<cut), into: &output)
    // Without an id there is nothing that could go on: it is asked for again.
    let outcome = reply.end(fault, into: &output)
    if outcome.isOpen {
      let wanted = outcome.rest
      reply.restart(asksForEvents: wanted?.asksForEvents)
      reply.begin(ReplyHead(status: 200))
      let last = wanted?.last ?? -1
      let rest = Array(blocks[(last + 1)...].joined().utf8)
      for piece in bytewise ? rest.map({ [$0] }) : [rest] {
        _ = reply.read(piece.span, into: &output)
      }
      // Nothing more is asked for.
      reply.giveUp(into: &output)
    }
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `the whole is the unbroken stream, wherever it was cut`(end: String) {
    let blocks = Self.events.map { "event: x\(end)data: \($0)\(end)\(end)" }
    let whole = blocks.joined()
    for cut in 1...whole.utf8.count {
      // Byte by byte at one place of nine only: that grows with the square.
      let bytewise = cut % 9 == 0
      for fault in [Self.lost, nil] {
        let got = Self.resumed(blocks, cut: cut, fault, bytewise: bytewise)
        #expect(got == whole, "cut at \(cut)")
      }
    }
  }

  @Test(arguments: [
    ["data: %\n", "data: %\n", "data: %\n"],
    ["event: x\ndata:%\n", "id: 4\nevent: y\ndata:%\n", "event: z\ndata:%\n"],
  ])
  func `where blank lines are missing, no event is lost and none comes twice`(forms: [String]) {
    let blocks = zip(forms, Self.events).map { $0.replacing("%", with: $1) }
    // Where another answer goes on, a blank line stands.
    let joined = (0...3).map {
      blocks[..<$0].joined() + ($0 == 0 || $0 == 3 ? "" : "\n\n")
        + blocks[$0...].joined()
    }
    for cut in 1...blocks.joined().utf8.count {
      for (fault, bytewise) in [(Self.lost, false), (nil, cut % 4 == 0)] {
        let got = Self.resumed(blocks, cut: cut, fault, bytewise: bytewise)
        let objects = got.split(separator: "\n").compactMap { line in
          line.firstIndex(of: "{").map { String(line[$0...]) }
        }
        #expect(objects == Self.events, "cut at \(cut)")
        #expect(joined.contains(got), "cut at \(cut)")
      }
    }
  }
}
